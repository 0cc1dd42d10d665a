//! How far a solution is from implicit Euler, particle by particle: slow, and told once a frame.

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, Real, SymMat3, Vec3, to_double};

use super::continuum::Lists;
use super::deformation::trial_hencky_strain;
use super::settings::Plasticity;
use super::setup::XpbiSetup;
use crate::parallel;

/// Lists and columns of a continuum.
pub struct ResidualInput<'a> {
    /// Neighbours and gradients.
    pub lists: &'a Lists,
    /// Laws and settings.
    pub setup: &'a XpbiSetup,
    /// Material of each particle.
    pub material: &'a [u32],
    /// Rest volumes [m3].
    pub rest_volume: &'a [Real],
    /// Velocities [m/s].
    pub velocity: &'a [Vec3],
    /// 1/mass [1/kg].
    pub inverse_mass: &'a [Real],
    /// E = b - I at the start of the substep.
    pub strain: &'a [SymMat3],
    /// Plastic state at the start of the substep.
    pub plastic: &'a [Real],
    /// The substep [s].
    pub dt: Real,
}

impl ResidualInput<'_> {
    /// Stress [Pa] of a particle at the velocities, plasticity included as the sweeps include it.
    fn stress(&self, i: usize) -> SymMat3 {
        let gradient = self.lists.velocity_gradient(i, |j| self.velocity[j]);
        let trial = trial_hencky_strain(self.strain[i], gradient, self.dt);
        let law = &self.setup.laws[self.material[i] as usize];
        dispatch_hencky_law!(law, |law| {
            let strain = match self.setup.settings.plasticity {
                Plasticity::Implicit => law.project(trial, self.plastic[i], self.dt).0,
                Plasticity::SemiImplicit => trial,
            };
            law.kirchhoff_stress(strain, self.plastic[i])
        })
    }
}

/// (sum V0 |tau(v) - T|^2, sum V0 |tau(v)|^2): the dual residual of the tensor multiplier.
pub fn dual(input: &ResidualInput<'_>, applied: impl Fn(usize) -> SymMat3 + Sync) -> (f64, f64) {
    let of_particle = |i: usize| {
        let stress = input.stress(i);
        let volume = f64::from(input.rest_volume[i]);
        let difference = stress - applied(i);
        (
            volume * f64::from(difference.dot(difference)),
            volume * f64::from(stress.dot(stress)),
        )
    };
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    parallel::ordered_fold(
        input.velocity.len(),
        (0.0, 0.0),
        |range| range.map(of_particle).fold((0.0, 0.0), add),
        add,
    )
}

/// The norm of the momentum equation's left side [kg m/s] at the velocities:
/// `m (v - v_free) + dt V0 sum tau(v) g`, v_free being the velocities without any stress.
pub fn primal(input: &ResidualInput<'_>, free_velocity: &[Vec3]) -> f64 {
    let mut missing: Vec<DVec3> = (0..input.velocity.len())
        .map(|i| match input.inverse_mass[i] {
            0.0 => DVec3::ZERO,
            w => to_double(input.velocity[i] - free_velocity[i]) / f64::from(w),
        })
        .collect();
    for i in 0..input.velocity.len() {
        add_impulse(input, i, &mut missing);
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
fn add_impulse(input: &ResidualInput<'_>, i: usize, missing: &mut [DVec3]) {
    let impulse = input.stress(i) * (input.dt * input.rest_volume[i]);
    for neighbor in input.lists.neighbors(i) {
        let push = to_double(impulse.mul_vec3(neighbor.gradient));
        missing[neighbor.neighbor] += push;
        missing[i] -= push;
    }
}

/// A number as the residuals report it: `part` relative to `whole`, 0 if there is no whole.
pub fn relative((part, whole): (f64, f64)) -> f64 {
    if whole > 0.0 {
        (part / whole).sqrt()
    } else {
        0.0
    }
}
