//! The pairs of each two patches whose boxes overlap.

use pliant_math::simd::{Instructions, Job, LANES, Mask, Pack, Row};
use pliant_math::{Real, to_real};

use super::super::hulls::HullContacts;
use super::super::meeting::{Company, Reach, Sphere};
use super::super::pair::{Pair, may_touch};
use super::super::solids::REST_SHARE;
use super::patches::{Patch, PatchRow, Patches};
use super::tasks::SolidTask;
use crate::parallel;

/// Reaches and rest distances are taken so much greater and less, so that rounding hides no pair.
const ROOM: Real = 1.001;

/// What a region finds.
#[derive(Debug, Default)]
pub struct Region {
    /// The pairs with itself and with later regions.
    pub found: Vec<SolidTask>,
    /// Places of particles that may be pairs.
    candidates: Vec<[u32; 2]>,
}

/// Finds the pairs of all regions.
pub fn search(
    instructions: Instructions,
    reach: Reach<'_>,
    patches: &Patches,
    regions: &mut Vec<Region>,
) {
    regions.resize_with(patches.regions.len(), Region::default);
    parallel::for_items(regions, |number, region| {
        for other in number..patches.regions.len() {
            if patches.regions[number].overlaps(patches.regions[other]) {
                region.search(instructions, reach, patches, [number, other]);
            }
        }
    });
}

impl Region {
    fn search(
        &mut self,
        instructions: Instructions,
        reach: Reach<'_>,
        patches: &Patches,
        regions: [usize; 2],
    ) {
        let [own, other] = regions;
        let (mut pairs, mut near_surfaces) = (Vec::new(), Vec::new());
        let beside = reach.beside_of_solids();
        for a in patches.of_region(own) {
            if !patches.extents[a].overlaps(patches.regions[other]) {
                continue;
            }
            for b in patches.of_region(other).filter(|&b| b >= a) {
                if !patches.extents[a].overlaps(patches.extents[b]) {
                    continue;
                }
                let both = [&patches.patches[a], &patches.patches[b]];
                if both[0].company.friction(&both[1].company).is_none() {
                    continue;
                }
                let are_one = both[0].company.continuum == both[1].company.continuum;
                let meet_surfaces = !are_one && beside > 0.0;
                self.candidates.clear();
                instructions.run(TryAll {
                    patches: both,
                    is_same: a == b,
                    beside: if meet_surfaces { beside as Real } else { 0.0 },
                    candidates: &mut self.candidates,
                });
                let candidates = self.candidates.iter().copied();
                if meet_surfaces {
                    let inverse_mass = &reach.particles.inverse_mass;
                    let is_free = |place: u32| inverse_mass[place as usize] > 0.0;
                    near_surfaces.extend(candidates.filter(|&[i, j]| is_free(i) || is_free(j)));
                } else {
                    pairs.extend(candidates.filter_map(|places| {
                        let [i, j] = spheres(reach, both, places);
                        Pair::of(&i, &j, reach.search)
                    }));
                }
            }
        }
        if !pairs.is_empty() || !near_surfaces.is_empty() {
            let task = SolidTask::new(regions, pairs, near_surfaces);
            self.found.push(task);
        }
    }

    /// Adds as pairs of spheres those that do not meet as particle and surface.
    pub fn add_uncovered(&mut self, reach: Reach<'_>, hulls: &HullContacts) {
        for task in &mut self.found {
            task.add(|&places| {
                let Reach {
                    particles, search, ..
                } = reach;
                let places = places.map(|place| place as usize);
                if !may_touch(particles, places, search) {
                    return None;
                }
                let [i, j] = places.map(|place| {
                    let company = Company::of(particles.body[place], search);
                    reach.sphere(place, company)
                });
                (!hulls.cover(&i, &j)).then(|| Pair::of(&i, &j, search))?
            });
        }
        self.found.retain(|task| !task.is_empty());
    }
}

/// A particle in each of two patches as they take part.
fn spheres(reach: Reach<'_>, [a, b]: [&Patch; 2], [i, j]: [u32; 2]) -> [Sphere; 2] {
    [
        reach.sphere(i as usize, a.company),
        reach.sphere(j as usize, b.company),
    ]
}

/// Tries all pairs of two patches.
struct TryAll<'a> {
    patches: [&'a Patch; 2],
    is_same: bool,
    /// By how much of their radii particles reach further than those of one continuum do.
    beside: Real,
    candidates: &'a mut Vec<[u32; 2]>,
}

impl Job for TryAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let [a, b] = self.patches;
        let from_b = to_real(a.middle - b.middle).to_array();
        let half_size = to_real(b.half_size).to_array();
        let rounding = a.rounding + b.rounding;
        if keep_apart(a, b) && are_as_at_rest::<P>(a, b) {
            return;
        }
        for (k, (row, filled)) in a.rows().enumerate() {
            let inside = reaching::<P>(row, self.beside, from_b, half_size, rounding);
            let mut near = inside & filled;
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let one = One::<P>::new(self.patches, self.beside, row, lane);
                for (l, (others, filled)) in b.rows().enumerate() {
                    let mut bits = one.candidates(others) & filled;
                    if self.is_same {
                        bits &= later(k * LANES + lane, l * LANES);
                    }
                    while bits != 0 {
                        let other = l * LANES + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        let places = [a.places[k * LANES + lane], b.places[other]];
                        self.candidates.push(places);
                    }
                }
            }
        }
    }
}

/// True if particles of two patches that were near at rest do not meet: their body keeps them apart, and
/// has not been cut between them.
fn keep_apart(a: &Patch, b: &Patch) -> bool {
    a.company.continuum == b.company.continuum && !(a.has_cuts && b.has_cuts)
}

/// True if two patches are deformed so little that none of their particles meet but those that were near
/// at rest.
#[inline(always)]
fn are_as_at_rest<P: Pack>(a: &Patch, b: &Patch) -> bool {
    let limit = REST_SHARE as Real / ROOM * (a.least_radius + b.least_radius);
    let reach = ROOM * (a.greatest_reach + b.greatest_reach) + a.rounding + b.rounding;
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
    rounding: Real,
) -> u32 {
    let mut outside = 0;
    let half = P::load(&row.half_reach) + P::load(&row.radius) * P::splat(beside);
    let reach = half * P::splat(ROOM) + P::splat(rounding);
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
    half_reach: P,
    rest: [P; 3],
    radius: P,
    beside: P,
    rounding: P,
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
            half_reach: P::splat(row.half_reach.0[lane] + row.radius.0[lane] * beside),
            rest: [P::ZERO; 3],
            radius: P::splat(row.radius.0[lane]),
            beside: P::splat(beside),
            rounding: P::splat(a.rounding + b.rounding),
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
        let half = P::load(&others.half_reach) + P::load(&others.radius) * self.beside;
        let reach = (self.half_reach + half) * P::splat(ROOM) + self.rounding;
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
