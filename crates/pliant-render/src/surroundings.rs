//! What lights a picture and what is seen behind it, in view space: the usual lights, or an environment map.

use std::sync::Arc;

use glam::Vec3;

use crate::environment_map::EnvironmentMap;
use crate::illumination::{BOUNCE, HORIZON, LAMP, SKY, ZENITH, lamp_direction};
use crate::lights::sky_directions;
use crate::shading::smooth_step;
use crate::view::View;

/// Directions of the sky.
const SKY_DIRECTIONS: u32 = 48;
/// Angular radius of the usual lamp [rad].
pub(crate) const LAMP_RADIUS: f32 = 0.034;
/// What is mirrored is no brighter: a mirrored sun would be a few white pixels.
const BRIGHTEST: f32 = 12.0;

/// Height over distance up to which the pixels of an environment map are mixed with those below its horizon.
const HORIZON_HEIGHT: f32 = 0.008;

/// An environment map around a scene, which lights it.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentLight {
    /// What surrounds it.
    pub map: Arc<EnvironmentMap>,
    /// How far it is turned about the vertical [rad]; without, its middle is towards -z, or y where z points up.
    pub turn: f64,
    /// Factor on its brightness; at 1 it lights level ground as the usual lights do.
    pub strength: f32,
    /// Whether it is seen behind the scene.
    pub is_seen: bool,
}

/// Lamp, sky and background.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// The scene's vertical.
    pub up: Vec3,
    /// Direction to the middle of the lamp.
    pub toward_lamp: Vec3,
    /// Angular radius of the lamp [rad].
    pub lamp_radius: f32,
    /// Irradiance of the lamp over π on a surface that faces it.
    pub lamp: Vec3,
    /// Directions of the sky, each for an equal solid angle, and its radiance there.
    pub sky: Vec<(Vec3, Vec3)>,
    /// Mean radiance of the sky.
    pub mean_sky: Vec3,
    /// Light from below.
    pub bounce: Vec3,
    environment: Option<Placed>,
}

/// An environment map with the directions in view space that its own three numbers are along.
#[derive(Clone, Debug)]
struct Placed {
    environment: EnvironmentLight,
    axes: [Vec3; 3],
}

impl Surroundings {
    /// The usual lights, or an environment map in their place.
    pub fn new(view: &View, environment: Option<&EnvironmentLight>) -> Self {
        match environment {
            None => Self::usual(view.up),
            Some(environment) => Self::of(view, environment),
        }
    }

    /// A lamp behind the camera and an even sky.
    pub fn usual(up: Vec3) -> Self {
        let sky = sky_directions(up, SKY_DIRECTIONS);
        Self {
            up,
            toward_lamp: lamp_direction(up),
            lamp_radius: LAMP_RADIUS,
            lamp: LAMP,
            sky: sky.into_iter().map(|toward| (toward, SKY)).collect(),
            mean_sky: SKY,
            bounce: BOUNCE,
            environment: None,
        }
    }

    fn of(view: &View, environment: &EnvironmentLight) -> Self {
        let axes = view.level_axes(environment.turn);
        let to_view = |d: Vec3| axes[0] * d.x + axes[1] * d.y + axes[2] * d.z;
        let light = environment.map.light();
        let mut sky: Vec<(Vec3, Vec3)> = sky_directions(view.up, SKY_DIRECTIONS)
            .into_iter()
            .map(|toward| (toward, Vec3::ZERO))
            .collect();
        let mut angles = vec![0.0; sky.len()];
        for patch in &light.sky {
            let toward = to_view(patch.toward);
            let nearest = (0..sky.len()).max_by(|&i, &j| {
                let [i, j] = [i, j].map(|k| sky[k].0.dot(toward));
                i.total_cmp(&j)
            });
            if let Some(nearest) = nearest {
                sky[nearest].1 += patch.angle * patch.radiance;
                angles[nearest] += patch.angle;
            }
        }
        let strength = environment.strength;
        for ((_, radiance), angle) in sky.iter_mut().zip(angles) {
            *radiance *= strength / f32::max(angle, f32::MIN_POSITIVE);
        }
        let sum: Vec3 = sky.iter().map(|(_, radiance)| *radiance).sum();
        Self {
            up: view.up,
            toward_lamp: to_view(light.toward_lamp),
            lamp_radius: light.lamp_radius,
            lamp: strength * light.lamp,
            mean_sky: sum / sky.len() as f32,
            sky,
            bounce: strength * light.bounce,
            environment: Some(Placed {
                environment: environment.clone(),
                axes,
            }),
        }
    }

    /// Radiance of the background along a ray.
    pub fn background(&self, ray: Vec3) -> Vec3 {
        match &self.environment {
            Some(placed) if placed.environment.is_seen => placed.radiance(ray),
            _ => {
                let height = ray.normalize().dot(self.up);
                HORIZON.lerp(ZENITH, smooth_step(-0.02, 0.75, height))
            }
        }
    }

    /// The same over ground without end, which fades into the horizon and hides what an environment map has below it.
    pub fn horizon(&self, ray: Vec3) -> Vec3 {
        let is_low = ray.dot(self.up) < HORIZON_HEIGHT * ray.length();
        match &self.environment {
            Some(placed) if placed.environment.is_seen && is_low => {
                placed.environment.strength * placed.environment.map.horizon(placed.own(ray))
            }
            _ => self.background(ray),
        }
    }

    /// What is mirrored: an environment map, or the background, the lamp as a soft box, and two upright strip lights.
    pub fn mirrored(&self, direction: Vec3) -> Vec3 {
        if let Some(placed) = &self.environment {
            return placed.radiance(direction).min(Vec3::splat(BRIGHTEST));
        }
        let up = self.up;
        let lamp = smooth_step(0.955, 0.975, direction.dot(self.toward_lamp));
        let height = direction.dot(up);
        let level = (direction - up * height).normalize_or(Vec3::Z);
        let ahead = (Vec3::Z - up * up.z).normalize_or(Vec3::Z);
        let span = smooth_step(-0.75, -0.6, height) * smooth_step(0.75, 0.6, height);
        let strip = |side: Vec3| smooth_step(0.965, 0.985, level.dot(side.normalize()));
        let strips =
            4.0 * strip(0.8 * Vec3::X - 0.6 * ahead) + 2.2 * strip(-0.9 * Vec3::X - 0.3 * ahead);
        self.background(direction) * 0.8 + LAMP * 9.0 * lamp + Vec3::splat(span * strips)
    }
}

impl Placed {
    fn radiance(&self, direction: Vec3) -> Vec3 {
        self.environment.strength * self.environment.map.radiance(self.own(direction))
    }

    /// A direction of view space by the map's own three numbers.
    fn own(&self, direction: Vec3) -> Vec3 {
        Vec3::from_array(self.axes.map(|axis| axis.dot(direction)))
    }
}
