//! A bed of sand whose wall withdraws: the angle at which sand comes to rest.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::{Box as Cuboid, Plane};
use pliant_materials::laws::YieldSurface;
use pliant_math::{DQuat, DVec3, Pose, RandomStream};

use crate::{Case, Claim, Expected, Figure, run, sand_of};

/// Slopes at rest.
pub const RESTS: Claim = Claim {
    statement: "a bed of sand whose wall withdraws rests within 3 degrees of its friction angle, at 40 degrees up to 7 below",
    measure: || {
        let mut figures = Vec::new();
        for (angle, bound) in [
            (20.0, Expected::Near(20.0, 3.0)),
            (30.0, Expected::Near(30.0, 3.0)),
            (40.0, Expected::Near(36.5, 3.5)),
        ] {
            let bed = Bed::new(YieldSurface::DruckerPrager, angle);
            let what = format!("slope at rest, {angle} degrees [degrees]");
            figures.push(Figure::new(what, bed.slope_at_rest()?, bound));
        }
        Ok(figures)
    },
};

/// Height, depth between the smooth plates [m].
const HEIGHT: f64 = 0.6;
const DEPTH: f64 = 0.24;
const SPACING: f64 = 0.04;
const DT: f64 = 2e-3;
/// Time in which the wall withdraws [s]: so long that it moves at a tenth of the speed of a fall from the
/// height, or less.
const WITHDRAWAL: f64 = 5.0;
/// Time after which all rests [s].
const REST: f64 = 0.8;

/// A bed between a smooth wall, which withdraws, and another far behind, on a floor as rough as the sand.
#[derive(Clone, Copy, Debug)]
pub struct Bed {
    /// Surface of the sand.
    pub surface: YieldSurface,
    /// Friction angle [degrees].
    pub friction_angle: f64,
    /// What the particles are drawn from.
    pub seed: u64,
}

impl Bed {
    /// With the default solver.
    pub fn new(surface: YieldSurface, friction_angle: f64) -> Self {
        Self {
            surface,
            friction_angle,
            seed: 1,
        }
    }

    /// Half of what the foot of a slope at the friction angle takes, with a margin [m].
    fn run(&self) -> f64 {
        0.75 * HEIGHT / self.friction_angle.to_radians().tan() + 0.1
    }

    /// Slope [degrees] of the flank once it rests: the line through the surface between 20 and 80 % of
    /// its height.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn slope_at_rest(&self) -> Result<f64, StepError> {
        let mut world = self.world();
        let duration = WITHDRAWAL + REST;
        run(&mut world, DT, (duration / DT).round() as usize, |_, _| ())?;
        Ok(flank(&world).to_degrees())
    }

    fn world(&self) -> World {
        let material = sand_of(self.surface, 1600.0, 1e6, 0.3, self.friction_angle);
        let length = self.run() + 0.2;
        let block = Cuboid {
            half_size: 0.5 * DVec3::new(length, HEIGHT, DEPTH),
        };
        let random = RandomStream::new(self.seed, 1);
        let points = fill(&block, SPACING, Sampling::Poisson, 0.0, random, in_order);
        let points = points.into_iter().map(|x| x + block.half_size).collect();
        let roughness = self.friction_angle.to_radians().tan();
        let mut case = Case::new(material, points, SPACING).floor(0.0, 0.0, roughness);
        let at = |translation| Pose {
            rotation: DQuat::IDENTITY,
            translation,
        };
        let walls = [
            (DVec3::X, DVec3::ZERO),
            (DVec3::Z, DVec3::ZERO),
            (DVec3::NEG_Z, DVec3::Z * DEPTH),
        ];
        for (normal, place) in walls {
            case = case.collider(Arc::new(Plane { normal }), Motion::Rest(at(place)), 0.0);
        }
        let withdrawing = Motion::Constant {
            start: at(DVec3::X * length),
            velocity: DVec3::X * (self.run() / WITHDRAWAL),
            spin: DVec3::ZERO,
        };
        let normal = DVec3::NEG_X;
        case = case.collider(Arc::new(Plane { normal }), withdrawing, 0.0);
        case.world()
    }
}

/// Slope [rad] of the line through the surface between 20 and 80 % of its height.
fn flank(world: &World) -> f64 {
    let surface = surface(world);
    let summit = surface.iter().map(|p| p[1]).fold(0.0, f64::max);
    let on_flank = |p: &&[f64; 2]| (0.2 * summit..0.8 * summit).contains(&p[1]);
    let points: Vec<[f64; 2]> = surface.iter().filter(on_flank).copied().collect();
    let count = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let square: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    (-product / square).atan()
}

/// (place along the bed, height of the surface) [m]: in slices a spacing and a half thick the mean of the
/// highest in four parts across.
fn surface(world: &World) -> Vec<[f64; 2]> {
    const PARTS: usize = 4;
    let width = 1.5 * SPACING;
    let mut tops: Vec<[f64; PARTS]> = Vec::new();
    for x in &world.state.particles.position {
        let slice = (x.x / width).max(0.0) as usize;
        let part = ((x.z / DEPTH * PARTS as f64).max(0.0) as usize).min(PARTS - 1);
        tops.resize(tops.len().max(slice + 1), [0.0; PARTS]);
        tops[slice][part] = tops[slice][part].max(x.y);
    }
    let middle = |slice: usize| (slice as f64 + 0.5) * width;
    let mean = |tops: &[f64; PARTS]| tops.iter().sum::<f64>() / PARTS as f64;
    tops.iter()
        .enumerate()
        .map(|(k, t)| [middle(k), mean(t)])
        .collect()
}
