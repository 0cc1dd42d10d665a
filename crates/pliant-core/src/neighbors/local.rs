//! The particles on and around blocks, close together in memory, with coordinates from their
//! block's first particle: what the neighbour search reads.
//!
//! Coordinates are differences taken in double precision and rounded after, so single precision
//! resolves distances to a ten-millionth of the support radius wherever the block is.

use pliant_math::simd::{LANES, Near, Pack, place_to_real};
use pliant_math::{DVec3, Real, Vec3, to_real};

use super::grid::{BlockGrid, CellRange, SURROUNDINGS, Surroundings, own_cell, rows};

/// Candidates of several blocks one after the other; scratch of a thread.
#[derive(Debug, Default)]
pub struct LocalBlocks {
    x: Vec<Real>,
    y: Vec<Real>,
    z: Vec<Real>,
    /// The same coordinates a candidate [m], and its place in the continuum as
    /// [`Pack::to_places`] reads it.
    pub point: Vec<[Real; 4]>,
    /// What else is wanted of each candidate.
    pub matter: Vec<[Real; 4]>,
}

/// Coordinates [m] of all particles from the first one of their block, and their places as
/// [`Pack::to_places`] reads them.
pub fn local_points(grid: BlockGrid<'_>, position: &[DVec3], points: &mut Vec<[Real; 4]>) {
    points.clear();
    for block in 0..grid.block_count() {
        let particles = grid.block(block);
        let origin = position[particles.start];
        points.extend(particles.map(|i| {
            let local = to_real(position[i] - origin);
            [local.x, local.y, local.z, place_to_real(i as u32)]
        }));
    }
}

/// Where the candidates of a block are.
#[derive(Clone, Copy, Debug)]
pub struct LocalBlock {
    cell_start: [u32; SURROUNDINGS + 1],
}

/// Numbers of candidates, list after list.
#[derive(Debug, Default)]
pub struct NearLists {
    numbers: Vec<u32>,
    used: usize,
}

impl NearLists {
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
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            column.clear();
        }
        self.point.clear();
        self.matter.clear();
    }

    /// Has what `load` will read brought nearer.
    #[inline(always)]
    pub fn prefetch<P: Pack>(around: &Surroundings, points: &[[Real; 4]], matter: &[[Real; 4]]) {
        for cell in &around.cells {
            for at in cell.clone().step_by(4) {
                P::prefetch(points, at);
                P::prefetch(matter, at);
            }
        }
    }

    /// Adds the particles on and around a block that is not empty.
    ///
    /// * `around` — where they are
    /// * `position` — [m], of all particles
    /// * `points` — their [`local_points`]
    /// * `matter` — what else is wanted of them
    pub fn load(
        &mut self,
        around: &Surroundings,
        position: &[DVec3],
        points: &[[Real; 4]],
        matter: &[[Real; 4]],
    ) -> LocalBlock {
        let origin = position[around.block_start[own_cell(0)]];
        let mut cell_start = [0; SURROUNDINGS + 1];
        let mut count = self.point.len();
        for (start, cell) in cell_start.iter_mut().zip(&around.cells) {
            *start = count as u32;
            count += cell.len();
        }
        cell_start[SURROUNDINGS] = count as u32;
        self.make_room(count);
        for (number, cell) in around.cells.iter().enumerate() {
            if !cell.is_empty() {
                let offset = to_real(position[around.block_start[number]] - origin);
                let first = cell_start[number] as usize;
                let places = first..first + cell.len();
                self.copy(places, offset, &points[cell.clone()], &matter[cell.clone()]);
            }
        }
        LocalBlock { cell_start }
    }

    fn make_room(&mut self, count: usize) {
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            column.resize(count, 0.0);
        }
        self.point.resize(count, [0.0; 4]);
        self.matter.resize(count, [0.0; 4]);
    }

    #[inline]
    fn copy(
        &mut self,
        places: CellRange,
        offset: Vec3,
        points: &[[Real; 4]],
        matter: &[[Real; 4]],
    ) {
        let coordinates = self.x[places.clone()]
            .iter_mut()
            .zip(&mut self.y[places.clone()])
            .zip(&mut self.z[places.clone()])
            .zip(&mut self.point[places.clone()]);
        for ((((x, y), z), local), point) in coordinates.zip(points) {
            *x = point[0] + offset.x;
            *y = point[1] + offset.y;
            *z = point[2] + offset.z;
            *local = [*x, *y, *z, point[3]];
        }
        self.matter[places].copy_from_slice(matter);
    }

    /// Adds to the lists the candidates strictly inside the support radius of a candidate in a cell
    /// of the block itself, without it, always in the same order.
    #[inline(always)]
    pub fn search<P: Pack>(
        &self,
        block: &LocalBlock,
        cell: usize,
        own: u32,
        support_squared: Real,
        lists: &mut NearLists,
    ) {
        for row in rows(cell) {
            let (first, end) = (block.cell_start[row], block.cell_start[row + 3]);
            if (first..end).contains(&own) {
                self.search_run::<P>(first..own, own, support_squared, lists);
                self.search_run::<P>(own + 1..end, own, support_squared, lists);
            } else {
                self.search_run::<P>(first..end, own, support_squared, lists);
            }
        }
    }

    #[inline(always)]
    fn search_run<P: Pack>(
        &self,
        run: std::ops::Range<u32>,
        own: u32,
        support_squared: Real,
        lists: &mut NearLists,
    ) {
        lists.reserve(run.len());
        let (first, end) = (run.start as usize, run.end as usize);
        let [x, y, z, _] = self.point[own as usize];
        let near = Near {
            points: [
                &self.x[first..end],
                &self.y[first..end],
                &self.z[first..end],
            ],
            center: [x, y, z],
            limit: support_squared,
            first: run.start,
        };
        lists.used = P::keep_near(near, &mut lists.numbers, lists.used);
    }
}
