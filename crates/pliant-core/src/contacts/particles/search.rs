//! The pairs that the particles of a block make, and those of a particle that reaches further.

use pliant_math::simd::{Instructions, Job, LANES, Near, Pack, Runs};
use pliant_math::{DVec3, Real, to_real};

use super::PairSearch;
use super::pair::{add_pair, may_meet_surface};
use super::spheres::Spheres;
use crate::contacts::solve::ContactList;
use crate::neighbors::{BlockPart, CELLS, Piece};

/// Cells a side of the cube around a block that holds all that its particles may touch.
const SIDE: usize = 4;

/// Cells of that cube without the last layer along z: no particle of the block is met from there.
const CELLS_AROUND: usize = SIDE * SIDE * (SIDE - 1);

/// Of each two cells that touch, the one that comes later meets the other: four rows of three cells lie
/// so many cells before a cell, and one cell in its own row.
const ROWS_BEFORE: [usize; 4] = [SIDE * SIDE + SIDE, SIDE * SIDE, SIDE * SIDE - SIDE, SIDE];

/// The spheres in and around a block, cell after cell with x fastest, and who is near whom; scratch of a
/// task.
#[derive(Debug, Default)]
pub struct Around {
    /// Coordinates [m] from the first sphere of the block; those of wide ones are not numbers, so that
    /// nothing is near them. [`LANES`] more stand behind the last.
    columns: [Vec<Real>; 3],
    /// Where each is among the sorted spheres.
    places: Vec<u32>,
    runs: Runs,
    /// What is near each sphere of the block, list after list.
    near: Vec<u32>,
    used: usize,
    /// Spheres of the block and where their lists end.
    ends: Vec<(u32, usize)>,
}

/// The first sphere of each cell, and the end.
type CellStarts = [u32; CELLS_AROUND + 1];

/// Finds the pairs of a task.
pub struct Finder<'a> {
    /// The particles.
    pub spheres: &'a Spheres,
    /// What the pairs are asked for.
    pub search: &'a PairSearch<'a>,
    /// What to compute with.
    pub instructions: Instructions,
    /// Scratch.
    pub around: &'a mut Around,
    /// Where the pairs go.
    pub contacts: &'a mut ContactList,
    /// Where those go that may meet as particle and surface, by their places among the sorted spheres.
    pub near_surfaces: &'a mut Vec<[u32; 2]>,
}

impl Finder<'_> {
    /// Adds the pairs that a block's particles make with each other and with those in cells before
    /// theirs, all of which reach no further than a cell.
    pub fn add_block(&mut self, block: usize) {
        let starts = self.around.load(block, self.spheres);
        self.instructions.run(ListNear {
            around: self.around,
            starts,
            limit: self.spheres.squared_reach(),
        });
        let around = std::mem::take(self.around);
        let mut start = 0;
        for &(own, end) in &around.ends {
            // The list has those behind it in its cell as well.
            let before = around.near[start..end].iter().filter(|&&other| other < own);
            for &other in before {
                let places = [own, other].map(|sphere| around.places[sphere as usize]);
                self.add(places);
            }
            start = end;
        }
        *self.around = around;
    }

    /// Adds the pairs that a wide particle makes with those that reach less far.
    pub fn add_oversized(&mut self, place: usize) {
        let spheres = self.spheres;
        let sphere = &spheres.sorted[place];
        spheres.for_blocks_near(sphere, |block| {
            for other_place in spheres.grid().block(block) {
                let other = &spheres.sorted[other_place];
                let is_lesser = (other.swept_radius, other_place) < (sphere.swept_radius, place);
                let reach = f64::from(sphere.swept_radius + other.swept_radius);
                let between = sphere.position.distance_squared(other.position);
                if is_lesser && between <= reach * reach {
                    self.add([place as u32, other_place as u32]);
                }
            }
        });
    }

    /// Adds the pair of two spheres, unless both are of solids, which meet each other elsewhere.
    fn add(&mut self, places: [u32; 2]) {
        let [i, j] = places.map(|place| &self.spheres.sorted[place as usize]);
        let search = self.search;
        let [first, second] = [i, j].map(|sphere| sphere.particle as usize);
        let solids = &search.solids;
        if solids.contains(first) && solids.contains(second) {
            return;
        }
        let sampled_surfaces = &search.sampled_surfaces;
        let has_surface = !sampled_surfaces.is_empty()
            && (sampled_surfaces.contains(first) || sampled_surfaces.contains(second));
        if !has_surface || i.material.continuum == j.material.continuum {
            add_pair(i, j, search, self.contacts);
        } else if may_meet_surface(i, j, search) {
            self.near_surfaces.push(places);
        }
    }
}

impl Around {
    /// Copies the spheres in and around a block.
    fn load(&mut self, block: usize, spheres: &Spheres) -> CellStarts {
        self.columns.iter_mut().for_each(Vec::clear);
        self.places.clear();
        let around = spheres.grid().surroundings(BlockPart::whole(block));
        let origin = spheres.sorted[around.origin()].position;
        let mut starts = [0; CELLS_AROUND + 1];
        for (row, [before, own, behind]) in around.rows().take(CELLS_AROUND / SIDE) {
            let cells = &mut starts[SIDE * row..];
            cells[0] = self.places.len() as u32;
            self.add(before, origin, spheres);
            cells[1] = self.places.len() as u32;
            cells[2] = self.places.len() as u32 + (own.second - own.start);
            self.add(own, origin, spheres);
            cells[3] = self.places.len() as u32;
            self.add(behind, origin, spheres);
            cells[4] = self.places.len() as u32;
        }
        let count = self.places.len();
        for column in &mut self.columns {
            column.resize(count + LANES, 0.0);
        }
        starts
    }

    fn add(&mut self, piece: &Piece, origin: DVec3, spheres: &Spheres) {
        for place in piece.particles() {
            let sphere = &spheres.sorted[place];
            let is_oversized = spheres.is_oversized(sphere);
            let from_origin = to_real(sphere.position - origin).to_array();
            for (column, x) in self.columns.iter_mut().zip(from_origin) {
                column.push(if is_oversized { Real::NAN } else { x });
            }
            self.places.push(place as u32);
        }
    }
}

/// Lists what is near each sphere of a block, in its cell and in those before it.
struct ListNear<'a> {
    around: &'a mut Around,
    starts: CellStarts,
    /// Squared distance [m2] within which spheres are near.
    limit: Real,
}

impl Job for ListNear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Around {
            columns,
            runs,
            near,
            used,
            ends,
            ..
        } = self.around;
        let points = [&columns[0][..], &columns[1][..], &columns[2][..]];
        *used = 0;
        ends.clear();
        for cell in 0..CELLS {
            let number = (cell & 1) + SIDE * ((cell >> 1 & 1) + SIDE * (cell >> 2));
            let number = number + 1 + SIDE * (1 + SIDE);
            let own_cell = self.starts[number]..self.starts[number + 1];
            if own_cell.is_empty() {
                continue;
            }
            runs.clear();
            for step in ROWS_BEFORE {
                let first = number - step - 1;
                runs.add(self.starts[first]..self.starts[first + 3]);
            }
            runs.add(self.starts[number - 1]..own_cell.end);
            for own in own_cell {
                let room = *used + runs.points() + LANES;
                if near.len() < room {
                    near.resize(2 * room, 0);
                }
                let sphere = Near {
                    points,
                    runs,
                    own,
                    limit: self.limit,
                };
                *used = P::keep_near(sphere, near, *used);
                ends.push((own, *used));
            }
        }
    }
}
