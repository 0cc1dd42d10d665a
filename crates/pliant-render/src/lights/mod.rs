//! How much of the lamp and of the sky reaches a point.
//!
//! The lamp is a disc and the sky a half sphere; both are taken as a number of directions, each with
//! a depth map of everything that casts shadows. Soft shadows and ambient occlusion are the share of
//! directions that is not covered, so both are those of the real spheres and surfaces.

mod directions;
mod map;
mod open_ground;

pub(crate) use directions::sky_directions;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use crate::raster::{Geometry, Sphere};
use crate::surroundings::Surroundings;
use directions::lamp_directions;
use map::{Casters, LightMap};
use open_ground::OpenGround;

/// How many directions of the lamp are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// All.
    Full,
    /// Every other one.
    Half,
}

/// Depth maps of the lamp and the sky, in view space.
#[derive(Debug)]
pub(crate) struct Lights {
    /// What lights.
    pub surroundings: Surroundings,
    lamp: Vec<LightMap>,
    open_ground: OpenGround,
    sky: Vec<LightMap>,
}

/// As many as [`FULL`] names.
const LAMP_DIRECTIONS: u32 = 18;
/// Texels along the longer side of a map.
const LAMP_TEXELS: f32 = 1024.0;
const SKY_TEXELS: f32 = 320.0;
/// Every so many lamp maps, an odd number and the first map among them, contain the glass, which therefore casts a faint shadow.
const GLASS_EVERY: usize = 9;

/// Directions of the lamp that are asked first, the middle and those around the rim, and the others.
const FULL: [&[usize]; 2] = [
    &[0, 13, 14, 15, 16, 17],
    &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
];
/// The same for every other direction.
const HALF: [&[usize]; 2] = [&[0, 10, 12, 14, 16], &[2, 4, 6, 8]];
/// Shares of light this near to none or all are none or all: weights add up with rounding.
const NEARLY: f32 = 1e-3;

impl Lights {
    /// Maps of everything drawn that has an end. `corners` are those of the box that casts shadows,
    /// in view space; what is outside casts none. `spare` are the buffers of earlier lights, none for
    /// the first.
    pub fn new(
        geometry: &Geometry,
        corners: &[Vec3; 8],
        surroundings: Surroundings,
        mut spare: Vec<Vec<f32>>,
    ) -> Self {
        let Surroundings {
            toward_lamp,
            lamp_radius,
            up,
            ..
        } = surroundings;
        let lamp = lamp_directions((toward_lamp, lamp_radius), LAMP_DIRECTIONS);
        let sky = &surroundings.sky;
        let casters = Casters::new(geometry, corners, up);
        spare.resize_with(lamp.len() + sky.len(), Vec::new);
        let mut maps: Vec<LightMap> = spare
            .into_par_iter()
            .enumerate()
            .map(|(n, spare)| match lamp.get(n) {
                Some(toward) => {
                    let has_glass = n % GLASS_EVERY == 0;
                    LightMap::new(&casters, *toward, up, LAMP_TEXELS, has_glass, spare)
                }
                None => {
                    let (toward, _) = sky[n - lamp.len()];
                    LightMap::new(&casters, toward, up, SKY_TEXELS, false, spare)
                }
            })
            .collect();
        let sky = maps.split_off(lamp.len());
        Self {
            open_ground: OpenGround::new(&maps[0], 2.0 * lamp_radius),
            lamp: maps,
            sky,
            surroundings,
        }
    }

    /// The buffers of the maps, for the lights of the next picture: making them anew takes the system
    /// as long as a tenth of a picture.
    pub fn into_buffers(self) -> Vec<Vec<f32>> {
        let maps = self.lamp.into_iter().chain(self.sky);
        maps.map(|map| map.depth).collect()
    }

    /// The share of the lamp that a point sees, in [0, 1]; for a small part of a pixel half of the
    /// directions are enough. Where the middle and the rim are all open, or all covered, what is
    /// between them is taken to be so too.
    pub fn lamp_share(&self, point: Vec3, normal: Vec3, care: Care) -> f32 {
        if self.open_ground.contains(&self.lamp[0], point) {
            return 1.0;
        }
        let [first, others] = match care {
            Care::Full => FULL,
            Care::Half => HALF,
        };
        let open = |asked: &[usize]| -> f32 {
            let shares = asked.iter().map(|n| self.lamp[*n].lit_share(point, normal));
            shares.sum()
        };
        let open_first = open(first);
        if open_first < NEARLY {
            return 0.0;
        }
        if open_first > first.len() as f32 - NEARLY {
            return 1.0;
        }
        (open_first + open(others)) / (first.len() + others.len()) as f32
    }

    /// Light of the sky on a surface; its last number is that of an even sky of radiance 1, 1 for an unobstructed
    /// surface that faces up.
    pub fn sky_light(&self, point: Vec3, normal: Vec3) -> Vec4 {
        let maps = self.sky.iter().zip(&self.surroundings.sky);
        let sum: Vec4 = maps
            .map(|(map, (_, radiance))| (map, radiance, map.toward.dot(normal)))
            .filter(|(.., cosine)| *cosine > 0.0)
            .map(|(map, radiance, cosine)| {
                cosine * map.lit_share(point, normal) * radiance.extend(1.0)
            })
            .sum();
        sum * (2.0 / self.sky.len() as f32)
    }

    /// Light of the sky on a sphere.
    ///
    /// The clamped cosine is replaced by its first two spherical harmonics, 1/4 + cos/2
    /// (Ramamoorthi and Hanrahan 2001).
    pub fn sky_on_sphere(&self, sphere: &Sphere) -> SphereSky {
        let maps = self.sky.iter().zip(&self.surroundings.sky);
        let open = maps.filter(|(map, _)| map.is_sphere_lit(sphere));
        let (mut even, mut light) = (Vec4::ZERO, Vec3::ZERO);
        for (map, (_, radiance)) in open {
            even += (0.5 * map.toward).extend(0.25);
            light += *radiance;
        }
        let count = self.sky.len() as f32;
        SphereSky {
            even: even * (2.0 / count),
            // Of the part of the sky that it sees: an even one gives each normal what it has of it.
            radiance: light / (4.0 * even.w).max(f32::MIN_POSITIVE),
        }
    }
}

/// Light of the sky on a sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SphereSky {
    /// Of an even sky of radiance 1: `xyz · normal + w` for each normal.
    pub even: Vec4,
    /// Mean radiance of what it sees of the sky.
    pub radiance: Vec3,
}

impl SphereSky {
    /// Light on the surface of a normal; the last number is that of an even sky of radiance 1.
    pub fn on(&self, normal: Vec3) -> Vec4 {
        let openness = (self.even.truncate().dot(normal) + self.even.w).max(0.0);
        openness * self.radiance.extend(1.0)
    }
}

#[cfg(test)]
mod tests {
    use pliant_geometry::Aabb;
    use pliant_math::DVec3;

    use super::*;
    use crate::camera::Camera;
    use crate::surfaces::SurfaceCache;
    use crate::test_scene::Scene;
    use crate::view::View;

    #[test]
    fn the_first_lamp_directions_represent_the_others() {
        // Balls at many heights over the ground, so that there are narrow and wide half shadows.
        let ball = |i: u32| {
            let [x, z] = [i % 7, i / 7].map(|n| 0.1 * f64::from(n));
            (DVec3::new(x, 0.02 + 0.01 * f64::from(i), z), 0.03)
        };
        let scene = Scene::of_spheres((0..49).map(ball));
        let bounds = Aabb {
            min: DVec3::new(-0.5, -0.01, -0.5),
            max: DVec3::new(1.5, 0.6, 1.5),
        };
        let view = View::new(&Camera::framing(bounds, DVec3::Y), 320, 180);
        let surfaces = SurfaceCache::default().surfaces(&[], 1.0, DVec3::ZERO);
        let geometry = Geometry::new(&scene.frame(), &surfaces, &view);
        let corners = bounds.corners().map(|p| view.to_view(p));
        let usual = Surroundings::usual(view.up);
        let lights = Lights::new(&geometry, &corners, usual, Vec::new());
        let normal = view.direction_to_view(DVec3::Y);
        let count = 200;
        let (mut sum, mut half_lit) = (0.0, 0);
        for n in 0..count * count {
            let [x, z] =
                [n % count, n / count].map(|n| f64::from(n) / f64::from(count) * 1.6 - 0.4);
            let point = view.to_view(DVec3::new(x, 0.0, z));
            let all = lights.lamp.iter().map(|map| map.lit_share(point, normal));
            let all = all.sum::<f32>() / lights.lamp.len() as f32;
            let apart = (lights.lamp_share(point, normal, Care::Full) - all).abs();
            assert!(apart < 0.15, "{apart} where {all} of the lamp is seen");
            sum += apart;
            half_lit += u32::from((0.1..0.9).contains(&all));
        }
        assert!(half_lit > 1000, "{half_lit} points are in half shadow");
        assert!(sum / ((count * count) as f32) < 1e-3, "{sum}");
    }
}
