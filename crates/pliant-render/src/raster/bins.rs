//! Which things touch which tile of the picture.

use super::TILE;

/// A rectangle of pixels: first column, first row, last column, last row, in the picture.
pub(crate) type PixelBox = [u32; 4];

/// For each tile the things that touch it, in the order they were given.
#[derive(Debug)]
pub(crate) struct Bins {
    columns: u32,
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Bins {
    /// Sorts things into tiles; `boxes` gives each thing's pixels, `None` if it is not in the picture.
    pub fn new(width: u32, height: u32, boxes: &[Option<PixelBox>]) -> Self {
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let mut start = vec![0u32; (columns * rows) as usize + 1];
        for pixels in boxes.iter().flatten() {
            for_each_tile(pixels, columns, |tile| start[tile + 1] += 1);
        }
        for tile in 1..start.len() {
            start[tile] += start[tile - 1];
        }
        let mut next = start.clone();
        let mut items = vec![0; start[start.len() - 1] as usize];
        for (item, pixels) in boxes.iter().enumerate() {
            let Some(pixels) = pixels else { continue };
            for_each_tile(pixels, columns, |tile| {
                items[next[tile] as usize] = item as u32;
                next[tile] += 1;
            });
        }
        Self {
            columns,
            start,
            items,
        }
    }

    /// The things that touch the tile in a column and a row of tiles.
    pub fn of_tile(&self, column: u32, row: u32) -> &[u32] {
        let tile = (row * self.columns + column) as usize;
        &self.items[self.start[tile] as usize..self.start[tile + 1] as usize]
    }
}

fn for_each_tile(pixels: &PixelBox, columns: u32, mut visit: impl FnMut(usize)) {
    let [left, top, right, bottom] = pixels.map(|p| p / TILE);
    for row in top..=bottom {
        for column in left..=right {
            visit((row * columns + column) as usize);
        }
    }
}

/// The pixels between two points of the picture, `None` if they are all outside.
pub(crate) fn pixel_box(
    low: [f32; 2],
    high: [f32; 2],
    width: u32,
    height: u32,
) -> Option<PixelBox> {
    let is_outside =
        high[0] < 0.0 || high[1] < 0.0 || low[0] >= width as f32 || low[1] >= height as f32;
    if is_outside || low.iter().chain(&high).any(|v| v.is_nan()) {
        return None;
    }
    Some([
        low[0].max(0.0) as u32,
        low[1].max(0.0) as u32,
        (high[0] as u32).min(width - 1),
        (high[1] as u32).min(height - 1),
    ])
}
