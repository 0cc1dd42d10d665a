//! Rows of sixteen particles, one of each of sixteen blocks of a colour: row and lane of each particle.
//!
//! Constraints of different blocks of one colour do not touch a common particle, so sixteen of them
//! are projected at once, one a lane. Row k of a group holds the k-th particle of each of its blocks.

use std::cmp::Reverse;
use std::ops::Range;

use pliant_math::simd::{LANES, Pack, Places};

use crate::neighbors::{BlockGrid, SPARE_POINTS, SpatialOrder};

/// A colour of no more than sixteen blocks, which would be one group, is cut into groups of so many: two
/// threads share it, and packs with half as many lanes take little more than half the time.
const NARROW: usize = LANES / 2;

/// Groups of a colour at most in which lanes have no block: two narrow ones.
const OPEN_GROUPS: usize = SPARE_POINTS / LANES;

/// Up to sixteen blocks of one colour.
#[derive(Clone, Debug, Default)]
pub struct RowGroup {
    /// The blocks, one a lane.
    pub blocks: Vec<u32>,
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
    /// The groups of each colour.
    pub colors: [Range<usize>; 8],
    /// Particle of each lane. A lane without one has the first particle of its block, or, without a
    /// block, a place behind all particles that is its own.
    pub particle: Vec<Places>,
    /// Which lanes hold a particle, a bit a lane.
    pub filled: Vec<u16>,
    /// Material of a row's particles, or [`MIXED`].
    pub material: Vec<u32>,
    /// Row and lane of each particle: 16 row + lane.
    place: Vec<u32>,
    blocks_of_color: [Vec<u32>; 8],
}

impl ParticleRows {
    /// Reads the rows off a sorted order.
    pub fn update(
        &mut self,
        order: &SpatialOrder,
        grid: BlockGrid<'_>,
        material: impl Fn(usize) -> u32,
    ) {
        self.blocks_of_color.iter_mut().for_each(Vec::clear);
        for (block, key) in order.blocks.iter().enumerate() {
            self.blocks_of_color[key.color()].push(block as u32);
        }
        let count = order.order.len();
        self.particle.clear();
        self.filled.clear();
        self.material.clear();
        self.place.clear();
        self.place.resize(count, 0);
        let (mut used, mut blocks_of_color) = (0, std::mem::take(&mut self.blocks_of_color));
        for (color, blocks) in blocks_of_color.iter_mut().enumerate() {
            let first = used;
            // Blocks of like size and material share rows: less of a row is empty.
            blocks.sort_unstable_by_key(|&b| {
                let particles = grid.block(b as usize);
                (material(particles.start), Reverse(particles.len() / 8), b)
            });
            let width = if blocks.len() <= LANES { NARROW } else { LANES };
            for (number, blocks) in blocks.chunks(width).enumerate() {
                let spare = count + number % OPEN_GROUPS * LANES;
                self.add_group(used, blocks, grid, spare);
                used += 1;
            }
            self.colors[color] = first..used;
        }
        self.groups.truncate(used);
        self.search_order.clear();
        self.search_order.extend(0..used as u32);
        let groups = &self.groups;
        let first_block = |&group: &u32| groups[group as usize].blocks[0];
        self.search_order.sort_unstable_by_key(first_block);
        self.blocks_of_color = blocks_of_color;
        self.find_materials(material);
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

    /// * `spare` — place of the first lane where it has no block
    fn add_group(&mut self, number: usize, blocks: &[u32], grid: BlockGrid<'_>, spare: usize) {
        let first_row = self.particle.len();
        let sizes = blocks.iter().map(|&b| grid.block(b as usize).len());
        let rows = first_row..first_row + sizes.max().unwrap_or(0);
        if number == self.groups.len() {
            self.groups.push(RowGroup::default());
        }
        let group = &mut self.groups[number];
        group.blocks.clear();
        group.blocks.extend_from_slice(blocks);
        group.rows = rows.clone();
        for row in rows {
            let mut places = Places::from_fn(|lane| (spare + lane) as u32);
            let mut filled = 0;
            for (lane, &block) in blocks.iter().enumerate() {
                let particles = grid.block(block as usize);
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
