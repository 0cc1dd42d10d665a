//! The particles on and around one block, close together in memory, with coordinates from the
//! block's first particle: what the neighbour search reads.
//!
//! Coordinates are differences taken in double precision and rounded after, so single precision
//! resolves distances to a ten-millionth of the support radius wherever the block is.

use pliant_math::{DVec3, Real, Vec3, to_real};

use super::grid::{BlockGrid, own_cell, rows};
use super::order::CELLS;

/// Candidates whose distances are computed together.
const LANES: usize = 16;

/// A block's surroundings; scratch of a thread.
#[derive(Debug, Default)]
pub struct LocalBlock {
    x: Vec<Real>,
    y: Vec<Real>,
    z: Vec<Real>,
    particle: Vec<u32>,
    cell_start: Vec<u32>,
    found: Vec<Found>,
}

/// A neighbour: its place among the candidates and its squared distance [m2].
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    at: u32,
    squared: Real,
}

/// The neighbours of one particle.
#[derive(Clone, Copy)]
pub struct Neighbors<'a> {
    block: &'a LocalBlock,
    own: usize,
    found: &'a [Found],
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

impl Neighbors<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The neighbours, always in the same order.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Neighbor> {
        let own = self.block.at(self.own);
        self.found.iter().map(move |found| Neighbor {
            particle: self.block.particle[found.at as usize] as usize,
            difference: self.block.at(found.at as usize) - own,
            squared: found.squared,
        })
    }
}

impl LocalBlock {
    /// Copies the particles on and around a block that is not empty.
    pub fn load(&mut self, grid: BlockGrid<'_>, block: usize, position: &[DVec3]) {
        let origin = position[grid.block(block).start];
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            column.clear();
        }
        self.particle.clear();
        self.cell_start.clear();
        for cell in grid.surroundings(block) {
            self.cell_start.push(self.particle.len() as u32);
            for i in cell {
                let local = to_real(position[i] - origin);
                self.x.push(local.x);
                self.y.push(local.y);
                self.z.push(local.z);
                self.particle.push(i as u32);
            }
        }
        let count = self.particle.len();
        self.cell_start.push(count as u32);
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            column.resize(count + LANES, 0.0);
        }
        self.found.resize(count + LANES, Found::default());
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
                let count = self.search(own, cell, support_squared);
                let neighbors = Neighbors {
                    block: self,
                    own,
                    found: &self.found[..count],
                };
                f(self.particle[own] as usize, neighbors);
            }
        }
    }

    #[inline(always)]
    fn at(&self, at: usize) -> Vec3 {
        Vec3::new(self.x[at], self.y[at], self.z[at])
    }

    /// Fills `found` and returns how many there are. Distances of sixteen candidates are compared at
    /// once, and only those near enough are visited.
    #[inline(always)]
    fn search(&mut self, own: usize, cell: usize, support_squared: Real) -> usize {
        let center = self.at(own);
        let mut count = 0;
        for row in rows(cell) {
            let end = self.cell_start[row + 3] as usize;
            for first in (self.cell_start[row] as usize..end).step_by(LANES) {
                let squared = self.squared_distances(first, center);
                let mut near = near_lanes(&squared, support_squared) & first_lanes(end - first);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % LANES;
                    near &= near - 1;
                    self.found[count] = Found {
                        at: (first + lane) as u32,
                        squared: squared[lane],
                    };
                    count += usize::from(first + lane != own);
                }
            }
        }
        count
    }

    #[inline(always)]
    fn squared_distances(&self, first: usize, center: Vec3) -> [Real; LANES] {
        let (x, y, z) = (
            &self.x[first..first + LANES],
            &self.y[first..first + LANES],
            &self.z[first..first + LANES],
        );
        std::array::from_fn(|lane| {
            let (dx, dy, dz) = (x[lane] - center.x, y[lane] - center.y, z[lane] - center.z);
            dx * dx + dy * dy + dz * dz
        })
    }
}

/// A bit for each lane below the limit.
#[inline(always)]
fn near_lanes(squared: &[Real; LANES], limit: Real) -> u32 {
    let lanes = squared.iter().enumerate();
    lanes.fold(0, |bits, (lane, &s)| bits | u32::from(s < limit) << lane)
}

/// Bits of the first `count` lanes, all if there are more.
#[inline(always)]
fn first_lanes(count: usize) -> u32 {
    if count >= LANES {
        u32::MAX
    } else {
        (1 << count) - 1
    }
}
