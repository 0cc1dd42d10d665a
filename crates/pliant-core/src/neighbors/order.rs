//! The order of particles in space: by block, then by cell, then by material.
//!
//! A block is a cube of two support radii (4r) a side and holds 2x2x2 cells of one support radius.
//! Two constraints conflict if their particles are closer than 4r, so blocks of one of the 8 colours,
//! which are at least one block apart, can be swept in parallel without races
//! (Yu et al. 2024, sec. 4.3, use cells of 2r with 8 colours, in which they do conflict).
//!
//! Blocks are found through a hash of their coordinates: memory depends on the number of particles,
//! not on how far one of them has flown.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use crate::parallel;

/// Cells a block.
pub const CELLS: usize = 8;

/// Colours of pairs of cells.
pub const PAIR_COLORS: usize = 18;

const COORDINATE_BITS: u32 = 21;
const COORDINATE_LIMIT: f64 = (1 << (COORDINATE_BITS - 1)) as f64 - 2.0;

/// In place of the number of a block that is not there.
pub const NO_BLOCK: u32 = u32::MAX;

/// Coordinates of a block, packed so that neighbours are reached by addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKey(u64);

impl BlockKey {
    /// From integer coordinates, each within 2^20 - 2 of zero.
    pub fn new(x: i64, y: i64, z: i64) -> Self {
        let biased = |c: i64| (c + (1 << (COORDINATE_BITS - 1))) as u64;
        Self(biased(z) << (2 * COORDINATE_BITS) | biased(y) << COORDINATE_BITS | biased(x))
    }

    /// The key of the block that holds a point, of cells of `support_radius` [m].
    pub fn containing(x: DVec3, support_radius: f64) -> Self {
        locate(x, 1.0 / support_radius).0
    }

    /// The coordinates, each more by 2^20.
    fn biased(self) -> [u64; 3] {
        let along = |axis: u32| (self.0 >> (axis * COORDINATE_BITS)) & ((1 << COORDINATE_BITS) - 1);
        [along(0), along(1), along(2)]
    }

    /// The key of a block some blocks away along each axis.
    pub fn offset(self, x: i64, y: i64, z: i64) -> Self {
        let step = (z << (2 * COORDINATE_BITS)) + (y << COORDINATE_BITS) + x;
        Self(self.0.wrapping_add(step as u64))
    }

    /// The colour: the parities of the three coordinates.
    pub fn color(self) -> usize {
        let bit = |axis: u32| ((self.0 >> (axis * COORDINATE_BITS)) & 1) as usize;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }

    /// The colour of two cells of the block that are neighbours along x, below [`PAIR_COLORS`]: pairs of one colour
    /// are two cells apart, as blocks of one are.
    ///
    /// * `cell` — the first of them
    pub fn pair_color(self, cell: usize) -> usize {
        let [x, y, z] = self.biased();
        let modulo_three = |c: u64, bit: usize| (2 * c as usize + (cell >> bit & 1)) % 3;
        (x & 1) as usize + 2 * (modulo_three(y, 1) + 3 * modulo_three(z, 2))
    }
}

/// What a particle is sorted by.
#[derive(Clone, Copy, Debug)]
struct SortKey {
    /// Place of the block among those of this step.
    block: u32,
    /// Cell in the block times number of materials plus material.
    group: u32,
}

/// Finds the order; kept by the stepper so that its buffers are reused.
#[derive(Debug, Default)]
pub struct SpatialOrder {
    /// Place in the order -> index before sorting.
    pub order: Vec<u32>,
    /// Keys of the blocks, increasing.
    pub blocks: Vec<BlockKey>,
    /// First place of group `g` of block `b` at `b * groups + g`, and the end after the last one.
    pub group_start: Vec<u32>,
    /// The 27 blocks on and around each block, x fastest; [`NO_BLOCK`] where there is none.
    pub around: Vec<[u32; 27]>,
    keys: Vec<SortKey>,
    rank: Vec<u32>,
    found: FxHashMap<BlockKey, u32>,
}

impl SpatialOrder {
    /// Sorts particles, stably.
    ///
    /// * `positions` — [m], finite
    /// * `materials` — material of each particle, below `material_count`
    /// * `support_radius` — [m], > 0
    pub fn sort(
        &mut self,
        positions: &[DVec3],
        materials: impl Fn(usize) -> u32,
        material_count: usize,
        support_radius: f64,
    ) {
        self.assign_blocks(positions, &materials, material_count, support_radius);
        self.sort_blocks();
        self.find_around();
        self.count_and_place(CELLS * material_count);
    }

    /// Calls `f` in order for the blocks in the box of blocks between two of its corners.
    pub fn for_blocks_between(
        &self,
        least: BlockKey,
        greatest: BlockKey,
        mut f: impl FnMut(usize),
    ) {
        let ([x0, y0, z0], [x1, y1, z1]) = (least.biased(), greatest.biased());
        let rows = (y1 - y0 + 1) * (z1 - z0 + 1);
        if rows > self.blocks.len() as u64 {
            let is_between = |key: &BlockKey| {
                let [x, y, z] = key.biased();
                (x0..=x1).contains(&x) && (y0..=y1).contains(&y) && (z0..=z1).contains(&z)
            };
            let all = self.blocks.iter().enumerate();
            all.filter(|(_, key)| is_between(key))
                .for_each(|(block, _)| f(block));
            return;
        }
        let key = |x: u64, y: u64, z: u64| {
            BlockKey(z << (2 * COORDINATE_BITS) | y << COORDINATE_BITS | x)
        };
        for (z, y) in (z0..=z1).flat_map(|z| (y0..=y1).map(move |y| (z, y))) {
            let first = self.blocks.partition_point(|&k| k < key(x0, y, z));
            let row = self.blocks[first..].iter().enumerate();
            row.take_while(|&(_, &k)| k <= key(x1, y, z))
                .for_each(|(k, _)| f(first + k));
        }
    }

    /// The place of a block among `blocks`, or [`NO_BLOCK`].
    fn place_of(found: &FxHashMap<BlockKey, u32>, rank: &[u32], key: BlockKey) -> u32 {
        found.get(&key).map_or(NO_BLOCK, |&b| rank[b as usize])
    }

    fn assign_blocks(
        &mut self,
        positions: &[DVec3],
        materials: &impl Fn(usize) -> u32,
        material_count: usize,
        support_radius: f64,
    ) {
        self.keys.clear();
        self.blocks.clear();
        self.found.clear();
        let mut last = None;
        for (i, &x) in positions.iter().enumerate() {
            let (key, cell) = locate(x, 1.0 / support_radius);
            let block = match last {
                Some((last_key, block)) if last_key == key => block,
                _ => self.block_number(key),
            };
            last = Some((key, block));
            let group = cell as u32 * material_count as u32 + materials(i);
            self.keys.push(SortKey { block, group });
        }
    }

    fn block_number(&mut self, key: BlockKey) -> u32 {
        let next = self.blocks.len() as u32;
        let number = *self.found.entry(key).or_insert(next);
        if number == next {
            self.blocks.push(key);
        }
        number
    }

    /// Orders blocks by their coordinates, so that the order does not depend on who came first.
    fn sort_blocks(&mut self) {
        self.blocks.sort_unstable();
        self.rank.clear();
        self.rank.resize(self.blocks.len(), 0);
        for (place, key) in self.blocks.iter().enumerate() {
            self.rank[self.found[key] as usize] = place as u32;
        }
        for key in &mut self.keys {
            key.block = self.rank[key.block as usize];
        }
    }

    fn find_around(&mut self) {
        self.around.resize(self.blocks.len(), [NO_BLOCK; 27]);
        let (blocks, found, rank) = (&self.blocks, &self.found, &self.rank);
        parallel::for_chunks(&mut self.around, |first, around| {
            for (around, key) in around.iter_mut().zip(&blocks[first..]) {
                let offset = |k: usize, size: usize| (k / size % 3) as i64 - 1;
                *around = std::array::from_fn(|k| {
                    let key = key.offset(offset(k, 1), offset(k, 3), offset(k, 9));
                    Self::place_of(found, rank, key)
                });
            }
        });
    }

    fn count_and_place(&mut self, groups: usize) {
        let starts = &mut self.group_start;
        starts.clear();
        starts.resize(self.blocks.len() * groups + 1, 0);
        let slot = |key: &SortKey| key.block as usize * groups + key.group as usize;
        for key in &self.keys {
            starts[slot(key) + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        self.order.clear();
        self.order.resize(self.keys.len(), 0);
        // Each start is moved to its end while placing; the shift back restores it.
        for (i, key) in self.keys.iter().enumerate() {
            let place = &mut starts[slot(key)];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
    }
}

/// The block and the cell in it that hold a point. Coordinates beyond the packing's range (a million
/// blocks from the origin) share the outermost blocks, which is slow there but not wrong.
fn locate(x: DVec3, inverse_support: f64) -> (BlockKey, usize) {
    let limit = DVec3::splat(2.0 * COORDINATE_LIMIT);
    let cell = (x * inverse_support).floor().clamp(-limit, limit);
    let [x, y, z] = [cell.x as i64, cell.y as i64, cell.z as i64];
    let in_block = (x & 1) | (y & 1) << 1 | (z & 1) << 2;
    (BlockKey::new(x >> 1, y >> 1, z >> 1), in_block as usize)
}
