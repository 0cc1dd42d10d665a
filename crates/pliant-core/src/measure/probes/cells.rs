//! Points by cells, for probes that look around them.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

/// Points sorted into cubes.
pub(super) struct Cells {
    size: f64,
    members: FxHashMap<[i64; 3], Vec<usize>>,
}

impl Cells {
    /// Sorts points into cubes of a side [m].
    pub(super) fn new(position: &[DVec3], size: f64) -> Self {
        let mut cells = Self {
            size,
            members: FxHashMap::default(),
        };
        for (i, &x) in position.iter().enumerate() {
            cells.members.entry(cells.cell(x)).or_default().push(i);
        }
        cells
    }

    /// The points in the cube of a place and in those around it, always in the same order: all that
    /// are nearer than a side, and others.
    pub(super) fn around(&self, x: DVec3) -> impl Iterator<Item = usize> {
        let [a, b, c] = self.cell(x);
        let around = (0..27).map(move |k| [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1]);
        let members = around.filter_map(|cell| self.members.get(&cell));
        members.flatten().copied()
    }

    fn cell(&self, x: DVec3) -> [i64; 3] {
        (x / self.size).floor().to_array().map(|c| c as i64)
    }
}
