//! Ground that sees the whole lamp, known at once: most of a floor.

use glam::Vec3;

use super::map::LightMap;

/// A coarse picture of a lamp map, grown by the width that half shadows can have.
#[derive(Debug)]
pub(super) struct OpenGround {
    columns: usize,
    rows: usize,
    is_open: Vec<bool>,
}

/// Edge of a cell [texels].
const CELL: usize = 8;

impl OpenGround {
    /// From the map of one direction of the lamp; `spread` is the greatest angle to another [rad].
    pub fn new(map: &LightMap, spread: f32) -> Self {
        let (columns, rows) = (map.columns.div_ceil(CELL), map.rows.div_ceil(CELL));
        let mut is_covered = vec![false; columns * rows];
        for (row, line) in map.depth.chunks_exact(map.columns).enumerate() {
            for (column, depth) in line.iter().enumerate() {
                let cell = row / CELL * columns + column / CELL;
                is_covered[cell] |= depth.is_finite();
            }
        }
        let lift_and_filter = 5.0;
        let texels = spread * map.reach * map.texels_per_metre + lift_and_filter;
        let margin = (texels / CELL as f32).ceil() as usize;
        let along = grown(&is_covered, columns, margin);
        let both = transposed(&grown(&transposed(&along, columns), rows, margin), rows);
        Self {
            columns,
            rows,
            is_open: both.iter().map(|covered| !covered).collect(),
        }
    }

    /// True if a point surely sees the whole lamp. `map` is the one this was made from.
    ///
    /// A point beside the map is at least as far from everything in it as the nearest cell.
    pub fn contains(&self, map: &LightMap, point: Vec3) -> bool {
        let place = map.place(point);
        let cell = |coordinate: f32, count: usize| {
            ((coordinate / CELL as f32).max(0.0) as u32 as usize).min(count - 1)
        };
        let at = cell(place.y, self.rows) * self.columns + cell(place.x, self.columns);
        place.z <= 1.05 * map.reach && self.is_open[at]
    }
}

/// Each covered cell covers `margin` more to its left and right.
fn grown(cells: &[bool], columns: usize, margin: usize) -> Vec<bool> {
    let mut grown = vec![false; cells.len()];
    for (old, new) in cells
        .chunks_exact(columns)
        .zip(grown.chunks_exact_mut(columns))
    {
        for column in (0..columns).filter(|c| old[*c]) {
            let last = (column + margin).min(columns - 1);
            new[column.saturating_sub(margin)..=last].fill(true);
        }
    }
    grown
}

fn transposed(cells: &[bool], columns: usize) -> Vec<bool> {
    let rows = cells.len() / columns;
    (0..cells.len())
        .map(|n| cells[n % rows * columns + n / rows])
        .collect()
}
