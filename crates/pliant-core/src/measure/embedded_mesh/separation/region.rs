//! A part of space, by cells.

use std::collections::BTreeSet;

use pliant_math::DVec3;

/// The length of a cell's edge [spacings]: what moves is nearer to what crosses.
const CELL: f64 = 3.0;

/// Cells around some places.
pub(super) struct Region {
    size: f64,
    cells: BTreeSet<[i64; 3]>,
}

impl Region {
    /// Around nothing.
    pub fn new(spacing: f64) -> Self {
        Self {
            size: CELL * spacing,
            cells: BTreeSet::new(),
        }
    }

    /// Adds the cells around places [m], and those beside them.
    pub fn add(&mut self, places: [DVec3; 3]) {
        for place in places {
            let [x, y, z] = self.cell(place);
            if self.cells.contains(&[x, y, z]) {
                continue;
            }
            for k in 0..27 {
                self.cells
                    .insert([x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]);
            }
        }
    }

    /// Whether one of some places [m] is in it.
    pub fn touches(&self, places: [DVec3; 3]) -> bool {
        places
            .iter()
            .any(|place| self.cells.contains(&self.cell(*place)))
    }

    fn cell(&self, place: DVec3) -> [i64; 3] {
        (place / self.size).floor().to_array().map(|c| c as i64)
    }
}
