//! A picture of what surrounds a scene, which lights it (Debevec 1998).
//!
//! Its brightest spot becomes a lamp, which throws shadows; the rest is the sky.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

/// Columns of the picture that light is taken from: coarse, as light is gathered over wide angles.
const COARSE: u32 = 128;
/// What is brighter than so many times the mean of the upper half sphere may be the lamp.
const BRIGHT: f32 = 6.0;
/// Half the width of a lamp, at most [rad].
const WIDEST: f32 = 0.25;
/// Half the width of the sun [rad]: no lamp is narrower.
const NARROWEST: f32 = 0.0047;
/// The lowest place of a lamp, as height over distance: lower ones throw shadows without end.
const LOWEST: f32 = 0.08;

/// A panorama of all directions: linear sRGB, with the zenith in its first row, one turn around in its columns.
///
/// Directions are told by three numbers: to the right of the middle column, upwards, towards the middle column.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    panorama: Panorama,
    light: Light,
}

/// Why a panorama is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
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
struct Panorama {
    width: u32,
    height: u32,
    pixels: Vec<Vec3>,
}

/// What a panorama lights with, scaled so that level ground is as bright as under the usual lights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Light {
    /// Irradiance of the lamp over π on a surface that faces it; zero if no spot is that bright.
    pub lamp: Vec3,
    /// Where it is.
    pub toward_lamp: Vec3,
    /// Half its width [rad].
    pub lamp_radius: f32,
    /// Directions of the upper half sphere without the lamp, with solid angles [sr] and radiances.
    pub sky: Vec<(Vec3, f32, Vec3)>,
    /// Mean radiance of the lower half sphere.
    pub bounce: Vec3,
    /// Factor on the radiance of pixels.
    pub exposure: f32,
}

impl Environment {
    /// A panorama of `width` x `height` pixels, row by row from the zenith down.
    ///
    /// # Errors
    /// [`EnvironmentError`].
    pub fn new(width: u32, height: u32, pixels: Vec<[f32; 3]>) -> Result<Self, EnvironmentError> {
        let found = pixels.len();
        if found == 0 || found != width as usize * height as usize {
            return Err(EnvironmentError::Size {
                width,
                height,
                found,
            });
        }
        let is_light = |pixel: &[f32; 3]| pixel.iter().all(|c| c.is_finite() && *c >= 0.0);
        if let Some(place) = pixels.iter().position(|pixel| !is_light(pixel)) {
            return Err(EnvironmentError::Pixel {
                column: place as u32 % width,
                row: place as u32 / width,
            });
        }
        let panorama = Panorama {
            width,
            height,
            pixels: pixels.into_iter().map(Vec3::from_array).collect(),
        };
        let light = Light::of(&panorama.coarse()).ok_or(EnvironmentError::Black)?;
        Ok(Self { panorama, light })
    }

    /// Radiance from a direction.
    pub(crate) fn radiance(&self, direction: Vec3) -> Vec3 {
        self.light.exposure * self.panorama.at(direction)
    }

    pub(crate) fn light(&self) -> &Light {
        &self.light
    }
}

impl Panorama {
    /// The same in fewer pixels, each the mean of those that it stands for.
    fn coarse(&self) -> Self {
        let width = self.width.min(COARSE);
        let height = self.height.min(COARSE / 2);
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
        let around = 0.5 + libm::atan2f(direction.x, direction.z) / TAU;
        let down = libm::acosf(direction.y.clamp(-1.0, 1.0)) / PI;
        let x = around * self.width as f32 - 0.5;
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

    /// Directions of all pixels with solid angles [sr] and radiances.
    fn directions(&self) -> impl Iterator<Item = (Vec3, f32, Vec3)> + '_ {
        let (width, height) = (self.width as f32, self.height as f32);
        (0..self.width * self.height).map(move |n| {
            let (column, row) = (n % self.width, n / self.width);
            let azimuth = ((column as f32 + 0.5) / width - 0.5) * TAU;
            let [top, middle, bottom] =
                [0.0, 0.5, 1.0].map(|part| (row as f32 + part) / height * PI);
            let (sin, cos) = (libm::sinf(middle), libm::cosf(middle));
            let direction = Vec3::new(sin * libm::sinf(azimuth), cos, sin * libm::cosf(azimuth));
            let angle = TAU / width * (libm::cosf(top) - libm::cosf(bottom));
            (direction, angle, self.pixel(column, row))
        })
    }
}

impl Light {
    /// What a panorama lights with; `None` if its upper half is black.
    fn of(panorama: &Panorama) -> Option<Self> {
        let (mut sky, below): (Vec<_>, Vec<_>) = panorama
            .directions()
            .partition(|(toward, ..)| toward.y > 0.0);
        let cap = BRIGHT * mean(&sky).element_sum() / 3.0;
        let lamp = Lamp::taken_from(&mut sky, cap);
        let ground = lamp.irradiance * lamp.toward.y + level_light(&sky);
        let exposure = usual_brightness() / brightness(ground);
        if !exposure.is_finite() {
            return None;
        }
        for (.., radiance) in &mut sky {
            *radiance *= exposure;
        }
        Some(Self {
            lamp: exposure * lamp.irradiance,
            toward_lamp: lamp.toward,
            lamp_radius: lamp.radius,
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
    fn taken_from(sky: &mut [(Vec3, f32, Vec3)], cap: f32) -> Self {
        let brightest = sky
            .iter()
            .max_by(|a, b| brightness(a.2).total_cmp(&brightness(b.2)));
        let peak = brightest.map_or(Vec3::Y, |(toward, ..)| *toward);
        let (mut irradiance, mut middle) = (Vec3::ZERO, Vec3::ZERO);
        let mut taken = Vec::new();
        for (toward, angle, radiance) in sky.iter_mut() {
            let own = brightness(*radiance);
            if own > cap && toward.dot(peak) > libm::cosf(2.0 * WIDEST) {
                let excess = *radiance * (1.0 - cap / own) * (*angle / PI);
                *radiance *= cap / own;
                irradiance += excess;
                middle += brightness(excess) * *toward;
                taken.push((*toward, brightness(excess)));
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

/// Mean radiance of some directions.
fn mean(directions: &[(Vec3, f32, Vec3)]) -> Vec3 {
    let total: f32 = directions.iter().map(|(_, angle, _)| angle).sum();
    let sum: Vec3 = directions
        .iter()
        .map(|(_, angle, radiance)| *angle * *radiance)
        .sum();
    sum / total.max(f32::MIN_POSITIVE)
}

/// Irradiance over π on level ground.
fn level_light(sky: &[(Vec3, f32, Vec3)]) -> Vec3 {
    let light = sky
        .iter()
        .map(|(toward, angle, radiance)| toward.y * *angle / PI * *radiance);
    light.sum()
}

fn brightness(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

/// How bright level ground is under the usual lights.
fn usual_brightness() -> f32 {
    use crate::illumination::{LAMP, SKY, lamp_direction};
    brightness(LAMP * lamp_direction(Vec3::Y).y + SKY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panorama of a radiance that depends on the direction.
    fn panorama(of: impl Fn(Vec3) -> Vec3) -> Environment {
        let (width, height) = (256, 128);
        let blank = Panorama {
            width,
            height,
            pixels: vec![Vec3::ZERO; (width * height) as usize],
        };
        let pixels = blank.directions().map(|(toward, ..)| of(toward).to_array());
        Environment::new(width, height, pixels.collect()).unwrap()
    }

    #[test]
    fn an_even_sky_has_no_lamp_and_lights_the_ground_as_usual() {
        let even = panorama(|_| Vec3::splat(3.0));
        let light = even.light();
        assert_eq!(light.lamp, Vec3::ZERO);
        let ground = brightness(level_light(&light.sky));
        assert!((ground - usual_brightness()).abs() < 1e-4, "{ground}");
        // An even sphere is as bright everywhere.
        assert!((brightness(light.bounce) - ground).abs() < 2e-3 * ground);
        assert!((brightness(even.radiance(Vec3::X)) - ground).abs() < 2e-3 * ground);
    }

    #[test]
    fn the_sun_becomes_a_lamp_with_all_of_its_light() {
        let sun = Vec3::new(0.6, 0.5, -0.4).normalize();
        let warm = Vec3::new(3.0, 2.0, 1.0);
        let radius: f32 = 0.1;
        let clear = panorama(|toward| match toward.dot(sun) > radius.cos() {
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
        assert!((brightness(ground) - usual_brightness()).abs() < 1e-3);
        // The rest is blue.
        assert!(
            light
                .sky
                .iter()
                .all(|(.., radiance)| radiance.x < 7.0 * radiance.z)
        );
    }

    #[test]
    fn directions_see_the_pixels_that_they_are_of() {
        let colors = panorama(|toward| toward + Vec3::ONE);
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
    fn what_is_no_panorama_is_refused() {
        let size = Environment::new(2, 2, vec![[1.0; 3]; 3]).unwrap_err();
        assert!(size.to_string().contains("3 pixels"), "{size}");
        let mut pixels = vec![[1.0; 3]; 4];
        pixels[3][1] = f32::NAN;
        let pixel = Environment::new(2, 2, pixels).unwrap_err();
        assert!(pixel.to_string().contains("column 1 and row 1"), "{pixel}");
        let black = Environment::new(2, 2, vec![[0.0; 3]; 4]);
        assert_eq!(black.unwrap_err(), EnvironmentError::Black);
    }
}
