//! How much of the lamp and of the sky reaches a point.
//!
//! The lamp is a disc and the sky a half sphere; both are taken as a number of directions, each with
//! a depth map of everything that casts shadows. Soft shadows and ambient occlusion are the share of
//! directions that is not covered, so both are those of the real spheres and surfaces.

mod directions;
mod map;
mod open_ground;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use crate::raster::{Geometry, Sphere};
use crate::view::View;
use directions::{LAMP_RADIUS, lamp_directions, sky_directions};
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
    /// Direction to the middle of the lamp.
    pub toward_lamp: Vec3,
    /// The scene's vertical.
    pub up: Vec3,
    lamp: Vec<LightMap>,
    open_ground: OpenGround,
    sky: Vec<LightMap>,
}

const LAMP_DIRECTIONS: u32 = 18;
const SKY_DIRECTIONS: u32 = 48;
/// Texels along the longer side of a map.
const LAMP_TEXELS: f32 = 1024.0;
const SKY_TEXELS: f32 = 320.0;
/// Every so many lamp maps, an odd number and the first map among them, contain the glass, which therefore casts a faint shadow.
const GLASS_EVERY: usize = 9;

impl Lights {
    /// Maps of everything drawn that has an end. `corners` are those of the box that casts shadows,
    /// in view space; what is outside casts none. `spare` are the buffers of earlier lights, none for
    /// the first.
    pub fn new(
        geometry: &Geometry,
        corners: &[Vec3; 8],
        view: &View,
        mut spare: Vec<Vec<f32>>,
    ) -> Self {
        let toward_lamp = lamp_direction(view.up);
        let lamp = lamp_directions(toward_lamp, LAMP_DIRECTIONS);
        let sky = sky_directions(view.up, SKY_DIRECTIONS);
        let casters = Casters::new(geometry, corners, view.up);
        spare.resize_with(lamp.len() + sky.len(), Vec::new);
        let mut maps: Vec<LightMap> = spare
            .into_par_iter()
            .enumerate()
            .map(|(n, spare)| match lamp.get(n) {
                Some(toward) => {
                    let has_glass = n % GLASS_EVERY == 0;
                    LightMap::new(&casters, *toward, view.up, LAMP_TEXELS, has_glass, spare)
                }
                None => {
                    let toward = sky[n - lamp.len()];
                    LightMap::new(&casters, toward, view.up, SKY_TEXELS, false, spare)
                }
            })
            .collect();
        let sky = maps.split_off(lamp.len());
        Self {
            toward_lamp,
            up: view.up,
            open_ground: OpenGround::new(&maps[0], 2.0 * LAMP_RADIUS),
            lamp: maps,
            sky,
        }
    }

    /// The buffers of the maps, for the lights of the next picture: making them anew takes the system
    /// as long as a tenth of a picture.
    pub fn into_buffers(self) -> Vec<Vec<f32>> {
        let maps = self.lamp.into_iter().chain(self.sky);
        maps.map(|map| map.depth).collect()
    }

    /// The share of the lamp that a point sees, in [0, 1]; for a small part of a pixel half of the
    /// directions are enough.
    pub fn lamp_share(&self, point: Vec3, normal: Vec3, care: Care) -> f32 {
        if self.open_ground.contains(&self.lamp[0], point) {
            return 1.0;
        }
        let step = match care {
            Care::Full => 1,
            Care::Half => 2,
        };
        let asked = self.lamp.iter().step_by(step);
        let count = asked.len() as f32;
        asked.map(|map| map.lit_share(point, normal)).sum::<f32>() / count
    }

    /// Light of an even sky of radiance 1 on a surface, 1 for an unobstructed one that faces up.
    pub fn sky_light(&self, point: Vec3, normal: Vec3) -> f32 {
        let sum: f32 = self
            .sky
            .iter()
            .map(|map| (map, map.toward.dot(normal)))
            .filter(|(_, cosine)| *cosine > 0.0)
            .map(|(map, cosine)| cosine * map.lit_share(point, normal))
            .sum();
        2.0 * sum / self.sky.len() as f32
    }

    /// Light of an even sky of radiance 1 on a sphere: `xyz · normal + w` for each of its normals.
    ///
    /// The clamped cosine is replaced by its first two spherical harmonics, 1/4 + cos/2
    /// (Ramamoorthi and Hanrahan 2001).
    pub fn sky_on_sphere(&self, sphere: &Sphere) -> Vec4 {
        let open = self.sky.iter().filter(|map| map.is_sphere_lit(sphere));
        let sum: Vec4 = open.map(|map| (0.5 * map.toward).extend(0.25)).sum();
        sum * (2.0 / self.sky.len() as f32)
    }
}

/// From the upper left, a little from behind the camera: shows form and throws shadows to the right.
fn lamp_direction(up: Vec3) -> Vec3 {
    let right = Vec3::X;
    let ahead = (Vec3::Z - up * up.z).normalize_or(right.cross(up).normalize_or(Vec3::Z));
    (0.86 * up - 0.62 * right - 0.22 * ahead).normalize()
}
