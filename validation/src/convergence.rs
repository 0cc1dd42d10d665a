//! How the sweeps of one substep approach implicit Euler.

use std::sync::Arc;

use pliant_core::methods::xpbi::{Multiplier, PositionCorrection, XpbiSettings};
use pliant_core::step::StepError;
use pliant_core::world::{Ordering, World};
use pliant_math::{DVec3, to_real};

use crate::residual::{Scheme, history};
use crate::{Case, Claim, Expected, Figure, box_lattice, by_precision, elastic, run};

/// The tensor multiplier at the advised steps.
pub const TENSOR: Claim = Claim {
    statement: "the tensor multiplier converges to implicit Euler",
    measure: || {
        let gauss_seidel = Ordering::GaussSeidel;
        let mut figures = Vec::new();
        for (name, world) in [
            ("beam let go", beam_let_go(YOUNGS_MODULUS)),
            ("swinging beam", swinging_beam(YOUNGS_MODULUS, 1.0)?),
        ] {
            for ratio in [0.7, 1.0] {
                let ten = residuals(&world, Multiplier::Tensor, gauss_seidel, ratio, &[10]);
                let what = format!("momentum residual, 10 sweeps, c dt/r = {ratio}, {name}");
                figures.push(Figure::new(what, ten[0], Expected::AtMost(1e-2)));
            }
            let many = residuals(&world, Multiplier::Tensor, gauss_seidel, 0.7, &[200]);
            let what = format!("momentum residual, 200 sweeps, c dt/r = 0.7, {name}");
            let bound = Expected::AtMost(by_precision(1e-10, 1e-4));
            figures.push(Figure::new(what, many[0], bound));
        }
        let mut cold = swinging_beam(YOUNGS_MODULUS, 1.0)?;
        Arc::make_mut(&mut cold.setup)
            .solver
            .methods
            .of_mut::<XpbiSettings>()
            .warm_start = false;
        let ten = residuals(&cold, Multiplier::Tensor, gauss_seidel, 1.0, &[10]);
        let what = "the same, 10 sweeps, c dt/r = 1, swinging beam, cold";
        figures.push(Figure::new(what, ten[0], Expected::Finite));
        Ok(figures)
    },
};

/// The paper's scalar multiplier.
pub const SCALAR: Claim = Claim {
    statement: "the scalar multiplier stagnates, which is why the tensor one is the default",
    measure: || {
        let sweeps = [50, 200];
        let found = residuals(
            &swinging_beam(YOUNGS_MODULUS, 1.0)?,
            Multiplier::Scalar,
            Ordering::GaussSeidel,
            1.0,
            &sweeps,
        );
        Ok(vec![
            Figure::new(
                "momentum residual after 200 sweeps at c dt/r = 1",
                found[1],
                Expected::AtLeast(0.1),
            ),
            Figure::new(
                "the same over that after 50 sweeps",
                found[1] / found[0],
                Expected::AtLeast(0.9),
            ),
        ])
    },
};

/// Jacobi ordering.
pub const JACOBI: Claim = Claim {
    statement: "relaxed Jacobi sweeps converge slowly and do not diverge",
    measure: || {
        let world = swinging_beam(YOUNGS_MODULUS, 1.0)?;
        let sweeps = [10, 100, 1000];
        let found = residuals(&world, Multiplier::Tensor, Ordering::Jacobi, 1.0, &sweeps);
        let stiff = residuals(&world, Multiplier::Tensor, Ordering::Jacobi, 5.0, &[200]);
        let gauss_seidel = residuals(
            &world,
            Multiplier::Tensor,
            Ordering::GaussSeidel,
            1.0,
            &[10],
        );
        Ok(vec![
            Figure::new(
                "residual after 10 sweeps over that of Gauss-Seidel",
                found[0] / gauss_seidel[0],
                Expected::AtLeast(2.0),
            ),
            Figure::new("residual after 100 sweeps", found[1], Expected::AtMost(0.1)),
            Figure::new(
                "residual after 1000 sweeps",
                found[2],
                Expected::AtMost(1e-3),
            ),
            Figure::new(
                "residual after 200 sweeps at c dt/r = 5",
                stiff[0],
                Expected::AtMost(1.0),
            ),
        ])
    },
};

/// Momentum residuals after so many sweeps of a step of `ratio` r/c, relative to that of the
/// velocities without any stress.
fn residuals(
    world: &World,
    multiplier: Multiplier,
    ordering: Ordering,
    ratio: f64,
    sweeps: &[usize],
) -> Vec<f64> {
    let scheme = Scheme {
        ordering,
        multiplier,
    };
    let most = sweeps.iter().copied().max().unwrap_or(0);
    let samples = history(world, scheme, ratio * crossing_time(YOUNGS_MODULUS), most);
    sweeps.iter().map(|&k| samples[k].residual).collect()
}

/// Edge of the particles of the beams [m].
pub(crate) const SPACING: f64 = 0.05;
const YOUNGS_MODULUS: f64 = 1e5;
const DENSITY: f64 = 100.0;

/// Time [s] in which stress crosses r, the spacing here, in a beam of a Young's modulus [Pa].
pub(crate) fn crossing_time(youngs_modulus: f64) -> f64 {
    SPACING / (youngs_modulus / DENSITY).sqrt()
}

/// A clamped beam, straight and at rest.
fn beam_let_go(youngs_modulus: f64) -> World {
    let points = box_lattice([22, 6, 6], SPACING, 0.1);
    let material = elastic(DENSITY, youngs_modulus, 0.3);
    let mut case = Case::new(material, points, SPACING).pin(|x| x.x < 2.0 * SPACING);
    case.setup.solver.iterations = 10;
    case.setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .correction = PositionCorrection::None;
    case.world()
}

/// The same, strained and moving after a push: `push` is the rate at which speed grows along it [1/s].
pub(crate) fn swinging_beam(youngs_modulus: f64, push: f64) -> Result<World, StepError> {
    let mut world = beam_let_go(youngs_modulus);
    let particles = &mut world.state.particles;
    for i in 0..particles.len() {
        if particles.inverse_mass[i] > 0.0 {
            let x = particles.position[i].x;
            particles.velocity[i] = to_real(DVec3::new(0.0, -0.5 * x, 0.2 * x) * push);
        }
    }
    run(
        &mut world,
        0.5 * crossing_time(youngs_modulus),
        30,
        |_, _| (),
    )?;
    Ok(world)
}
