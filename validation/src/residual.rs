//! How fast the residual of a substep falls: sweeps and seconds, for each ordering and multiplier.
//!
//! The case of Yu et al. 2024, Fig. 14: a clamped beam of 2176 particles is let go and takes one step
//! of 5 ms, in which stress crosses 1.6, 5 and 16 support radii of the kernel. The paper judges the
//! constraints; here it is the momentum that implicit Euler leaves unbalanced, which is the same for
//! both multipliers.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::integrator;
use pliant_core::methods::xpbi::{Multiplier, PositionCorrection, XpbiColumns, XpbiSettings};
use pliant_core::step::StepError;
use pliant_core::world::{Ordering, World};

use crate::gradient::searched;
use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, elastic};

/// A soft beam.
pub const SOFT: Claim = Claim {
    statement: "sweeps of a soft cantilever, 1e4 Pa in a step of 5 ms, converge with the tensor multiplier",
    measure: || {
        let bounds = [1e-4, 0.02].map(Expected::AtMost);
        figures(1e4, &BY_SWEEPS_SOFT, &BY_TIME_SOFT, bounds)
    },
};

/// A beam ten times as stiff.
pub const MIDDLE: Claim = Claim {
    statement: "sweeps of a cantilever of 1e5 Pa in a step of 5 ms converge slowly",
    measure: || {
        let bounds = [0.03, 0.25].map(Expected::AtMost);
        figures(1e5, &BY_SWEEPS_MIDDLE, &BY_TIME_MIDDLE, bounds)
    },
};

/// A beam a hundred times as stiff.
pub const STIFF: Claim = Claim {
    statement: "sweeps of a stiff cantilever, 1e6 Pa in a step of 5 ms, converge very slowly",
    measure: || {
        let bounds = [0.26, 0.6].map(Expected::AtMost);
        figures(1e6, &BY_SWEEPS_STIFF, &BY_TIME_STIFF, bounds)
    },
};

const BY_SWEEPS_SOFT: Plot = by_sweeps("Residual over sweeps, 1e4 Pa, c dt/r = 1.6");
const BY_SWEEPS_MIDDLE: Plot = by_sweeps("Residual over sweeps, 1e5 Pa, c dt/r = 5");
const BY_SWEEPS_STIFF: Plot = by_sweeps("Residual over sweeps, 1e6 Pa, c dt/r = 16");
const BY_TIME_SOFT: Plot = by_time("Residual over wall time, 1e4 Pa");
const BY_TIME_MIDDLE: Plot = by_time("Residual over wall time, 1e5 Pa");
const BY_TIME_STIFF: Plot = by_time("Residual over wall time, 1e6 Pa");

/// How the sweeps of a substep are done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// Order of the constraints.
    pub ordering: Ordering,
    /// What is accumulated.
    pub multiplier: Multiplier,
}

/// The state after a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Momentum residual, relative to that of the velocities without any stress.
    pub residual: f64,
    /// Wall time of the sweeps so far [s].
    pub seconds: f64,
}

/// Residuals before the first sweep and after each of so many, in a step of `dt` [s].
pub fn history(world: &World, scheme: Scheme, dt: f64, sweeps: usize) -> Vec<Sample> {
    let mut world = world.clone();
    Arc::make_mut(&mut world.setup).solver.ordering = scheme.ordering;
    Arc::make_mut(&mut world.setup)
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .multiplier = scheme.multiplier;
    let gravity = world.setup.gravity;
    let (mut xpbi, mut state) = searched(world);
    let particles = &mut state.particles;
    integrator::accelerate(
        &mut particles.velocity,
        &particles.inverse_mass,
        gravity,
        dt,
    );
    let free = particles.velocity.clone();
    let start = xpbi.momentum_residual(particles, state.methods.of::<XpbiColumns>(), &free, dt);
    xpbi.start_warm(particles, dt);
    let mut seconds = 0.0;
    let mut samples = Vec::with_capacity(sweeps + 1);
    for done in 0..=sweeps {
        if done > 0 {
            let begin = Instant::now();
            xpbi.project(particles, dt);
            seconds += begin.elapsed().as_secs_f64();
        }
        let residual =
            xpbi.momentum_residual(particles, state.methods.of::<XpbiColumns>(), &free, dt) / start;
        samples.push(Sample { residual, seconds });
    }
    samples
}

const SWEEPS: usize = 100;
const DT: f64 = 5e-3;
/// Edge of the particles [m]: 32 of them make the free metre of the beam, 8 its thickness.
const SPACING: f64 = 1.0 / 32.0;

const fn by_sweeps(title: &'static str) -> Plot {
    Plot {
        title,
        unit: "",
        across: "sweeps",
        across_unit: "",
        is_logarithmic: [false, true],
    }
}

const fn by_time(title: &'static str) -> Plot {
    Plot {
        across: "wall time",
        across_unit: "s",
        ..by_sweeps(title)
    }
}

/// The schemes with their names; the tensor multiplier swept by Gauss–Seidel first.
const SCHEMES: [(&str, Scheme); 4] = [
    (
        "Gauss-Seidel, tensor",
        scheme(Ordering::GaussSeidel, Multiplier::Tensor),
    ),
    (
        "Gauss-Seidel, scalar",
        scheme(Ordering::GaussSeidel, Multiplier::Scalar),
    ),
    (
        "Jacobi, tensor",
        scheme(Ordering::Jacobi, Multiplier::Tensor),
    ),
    (
        "Jacobi, scalar",
        scheme(Ordering::Jacobi, Multiplier::Scalar),
    ),
];

const fn scheme(ordering: Ordering, multiplier: Multiplier) -> Scheme {
    Scheme {
        ordering,
        multiplier,
    }
}

/// The residual of each scheme after all sweeps: those with the tensor multiplier, Gauss–Seidel and
/// Jacobi, within bounds; those with the scalar one are told.
fn figures(
    youngs_modulus: f64,
    by_sweeps: &Plot,
    by_time: &Plot,
    bounds: [Expected; 2],
) -> Result<Vec<Figure>, StepError> {
    let world = cantilever(youngs_modulus);
    let mut figures = Vec::new();
    for (name, scheme) in SCHEMES {
        let samples = history(&world, scheme, DT, SWEEPS);
        let last = samples.last().map_or(f64::NAN, |sample| sample.residual);
        let bound = match scheme {
            Scheme {
                multiplier: Multiplier::Scalar,
                ..
            } => Expected::Finite,
            Scheme {
                ordering: Ordering::GaussSeidel,
                ..
            } => bounds[0],
            Scheme {
                ordering: Ordering::Jacobi,
                ..
            } => bounds[1],
        };
        let what = format!("momentum residual after {SWEEPS} sweeps, {name}");
        let sweeps = samples.iter().enumerate();
        let sweeps = sweeps.map(|(k, sample)| [k as f64, sample.residual]);
        let times = samples
            .iter()
            .map(|sample| [sample.seconds, sample.residual]);
        figures.push(
            Figure::new(what, last, bound)
                .with(Curve::measured(*by_sweeps, name, sweeps.collect()))
                .with(Curve::measured(*by_time, name, times.collect())),
        );
    }
    Ok(figures)
}

/// A clamped beam, straight and at rest: 34 x 8 x 8 particles of 100 kg/m3, the first two rows held.
fn cantilever(youngs_modulus: f64) -> World {
    let points = box_lattice([34, 8, 8], SPACING, 0.0);
    let material = elastic(100.0, youngs_modulus, 0.3);
    let mut case = Case::new(material, points, SPACING).pin(|x| x.x < 2.0 * SPACING);
    case.setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .correction = PositionCorrection::None;
    case.world()
}
