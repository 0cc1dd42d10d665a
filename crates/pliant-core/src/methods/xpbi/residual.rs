//! How far a solution is from implicit Euler.

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, SymMat3, Vec3, to_double};

use super::blocks::Blocks;
use super::deformation::trial_hencky_strain;
use super::settings::Plasticity;
use super::setup::XpbiSetup;
use super::sweep::SweepInput;
use crate::parallel;

/// Stress [Pa] of particle `i` at velocities `velocity`, plasticity included as the sweeps include it.
#[inline(always)]
fn stress_of<L: ReturnMapping>(
    law: &L,
    input: &SweepInput<'_>,
    is_plastic: bool,
    velocity: &[Vec3],
    i: usize,
) -> SymMat3 {
    let gradient = input.interactions.velocity_gradient(i, |j| velocity[j]);
    let trial = trial_hencky_strain(input.strain[i], gradient, input.dt);
    let strain = if is_plastic {
        law.project(trial, input.plastic[i], input.dt).0
    } else {
        trial
    };
    law.elasticity().kirchhoff_stress(strain)
}

/// (sum V0 |tau(v) - T|^2, sum V0 |tau(v)|^2): the dual residual of the tensor multiplier.
pub fn dual(
    input: &SweepInput<'_>,
    blocks: &Blocks,
    setup: &XpbiSetup,
    velocity: &[Vec3],
    applied: &[SymMat3],
) -> (f64, f64) {
    let is_plastic = setup.settings.plasticity == Plasticity::Implicit;
    let mut sums = (0.0, 0.0);
    for block in 0..blocks.len() as u32 {
        for run in blocks.runs(block) {
            dispatch_hencky_law!(&setup.laws[run.material as usize], |law| {
                for i in run.particles() {
                    let stress = stress_of(law, input, is_plastic, velocity, i);
                    let volume = f64::from(input.rest_volume[i]);
                    let difference = stress - applied[i];
                    sums.0 += volume * f64::from(difference.dot(difference));
                    sums.1 += volume * f64::from(stress.dot(stress));
                }
            });
        }
    }
    sums
}

/// The norm of the momentum equation's left side [kg m/s] at velocities `velocity`:
/// `m (v - v_free) + dt V0 sum tau(v) g`, v_free being the velocities without any stress.
pub fn primal(
    input: &SweepInput<'_>,
    blocks: &Blocks,
    setup: &XpbiSetup,
    velocity: &[Vec3],
    free_velocity: &[Vec3],
) -> f64 {
    let is_plastic = setup.settings.plasticity == Plasticity::Implicit;
    let mut missing: Vec<DVec3> = (0..velocity.len())
        .map(|i| match input.inverse_mass[i] {
            0.0 => DVec3::ZERO,
            w => to_double(velocity[i] - free_velocity[i]) / f64::from(w),
        })
        .collect();
    for block in 0..blocks.len() as u32 {
        for run in blocks.runs(block) {
            dispatch_hencky_law!(&setup.laws[run.material as usize], |law| {
                for i in run.particles() {
                    let stress = stress_of(law, input, is_plastic, velocity, i);
                    add_impulse(input, i, stress, &mut missing);
                }
            });
        }
    }
    let free = |i: usize| input.inverse_mass[i] != 0.0;
    let squares = |i: usize| {
        if free(i) {
            missing[i].length_squared()
        } else {
            0.0
        }
    };
    parallel::ordered_fold(
        missing.len(),
        0.0,
        |range| range.map(squares).sum::<f64>(),
        |a, b| a + b,
    )
    .sqrt()
}

/// Adds `dt V0 tau g` [kg m/s] of particle `i` at its neighbours, and its recoil at itself.
fn add_impulse(input: &SweepInput<'_>, i: usize, stress: SymMat3, missing: &mut [DVec3]) {
    let impulse = stress * (input.dt * input.rest_volume[i]);
    for record in input.interactions.of(i) {
        let push = impulse.mul_vec3(Vec3::from_array(record.gradient));
        missing[record.neighbor as usize] += to_double(push);
    }
    let sum = input.interactions.sums[i].gradient;
    missing[i] -= to_double(impulse.mul_vec3(sum));
}

/// A number as the residuals report it: `part` relative to `whole`, 0 if there is no whole.
pub fn relative((part, whole): (f64, f64)) -> f64 {
    if whole > 0.0 {
        (part / whole).sqrt()
    } else {
        0.0
    }
}
