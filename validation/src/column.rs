//! Collapse of a column of sand on a rough floor.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Cylinder;
use pliant_math::{DVec3, RandomStream};

use crate::{Case, run, sand};

/// A column and how it is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Friction angle of the sand, also of the floor [degrees].
    pub friction_angle: f64,
    /// Height over radius.
    pub aspect: f64,
    /// Radius over spacing.
    pub resolution: f64,
    /// The substep [s].
    pub dt: f64,
    /// Sweeps a substep.
    pub iterations: u32,
    /// Simulated time [s].
    pub duration: f64,
    /// How the particles are arranged.
    pub sampling: Sampling,
    /// Displacement of lattice particles, in spacings.
    pub jitter: f64,
    /// What the arrangement is drawn from.
    pub seed: u64,
}

/// Radius of the column [m].
pub const RADIUS: f64 = 0.5;

/// What remains of a column.
#[derive(Clone, Copy, Debug)]
pub struct Deposit {
    /// (99th percentile of the particles' distance from the axis - r0)/r0.
    pub run_out: f64,
    /// Greatest height over initial height.
    pub height: f64,
    /// Root mean square speed [m/s].
    pub speed: f64,
}

impl Column {
    /// The column that the numbers of the book are about: a = 1, ten particles across the radius.
    pub fn new(friction_angle: f64) -> Self {
        Self {
            friction_angle,
            aspect: 1.0,
            resolution: 10.0,
            dt: 1e-3,
            iterations: 5,
            duration: 1.5,
            sampling: Sampling::Poisson,
            jitter: 0.0,
            seed: 1,
        }
    }

    /// The case: E = 1e6 Pa, nu = 0.3, 1600 kg/m3.
    pub fn case(&self) -> Case {
        let spacing = RADIUS / self.resolution;
        let cylinder = Cylinder {
            radius: RADIUS,
            height: self.aspect * RADIUS,
        };
        let lift = DVec3::Y * (0.5 * cylinder.height);
        let points = fill(
            &cylinder,
            spacing,
            self.sampling,
            self.jitter,
            RandomStream::new(self.seed, 1),
        );
        let column = points.into_iter().map(|x| x + lift).collect();
        let mut case = Case::new(sand(1600.0, 1e6, 0.3, self.friction_angle), column, spacing)
            .floor(0.0, 0.0, self.friction_angle.to_radians().tan());
        case.setup.solver.iterations = self.iterations;
        case
    }

    /// Lets it collapse.
    pub fn collapse(&self) -> Result<Deposit, StepError> {
        let mut world = self.case().world();
        run(
            &mut world,
            self.dt,
            (self.duration / self.dt).round() as usize,
            |_| (),
        )?;
        Ok(self.deposit(&world))
    }

    /// Measures what lies there.
    pub fn deposit(&self, world: &World) -> Deposit {
        let particles = &world.state.particles;
        let mut distances: Vec<f64> = particles.position.iter().map(|x| x.x.hypot(x.z)).collect();
        distances.sort_by(f64::total_cmp);
        let r99 = distances[(0.99 * distances.len() as f64) as usize];
        let top = particles.position.iter().map(|x| x.y).fold(0.0, f64::max);
        let spacing = RADIUS / self.resolution;
        let squares = particles
            .velocity
            .iter()
            .map(|v| f64::from(v.length_squared()));
        Deposit {
            run_out: (r99 - RADIUS) / RADIUS,
            height: (top + 0.5 * spacing) / (self.aspect * RADIUS),
            speed: (squares.sum::<f64>() / particles.len() as f64).sqrt(),
        }
    }
}
