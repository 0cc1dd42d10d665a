//! The particles that take part, sorted in space.

use pliant_math::{DVec3, Real};

use super::active_set::Sphere;
use crate::neighbors::{BlockGrid, BlockKey, SpatialOrder};
use crate::parallel;

/// Spheres larger than this many times most others are found by themselves, so that they do not
/// coarsen the cells of the rest.
const OVERSIZED: f64 = 2.0;

/// The share of spheres that count as most.
const MOST: f64 = 0.9;

/// Cells are this much wider than the spheres in them, so that rounding moves none beyond the next.
const ROOM: f64 = 1.001;

/// Sizes are told apart in 8 steps from a power of two to the next, from 2^-64 m to 2^64 m.
const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - 1 - 3;
const FIRST_STEP: u64 = (1023 - 64) << 3;
const STEP_COUNT: usize = 128 << 3;

/// The spheres, sorted by block and cell.
#[derive(Debug, Default)]
pub struct Spheres {
    /// The spheres in order.
    pub sorted: Vec<Sphere>,
    /// Edge of a cell [m].
    cell_size: f64,
    /// The greatest radius [m] of spheres that are not wide.
    usual_swept_radius: f64,
    /// Where the blocks are.
    order: SpatialOrder,
    /// Continua in each block.
    continua: Vec<BlockContinua>,
    /// Whether particles of each block meet any in it or around it.
    has_candidates: Vec<bool>,
    position: Vec<DVec3>,
    histogram: Vec<u32>,
}

/// The continua of a block: one, or several.
#[derive(Clone, Copy, Debug, Default)]
struct BlockContinua {
    least: u32,
    greatest: u32,
    /// Whether particles of one of them meet each other.
    meet_themselves: bool,
}

impl Spheres {
    /// Sorts the spheres of particles.
    pub fn sort(&mut self, members: &[Sphere]) {
        self.usual_swept_radius = self.usual_swept_radius(members);
        self.cell_size = 2.0 * ROOM * self.usual_swept_radius;
        self.position.clear();
        self.position.extend(members.iter().map(|m| m.position));
        self.order.sort(&self.position, |_| 0, 1, self.cell_size);
        let Some(&filler) = members.first() else {
            self.sorted.clear();
            return;
        };
        self.sorted.resize(members.len(), filler);
        let order = &self.order.order;
        parallel::for_chunks(&mut self.sorted, |first, sorted| {
            for (sphere, &member) in sorted.iter_mut().zip(&order[first..]) {
                *sphere = members[member as usize];
            }
        });
        self.find_continua();
    }

    /// The colour of a block.
    pub fn color(&self, block: usize) -> usize {
        self.order.blocks[block].color()
    }

    /// The blocks.
    pub fn grid(&self) -> BlockGrid<'_> {
        BlockGrid::new(&self.order, 1)
    }

    /// Squared distance [m2] within which spheres that are not wide may touch.
    pub fn squared_reach(&self) -> Real {
        (self.cell_size * self.cell_size) as Real
    }

    /// True if a sphere and its like reach further than a cell.
    pub fn is_oversized(&self, sphere: &Sphere) -> bool {
        f64::from(sphere.swept_radius) > self.usual_swept_radius
    }

    /// True if particles of a block meet any in it or around it.
    pub fn has_candidates(&self, block: usize) -> bool {
        self.has_candidates[block]
    }

    /// Calls `f` for the blocks that a sphere and lesser ones may reach into, in order.
    pub fn for_blocks_near(&self, sphere: &Sphere, f: impl FnMut(usize)) {
        let reach = DVec3::splat(2.0 * ROOM * f64::from(sphere.swept_radius));
        let corner = |x: DVec3| BlockKey::containing(x, self.cell_size);
        let least = corner(sphere.position - reach);
        let greatest = corner(sphere.position + reach);
        self.order.for_blocks_between(least, greatest, f);
    }

    fn find_continua(&mut self) {
        let (order, sorted) = (&self.order, &self.sorted);
        let grid = BlockGrid::new(order, 1);
        self.continua
            .resize(grid.block_count(), BlockContinua::default());
        parallel::for_chunks(&mut self.continua, |first, continua| {
            for (k, continua) in continua.iter_mut().enumerate() {
                *continua = BlockContinua::of(&sorted[grid.block(first + k)]);
            }
        });
        self.has_candidates.resize(grid.block_count(), false);
        let continua = &self.continua;
        parallel::for_chunks(&mut self.has_candidates, |first, has_candidates| {
            for (k, has_candidates) in has_candidates.iter_mut().enumerate() {
                let own = continua[first + k];
                let is_alike = |b: usize| continua[b].are_only(own.least);
                *has_candidates = own.meet_themselves || !grid.neighbors(first + k).all(is_alike);
            }
        });
    }

    /// The radius [m] of all but the widest few spheres.
    fn usual_swept_radius(&mut self, members: &[Sphere]) -> f64 {
        let histogram = &mut self.histogram;
        histogram.clear();
        histogram.resize(STEP_COUNT, 0);
        for member in members {
            histogram[step_of(member.swept_radius.into())] += 1;
        }
        let most = (members.len() as f64 * MOST) as u32;
        let mut below = 0;
        let usual = histogram.iter().position(|&count| {
            below += count;
            below > most
        });
        let widest = histogram.iter().rposition(|&count| count > 0);
        let (Some(usual), Some(widest)) = (usual, widest) else {
            return 1.0;
        };
        end_of(widest).min(OVERSIZED * end_of(usual))
    }
}

impl BlockContinua {
    fn of(spheres: &[Sphere]) -> Self {
        let none = Self {
            least: u32::MAX,
            greatest: 0,
            meet_themselves: false,
        };
        spheres.iter().fold(none, |all, sphere| Self {
            least: all.least.min(sphere.material.continuum),
            greatest: all.greatest.max(sphere.material.continuum),
            meet_themselves: all.meet_themselves || sphere.material.meets_itself(),
        })
    }

    fn are_only(self, continuum: u32) -> bool {
        self.least == continuum && self.greatest == continuum
    }
}

/// The step of a size [m], read off the exponent and the first bits behind it.
fn step_of(size: f64) -> usize {
    let steps = size.to_bits() >> DROPPED_BITS;
    steps.saturating_sub(FIRST_STEP).min(STEP_COUNT as u64 - 1) as usize
}

/// Where a step ends [m].
fn end_of(step: usize) -> f64 {
    f64::from_bits((step as u64 + 1 + FIRST_STEP) << DROPPED_BITS)
}
