//! The particles on and around one block, close together in memory, with coordinates from the
//! block's first particle: what the neighbour search reads, and the neighbours that it finds.
//!
//! Coordinates are differences taken in double precision and rounded after, so single precision
//! resolves distances to a ten-millionth of the support radius wherever the block is.
//!
//! Neighbours come as columns, filled up to a multiple of [`LANES`], and everything here and behind it
//! is loops over columns: the compiler turns them into vector instructions.

use pliant_math::{DVec3, Real, Vec3, to_real};

use super::grid::{BlockGrid, own_cell, rows};
use super::order::CELLS;

/// Columns of neighbours are filled up to a multiple of so many.
pub const LANES: usize = 8;

/// A block's surroundings; scratch of a thread.
#[derive(Debug, Default)]
pub struct LocalBlock {
    x: Vec<Real>,
    y: Vec<Real>,
    z: Vec<Real>,
    /// The same coordinates a candidate, and a zero.
    point: Vec<[Real; 4]>,
    particle: Vec<u32>,
    cell_start: Vec<u32>,
    /// Whether each candidate of a row is near enough, 0 or 1.
    near: Vec<u8>,
    /// Those that are, and behind them what is overwritten.
    kept: Vec<u32>,
    found: NeighborColumns,
}

/// The neighbours of one particle in columns. They are filled up with the particle itself as if it
/// were at the support radius, where every kernel is zero.
#[derive(Debug, Default)]
pub struct NeighborColumns {
    /// Places among the block's candidates; see [`LocalBlock::particles`].
    pub candidate: Vec<u32>,
    /// x_j - x_i [m], by axis.
    pub difference: [Vec<Real>; 3],
    /// |x_j - x_i|^2 [m2].
    pub squared: Vec<Real>,
}

/// The neighbours of one particle.
#[derive(Clone, Copy)]
pub struct Neighbors<'a> {
    block: &'a LocalBlock,
    own: usize,
    count: usize,
}

/// A neighbour as the search hands it out.
#[derive(Clone, Copy, Debug)]
pub struct Neighbor {
    /// Its place in the continuum.
    pub particle: usize,
    /// x_j - x_i [m].
    pub difference: Vec3,
    /// |x_j - x_i|^2 [m2], less than the squared support radius.
    pub squared: Real,
}

impl<'a> Neighbors<'a> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The places in the continuum of the block's candidates.
    pub fn particles(&self) -> &'a [u32] {
        &self.block.particle
    }

    /// The place of the particle itself among the block's candidates.
    pub fn own(&self) -> usize {
        self.own
    }

    /// The neighbours, always in the same order.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Neighbor> {
        let Self { block, count, .. } = *self;
        let [x, y, z] = &block.found.difference;
        (0..count).map(move |k| Neighbor {
            particle: block.particle[block.found.candidate[k] as usize] as usize,
            difference: Vec3::new(x[k], y[k], z[k]),
            squared: block.found.squared[k],
        })
    }

    /// The same neighbours in columns.
    pub fn columns(&self) -> &'a NeighborColumns {
        &self.block.found
    }
}

impl LocalBlock {
    /// Copies the particles on and around a block that is not empty.
    pub fn load(&mut self, grid: BlockGrid<'_>, block: usize, position: &[DVec3]) {
        let origin = position[grid.block(block).start];
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            column.clear();
        }
        self.point.clear();
        self.particle.clear();
        self.cell_start.clear();
        for cell in grid.surroundings(block) {
            self.cell_start.push(self.particle.len() as u32);
            for i in cell {
                let local = to_real(position[i] - origin);
                self.x.push(local.x);
                self.y.push(local.y);
                self.z.push(local.z);
                self.point.push([local.x, local.y, local.z, 0.0]);
                self.particle.push(i as u32);
            }
        }
        let count = self.particle.len();
        self.cell_start.push(count as u32);
        self.near.resize(count, 0);
        self.kept.resize(count + 1, 0);
    }

    /// The places in the continuum of the block's candidates: its own particles and those around.
    pub fn particles(&self) -> &[u32] {
        &self.particle
    }

    /// Calls `f(particle, neighbours)` for every particle of the block, with the neighbours strictly
    /// inside the support radius.
    #[inline(always)]
    pub fn for_particles(
        &mut self,
        support_squared: Real,
        mut f: impl FnMut(usize, Neighbors<'_>),
    ) {
        for cell in 0..CELLS {
            let number = own_cell(cell);
            for own in self.cell_start[number] as usize..self.cell_start[number + 1] as usize {
                self.search(own, cell, support_squared);
                let count = self.found.candidate.len();
                self.fill_columns(own, support_squared);
                let block = &*self;
                f(self.particle[own] as usize, Neighbors { block, own, count });
            }
        }
    }

    /// Lists the candidates strictly inside the support radius, without the particle itself.
    #[inline(always)]
    fn search(&mut self, own: usize, cell: usize, support_squared: Real) {
        let center = [self.x[own], self.y[own], self.z[own]];
        let mut count = 0;
        for row in rows(cell) {
            let (first, end) = (
                self.cell_start[row] as usize,
                self.cell_start[row + 3] as usize,
            );
            let (x, y, z) = (
                &self.x[first..end],
                &self.y[first..end],
                &self.z[first..end],
            );
            let near = &mut self.near[..end - first];
            mark_near(x, y, z, (center, support_squared), near);
            if (first..end).contains(&own) {
                near[own - first] = 0;
            }
            // Each candidate is written, and kept by counting on: which ones are near cannot be
            // predicted, and a branch would be taken wrongly every other time.
            for (at, mark) in (first as u32..).zip(&*near) {
                self.kept[count] = at;
                count += usize::from(*mark);
            }
        }
        self.found.candidate.clear();
        self.found.candidate.extend_from_slice(&self.kept[..count]);
    }

    /// Fills the columns of the listed neighbours.
    #[inline(always)]
    fn fill_columns(&mut self, own: usize, support_squared: Real) {
        let Self { point, found, .. } = self;
        let count = found.candidate.len();
        let padded = count.next_multiple_of(LANES);
        found.candidate.resize(padded, own as u32);
        let columns = found.difference.iter_mut();
        for column in columns.chain([&mut found.squared]) {
            column.resize(padded, 0.0);
        }
        let [x, y, z] = &mut found.difference;
        subtract(&found.candidate, point, own, [x, y, z]);
        squared_lengths(x, y, z, &mut found.squared);
        found.squared[count..].fill(support_squared);
    }
}

/// Marks the points nearer to the center than the limit, a squared length, with 1, others with 0.
#[inline(never)]
fn mark_near(
    x: &[Real],
    y: &[Real],
    z: &[Real],
    (center, limit): ([Real; 3], Real),
    near: &mut [u8],
) {
    for (((x, y), z), near) in x.iter().zip(y).zip(z).zip(near) {
        let (dx, dy, dz) = (x - center[0], y - center[1], z - center[2]);
        *near = u8::from(dx * dx + dy * dy + dz * dz < limit);
    }
}

/// x_j - x_i of each candidate, by axis.
#[inline(always)]
fn subtract(candidate: &[u32], point: &[[Real; 4]], own: usize, [x, y, z]: [&mut [Real]; 3]) {
    let center = point[own];
    for (((at, x), y), z) in candidate.iter().zip(x).zip(y).zip(z) {
        let point = point[*at as usize];
        (*x, *y, *z) = (
            point[0] - center[0],
            point[1] - center[1],
            point[2] - center[2],
        );
    }
}

#[inline(never)]
fn squared_lengths(x: &[Real], y: &[Real], z: &[Real], squared: &mut [Real]) {
    for (((x, y), z), squared) in x.iter().zip(y).zip(z).zip(squared) {
        *squared = x * x + y * y + z * z;
    }
}
