//! What a step of a given length costs until it is resolved (Yu et al. 2024, Fig. 18).
//!
//! A clamped beam in motion is taken one step further, for steps in which stress crosses a tenth to
//! eight support radii of the kernel; sweeps are counted until a hundredth of the momentum residual is
//! left. The paper's residual, that of the constraints, does not see the direction of stress; momentum
//! does.

use std::time::Instant;

use pliant_core::methods::xpbi::Multiplier;
use pliant_core::step::StepError;
use pliant_core::world::{Ordering, World};

use crate::convergence::{SPACING, crossing_time, swinging_beam};
use crate::gradient::searched;
use crate::residual::{Sample, Scheme, history};
use crate::{Claim, Curve, Expected, Figure, Plot};

/// Sweeps a simulated second.
pub const STEPS: Claim = Claim {
    statement: "beyond a Courant number of one, a simulated second takes more sweeps",
    measure: || figures_of_all(&[1e4, 1e5, 1e6]),
};

/// Steps, in times that stress takes to cross r.
const RATIOS: [f64; 7] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// Share of the momentum residual at which a step counts as resolved.
const RESOLVED: f64 = 1e-2;
/// More sweeps are not tried.
const MOST: usize = 600;

const BY_SWEEPS: Plot = Plot {
    title: "Sweeps a simulated second until a hundredth of the residual is left",
    unit: "",
    across: "step",
    across_unit: "s",
    is_logarithmic: [true, true],
};

const BY_TIME: Plot = Plot {
    title: "Wall time a simulated second, search and sweeps",
    unit: "s",
    ..BY_SWEEPS
};

/// What a step took.
struct Cost {
    dt: f64,
    /// Sweeps until it is resolved.
    sweeps: usize,
    /// Wall time of the search and of these sweeps [s].
    seconds: f64,
}

fn figures_of_all(moduli: &[f64]) -> Result<Vec<Figure>, StepError> {
    let mut figures = Vec::new();
    for &youngs_modulus in moduli {
        figures.extend(figures_of(youngs_modulus)?);
    }
    Ok(figures)
}

fn figures_of(youngs_modulus: f64) -> Result<Vec<Figure>, StepError> {
    let crossing = crossing_time(youngs_modulus);
    // Strained by as much at every stiffness.
    let world = swinging_beam(youngs_modulus, 0.02 * SPACING / crossing)?;
    let costs = RATIOS.map(|ratio| cost(&world, ratio * crossing));
    let per_second = |cost: &Cost| cost.sweeps as f64 / cost.dt;
    let name = format!("{youngs_modulus:.0e} Pa");
    let at = |ratio: f64| &costs[RATIOS.iter().position(|r| *r == ratio).unwrap_or(0)];
    let sweeps = costs.iter().map(|c| [c.dt, per_second(c)]).collect();
    let times = costs.iter().map(|c| [c.dt, c.seconds / c.dt]).collect();
    let resolved = Figure::new(
        format!("sweeps at c dt/r = 1, {name}"),
        at(1.0).sweeps as f64,
        Expected::AtMost(12.0),
    );
    let growth = Figure::new(
        format!("sweeps a simulated second, c dt/r = 4 over 1, {name}"),
        per_second(at(4.0)) / per_second(at(1.0)),
        Expected::AtLeast(1.5),
    );
    let small = Figure::new(
        format!("wall time a simulated second, c dt/r = 0.125 over 1, {name}"),
        at(0.125).seconds / at(0.125).dt / (at(1.0).seconds / at(1.0).dt),
        Expected::Finite,
    );
    Ok(vec![
        resolved.with(Curve::measured(BY_SWEEPS, name.clone(), sweeps)),
        growth,
        small.with(Curve::measured(BY_TIME, name, times)),
    ])
}

fn cost(world: &World, dt: f64) -> Cost {
    let scheme = Scheme {
        ordering: Ordering::GaussSeidel,
        multiplier: Multiplier::Tensor,
    };
    let begin = Instant::now();
    drop(searched(world.clone()));
    let search = begin.elapsed().as_secs_f64();
    let samples = history(world, scheme, dt, MOST);
    let is_resolved = |sample: &Sample| sample.residual <= RESOLVED;
    let sweeps = samples.iter().position(is_resolved).unwrap_or(MOST).max(1);
    Cost {
        dt,
        sweeps,
        seconds: search + samples[sweeps].seconds,
    }
}
