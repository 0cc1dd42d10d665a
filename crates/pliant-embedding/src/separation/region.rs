//! A part of space, by cells.

use std::collections::BTreeSet;

use pliant_geometry::Aabb;
use pliant_math::DVec3;

/// The length of a cell's edge [spacings]: what moves is nearer to what crosses.
const CELL: f64 = 3.0;

/// Cells around some places.
pub(super) struct Region {
    size: f64,
    cells: BTreeSet<[i64; 3]>,
    /// Around them [m].
    bounds: Aabb,
}

impl Region {
    /// Around nothing.
    pub fn new(spacing: f64) -> Self {
        Self {
            size: CELL * spacing,
            cells: BTreeSet::new(),
            bounds: Aabb::EMPTY,
        }
    }

    /// Adds the cells around places [m], and those beside them.
    pub fn add(&mut self, places: [DVec3; 3]) {
        for place in places {
            let [x, y, z] = self.cell(place);
            if self.cells.contains(&[x, y, z]) {
                continue;
            }
            let around = Aabb::around([place]).grown(2.0 * self.size);
            self.bounds = self.bounds.union(around);
            for k in 0..27 {
                self.cells
                    .insert([x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]);
            }
        }
    }

    /// Whether one of some places [m] is in it.
    pub fn touches(&self, places: [DVec3; 3]) -> bool {
        let is_in =
            |place: &DVec3| self.bounds.contains(*place) && self.cells.contains(&self.cell(*place));
        places.iter().any(is_in)
    }

    fn cell(&self, place: DVec3) -> [i64; 3] {
        (place / self.size).floor().to_array().map(|c| c as i64)
    }
}
