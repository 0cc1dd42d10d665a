//! The pairs that the particles of a block make, and those of a particle that reaches further.

use pliant_math::{Real, to_real};

use super::PairSearch;
use super::pair::Pair;
use super::spheres::Spheres;
use crate::neighbors::CELLS;

/// Cells a side of the cube around a block that holds all that its particles may touch.
const SIDE: usize = 4;

/// Cells of that cube without the last layer along z: no particle of the block is met from there.
const CELLS_AROUND: usize = SIDE * SIDE * (SIDE - 1);

/// The spheres in and around a block, cell after cell with x fastest; scratch of a task.
#[derive(Debug, Default)]
pub struct Near {
    /// Coordinates [m] from the first sphere of the block, and the radius [m]; that of a wide sphere is
    /// not a number, so that nothing is near it.
    points: Vec<[Real; 4]>,
    /// Where each is among the sorted spheres.
    places: Vec<u32>,
}

/// The first point of each cell, and the end.
type CellStarts = [u32; CELLS_AROUND + 1];

/// Finds the pairs of a task.
pub struct Finder<'a> {
    /// The particles.
    pub spheres: &'a Spheres,
    /// What the pairs are asked for.
    pub search: &'a PairSearch<'a>,
    /// Scratch.
    pub near: &'a mut Near,
    /// Where the pairs go.
    pub pairs: &'a mut Vec<Pair>,
}

impl Finder<'_> {
    /// Adds the pairs that a block's particles make with each other and with those in cells before
    /// theirs, all of which reach no further than a cell.
    pub fn add_block(&mut self, block: usize) {
        let starts = self.near.load(block, self.spheres);
        for cell in 0..CELLS {
            let [x, y, z] = [cell & 1, cell >> 1 & 1, cell >> 2].map(|side| side + 1);
            let number = x + SIDE * (y + SIDE * z);
            // Of each two cells that touch, the one that comes later meets the other: four rows of
            // three cells, and the own row up to the particle.
            let before = [SIDE * SIDE + SIDE, SIDE * SIDE, SIDE * SIDE - SIDE, SIDE];
            let start = |cell: usize| starts[cell] as usize;
            let rows = before.map(|step| start(number - step - 1)..start(number - step + 2));
            for own in start(number)..start(number + 1) {
                rows.iter().for_each(|row| self.add_row(own, row.clone()));
                self.add_row(own, start(number - 1)..own);
            }
        }
    }

    /// Adds the pairs that a wide particle makes with those that reach less far.
    pub fn add_wide(&mut self, place: usize) {
        let (spheres, search) = (self.spheres, self.search);
        let sphere = &spheres.sorted[place];
        spheres.for_blocks_near(sphere, |block| {
            for other_place in spheres.grid().block(block) {
                let other = &spheres.sorted[other_place];
                let is_lesser = (other.half_reach, other_place) < (sphere.half_reach, place);
                let reach = f64::from(sphere.half_reach + other.half_reach);
                let between = sphere.position.distance_squared(other.position);
                if is_lesser && between <= reach * reach {
                    self.pairs.extend(Pair::of(sphere, other, search));
                }
            }
        });
    }

    #[inline(always)]
    fn add_row(&mut self, own: usize, row: std::ops::Range<usize>) {
        let sorted = &self.spheres.sorted;
        let [x, y, z, half_reach] = self.near.points[own];
        let places = &self.near.places[row.clone()];
        for (point, &place) in self.near.points[row].iter().zip(places) {
            let (dx, dy, dz) = (point[0] - x, point[1] - y, point[2] - z);
            let reach = point[3] + half_reach;
            if dx * dx + dy * dy + dz * dz <= reach * reach {
                let own = &sorted[self.near.places[own] as usize];
                let other = &sorted[place as usize];
                self.pairs.extend(Pair::of(own, other, self.search));
            }
        }
    }
}

impl Near {
    /// Copies the spheres in and around a block.
    fn load(&mut self, block: usize, spheres: &Spheres) -> CellStarts {
        self.points.clear();
        self.places.clear();
        let around = spheres.grid().surroundings(block);
        let origin = spheres.sorted[around.origin()].position;
        let mut starts = [0; CELLS_AROUND + 1];
        // Three pieces a row of four cells: the first, the two of the block itself, the last.
        let pieces = around.pieces.iter().take(CELLS_AROUND / SIDE * 3);
        for (k, piece) in pieces.enumerate() {
            let (row, start) = (SIDE * (k / 3), self.points.len() as u32);
            match k % 3 {
                0 => starts[row] = start,
                1 => {
                    starts[row + 1] = start;
                    starts[row + 2] = start + (piece.second - piece.start);
                }
                _ => starts[row + 3] = start,
            }
            for place in piece.particles() {
                let sphere = &spheres.sorted[place];
                let [x, y, z] = to_real(sphere.position - origin).to_array();
                let is_wide = spheres.is_wide(sphere);
                let reach = if is_wide {
                    Real::NAN
                } else {
                    sphere.half_reach
                };
                self.points.push([x, y, z, reach]);
                self.places.push(place as u32);
            }
        }
        starts[CELLS_AROUND] = self.points.len() as u32;
        starts
    }
}
