//! Colour maps whose lightness rises evenly, made in the Oklab colour space.
//!
//! Source: B. Ottosson 2020, "A perceptual color space for image processing" (Oklab). A map is a
//! path of lightness, chroma and hue; chroma is reduced where the screen cannot show it.

use std::sync::LazyLock;

use glam::Vec3;

use crate::tone::srgb_bytes;

/// A colour map for a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet over teal to yellow, lightness rising evenly.
    #[default]
    Dusk,
    /// Near black over red to pale yellow, lightness rising evenly.
    Ember,
    /// Blue over pale grey to red, the middle being the lightest: for values around a neutral one.
    Balance,
}

type Stop = [f32; 4];

/// Stops of (parameter, lightness, chroma, hue in turns).
const DUSK: &[Stop] = &[
    [0.0, 0.26, 0.13, 0.84],
    [0.25, 0.42, 0.13, 0.745],
    [0.5, 0.58, 0.115, 0.57],
    [0.75, 0.75, 0.16, 0.41],
    [1.0, 0.92, 0.185, 0.295],
];
const EMBER: &[Stop] = &[
    [0.0, 0.16, 0.06, 0.80],
    [0.3, 0.38, 0.16, 0.97],
    [0.6, 0.615, 0.19, 1.08],
    [0.85, 0.815, 0.16, 1.22],
    [1.0, 0.935, 0.10, 1.29],
];
const BALANCE: &[Stop] = &[
    [0.0, 0.40, 0.15, 0.73],
    [0.25, 0.66, 0.13, 0.68],
    [0.5, 0.93, 0.0, 0.65],
    [0.501, 0.93, 0.0, 0.12],
    [0.75, 0.66, 0.16, 0.09],
    [1.0, 0.40, 0.16, 0.06],
];

const TABLE_SIZE: usize = 256;
static TABLES: LazyLock<[Vec<Vec3>; 3]> = LazyLock::new(|| [DUSK, EMBER, BALANCE].map(table));

impl ColorMap {
    /// The sRGB colour at `t`, clamped to [0, 1]; not a number gives mid grey.
    pub fn srgb(self, t: f32) -> [u8; 3] {
        srgb_bytes(self.linear(t))
    }

    /// The linear-light colour at `t`, clamped to [0, 1]; not a number gives mid grey.
    pub(crate) fn linear(self, t: f32) -> Vec3 {
        if t.is_nan() {
            return Vec3::splat(0.21);
        }
        let table = &TABLES[self as usize];
        let at = t.clamp(0.0, 1.0) * (TABLE_SIZE - 1) as f32;
        let low = (at as usize).min(TABLE_SIZE - 2);
        table[low].lerp(table[low + 1], at - low as f32)
    }
}

fn table(stops: &[Stop]) -> Vec<Vec3> {
    (0..TABLE_SIZE)
        .map(|i| in_gamut(path(stops, i as f32 / (TABLE_SIZE - 1) as f32)))
        .collect()
}

/// Lightness, chroma and hue on the path.
fn path(stops: &[Stop], t: f32) -> [f32; 3] {
    let upper = stops.iter().position(|s| s[0] >= t).unwrap_or(0).max(1);
    let (a, b) = (stops[upper - 1], stops[upper]);
    let share = ((t - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
    [1, 2, 3].map(|k| a[k] + share * (b[k] - a[k]))
}

/// The colour with the greatest chroma, up to the one asked for, that a screen can show.
fn in_gamut([lightness, chroma, hue]: [f32; 3]) -> Vec3 {
    let mut share = 1.0;
    loop {
        let color = from_oklch(lightness, chroma * share, hue);
        let is_shown = color.min_element() >= 0.0 && color.max_element() <= 1.0;
        if is_shown || share <= 0.0 {
            return color.clamp(Vec3::ZERO, Vec3::ONE);
        }
        share -= 0.02;
    }
}

/// Linear sRGB from Oklab's polar form (Ottosson 2020).
fn from_oklch(lightness: f32, chroma: f32, hue: f32) -> Vec3 {
    let (sin, cos) = (hue * std::f32::consts::TAU).sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    Vec3::new(
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE lightness L* of linear sRGB.
    fn lightness(color: Vec3) -> f32 {
        let luminance = color.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        116.0 * luminance.max(0.0).cbrt() - 16.0
    }

    #[test]
    fn sequential_maps_grow_lighter_at_every_step() {
        for map in [ColorMap::Dusk, ColorMap::Ember] {
            let steps: Vec<f32> = (0..=100)
                .map(|i| lightness(map.linear(i as f32 / 100.0)))
                .collect();
            assert!(steps.windows(2).all(|w| w[1] > w[0]), "{map:?}");
            assert!(steps[100] - steps[0] > 60.0, "{map:?}");
        }
    }

    #[test]
    fn diverging_map_is_lightest_in_the_middle() {
        let at = |t| lightness(ColorMap::Balance.linear(t));
        for i in 0..50 {
            let t = i as f32 / 100.0;
            assert!(at(t) < at(t + 0.01) + 0.2);
            assert!(at(1.0 - t) < at(0.99 - t) + 0.2);
        }
    }

    #[test]
    fn values_outside_the_range_take_the_end_colours() {
        let map = ColorMap::Dusk;
        assert_eq!(map.linear(-3.0), map.linear(0.0));
        assert_eq!(map.linear(f32::INFINITY), map.linear(1.0));
        assert!(map.linear(f32::NAN).is_finite());
    }
}
