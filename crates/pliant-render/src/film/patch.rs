//! What changes from one picture of a film to the next.

use crate::Picture;

/// A pixel counts as changed when a channel differs by more than this.
pub(super) const CHANGE: u8 = 7;
/// Changed channels are rounded to multiples of this.
const STEP: u8 = 4;

/// A part of the canvas, red, green, blue and alpha.
pub(super) struct Patch {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Patch {
    /// All of a picture.
    pub fn whole(picture: &Picture) -> Self {
        let opaque = |p: &[u8]| [p[0], p[1], p[2], 255];
        Self {
            left: 0,
            top: 0,
            width: picture.width,
            height: picture.height,
            rgba: picture.rgb.chunks_exact(3).flat_map(opaque).collect(),
        }
    }

    /// The pixels in which `next` differs from what is shown, which is brought up to date.
    pub fn of_changes(shown: &mut Picture, next: &Picture) -> Self {
        let width = shown.width as usize;
        let changed: Vec<bool> = shown
            .rgb
            .chunks_exact(3)
            .zip(next.rgb.chunks_exact(3))
            .map(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > CHANGE))
            .collect();
        let [left, top, right, bottom] = extent(&changed, width);
        let mut rgba = Vec::with_capacity(4 * (right - left) * (bottom - top));
        for y in top..bottom {
            for x in left..right {
                let pixel = y * width + x;
                if changed[pixel] {
                    let color = [0, 1, 2].map(|c| round(next.rgb[3 * pixel + c]));
                    shown.rgb[3 * pixel..3 * pixel + 3].copy_from_slice(&color);
                    rgba.extend([color[0], color[1], color[2], 255]);
                } else {
                    rgba.extend([0; 4]);
                }
            }
        }
        Self {
            left: left as u32,
            top: top as u32,
            width: (right - left) as u32,
            height: (bottom - top) as u32,
            rgba,
        }
    }
}

/// Left, top, right, bottom (exclusive) of what changed; one pixel if nothing did.
fn extent(changed: &[bool], width: usize) -> [usize; 4] {
    let mut area = [usize::MAX, usize::MAX, 0, 0];
    for pixel in (0..changed.len()).filter(|n| changed[*n]) {
        let (x, y) = (pixel % width, pixel / width);
        area = [
            area[0].min(x),
            area[1].min(y),
            area[2].max(x + 1),
            area[3].max(y + 1),
        ];
    }
    if area[0] == usize::MAX {
        return [0, 0, 1, 1];
    }
    area
}

/// A picture halved until it is no wider than so many pixels.
pub(super) fn reduced(mut picture: Picture, largest_width: u32) -> Picture {
    while picture.width > largest_width {
        picture = picture.halved();
    }
    picture
}

/// The first frame keeps twice the levels, because its still parts stay in sight.
pub(super) fn rounded(picture: &Picture) -> Picture {
    let finer = |v: &u8| (v / 2 * 2).saturating_add(1);
    Picture {
        rgb: picture.rgb.iter().map(finer).collect(),
        ..*picture
    }
}

fn round(value: u8) -> u8 {
    (value / STEP * STEP).saturating_add(STEP / 2)
}
