//! Neighbour search in particles that a [`SpatialOrder`] has sorted.

use super::order::{CELLS, NO_BLOCK, SpatialOrder};

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

/// Cells on and around a block.
pub const SURROUNDINGS: usize = SIDE * SIDE * SIDE;

/// Pieces of the rows of cells along x: one before the block, its own two, one behind it.
pub const PIECES: usize = 3 * SIDE * SIDE;

/// The particles in the 4x4x4 cells on and around a block: three pieces a row of cells, x fastest.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings {
    /// The pieces.
    pub pieces: [Piece; PIECES],
}

/// The particles of one or two cells of a block that are neighbours along x; they lie one after the
/// other. Empty if the block is not there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Piece {
    /// The first particle of the block.
    pub origin: u32,
    /// The first particle.
    pub start: u32,
    /// The first particle of the second cell; the end if there is one cell.
    pub second: u32,
    /// Behind the last particle.
    pub end: u32,
}

impl Surroundings {
    /// The first particle of the block itself.
    pub fn origin(&self) -> usize {
        let own = 1 + 3 * (1 + SIDE);
        self.pieces[own].origin as usize
    }
}

impl Piece {
    /// The particles.
    pub fn particles(&self) -> CellRange {
        self.start as usize..self.end as usize
    }
}

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

    /// A block and those around it that are not empty.
    pub fn neighbors(&self, block: usize) -> impl Iterator<Item = usize> + use<'a> {
        let around = self.order.around[block].iter();
        around.filter(|&&b| b != NO_BLOCK).map(|&b| b as usize)
    }

    /// The cells on and around a block.
    pub fn surroundings(&self, block: usize) -> Surroundings {
        let around = &self.order.around[block];
        let pieces = std::array::from_fn(|piece| {
            let [x, y, z] = [piece % 3, piece / 3 % SIDE, piece / 3 / SIDE];
            // Along an axis: cell 1 of the block before, both of the block, cell 0 of the next.
            let half = |cell: usize| ((cell + 1) >> 1, (cell + 1) & 1);
            let ((y_block, y_cell), (z_block, z_cell)) = (half(y), half(z));
            let first = usize::from(x == 0) + 2 * y_cell + 4 * z_cell;
            let cells = first..first + 1 + usize::from(x == 1);
            match around[x + 3 * (y_block + 3 * z_block)] {
                NO_BLOCK => Piece::default(),
                block => self.piece(block as usize, cells),
            }
        });
        Surroundings { pieces }
    }

    /// The particles of one or two cells that are neighbours along x.
    fn piece(&self, block: usize, cells: CellRange) -> Piece {
        let start =
            |cell: usize| self.order.group_start[(block * CELLS + cell) * self.material_count];
        Piece {
            origin: start(0),
            start: start(cells.start),
            second: start(cells.start + 1),
            end: start(cells.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::{LocalBlocks, NeighborLists, local_points};
    use pliant_math::simd::Portable;
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
        let original = |k: u32| order.order[k as usize];
        let mut points = Vec::new();
        local_points(grid, &sorted, |k| [k as Real; 4], &mut points);
        let (mut local, mut lists) = (LocalBlocks::default(), NeighborLists::default());
        let squared = (support_radius * support_radius) as Real;
        for block in 0..grid.block_count() {
            let candidates = local.load::<Portable>(&grid.surroundings(block), &sorted, &points);
            for cell in 0..CELLS {
                local.around(&candidates, cell);
                for own in candidates.own(cell) {
                    lists.clear();
                    local.search::<Portable>(own, squared, &mut lists);
                    let place = |k: u32| original(local.candidates[k as usize][4] as u32);
                    found.extend(lists.numbers().iter().map(|&k| (place(own), place(k))));
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
    fn a_particle_far_away_costs_no_memory() {
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
