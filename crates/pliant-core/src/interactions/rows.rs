//! Rows of sixteen particles, one of each of sixteen blocks of a colour: row and lane of each particle.
//!
//! Constraints of different blocks of one colour do not touch a common particle, so sixteen of them
//! are projected at once, one a lane. Row k of a group holds the k-th particle of each of its blocks.
//! Of few particles there are fewer blocks of a colour than lanes, and no two groups for two threads: pairs of
//! their cells have the lanes, in 18 colours.

use std::cmp::Reverse;
use std::ops::Range;

use pliant_math::simd::{LANES, Pack, Places};

use crate::neighbors::{BlockGrid, BlockPart, CELLS, PAIR_COLORS, SPARE_POINTS, SpatialOrder};

/// A colour of no more than sixteen lanes, which would be one group, is cut into groups of so many: two
/// threads share it, and packs with half as many lanes take little more than half the time.
const NARROW: usize = LANES / 2;

/// Groups of a colour at most in which lanes have nothing: two narrow ones.
const OPEN_GROUPS: usize = SPARE_POINTS / LANES;

/// Blocks at most of which pairs of cells have lanes of their own.
const FEW_BLOCKS: usize = 384;

/// What up to sixteen lanes of one colour have.
#[derive(Clone, Debug, Default)]
pub struct RowGroup {
    /// A block or a pair of cells for each lane.
    pub lanes: Vec<BlockPart>,
    /// The rows.
    pub rows: Range<usize>,
}

/// Material of a row whose lanes differ.
pub const MIXED: u32 = u32::MAX;

/// The groups of a continuum and their rows.
#[derive(Debug, Default)]
pub struct ParticleRows {
    /// The groups.
    pub groups: Vec<RowGroup>,
    /// The groups in the order in which they are searched: those of all colours that lie close
    /// together read the same particles.
    pub search_order: Vec<u32>,
    /// The groups of each colour: eight of blocks, or 18 of pairs of cells.
    pub colors: Vec<Range<usize>>,
    /// Particle of each lane. A lane without one has the first particle of its block or pair of cells, or, where it
    /// has neither, a place behind all particles that is its own.
    pub particle: Vec<Places>,
    /// Which lanes hold a particle, a bit a lane.
    pub filled: Vec<u16>,
    /// Material of a row's particles, or [`MIXED`].
    pub material: Vec<u32>,
    /// Row and lane of each particle: 16 row + lane.
    place: Vec<u32>,
    lanes_of_color: [Vec<BlockPart>; PAIR_COLORS],
}

impl ParticleRows {
    /// Reads the rows off a sorted order.
    pub fn update(
        &mut self,
        order: &SpatialOrder,
        grid: BlockGrid<'_>,
        material: impl Fn(usize) -> u32,
    ) {
        let count = order.order.len();
        self.particle.clear();
        self.filled.clear();
        self.material.clear();
        self.colors.clear();
        self.place.clear();
        self.place.resize(count, 0);
        self.color(order, grid);
        let (mut used, mut lanes_of_color) = (0, std::mem::take(&mut self.lanes_of_color));
        for lanes in lanes_of_color.iter_mut().filter(|lanes| !lanes.is_empty()) {
            let first = used;
            // Those of like size and material share rows: less of a row is empty.
            lanes.sort_unstable_by_key(|&part| {
                let particles = grid.cells(part);
                let size = size_class(particles.len());
                (material(particles.start), Reverse(size), part.block())
            });
            let width = if lanes.len() <= LANES { NARROW } else { LANES };
            for (number, lanes) in lanes.chunks(width).enumerate() {
                let spare = count + number % OPEN_GROUPS * LANES;
                self.add_group(used, lanes, grid, spare);
                used += 1;
            }
            self.colors.push(first..used);
        }
        self.lanes_of_color = lanes_of_color;
        self.groups.truncate(used);
        self.search_order.clear();
        self.search_order.extend(0..used as u32);
        let groups = &self.groups;
        let first_block = |&group: &u32| groups[group as usize].lanes[0].block();
        self.search_order.sort_unstable_by_key(first_block);
        self.find_materials(material);
    }

    /// Finds what has a lane, by colour.
    fn color(&mut self, order: &SpatialOrder, grid: BlockGrid<'_>) {
        self.lanes_of_color.iter_mut().for_each(Vec::clear);
        let are_few = order.blocks.len() <= FEW_BLOCKS;
        for (block, key) in order.blocks.iter().enumerate() {
            if !are_few {
                self.lanes_of_color[key.color()].push(BlockPart::whole(block));
                continue;
            }
            for cell in (0..CELLS).step_by(2) {
                let pair = BlockPart::pair(block, cell);
                if !grid.cells(pair).is_empty() {
                    self.lanes_of_color[key.pair_color(cell)].push(pair);
                }
            }
        }
    }

    /// Row and lane of a particle.
    #[inline(always)]
    pub fn place(&self, particle: usize) -> (usize, usize) {
        let place = self.place[particle] as usize;
        (place / LANES, place % LANES)
    }

    /// The places behind all particles that lanes without a block use.
    pub fn spare_places() -> usize {
        SPARE_POINTS
    }

    /// * `spare` — place of the first lane where it has nothing
    fn add_group(&mut self, number: usize, lanes: &[BlockPart], grid: BlockGrid<'_>, spare: usize) {
        let first_row = self.particle.len();
        let sizes = lanes.iter().map(|&part| grid.cells(part).len());
        let rows = first_row..first_row + sizes.max().unwrap_or(0);
        if number == self.groups.len() {
            self.groups.push(RowGroup::default());
        }
        let group = &mut self.groups[number];
        group.lanes.clear();
        group.lanes.extend_from_slice(lanes);
        group.rows = rows.clone();
        for row in rows {
            let mut places = Places::from_fn(|lane| (spare + lane) as u32);
            let mut filled = 0;
            for (lane, &part) in lanes.iter().enumerate() {
                let particles = grid.cells(part);
                let particle = particles.start + (row - first_row);
                if particle < particles.end {
                    places.set(lane, particle as u32);
                    filled |= 1 << lane;
                    self.place[particle] = (row * LANES + lane) as u32;
                } else {
                    places.set(lane, particles.start as u32);
                }
            }
            self.particle.push(places);
            self.filled.push(filled);
        }
    }

    fn find_materials(&mut self, material: impl Fn(usize) -> u32) {
        for (particles, &filled) in self.particle.iter().zip(&self.filled) {
            let mut materials = lanes_of(filled).map(|lane| material(particles.get(lane)));
            let first = materials.next().unwrap_or(MIXED);
            let is_uniform = materials.all(|other| other == first);
            self.material.push(if is_uniform { first } else { MIXED });
        }
    }
}

/// A class of sizes that differ by less than an eighth.
fn size_class(size: usize) -> usize {
    let bits = (usize::BITS - size.leading_zeros()).saturating_sub(4);
    (size >> bits << bits).max(1)
}

/// A bit for each lane that a pack has.
#[inline(always)]
pub fn lanes_in<P: Pack>() -> u16 {
    (u16::MAX >> (LANES - P::COUNT)) << P::FIRST
}

/// The lanes of a mask.
#[inline(always)]
pub fn lanes_of(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (lane < LANES).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::{DVec3, RandomStream};

    const SUPPORT: f64 = 0.1;

    fn rows_of(position: &mut Vec<DVec3>) -> ParticleRows {
        let mut order = SpatialOrder::default();
        order.sort(position, |i| i as u32 % 2, 2, SUPPORT);
        let sorted = order.order.iter().map(|&i| position[i as usize]);
        *position = sorted.collect();
        let mut rows = ParticleRows::default();
        rows.update(&order, BlockGrid::new(&order, 2), |_| 0);
        rows
    }

    /// Random points in a cube.
    fn cloud(count: u64, side: f64) -> Vec<DVec3> {
        let random = RandomStream::new(8, count);
        let coordinate = |k: u64| (random.unit(k) - 0.5) * side;
        let point = |i: u64| {
            DVec3::new(
                coordinate(3 * i),
                coordinate(3 * i + 1),
                coordinate(3 * i + 2),
            )
        };
        (0..count).map(point).collect()
    }

    /// The particles of each lane of a group.
    fn lanes(rows: &ParticleRows, group: &RowGroup) -> Vec<Vec<usize>> {
        let of_lane = |lane: usize| {
            let filled = group
                .rows
                .clone()
                .filter(|&row| rows.filled[row] >> lane & 1 == 1);
            filled.map(|row| rows.particle[row].get(lane)).collect()
        };
        (0..LANES).map(of_lane).collect()
    }

    #[test]
    fn lanes_of_one_color_have_no_neighbor_in_common() {
        // Pairs of cells have lanes in the first two, blocks in the last one.
        for (count, side, colors) in [(900, 0.4, 18), (2000, 1.2, 18), (6000, 1.8, 8)] {
            let mut position = cloud(count, side);
            let rows = rows_of(&mut position);
            assert_eq!(rows.colors.len(), colors);
            for color in &rows.colors {
                let groups = rows.groups[color.clone()].iter();
                let lanes: Vec<Vec<usize>> = groups.flat_map(|group| lanes(&rows, group)).collect();
                for (k, lane) in lanes.iter().enumerate() {
                    for (&a, &b) in lanes[..k]
                        .iter()
                        .flatten()
                        .flat_map(|a| lane.iter().map(move |b| (a, b)))
                    {
                        assert!(position[a].distance(position[b]) > 2.0 * SUPPORT);
                    }
                }
            }
        }
    }

    #[test]
    fn every_particle_has_one_place() {
        for (count, side) in [(1, 0.1), (900, 0.4), (6000, 1.8)] {
            let mut position = cloud(count, side);
            let rows = rows_of(&mut position);
            let filled: u32 = rows.filled.iter().map(|filled| filled.count_ones()).sum();
            assert_eq!(u64::from(filled), count);
            for particle in 0..position.len() {
                let (row, lane) = rows.place(particle);
                assert_eq!(rows.particle[row].get(lane), particle);
                assert!(rows.filled[row] >> lane & 1 == 1);
            }
        }
    }

    #[test]
    fn a_class_holds_sizes_that_differ_by_less_than_an_eighth() {
        for size in 1..5000 {
            let class = size_class(size);
            assert!(class <= size && size < class + class.div_ceil(8));
            assert!(class >= size_class(size - 1));
        }
    }
}
