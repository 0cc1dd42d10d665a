//! The particles on and around blocks, close together in memory, with coordinates from their
//! block's first particle: what the neighbour search reads.
//!
//! Coordinates are differences taken in double precision and rounded after, so single precision
//! resolves distances to a ten-millionth of the support radius wherever the block is.
// Blocks write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::simd::{LANES, List, Near, Pack, Runs, place_to_real};
use pliant_math::{DVec3, Real, Vec3, to_real};

use super::grid::{BlockGrid, Piece, SIDE, SURROUNDINGS, Surroundings, own_cell, rows};
use crate::parallel::{self, Shared};

/// Coordinates [m] of a particle from the first one of its block, its place in the continuum as
/// [`Pack::to_places`] reads it, and four numbers that the search hands through.
pub type LocalPoint = [Real; 8];

/// Candidates of several blocks one after the other; scratch of a thread.
#[derive(Debug, Default)]
pub struct LocalBlocks {
    x: Vec<Real>,
    y: Vec<Real>,
    z: Vec<Real>,
    /// The candidates with coordinates [m] from the first particle of the block around which they
    /// are.
    pub candidates: Vec<LocalPoint>,
    used: usize,
    runs: Runs,
}

/// Spare points behind all particles, for lanes without a particle: of two rows that are at work at once.
pub const SPARE_POINTS: usize = 2 * LANES;

/// The local points of all particles and [`SPARE_POINTS`] of zeros behind them.
pub fn local_points(
    grid: BlockGrid<'_>,
    position: &[DVec3],
    others: impl Fn(usize) -> [Real; 4] + Sync,
    points: &mut Vec<LocalPoint>,
) {
    points.resize(position.len() + SPARE_POINTS, [0.0; 8]);
    points[position.len()..].fill([0.0; 8]);
    let points = Shared::new(points);
    parallel::for_indices(grid.block_count(), |block| {
        let particles = grid.block(block);
        let origin = position[particles.start];
        // SAFETY: each block writes its own particles.
        let mut points = unsafe { points.view(block as u32) };
        for (i, point) in particles.clone().zip(points.range(particles)) {
            let [x, y, z] = to_real(position[i] - origin).to_array();
            let [a, b, c, d] = others(i);
            *point = [x, y, z, place_to_real(i as u32), a, b, c, d];
        }
    });
}

/// Where the candidates of a block, or of a part of it, are.
#[derive(Clone, Copy, Debug)]
pub struct LocalBlock {
    cell_start: [u32; SURROUNDINGS + 1],
}

/// Numbers of candidates, list after list.
#[derive(Debug, Default)]
pub struct NeighborLists {
    numbers: Vec<u32>,
    used: usize,
}

impl NeighborLists {
    /// Removes all lists.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.used
    }

    /// The numbers of all lists.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers[..self.used]
    }

    /// Makes room for so many more.
    #[inline(always)]
    fn reserve(&mut self, count: usize) {
        let needed = self.used + count + LANES;
        if needed > self.numbers.len() {
            self.numbers.resize(2 * needed, 0);
        }
    }
}

impl LocalBlock {
    /// The candidates in a cell of the block itself.
    #[inline(always)]
    pub fn own(&self, cell: usize) -> std::ops::Range<u32> {
        let number = own_cell(cell);
        self.cell_start[number]..self.cell_start[number + 1]
    }
}

impl LocalBlocks {
    /// Removes all blocks.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Has what `load` will read brought nearer.
    #[inline(always)]
    pub fn prefetch<P: Pack>(around: &Surroundings, points: &[LocalPoint]) {
        for piece in around.rows().flat_map(|(_, pieces)| pieces) {
            for at in piece.particles().step_by(2) {
                P::prefetch(points, at, size_of::<LocalPoint>());
            }
        }
    }

    /// Adds the particles on and around a part of a block; the block is not empty.
    ///
    /// * `around` — where they are
    /// * `position` — [m], of all particles
    /// * `points` — their [`local_points`]
    #[inline(always)]
    pub fn load<P: Pack>(
        &mut self,
        around: &Surroundings,
        position: &[DVec3],
        points: &[LocalPoint],
    ) -> LocalBlock {
        let origin = position[around.origin()];
        let pieces = around.rows().flat_map(|(_, pieces)| pieces);
        let count: u32 = pieces.map(|piece| piece.end - piece.start).sum();
        self.make_room(self.used + count as usize);
        let mut cell_start = [0; SURROUNDINGS + 1];
        for (row, [before, own, behind]) in around.rows() {
            let cells = &mut cell_start[SIDE * row..];
            cells[0] = self.used as u32;
            self.add_piece::<P>(before, origin, position, points);
            cells[1] = self.used as u32;
            cells[2] = self.used as u32 + (own.second - own.start);
            self.add_piece::<P>(own, origin, position, points);
            cells[3] = self.used as u32;
            self.add_piece::<P>(behind, origin, position, points);
            cells[4] = self.used as u32;
        }
        LocalBlock { cell_start }
    }

    #[inline(always)]
    fn add_piece<P: Pack>(
        &mut self,
        piece: &Piece,
        origin: DVec3,
        position: &[DVec3],
        points: &[LocalPoint],
    ) {
        if piece.start < piece.end {
            let offset = to_real(position[piece.origin as usize] - origin);
            self.add::<P>(&points[piece.particles()], offset);
        }
    }

    /// Searches and copies take sixteen points at a time: there is room for them behind the last.
    fn make_room(&mut self, count: usize) {
        if self.candidates.len() < count + LANES {
            let room = 2 * count + LANES;
            for column in [&mut self.x, &mut self.y, &mut self.z] {
                column.resize(room, 0.0);
            }
            self.candidates.resize(room, [0.0; 8]);
        }
    }

    #[inline(always)]
    fn add<P: Pack>(&mut self, points: &[LocalPoint], offset: Vec3) {
        let places = self.used..self.used + points.len() + LANES;
        let columns = [
            &mut self.x[places.clone()],
            &mut self.y[places.clone()],
            &mut self.z[places.clone()],
        ];
        P::shift(points, offset.into(), columns, &mut self.candidates[places]);
        self.used += points.len();
    }

    /// Names the candidates that the particles of a cell of the block itself are searched among.
    #[inline(always)]
    pub fn around(&mut self, block: &LocalBlock, cell: usize) {
        self.runs.clear();
        for row in rows(cell) {
            let candidates = block.cell_start[row]..block.cell_start[row + 3];
            self.runs.add(candidates);
        }
    }

    /// Adds a list of the candidates strictly inside the support radius of a candidate, without it,
    /// among those that [`Self::around`] named, always in the same order.
    #[inline(always)]
    pub fn search<P: Pack>(
        &self,
        own: u32,
        support_squared: Real,
        lists: &mut NeighborLists,
    ) -> List {
        let start = lists.used;
        lists.reserve(self.runs.points());
        let near = Near {
            points: [&self.x, &self.y, &self.z],
            runs: &self.runs,
            own,
            limit: support_squared,
        };
        lists.used = P::keep_near(near, &mut lists.numbers, lists.used);
        List {
            start: start as u32,
            count: (lists.used - start) as u32,
            filler: own,
        }
    }
}
