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
pub const SIDE: usize = 4;

/// Cells on and around a block.
pub const SURROUNDINGS: usize = SIDE * SIDE * SIDE;

/// The particles in the cells on and around a part of a block, in three pieces a row of cells along x.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings {
    /// Of the 4x4 rows around the whole block, y fastest; only those that are near the part count.
    pieces: [[Piece; 3]; SIDE * SIDE],
    /// The rows that are near, by y and z.
    near: [(u8, u8); 2],
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

/// Some cells of a block, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct BlockPart {
    block: u32,
    first: u8,
    end: u8,
}

impl BlockPart {
    /// All cells of a block.
    pub fn whole(block: usize) -> Self {
        Self {
            block: block as u32,
            first: 0,
            end: CELLS as u8,
        }
    }

    /// Two cells of a block that are neighbours along x.
    ///
    /// * `cell` — the first of them
    pub fn pair(block: usize, cell: usize) -> Self {
        Self {
            block: block as u32,
            first: cell as u8,
            end: cell as u8 + 2,
        }
    }

    /// The place of the block among those of the order.
    pub fn block(self) -> usize {
        self.block as usize
    }

    /// The cells.
    pub fn cells(self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.end)
    }
}

impl Surroundings {
    /// The first particle of the block itself.
    pub fn origin(&self) -> usize {
        let [_, own, _] = self.pieces[1 + SIDE];
        own.origin as usize
    }

    /// The rows that are near, with their numbers among those around the block, in order.
    #[inline(always)]
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[Piece; 3])> {
        let [(y, end_y), (z, end_z)] = self.near;
        let number = move |z: u8| (y..end_y).map(move |y| usize::from(y) + SIDE * usize::from(z));
        let numbers = (z..end_z).flat_map(number);
        numbers.map(|row| (row, &self.pieces[row]))
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
        self.cells(BlockPart::whole(block))
    }

    /// The particles of a part of a block.
    pub fn cells(&self, part: BlockPart) -> CellRange {
        let (block, cells) = (part.block(), part.cells());
        self.cell(block, cells.start).start..self.cell(block, cells.end - 1).end
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

    /// The cells on and around a part of a block.
    pub fn surroundings(&self, part: BlockPart) -> Surroundings {
        let around = &self.order.around[part.block()];
        let [first, last] = [part.cells().start, part.cells().end - 1].map(coordinates);
        let near = |axis: usize| (first[axis] as u8, last[axis] as u8 + 3);
        let mut surroundings = Surroundings {
            pieces: [[Piece::default(); 3]; SIDE * SIDE],
            near: [near(1), near(2)],
        };
        for (z, y) in
            (first[2]..last[2] + 3).flat_map(|z| (first[1]..last[1] + 3).map(move |y| (z, y)))
        {
            // Along an axis: cell 1 of the block before, both of the block, cell 0 of the next.
            let half = |cell: usize| ((cell + 1) >> 1, (cell + 1) & 1);
            let ((y_block, y_cell), (z_block, z_cell)) = (half(y), half(z));
            let row = &mut surroundings.pieces[y + SIDE * z];
            for (x, piece) in row.iter_mut().enumerate() {
                let first = usize::from(x == 0) + 2 * y_cell + 4 * z_cell;
                let cells = first..first + 1 + usize::from(x == 1);
                match around[x + 3 * (y_block + 3 * z_block)] {
                    NO_BLOCK => {}
                    block => *piece = self.piece(block as usize, cells),
                }
            }
        }
        surroundings
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
            let candidates = local.load::<Portable>(
                &grid.surroundings(BlockPart::whole(block)),
                &sorted,
                &points,
            );
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
