//! Neighbour search in particles that a [`SpatialOrder`] has sorted.

use super::order::{CELLS, SpatialOrder};

/// A run of consecutive particles.
pub type CellRange = std::ops::Range<usize>;

/// A view of the sorted blocks for searching.
#[derive(Clone, Copy, Debug)]
pub struct BlockGrid<'a> {
    order: &'a SpatialOrder,
    material_count: usize,
}

/// Cells a side of the cube around a block that holds all neighbours of its particles.
const SIDE: usize = 4;

/// The 4x4x4 cells on and around a block; empty ranges where there is none.
pub struct Surroundings {
    cells: [CellRange; SIDE * SIDE * SIDE],
}

impl<'a> BlockGrid<'a> {
    /// The grid of an order that was sorted with `material_count` materials.
    pub fn new(order: &'a SpatialOrder, material_count: usize) -> Self {
        Self {
            order,
            material_count,
        }
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.order.blocks.len()
    }

    /// The particles of a block.
    pub fn block(&self, block: usize) -> CellRange {
        self.cell(block, 0).start..self.cell(block, CELLS - 1).end
    }

    /// The particles of a block in runs of one cell and one material: calls `f(material, range)`.
    pub fn groups(&self, block: usize, mut f: impl FnMut(usize, CellRange)) {
        for group in 0..CELLS * self.material_count {
            let k = block * CELLS * self.material_count + group;
            let range = self.order.group_start[k] as usize..self.order.group_start[k + 1] as usize;
            if !range.is_empty() {
                f(group % self.material_count, range);
            }
        }
    }

    /// The particles of a cell of a block.
    pub fn cell(&self, block: usize, cell: usize) -> CellRange {
        let first = (block * CELLS + cell) * self.material_count;
        let starts = &self.order.group_start;
        starts[first] as usize..starts[first + self.material_count] as usize
    }

    /// The cells on and around a block.
    pub fn surroundings(&self, block: usize) -> Surroundings {
        let key = self.order.blocks[block];
        let mut cells = std::array::from_fn(|_| 0..0);
        for neighbor in 0..27usize {
            let [bx, by, bz] = [neighbor % 3, neighbor / 3 % 3, neighbor / 9];
            let offset = [bx, by, bz].map(|c| c as i64 - 1);
            let Some(other) = self
                .order
                .block(key.offset(offset[0], offset[1], offset[2]))
            else {
                continue;
            };
            for cell in 0..CELLS {
                let place = [(bx, cell & 1), (by, cell >> 1 & 1), (bz, cell >> 2)].map(around);
                if let [Some(x), Some(y), Some(z)] = place {
                    cells[x + SIDE * (y + SIDE * z)] = self.cell(other, cell);
                }
            }
        }
        Surroundings { cells }
    }
}

/// The coordinate in the 4-cell side of half `cell` of the block before (0), at (1) or after (2).
fn around((block, cell): (usize, usize)) -> Option<usize> {
    (2 * block + cell).checked_sub(1).filter(|&c| c < SIDE)
}

impl Surroundings {
    /// Calls `f` with the runs of particles that may be neighbours of those in a cell of the block,
    /// always in the same order.
    #[inline]
    pub fn candidates(&self, cell: usize, mut f: impl FnMut(CellRange)) {
        let [x, y, z] = [cell & 1, cell >> 1 & 1, cell >> 2];
        for dz in 0..3 {
            for dy in 0..3 {
                let row = SIDE * (y + dy + SIDE * (z + dz)) + x;
                let mut run = self.cells[row].clone();
                for next in &self.cells[row + 1..row + 3] {
                    if next.start == run.end {
                        run.end = next.end;
                    } else {
                        f(std::mem::replace(&mut run, next.clone()));
                    }
                }
                f(run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::{DVec3, RandomStream};

    fn cloud(count: u64, size: f64) -> Vec<DVec3> {
        let random = RandomStream::new(5, 1);
        (0..count)
            .map(|i| {
                let c = |k| (random.unit(3 * i + k) - 0.5) * size;
                DVec3::new(c(0), c(1), c(2))
            })
            .collect()
    }

    /// Pairs closer than the support radius, found through the grid, as original indices.
    fn pairs(positions: &[DVec3], support_radius: f64, materials: usize) -> Vec<(u32, u32)> {
        let mut order = SpatialOrder::default();
        order.sort(
            positions,
            |i| (i % materials) as u32,
            materials,
            support_radius,
        );
        let grid = BlockGrid::new(&order, materials);
        let sorted: Vec<DVec3> = order.order.iter().map(|&i| positions[i as usize]).collect();
        let mut found = Vec::new();
        for block in 0..grid.block_count() {
            let around = grid.surroundings(block);
            for cell in 0..CELLS {
                for i in grid.cell(block, cell) {
                    around.candidates(cell, |run| {
                        let near =
                            |&j: &usize| j != i && sorted[i].distance(sorted[j]) < support_radius;
                        found.extend(run.filter(near).map(|j| (order.order[i], order.order[j])));
                    });
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn grid_finds_exactly_the_pairs_that_brute_force_finds() {
        let positions = cloud(700, 1.0);
        let support_radius = 0.13;
        let mut expected = Vec::new();
        for i in 0..positions.len() {
            for j in 0..positions.len() {
                if i != j && positions[i].distance(positions[j]) < support_radius {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        assert!(expected.len() > 1000);
        assert_eq!(pairs(&positions, support_radius, 1), expected);
        assert_eq!(pairs(&positions, support_radius, 3), expected);
    }

    #[test]
    fn a_particle_that_flies_away_costs_nothing() {
        let mut positions = cloud(200, 1.0);
        let before = pairs(&positions, 0.2, 1);
        positions.push(DVec3::new(1e9, -1e12, 1e30));
        assert_eq!(pairs(&positions, 0.2, 1), before);
    }

    #[test]
    fn blocks_of_one_color_are_a_block_apart() {
        let positions = cloud(3000, 2.0);
        let mut order = SpatialOrder::default();
        order.sort(&positions, |_| 0, 1, 0.1);
        let grid = BlockGrid::new(&order, 1);
        let mut block_of = vec![0; positions.len()];
        for block in 0..grid.block_count() {
            for k in grid.block(block) {
                block_of[order.order[k] as usize] = block;
            }
        }
        for i in 0..positions.len() {
            for j in 0..i {
                let (a, b) = (block_of[i], block_of[j]);
                if a != b && order.blocks[a].color() == order.blocks[b].color() {
                    assert!(positions[i].distance(positions[j]) >= 0.2);
                }
            }
        }
    }
}
