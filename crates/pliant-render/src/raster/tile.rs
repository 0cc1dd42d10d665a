//! The samples of a tile of pixels: how far they see and what.

use super::bins::PixelBox;

/// Edge of a tile [pixels].
pub(crate) const TILE: u32 = 32;
/// Samples of a pixel.
pub(crate) const SAMPLES: usize = 8;
/// Where the samples are in the pixel: no two share a row or a column, so that edges that are
/// nearly level or upright get all the steps there are.
pub(crate) const SAMPLE_OFFSETS: [[f32; 2]; SAMPLES] = [
    [0.5625, 0.3125],
    [0.4375, 0.6875],
    [0.8125, 0.5625],
    [0.3125, 0.1875],
    [0.1875, 0.8125],
    [0.0625, 0.4375],
    [0.6875, 0.9375],
    [0.9375, 0.0625],
];

/// What a sample sees: a sphere or an opaque triangle by its index, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen(u32);

impl Seen {
    /// The background.
    pub const NOTHING: Self = Self(u32::MAX);
    const FACET: u32 = 1 << 31;

    /// A sphere of `Geometry::spheres`.
    pub fn sphere(index: u32) -> Self {
        Self(index)
    }

    /// A triangle of `Geometry::opaque`.
    pub fn facet(index: u32) -> Self {
        Self(index | Self::FACET)
    }

    /// The sphere's index, if it is one.
    pub fn as_sphere(self) -> Option<usize> {
        (self.0 & Self::FACET == 0).then_some(self.0 as usize)
    }

    /// The triangle's index, if it is one.
    pub fn as_facet(self) -> Option<usize> {
        let is_facet = self != Self::NOTHING && self.0 & Self::FACET != 0;
        is_facet.then_some((self.0 & !Self::FACET) as usize)
    }
}

/// A tile of the picture.
pub(crate) struct Tile {
    /// First column and row in the picture.
    pub corner: [u32; 2],
    /// Columns and rows, less than `TILE` at the picture's edge.
    pub size: [u32; 2],
    /// Distance z of each pixel's samples, infinite for nothing.
    pub depth: Vec<[f32; SAMPLES]>,
    /// What they see.
    pub seen: Vec<[Seen; SAMPLES]>,
    /// The greatest of a pixel's distances.
    pub farthest: Vec<f32>,
}

impl Tile {
    /// The empty tile in a column and a row of tiles of a picture.
    pub fn new(column: u32, row: u32, width: u32, height: u32) -> Self {
        let corner = [column * TILE, row * TILE];
        let size = [TILE.min(width - corner[0]), TILE.min(height - corner[1])];
        let pixels = (size[0] * size[1]) as usize;
        Self {
            corner,
            size,
            depth: vec![[f32::INFINITY; SAMPLES]; pixels],
            seen: vec![[Seen::NOTHING; SAMPLES]; pixels],
            farthest: vec![f32::INFINITY; pixels],
        }
    }

    /// Index, column and row of each pixel of the tile inside a box of pixels.
    pub fn pixels_in(&self, pixels: PixelBox) -> impl Iterator<Item = (usize, u32, u32)> + use<> {
        let ([left, top], [width, height]) = (self.corner, self.size);
        let columns = pixels[0].max(left)..(pixels[2] + 1).min(left + width);
        let rows = pixels[1].max(top)..(pixels[3] + 1).min(top + height);
        rows.flat_map(move |y| {
            let row = (y - top) * width;
            columns
                .clone()
                .map(move |x| ((row + x - left) as usize, x, y))
        })
    }

    /// Keeps the samples that are nearer than what was seen before.
    #[inline]
    pub fn keep_nearer(&mut self, pixel: usize, depth: &[f32; SAMPLES], seen: Seen) {
        let old = &mut self.depth[pixel];
        let mut farthest = 0.0f32;
        for k in 0..SAMPLES {
            if depth[k] < old[k] {
                old[k] = depth[k];
                self.seen[pixel][k] = seen;
            }
            farthest = farthest.max(old[k]);
        }
        self.farthest[pixel] = farthest;
    }
}
