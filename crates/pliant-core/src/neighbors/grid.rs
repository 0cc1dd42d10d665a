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

/// The 4x4x4 cells on and around a block, x fastest; empty ranges where there is none.
pub type Surroundings = [CellRange; SIDE * SIDE * SIDE];

/// The number among the surroundings of a cell of the block itself.
pub fn own_cell(cell: usize) -> usize {
    let [x, y, z] = coordinates(cell);
    x + 1 + SIDE * (y + 1 + SIDE * (z + 1))
}

/// The numbers of the first of three cells in each of the nine rows on and around a cell of the
/// block: all neighbours of the cell's particles lie in them.
pub fn rows(cell: usize) -> [usize; 9] {
    let [x, y, z] = coordinates(cell);
    std::array::from_fn(|row| x + SIDE * (y + row % 3 + SIDE * (z + row / 3)))
}

fn coordinates(cell: usize) -> [usize; 3] {
    [cell & 1, cell >> 1 & 1, cell >> 2]
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
                let [x, y, z] = coordinates(cell);
                let place = [(bx, x), (by, y), (bz, z)].map(around);
                if let [Some(x), Some(y), Some(z)] = place {
                    cells[x + SIDE * (y + SIDE * z)] = self.cell(other, cell);
                }
            }
        }
        cells
    }
}

/// The coordinate in the 4-cell side of half `cell` of the block before (0), at (1) or after (2).
fn around((block, cell): (usize, usize)) -> Option<usize> {
    (2 * block + cell).checked_sub(1).filter(|&c| c < SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::LocalBlock;
    use pliant_math::{DVec3, RandomStream, Real};

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
        let mut local = LocalBlock::default();
        for block in 0..grid.block_count() {
            local.load(grid, block, &sorted);
            let squared = (support_radius * support_radius) as Real;
            local.for_particles(squared, |i, neighbors| {
                let original = |k: usize| order.order[k];
                found.extend(
                    neighbors
                        .iter()
                        .map(|j| (original(i), original(j.particle))),
                );
            });
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
