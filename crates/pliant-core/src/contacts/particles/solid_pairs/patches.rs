//! The outer particles of solids in patches.

use pliant_geometry::Aabb;
use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real, to_real};

use super::super::active_set::{ContactMaterial, SearchMargin};
use super::super::pair::RADII_SHARE;
use super::fit::{Fit, FitPatch};
use super::layout::{Layout, PATCHES, Plan};
use super::skin::SurfaceParticle;
use crate::contacts::broad::{Bounds, Tree, bounds_of};
use crate::parallel;

/// Rows of a patch.
const ROWS: usize = 2;

/// Most particles of a patch.
pub const MOST: usize = ROWS * LANES;

/// Reaches and rest distances are taken so much greater and less, so that rounding hides no pair.
pub const ROOM: Real = 1.001;

/// Particles may go so many of their radii before their patch is looked at again.
const SLACK: Real = 0.5;

/// Where particles are so fast that this would be after fewer substeps, patches are looked at in each.
const LEAST_SUBSTEPS: Real = 2.0;

/// What rounding moves particles seen from the middle of their patch, in sizes of the patch.
const ROUNDING: Real = 16.0 * Real::EPSILON;

/// All patches.
#[derive(Debug, Default)]
pub struct Patches {
    /// Which particles they have.
    pub layout: Layout,
    /// The patches as they were when their regions were looked at.
    pub patches: Vec<Patch>,
    /// Boxes around the spheres of each patch, and as far as they may drift.
    pub tree: Tree,
}

/// Particles of one body that were side by side at rest.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Whom they meet, and how.
    pub material: ContactMaterial,
    /// Number of the first one among the outer particles.
    pub first: usize,
    /// How many there are.
    pub count: usize,
    /// The middle of the box around their spheres [m], from the mean place of all solids.
    pub middle: DVec3,
    /// Half of the edges of that box [m].
    pub half_size: DVec3,
    /// Where the first one is at rest [m].
    pub rest: DVec3,
    /// How far its particles may go, and reach further, before it is looked at again [m].
    pub slack: Real,
    /// How much rounding, and what they go, may change distances between its particles and others [m].
    pub tolerance: Real,
    /// Greatest half of a distance [m] within which a particle may touch one of the same.
    pub greatest_reach: Real,
    /// Least radius [m].
    pub least_radius: Real,
    /// Whether any of its particles has been cut off from another.
    pub has_cuts: bool,
    /// How it is deformed.
    pub fit: Fit,
    rows: [PatchRow; ROWS],
}

/// Sixteen particles of a patch.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PatchRow {
    /// Positions [m] from the patch's middle.
    pub position: [Row; 3],
    /// Half of the distance [m] within which each may touch one of the same.
    pub swept_radius: Row,
    /// Where each is at rest [m], from where the first one is.
    pub rest: [Row; 3],
    /// Radii [m].
    pub radius: Row,
}

impl Patches {
    /// Lays out the outer particles of all solids, unless they are as they were; returns whether they
    /// are not.
    pub fn lay(&mut self, reach: SearchMargin<'_>) -> bool {
        let is_new = self.layout.update(reach);
        if is_new {
            let count = self.layout.patches.len();
            self.patches.resize_with(count, Patch::default);
            self.tree = Tree::of_leaves(count);
        }
        is_new
    }

    /// Looks at the patches of the regions that ask for it.
    ///
    /// * `now` — the outer particles
    pub fn look(
        &mut self,
        instructions: Instructions,
        reach: SearchMargin<'_>,
        now: &[SurfaceParticle],
        needs_rebuild: &[bool],
    ) {
        let layout = &self.layout;
        parallel::for_chunks_of(&mut self.patches, PATCHES, |first, patches| {
            if needs_rebuild.get(first / PATCHES) != Some(&true) {
                return;
            }
            for (patch, plan) in patches.iter_mut().zip(&layout.patches[first..]) {
                let range = plan.outer.clone();
                patch.material = layout.material[range.start];
                let places = &layout.places[range.clone()];
                patch.fill(plan, places, &now[range], reach);
                patch.fit = instructions.run(FitPatch(patch));
            }
        });
        if needs_rebuild.contains(&true) {
            let patches = &self.patches;
            self.tree.fit(|patch| patches[patch].bounds());
        }
    }
}

impl Default for Patch {
    fn default() -> Self {
        Self {
            material: ContactMaterial::default(),
            first: 0,
            count: 0,
            middle: DVec3::ZERO,
            half_size: DVec3::ZERO,
            rest: DVec3::ZERO,
            slack: 0.0,
            tolerance: 0.0,
            greatest_reach: 0.0,
            least_radius: 0.0,
            has_cuts: false,
            fit: Fit::default(),
            rows: [PatchRow::default(); ROWS],
        }
    }
}

impl Patch {
    /// The rows in use, and a bit for each of their lanes that holds a particle.
    #[inline(always)]
    pub fn rows(&self) -> impl Iterator<Item = (&PatchRow, u32)> {
        let filled = ((1u64 << self.count) - 1) as u32;
        let rows = self.rows[..self.count.div_ceil(LANES)].iter().enumerate();
        rows.map(move |(k, row)| (row, filled >> (k * LANES) & 0xffff))
    }

    fn bounds(&self) -> Bounds {
        let half_size = self.half_size + f64::from(self.slack);
        bounds_of(&Aabb {
            min: self.middle - half_size,
            max: self.middle + half_size,
        })
    }

    fn fill(
        &mut self,
        plan: &Plan,
        places: &[u32],
        outer: &[SurfaceParticle],
        reach: SearchMargin<'_>,
    ) {
        let mut least_radius = Real::INFINITY;
        let (mut greatest_reach, mut greatest_way): (f64, f64) = (0.0, 0.0);
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (outer, &place) in outer.iter().zip(places) {
            let radius = reach.particles.radius[place as usize];
            least_radius = least_radius.min(radius);
            greatest_reach = greatest_reach.max(outer.swept_radius);
            let way = outer.swept_radius - RADII_SHARE * f64::from(radius);
            greatest_way = greatest_way.max(way);
            let around = outer.swept_radius + reach.beside_of_solids() * f64::from(radius);
            let around = f64::from(ROOM) * around;
            min = min.min(outer.position - around);
            max = max.max(outer.position + around);
        }
        self.first = plan.outer.start;
        self.count = places.len();
        self.middle = 0.5 * (min + max);
        self.half_size = 0.5 * (max - min);
        self.rest = plan.rest;
        self.greatest_reach = greatest_reach as Real;
        self.least_radius = least_radius;
        self.slack = slack(least_radius, greatest_way);
        self.tolerance = ROUNDING * self.half_size.length() as Real + self.slack;
        let solids = plan.solids(reach);
        let is_cut = |&place: &u32| solids.is_cut[place as usize - solids.range.start];
        self.has_cuts = places.iter().any(is_cut);
        for (k, (outer, &place)) in outer.iter().zip(places).enumerate() {
            let (row, lane, i) = (&mut self.rows[k / LANES], k % LANES, place as usize);
            let rest = solids.rest_position[i - solids.range.start] - self.rest;
            set_vector(&mut row.position, lane, outer.position - self.middle);
            set_vector(&mut row.rest, lane, rest);
            row.swept_radius.set(lane, outer.swept_radius as Real);
            row.radius.set(lane, reach.particles.radius[i]);
        }
    }
}

/// How far particles may go before their patch is looked at again [m]; nothing if that would be soon.
///
/// * `way` — how far they may go in a substep [m]
fn slack(radius: Real, way: f64) -> Real {
    let slack = SLACK * radius;
    if LEAST_SUBSTEPS * way as Real > slack {
        0.0
    } else {
        slack
    }
}

fn set_vector(rows: &mut [Row; 3], lane: usize, vector: DVec3) {
    for (row, x) in rows.iter_mut().zip(to_real(vector).to_array()) {
        row.set(lane, x);
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::simd::Portable;
    use pliant_math::{DMat3, Vec3};

    use super::super::super::{MethodSolids, PairSearch, SampledSurfaces};
    use super::super::skin::VerletSkin;
    use super::*;
    use crate::neighbors::SpatialOrder;
    use crate::particles::{NewParticle, Particles};

    /// A slab of 20 x 9 x 2 particles 20 mm apart, in the order of solids, of which some move.
    struct Slab {
        particles: Particles,
        rest_position: Vec<DVec3>,
    }

    impl Slab {
        fn new(map: impl Fn(DVec3) -> DVec3) -> Self {
            let place = |n: u32| DVec3::from_array([n % 20, n / 20 % 9, n / 180].map(f64::from));
            let lattice: Vec<DVec3> = (0..360).map(|n| 0.02 * place(n)).collect();
            let mut order = SpatialOrder::default();
            order.sort(&lattice, |_| 0, 1, 0.036);
            let places = order.order.iter();
            let rest_position: Vec<DVec3> = places.map(|&n| lattice[n as usize]).collect();
            let mut particles = Particles::default();
            for (id, &rest) in (0..).zip(&rest_position) {
                particles.push(NewParticle {
                    position: map(rest),
                    velocity: Vec3::ZERO,
                    mass: 1.0,
                    is_pinned: false,
                    radius: 0.01,
                    body: 0,
                    id,
                });
            }
            Self {
                particles,
                rest_position,
            }
        }

        fn patches(&self) -> Patches {
            let search = PairSearch {
                continuum_of_body: &|body| body,
                friction_of_body: &|_| 0.5,
                inner_friction_of_body: &|_| Some(0.5),
                grain: None,
                solids: [MethodSolids {
                    range: 0..360,
                    rest_share: 1.5,
                    rest_position: &self.rest_position,
                    is_outer: &[true; 360],
                    is_cut: &[false; 360],
                    cut_pairs: &[],
                }]
                .into_iter()
                .collect(),
                sampled_surfaces: SampledSurfaces::default(),
                tied: None,
                kept: None,
                acceleration: 0.0,
                push_out_speed: 0.1,
                dt: 1e-3,
            };
            let mut patches = Patches::default();
            let reach = SearchMargin::new(&self.particles, &search);
            let mut skin = VerletSkin::default();
            let is_new = patches.lay(reach);
            skin.update(&patches, reach, is_new);
            patches.look(Instructions::best(), reach, &skin.now, &skin.needs_rebuild);
            patches
        }
    }

    #[test]
    fn each_particle_is_in_one_patch_beside_its_like() {
        let patches = Slab::new(|rest| rest).patches();
        assert!(patches.layout.places.iter().copied().eq(0..360));
        for (leaf, patch) in (0..).zip(&patches.patches) {
            // Around the centres of those within ten radii, 1.1 radii more, and what they may drift.
            let [x, y, z, a, b, c] = patches.tree.bounds(leaf).map(f64::from);
            let size = DVec3::new(a - x, b - y, c - z) - 2.0 * f64::from(patch.slack);
            assert!(size.max_element() <= 0.2 + 0.2 + 0.022 + 1e-6, "{size}");
            assert!(size.min_element() >= 0.022 - 1e-6 && patch.count > 0);
        }
    }

    #[test]
    fn affine_maps_are_told_for_patches_and_their_neighbours() {
        let map = DMat3::from_cols(
            DVec3::new(0.95, 0.1, 0.0),
            DVec3::new(-0.1, 0.97, 0.05),
            DVec3::new(0.0, 0.02, 1.04),
        );
        let least = DMat3::IDENTITY * 0.9;
        // No vector is shortened below nine tenths: F^T F - 0.81 I is positive definite.
        let above = map.transpose() * map - least * least;
        let minors = [
            above.x_axis.x,
            above.x_axis.x * above.y_axis.y - above.x_axis.y.powi(2),
            above.determinant(),
        ];
        assert!(minors.iter().all(|&minor| minor > 0.0));
        let patches = Slab::new(|rest| map * rest + DVec3::X * 1e3).patches();
        for a in &patches.patches {
            assert!(a.fit.deviation < 1e-6, "{}", a.fit.deviation);
            let is_flat = a.count < 16;
            let stretch = a.fit.least_stretch;
            assert!((0.8..1.0).contains(&stretch), "{stretch} of {}", a.count);
            // Across flat ones the map is a guess, but never a worse one than the thickness.
            let most = if is_flat { 0.02 } else { 1e-5 };
            for b in &patches.patches {
                let shift = to_real(b.middle - a.middle).to_array();
                let rest_shift = to_real(b.rest - a.rest).to_array();
                let deviation = a.fit.deviation_of::<Portable>(b, shift, rest_shift);
                assert!(deviation < most, "{deviation} of {}", a.count);
            }
        }
    }

    /// Where one of the particles is at rest [m].
    const PLACE: DVec3 = DVec3::new(0.04, 0.02, 0.0);

    #[test]
    fn a_particle_out_of_place_is_told() {
        let moved = 0.005;
        let shifted = |rest: DVec3| {
            let is_one = rest.distance(PLACE) < 1e-9;
            rest + DVec3::Y * if is_one { moved } else { 0.0 }
        };
        let slab = Slab::new(shifted);
        let patches = slab.patches();
        let is_it = |i: &u32| slab.rest_position[*i as usize].distance(PLACE) < 1e-9;
        let of_it = |p: &&Patch| {
            let outer = &patches.layout.places[p.first..p.first + p.count];
            outer.iter().any(is_it)
        };
        let patch = patches.patches.iter().find(of_it).expect("a patch");
        let deviation = f64::from(patch.fit.deviation);
        assert!((0.4 * moved..moved).contains(&deviation), "{deviation}");
    }
}
