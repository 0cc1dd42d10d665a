//! Environment maps: pictures of what surrounds a scene, which light it (Debevec 1998).
//!
//! Its brightest spot becomes a lamp, which throws shadows; the rest is the sky.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

/// Columns of the picture that light is taken from: coarse, as light is gathered over wide angles.
const COARSE: u32 = 128;
/// What is brighter than so many times the mean of the upper half sphere may be the lamp.
const BRIGHT: f32 = 6.0;
/// Heights over distances of what is just above the horizon.
const NEAR_HORIZON: f32 = 0.15;
/// Columns of the coarse image to each side that the horizon is even over.
const HORIZON_COLUMNS: usize = 5;
/// Half the width of a lamp, at most [rad].
const WIDEST: f32 = 0.25;
/// Half the width of the sun [rad]: no lamp is narrower.
const NARROWEST: f32 = 0.0047;
/// The lowest place of a lamp, as height over distance: lower ones throw shadows without end.
const LOWEST: f32 = 0.08;

/// An environment map (HDRI) in equirectangular projection: linear sRGB, with the zenith in its first row, one turn
/// around in its columns.
///
/// Directions are told by three numbers: to the right of the middle column, upwards, towards the middle column.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentMap {
    image: Image,
    light: Light,
}

/// Why pixels are no environment map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentMapError {
    /// It has no pixels, or another number of them.
    #[error("it has {found} pixels and says that it has {width} x {height}")]
    Size {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Pixels.
        found: usize,
    },
    /// A pixel is no light.
    #[error("the pixel in column {column} and row {row} is not a finite, positive number")]
    Pixel {
        /// From 0.
        column: u32,
        /// From 0.
        row: u32,
    },
    /// It lights nothing.
    #[error("its upper half is black")]
    Black,
}

/// Pixels of all directions.
#[derive(Clone, Debug, PartialEq)]
struct Image {
    width: u32,
    height: u32,
    pixels: Vec<Vec3>,
}

/// A part of the sphere of directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Patch {
    /// Its middle.
    pub toward: Vec3,
    /// Its solid angle [sr].
    pub angle: f32,
    /// Light from there.
    pub radiance: Vec3,
}

/// What an environment map lights with, scaled so that level ground is as bright as under the usual lights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Light {
    /// Irradiance of the lamp over π on a surface that faces it; zero if no spot is that bright.
    pub lamp: Vec3,
    /// Where it is.
    pub toward_lamp: Vec3,
    /// Half its width [rad].
    pub lamp_radius: f32,
    /// The upper half sphere without the lamp.
    pub sky: Vec<Patch>,
    /// Mean radiance of the lower half sphere.
    pub bounce: Vec3,
    /// Radiance of the sky above the horizon, without the lamp and even over some degrees, by columns of a coarse
    /// image.
    horizon: Vec<Vec3>,
    /// Factor on the radiance of pixels.
    pub exposure: f32,
}

impl EnvironmentMap {
    /// A map of `width` x `height` pixels, row by row from the zenith down.
    ///
    /// # Errors
    /// [`EnvironmentMapError`].
    pub fn new(
        width: u32,
        height: u32,
        pixels: Vec<[f32; 3]>,
    ) -> Result<Self, EnvironmentMapError> {
        let found = pixels.len();
        if found == 0 || found != width as usize * height as usize {
            return Err(EnvironmentMapError::Size {
                width,
                height,
                found,
            });
        }
        let is_light = |pixel: &[f32; 3]| pixel.iter().all(|c| c.is_finite() && *c >= 0.0);
        if let Some(place) = pixels.iter().position(|pixel| !is_light(pixel)) {
            return Err(EnvironmentMapError::Pixel {
                column: place as u32 % width,
                row: place as u32 / width,
            });
        }
        let image = Image {
            width,
            height,
            pixels: pixels.into_iter().map(Vec3::from_array).collect(),
        };
        let light = Light::of(&image.coarse()).ok_or(EnvironmentMapError::Black)?;
        Ok(Self { image, light })
    }

    /// Radiance from a direction.
    pub(crate) fn radiance(&self, direction: Vec3) -> Vec3 {
        self.light.exposure * self.image.at(direction)
    }

    /// Radiance that the horizon below a direction has on the whole.
    pub(crate) fn horizon(&self, direction: Vec3) -> Vec3 {
        let horizon = &self.light.horizon;
        let x = around(direction) * horizon.len() as f32 - 0.5;
        let column = |offset: i64| {
            let column = (x.floor() as i64 + offset).rem_euclid(horizon.len() as i64);
            horizon[column as usize]
        };
        column(0).lerp(column(1), x - x.floor())
    }

    pub(crate) fn light(&self) -> &Light {
        &self.light
    }
}

impl Image {
    /// The same in a fixed number of pixels, each the mean of those that it stands for.
    fn coarse(&self) -> Self {
        let (width, height) = (COARSE, COARSE / 2);
        let range = |k: u32, coarse: u32, fine: u32| {
            let place = |k: u32| (u64::from(k) * u64::from(fine) / u64::from(coarse)) as u32;
            place(k)..place(k + 1).max(place(k) + 1)
        };
        let pixel = |n: u32| {
            let (columns, rows) = (
                range(n % width, width, self.width),
                range(n / width, height, self.height),
            );
            let count = (columns.len() * rows.len()) as f32;
            let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
            let sum: Vec3 = all.map(|(column, row)| self.pixel(column, row)).sum();
            sum / count
        };
        Self {
            width,
            height,
            pixels: (0..width * height).map(pixel).collect(),
        }
    }

    fn pixel(&self, column: u32, row: u32) -> Vec3 {
        self.pixels[row as usize * self.width as usize + column as usize]
    }

    /// Between the four pixels around a direction.
    fn at(&self, direction: Vec3) -> Vec3 {
        let direction = direction.normalize_or(Vec3::Y);
        let down = libm::acosf(direction.y.clamp(-1.0, 1.0)) / PI;
        let x = around(direction) * self.width as f32 - 0.5;
        let y = (down * self.height as f32 - 0.5).clamp(0.0, self.height as f32 - 1.0);
        let (left, top) = (x.floor(), y.floor());
        let column = |offset: i64| (left as i64 + offset).rem_euclid(i64::from(self.width)) as u32;
        let row = |offset: u32| (top as u32 + offset).min(self.height - 1);
        let along = |row: u32| {
            let [from, to] = [0, 1].map(|offset| self.pixel(column(offset), row));
            from.lerp(to, x - left)
        };
        along(row(0)).lerp(along(row(1)), y - top)
    }

    /// All pixels as parts of the sphere.
    fn patches(&self) -> impl Iterator<Item = Patch> + '_ {
        let (width, height) = (self.width as f32, self.height as f32);
        (0..self.width * self.height).map(move |n| {
            let (column, row) = (n % self.width, n / self.width);
            let azimuth = ((column as f32 + 0.5) / width - 0.5) * TAU;
            let [top, middle, bottom] =
                [0.0, 0.5, 1.0].map(|part| (row as f32 + part) / height * PI);
            let (sin, cos) = (libm::sinf(middle), libm::cosf(middle));
            Patch {
                toward: Vec3::new(sin * libm::sinf(azimuth), cos, sin * libm::cosf(azimuth)),
                angle: TAU / width * (libm::cosf(top) - libm::cosf(bottom)),
                radiance: self.pixel(column, row),
            }
        })
    }
}

/// How far around a direction is, from the left edge of a map at 0 to the right one at 1.
fn around(direction: Vec3) -> f32 {
    0.5 + libm::atan2f(direction.x, direction.z) / TAU
}

/// The mean of what is just above the horizon in each column of a coarse image and those beside it.
fn horizon(sky: &[Patch]) -> Vec<Vec3> {
    let mut columns = vec![(Vec3::ZERO, 0.0); COARSE as usize];
    for patch in sky.iter().filter(|patch| patch.toward.y < NEAR_HORIZON) {
        let column = (around(patch.toward) * COARSE as f32) as usize % columns.len();
        columns[column].0 += patch.angle * patch.radiance;
        columns[column].1 += patch.angle;
    }
    let mean = |column: usize| {
        let beside = (0..=2 * HORIZON_COLUMNS)
            .map(|k| columns[(column + columns.len() + k - HORIZON_COLUMNS) % columns.len()]);
        let (sum, angle) = beside.fold((Vec3::ZERO, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / f32::max(angle, f32::MIN_POSITIVE)
    };
    (0..columns.len()).map(mean).collect()
}

impl Light {
    /// What an image lights with; `None` if its upper half is black.
    fn of(image: &Image) -> Option<Self> {
        let (mut sky, mut below): (Vec<_>, Vec<_>) =
            image.patches().partition(|patch| patch.toward.y > 0.0);
        let cap = BRIGHT * luminance(mean(&sky));
        // A lamp below the horizon would shine through the ground.
        for patch in &mut below {
            patch.radiance *= (cap / luminance(patch.radiance).max(f32::MIN_POSITIVE)).min(1.0);
        }
        let lamp = Lamp::taken_from(&mut sky, cap);
        let ground = lamp.irradiance * lamp.toward.y + level_light(&sky);
        let exposure = usual_luminance() / luminance(ground);
        if !exposure.is_finite() {
            return None;
        }
        for patch in &mut sky {
            patch.radiance *= exposure;
        }
        Some(Self {
            lamp: exposure * lamp.irradiance,
            toward_lamp: lamp.toward,
            lamp_radius: lamp.radius,
            horizon: horizon(&sky),
            sky,
            bounce: exposure * mean(&below),
            exposure,
        })
    }
}

/// The brightest spot of a sky.
struct Lamp {
    /// Irradiance over π on a surface that faces it.
    irradiance: Vec3,
    toward: Vec3,
    radius: f32,
}

impl Lamp {
    /// Takes from a sky what is brighter than `cap` around its brightest direction.
    fn taken_from(sky: &mut [Patch], cap: f32) -> Self {
        let brightest = sky
            .iter()
            .max_by(|a, b| luminance(a.radiance).total_cmp(&luminance(b.radiance)));
        let peak = brightest.map_or(Vec3::Y, |patch| patch.toward);
        let (mut irradiance, mut middle) = (Vec3::ZERO, Vec3::ZERO);
        let mut taken = Vec::new();
        for Patch {
            toward,
            angle,
            radiance,
        } in sky.iter_mut()
        {
            let own = luminance(*radiance);
            if own > cap && toward.dot(peak) > libm::cosf(2.0 * WIDEST) {
                let excess = *radiance * (1.0 - cap / own) * (*angle / PI);
                *radiance *= cap / own;
                irradiance += excess;
                middle += luminance(excess) * *toward;
                taken.push((*toward, luminance(excess)));
            }
        }
        let middle = middle.normalize_or(peak);
        let total: f32 = taken.iter().map(|(_, weight)| weight).sum();
        let spread = taken.iter().map(|(toward, weight)| {
            let angle = libm::acosf(toward.dot(middle).clamp(-1.0, 1.0));
            weight * angle * angle
        });
        // Of an even disc the mean square of the distance is half of that of its rim.
        let radius = libm::sqrtf(2.0 * spread.sum::<f32>() / total.max(f32::MIN_POSITIVE));
        let level = Vec3::new(middle.x, 0.0, middle.z).normalize_or(Vec3::Z);
        Self {
            irradiance,
            toward: match middle.y < LOWEST {
                true => level * (1.0 - LOWEST * LOWEST).sqrt() + LOWEST * Vec3::Y,
                false => middle,
            },
            radius: radius.clamp(NARROWEST, WIDEST),
        }
    }
}

/// Mean radiance of parts of the sphere.
fn mean(patches: &[Patch]) -> Vec3 {
    let total: f32 = patches.iter().map(|patch| patch.angle).sum();
    let sum: Vec3 = patches
        .iter()
        .map(|patch| patch.angle * patch.radiance)
        .sum();
    sum / total.max(f32::MIN_POSITIVE)
}

/// Irradiance over π on level ground.
fn level_light(sky: &[Patch]) -> Vec3 {
    let light = sky
        .iter()
        .map(|patch| patch.toward.y * patch.angle / PI * patch.radiance);
    light.sum()
}

/// Of a linear colour, with the primaries of sRGB.
fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

/// Luminance of white level ground under the usual lights.
fn usual_luminance() -> f32 {
    use crate::illumination::{LAMP, SKY, lamp_direction};
    luminance(LAMP * lamp_direction(Vec3::Y).y + SKY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map of a radiance that depends on the direction.
    fn map(of: impl Fn(Vec3) -> Vec3) -> EnvironmentMap {
        let (width, height) = (256, 128);
        let blank = Image {
            width,
            height,
            pixels: vec![Vec3::ZERO; (width * height) as usize],
        };
        let pixels = blank.patches().map(|patch| of(patch.toward).to_array());
        EnvironmentMap::new(width, height, pixels.collect()).unwrap()
    }

    #[test]
    fn an_even_sky_has_no_lamp_and_lights_the_ground_as_usual() {
        let even = map(|_| Vec3::splat(3.0));
        let light = even.light();
        assert_eq!(light.lamp, Vec3::ZERO);
        let ground = luminance(level_light(&light.sky));
        assert!((ground - usual_luminance()).abs() < 1e-4, "{ground}");
        // An even sphere is as bright everywhere.
        assert!((luminance(light.bounce) - ground).abs() < 2e-3 * ground);
        assert!((luminance(even.radiance(Vec3::X)) - ground).abs() < 2e-3 * ground);
    }

    #[test]
    fn the_sun_becomes_a_lamp_with_all_of_its_light() {
        let sun = Vec3::new(0.6, 0.5, -0.4).normalize();
        let warm = Vec3::new(3.0, 2.0, 1.0);
        let radius: f32 = 0.1;
        let clear = map(|toward| match toward.dot(sun) > radius.cos() {
            true => 400.0 * warm,
            false => Vec3::new(0.1, 0.2, 0.4),
        });
        let light = clear.light();
        assert!(light.toward_lamp.dot(sun) > 0.9999, "{}", light.toward_lamp);
        assert!(
            (light.lamp_radius - radius).abs() < 0.2 * radius,
            "{}",
            light.lamp_radius
        );
        let tint = light.lamp / light.lamp.z;
        assert!((tint - warm).length() < 0.02, "{tint}");
        // Irradiance over π of a disc of radius r: L sin² r.
        let expected = 400.0 * warm * radius.sin() * radius.sin() * light.exposure;
        let lost = (light.lamp - expected).length() / expected.length();
        assert!(lost < 0.05, "{lost}");
        let ground = light.lamp * light.toward_lamp.y + level_light(&light.sky);
        assert!((luminance(ground) - usual_luminance()).abs() < 1e-3);
        // The rest is blue.
        assert!(
            light
                .sky
                .iter()
                .all(|patch| patch.radiance.x < 7.0 * patch.radiance.z)
        );
    }

    #[test]
    fn directions_see_the_pixels_that_they_are_of() {
        let colors = map(|toward| toward + Vec3::ONE);
        let exposure = colors.light().exposure;
        for toward in [
            Vec3::X,
            Vec3::NEG_X,
            Vec3::Z,
            Vec3::NEG_Z,
            Vec3::new(0.3, -0.8, 0.5),
        ] {
            let toward = toward.normalize();
            let seen = colors.radiance(toward) / exposure - Vec3::ONE;
            assert!((seen - toward).length() < 0.03, "{toward} {seen}");
        }
    }

    #[test]
    fn maps_of_few_pixels_light_as_those_of_many() {
        let many = map(|_| Vec3::ONE);
        for (width, height) in [(1, 1), (2, 1), (3, 3), (4, 2), (16, 8), (200, 90)] {
            let pixels = vec![[1.0; 3]; (width * height) as usize];
            let few = EnvironmentMap::new(width, height, pixels).unwrap();
            assert!((few.light().exposure / many.light().exposure - 1.0).abs() < 1e-4);
            let apart = few.light().bounce - many.light().bounce;
            assert!(apart.length() < 1e-4, "{width} x {height}");
        }
    }

    #[test]
    fn a_lamp_below_the_horizon_is_not_seen_through_the_ground() {
        let sun = Vec3::new(0.3, -0.2, 0.5).normalize();
        let grey = |toward: Vec3, radiance| match toward.dot(sun) > 0.998 {
            true => Vec3::splat(radiance),
            false => Vec3::splat(0.5),
        };
        let [set, none] = [2e4, 0.5].map(|radiance| map(|toward| grey(toward, radiance)));
        assert_eq!(set.light().lamp, Vec3::ZERO);
        let ratio = set.light().bounce.x / none.light().bounce.x;
        assert!((1.0..1.05).contains(&ratio), "{ratio}");
    }

    #[test]
    fn what_is_no_map_is_refused() {
        let size = EnvironmentMap::new(2, 2, vec![[1.0; 3]; 3]).unwrap_err();
        assert!(size.to_string().contains("3 pixels"), "{size}");
        let mut pixels = vec![[1.0; 3]; 4];
        pixels[3][1] = f32::NAN;
        let pixel = EnvironmentMap::new(2, 2, pixels).unwrap_err();
        assert!(pixel.to_string().contains("column 1 and row 1"), "{pixel}");
        let black = EnvironmentMap::new(2, 2, vec![[0.0; 3]; 4]);
        assert_eq!(black.unwrap_err(), EnvironmentMapError::Black);
    }
}
