//! The pairs of each two patches whose boxes overlap.

use std::ops::Range;

use pliant_math::simd::{Instructions, Job, LANES, Mask, Pack, Row};
use pliant_math::{Real, to_real};

use super::super::active_set::{ContactMaterial, SearchMargin, Sphere};
use super::super::pair::{add_pair, may_touch};
use super::super::sampled_surfaces::SampledContacts;
use super::super::solids::REST_SHARE;
use super::layout::PATCHES;
use super::patches::{Patch, PatchRow, Patches, ROOM};
use super::skin::VerletSkin;
use crate::contacts::broad::Certificate;
use crate::contacts::solve::ContactList;
use crate::parallel;

/// What a region finds.
#[derive(Debug, Default)]
pub struct Region {
    /// The pairs with itself and with later regions, until they are handed over.
    pub contacts: ContactList,
    /// Particles of different continua that may meet as particle and surface.
    pub near_surfaces: Vec<[u32; 2]>,
    /// Who is near, in itself and in later regions, in their order.
    nearby: Vec<NeighborList>,
    /// Lists that keep their memory.
    spare: Vec<NeighborList>,
    /// Pairs of patches whose particles are to be listed: the other one's region, the own one, the other one.
    patches: Vec<[u32; 3]>,
    /// Patches near the one at hand.
    leaves: Vec<u32>,
}

/// Who may touch whom while nobody goes further than the slack of their patch, by their numbers among
/// the outer particles.
#[derive(Debug, Default)]
struct NeighborList {
    other: usize,
    /// Those that meet as spheres.
    spheres: Vec<[u32; 2]>,
    /// Those that may meet as particle and surface.
    surfaces: Vec<[u32; 2]>,
}

/// What regions are searched with.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// The particles and what they are asked for.
    pub reach: SearchMargin<'a>,
    /// The patches.
    pub patches: &'a Patches,
    /// The outer particles, and which regions have been looked at.
    pub skin: &'a VerletSkin,
}

/// Finds the pairs of all regions.
pub fn search(search: Search<'_>, regions: &mut Vec<Region>) {
    let any_needs_rebuild = search.skin.needs_rebuild.contains(&true);
    regions.resize_with(search.patches.layout.regions(), Region::default);
    parallel::for_items(regions, |number, region| {
        if any_needs_rebuild {
            search.instructions.run(ListNear {
                search,
                number,
                region,
            });
        }
        region.select(search);
    });
}

/// Lists anew who is near in regions that have been looked at.
struct ListNear<'a> {
    search: Search<'a>,
    number: usize,
    region: &'a mut Region,
}

impl Job for ListNear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            search,
            number,
            region,
        } = self;
        region.drop_lists(|other| search.is_listed([number, other]));
        region.patches.clear();
        for own in search.patches.layout.of_region(number) {
            let own = own as u32;
            region.leaves.clear();
            let tree = &search.patches.tree;
            tree.add_near::<P>(own, &search, &mut region.leaves);
            let of_region = |&other: &u32| [other / PATCHES as u32, own, other];
            region.patches.extend(region.leaves.iter().map(of_region));
        }
        region.patches.sort_unstable();
        for near in region.patches.chunk_by(|a, b| a[0] == b[0]) {
            let mut list = region.spare.pop().unwrap_or_default();
            list.fill::<P>(search, near);
            match list.is_empty() {
                true => region.spare.push(list),
                false => region.nearby.push(list),
            }
        }
        region.nearby.sort_unstable_by_key(|list| list.other);
    }
}

impl Region {
    /// Drops the lists that are not to be kept.
    fn drop_lists(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut k = 0;
        while k < self.nearby.len() {
            if is_kept(self.nearby[k].other) {
                k += 1;
            } else {
                self.spare.push(self.nearby.swap_remove(k));
            }
        }
    }

    /// Picks those that may touch in this substep.
    fn select(&mut self, search: Search<'_>) {
        let reach = search.reach;
        self.contacts.clear();
        self.near_surfaces.clear();
        for nearby in &self.nearby {
            for &numbers in &nearby.spheres {
                if search.are_near(numbers, 0.0) {
                    let [i, j] = search.spheres(numbers);
                    add_pair(&i, &j, reach.search, &mut self.contacts);
                }
            }
            let beside = reach.beside_of_solids();
            let of_surfaces = nearby.surfaces.iter();
            let of_surfaces = of_surfaces.filter(|&&numbers| search.are_near(numbers, beside));
            let places = of_surfaces.map(|&numbers| search.places(numbers));
            let is_free = |&place: &u32| reach.particles.inverse_mass[place as usize] > 0.0;
            self.near_surfaces
                .extend(places.filter(|both| both.iter().any(is_free)));
        }
    }

    /// Adds as pairs of spheres those that do not meet as particle and surface.
    pub fn add_fallback_pairs(
        &mut self,
        reach: SearchMargin<'_>,
        sampled_surfaces: &SampledContacts,
    ) {
        let SearchMargin {
            particles, search, ..
        } = reach;
        for &places in &self.near_surfaces {
            let places = places.map(|place| place as usize);
            if !may_touch(particles, places, search) {
                continue;
            }
            let [i, j] = places.map(|place| {
                let material = ContactMaterial::of(particles.body[place], search);
                reach.sphere(place, material)
            });
            if !sampled_surfaces.handles(&i, &j) {
                add_pair(&i, &j, search, &mut self.contacts);
            }
        }
    }
}

impl NeighborList {
    fn is_empty(&self) -> bool {
        self.spheres.is_empty() && self.surfaces.is_empty()
    }

    /// Lists who is near in pairs of patches of two regions.
    #[inline(always)]
    fn fill<P: Pack>(&mut self, search: Search<'_>, near: &[[u32; 3]]) {
        self.other = near[0][0] as usize;
        self.spheres.clear();
        self.surfaces.clear();
        let patches = &search.patches.patches;
        let beside = search.reach.beside_of_solids();
        for &[_, own, other] in near {
            let both = [&patches[own as usize], &patches[other as usize]];
            let are_one = both[0].material.continuum == both[1].material.continuum;
            let meet_surfaces = !are_one && beside > 0.0;
            let (beside, candidates) = match meet_surfaces {
                true => (beside as Real, &mut self.surfaces),
                false => (0.0, &mut self.spheres),
            };
            add_pairs::<P>(both, own == other, beside, candidates);
        }
    }
}

impl Certificate for Search<'_> {
    /// Those before a patch look for it themselves.
    fn apart(&self, patch: u32) -> Range<u32> {
        0..patch
    }

    /// Particles that were near at rest do not meet where patches look as at rest. What is listed already
    /// is not listed again.
    #[inline(always)]
    fn are_apart<P: Pack>(&self, one: u32, other: u32) -> bool {
        let both = [one as usize, other as usize];
        let [a, b] = both.map(|patch| &self.patches.patches[patch]);
        self.is_listed(both.map(|patch| patch / PATCHES))
            || a.material.friction(&b.material).is_none()
            || keep_apart(a, b) && are_as_at_rest::<P>(a, b)
    }
}

impl Search<'_> {
    /// True for regions of which none was looked at anew.
    fn is_listed(&self, regions: [usize; 2]) -> bool {
        regions
            .iter()
            .all(|&region| !self.skin.needs_rebuild[region])
    }

    /// True if two outer particles may touch in this substep, should they meet at all.
    ///
    /// Of those that meet as spheres a few more are told, whom `add_pair` sorts out. What may meet as
    /// particle and surface is told exactly, as it must not hang on who was listed before.
    ///
    /// * `beside` — by how much of their radii they reach further
    #[inline]
    fn are_near(&self, numbers: [u32; 2], beside: f64) -> bool {
        let [i, j] = numbers.map(|number| &self.skin.now[number as usize]);
        let mut reach = i.swept_radius + j.swept_radius;
        if beside > 0.0 {
            let radius = &self.reach.particles.radius;
            let of = |place: u32| f64::from(radius[place as usize]);
            let [first, second] = self.places(numbers).map(of);
            reach += beside * (first + second);
        } else {
            reach *= f64::from(ROOM);
        }
        // What is not a number is near: who looks closer decides.
        let is_far = i.position.distance_squared(j.position) > reach * reach;
        !is_far
    }

    fn places(&self, numbers: [u32; 2]) -> [u32; 2] {
        numbers.map(|number| self.patches.layout.places[number as usize])
    }

    /// Two outer particles as they take part.
    fn spheres(&self, numbers: [u32; 2]) -> [Sphere; 2] {
        numbers.map(|number| {
            let (place, material) = (
                self.patches.layout.places[number as usize],
                self.patches.layout.material[number as usize],
            );
            self.reach.sphere(place as usize, material)
        })
    }
}

/// Tries all pairs of two patches.
///
/// * `beside` — by how much of their radii particles reach further than those of one continuum do
#[inline(always)]
fn add_pairs<P: Pack>(
    [a, b]: [&Patch; 2],
    is_same: bool,
    beside: Real,
    candidates: &mut Vec<[u32; 2]>,
) {
    let from_b = to_real(a.middle - b.middle).to_array();
    let half_size = to_real(b.half_size).to_array();
    let tolerance = a.tolerance + b.tolerance;
    for (k, (row, filled)) in a.rows().enumerate() {
        let inside = reaching::<P>(row, beside, from_b, half_size, tolerance);
        let mut near = inside & filled;
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let one = One::<P>::new([a, b], beside, row, lane);
            for (l, (others, filled)) in b.rows().enumerate() {
                let mut bits = one.candidates(others) & filled;
                if is_same {
                    bits &= later(k * LANES + lane, l * LANES);
                }
                while bits != 0 {
                    let other = l * LANES + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let numbers = [a.first + k * LANES + lane, b.first + other];
                    candidates.push(numbers.map(|number| number as u32));
                }
            }
        }
    }
}

/// True if particles of two patches that were near at rest do not meet: their body keeps them apart, and
/// has not been cut between them.
fn keep_apart(a: &Patch, b: &Patch) -> bool {
    a.material.continuum == b.material.continuum && !(a.has_cuts && b.has_cuts)
}

/// True if two patches are deformed so little that none of their particles meet but those that were near
/// at rest.
#[inline(always)]
fn are_as_at_rest<P: Pack>(a: &Patch, b: &Patch) -> bool {
    let limit = REST_SHARE as Real / ROOM * (a.least_radius + b.least_radius);
    let reach = ROOM * (a.greatest_reach + b.greatest_reach) + a.tolerance + b.tolerance;
    let room = a.fit.least_stretch * limit - a.fit.deviation - reach;
    if room <= 0.0 {
        return false;
    }
    let shift = to_real(b.middle - a.middle).to_array();
    let rest_shift = to_real(b.rest - a.rest).to_array();
    a.fit.deviation_of::<P>(b, shift, rest_shift) < room
}

/// Bits of the lanes of a row, which starts at a number, that come after a number.
#[inline(always)]
fn later(number: usize, first: usize) -> u32 {
    let before = (number + 1).saturating_sub(first).min(LANES);
    (0xffff << before) & 0xffff
}

/// Bits of the lanes whose spheres reach into a box around the origin, or may.
///
/// * `shift` — of the origin of the positions [m]
#[inline(always)]
fn reaching<P: Pack>(
    row: &PatchRow,
    beside: Real,
    shift: [Real; 3],
    half_size: [Real; 3],
    tolerance: Real,
) -> u32 {
    let mut outside = 0;
    let half = P::load(&row.swept_radius) + P::load(&row.radius) * P::splat(beside);
    let reach = half * P::splat(ROOM) + P::splat(tolerance);
    for axis in 0..3 {
        let x = P::load(&row.position[axis]) + P::splat(shift[axis]);
        let edge = P::splat(half_size[axis]) + reach;
        outside |= edge.less(x.abs()).bits();
    }
    !outside
}

/// A particle as another patch sees it.
struct One<P> {
    position: [P; 3],
    swept_radius: P,
    rest: [P; 3],
    radius: P,
    beside: P,
    tolerance: P,
    /// Whether those that were near at rest do not meet.
    are_kept_apart: bool,
}

impl<P: Pack> One<P> {
    #[inline(always)]
    fn new([a, b]: [&Patch; 2], beside: Real, row: &PatchRow, lane: usize) -> Self {
        let shift = to_real(a.middle - b.middle).to_array();
        let rest_shift = to_real(a.rest - b.rest).to_array();
        let mut one = Self {
            position: [P::ZERO; 3],
            swept_radius: P::splat(row.swept_radius.0[lane] + row.radius.0[lane] * beside),
            rest: [P::ZERO; 3],
            radius: P::splat(row.radius.0[lane]),
            beside: P::splat(beside),
            tolerance: P::splat(a.tolerance + b.tolerance),
            are_kept_apart: keep_apart(a, b),
        };
        for axis in 0..3 {
            one.position[axis] = P::splat(row.position[axis].0[lane] + shift[axis]);
            one.rest[axis] = P::splat(row.rest[axis].0[lane] + rest_shift[axis]);
        }
        one
    }

    /// Bits of the lanes that it may touch and that were not near at rest. What is not a number is a
    /// candidate: `Pair::of` decides.
    #[inline(always)]
    fn candidates(&self, others: &PatchRow) -> u32 {
        let half = P::load(&others.swept_radius) + P::load(&others.radius) * self.beside;
        let reach = (self.swept_radius + half) * P::splat(ROOM) + self.tolerance;
        let distance = squared_distance(self.position, &others.position);
        let far = (reach * reach).less(distance).bits();
        if !self.are_kept_apart {
            return !far;
        }
        let radii = self.radius + P::load(&others.radius);
        let limit = radii * P::splat(REST_SHARE as Real / ROOM);
        let distance = squared_distance(self.rest, &others.rest);
        !(far | distance.less(limit * limit).bits())
    }
}

#[inline(always)]
fn squared_distance<P: Pack>(from: [P; 3], to: &[Row; 3]) -> P {
    let x = from[0] - P::load(&to[0]);
    let y = from[1] - P::load(&to[1]);
    let z = from[2] - P::load(&to[2]);
    x * x + y * y + z * z
}
