//! Light to bytes: sRGB transfer, highlight compression, ordered dither.

use std::sync::LazyLock;

use glam::Vec3;

/// Linear light of an sRGB colour in [0, 1].
pub(crate) fn to_linear(srgb: [f32; 3]) -> Vec3 {
    Vec3::from_array(srgb.map(|c| {
        let c = if c.is_finite() {
            c.clamp(0.0, 1.0)
        } else {
            0.5
        };
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    }))
}

/// The sRGB value in [0, 1] of linear light, from a table that is off by less than a tenth of a step
/// of 255.
#[inline]
pub(crate) fn to_srgb(linear: f32) -> f32 {
    let at = linear.clamp(0.0, 1.0).sqrt() * TABLE_STEPS as f32;
    let low = (at as u32 as usize).min(TABLE_STEPS - 1);
    let table: &[f32; TABLE_STEPS + 1] = &SRGB_OF_SQUARE;
    table[low] + (at - low as f32) * (table[low + 1] - table[low])
}

/// The sRGB bytes of linear light, clamped to what they can show.
pub(crate) fn srgb_bytes(linear: Vec3) -> [u8; 3] {
    let byte = |c: f32| (255.0 * to_srgb(c)).round() as u8;
    linear.to_array().map(byte)
}

const TABLE_STEPS: usize = 512;
/// sRGB values of the squares of evenly spaced numbers, which lie nearly on a line.
static SRGB_OF_SQUARE: LazyLock<[f32; TABLE_STEPS + 1]> = LazyLock::new(|| {
    let root = |i: usize| i as f32 / TABLE_STEPS as f32;
    std::array::from_fn(|i| exact_srgb(root(i) * root(i)))
});

fn exact_srgb(linear: f32) -> f32 {
    let c = linear.clamp(0.0, 1.0);
    if c <= 0.003_130_8 {
        12.92 * c
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}

/// Where highlights begin to be compressed.
const SHOULDER: f32 = 0.72;
/// How fast compressed highlights lose their colour.
const DESATURATION: f32 = 0.15;

/// Compresses light above the shoulder towards white; colours below it stay what they are, so that
/// a legend's colours are found again on the particles.
///
/// Source: the shoulder of the Khronos PBR Neutral tone mapper (Khronos Group 2024). Deviation: no
/// toe, because particles have no dielectric base reflection to subtract.
pub(crate) fn compress_highlights(light: Vec3) -> Vec3 {
    let peak = light.max_element();
    if peak < SHOULDER {
        return light.max(Vec3::ZERO);
    }
    let room = 1.0 - SHOULDER;
    let new_peak = 1.0 - room * room / (peak + room - SHOULDER);
    let scaled = light * (new_peak / peak);
    let whiteness = 1.0 - 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    scaled
        .lerp(Vec3::splat(new_peak), whiteness)
        .max(Vec3::ZERO)
}

/// The bytes of a pixel at (x, y); an ordered dither of one step hides the bands of soft gradients.
pub(crate) fn to_bytes(light: Vec3, x: u32, y: u32) -> [u8; 3] {
    let threshold = dither(x, y);
    compress_highlights(light)
        .to_array()
        .map(|c| (255.0 * to_srgb(c) + threshold).min(255.0) as u8)
}

/// A threshold in (0, 1) from the 8 x 8 Bayer matrix.
fn dither(x: u32, y: u32) -> f32 {
    let mut level = 0;
    for bit in 0..3 {
        let (bx, by) = ((x >> bit) & 1, (y >> bit) & 1);
        level |= ((bx ^ by) << 1 | by) << (2 * (2 - bit));
    }
    (level as f32 + 0.5) / 64.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_and_linear_are_inverse() {
        for i in 0..=255 {
            let c = i as f32 / 255.0;
            assert!((to_srgb(to_linear([c; 3]).x) - c).abs() < 0.1 / 255.0);
        }
    }

    #[test]
    fn highlights_are_compressed_in_order_and_never_clip() {
        let mut last = 0.0;
        for i in 1..2000 {
            let now = compress_highlights(Vec3::splat(i as f32 * 0.01)).x;
            assert!(now > last && now < 1.0);
            last = now;
        }
        assert_eq!(compress_highlights(Vec3::splat(0.5)), Vec3::splat(0.5));
    }

    #[test]
    fn dither_takes_each_of_its_64_levels_once() {
        let mut seen: Vec<u32> = (0..64)
            .map(|i| (dither(i % 8, i / 8) * 64.0) as u32)
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..64).collect::<Vec<_>>());
    }
}
