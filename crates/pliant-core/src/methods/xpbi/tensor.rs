//! The tensor multiplier: per particle the Kirchhoff stress T whose impulse has been applied.
//!
//!   T += dT,   dT = dev(R)/(1 + 2 mu a) + tr(R)/3 I/(1 + (3 lambda + 2 mu) a)
//!   R = tau(v) - T,   a = dt^2 V0 k,   k >= the greatest eigenvalue of K
//!
//! It replaces Yu et al. 2024, eq. 17 to 19, whose one scalar a particle accumulates impulses in
//! directions that turn between iterations, and therefore does not converge to implicit Euler. The
//! fixed point here is T = tau(v) with balanced momentum, plastic flow and separation included. The
//! update is the exact local solution for the two isotropic modes if K = k I.

use pliant_materials::{HenckyElasticity, ReturnMapping};
use pliant_math::{Real, SymMat3, Vec3};

use super::sweep::{Projection, SweepInput};
use crate::parallel::View;

/// Brings T closer to the stress of the present velocities.
pub struct ProjectStress<'a>(pub SweepInput<'a>);

/// Applies the impulse of the stress at the start of the substep, so that the sweeps only find what
/// changes: the first residual of a body at rest falls from a sixth to a thousandth.
pub struct WarmStart<'a>(pub SweepInput<'a>);

impl Projection for ProjectStress<'_> {
    type Multiplier = SymMat3;

    #[inline(always)]
    fn project<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &mut View<'_, Vec3>,
        stress: &mut View<'_, SymMat3>,
    ) {
        let input = &self.0;
        let strain = input.end_strain(law, i, velocity);
        let elasticity = law.elasticity();
        let applied = stress.get(i);
        let residual = elasticity.kirchhoff_stress(strain) - applied;
        let stiffness = input.dt
            * input.dt
            * input.rest_volume[i]
            * input.interactions.sums[i].mobility.gershgorin_bound();
        let increment = local_solution(residual, &elasticity, stiffness) * input.relaxation;
        stress.set(i, applied + increment);
        input.scatter(i, increment, velocity);
    }
}

impl Projection for WarmStart<'_> {
    type Multiplier = SymMat3;

    #[inline(always)]
    fn project<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &mut View<'_, Vec3>,
        stress: &mut View<'_, SymMat3>,
    ) {
        let trial = pliant_math::hencky_strain(self.0.strain[i]);
        let (strain, _) = law.project(trial, self.0.plastic[i], self.0.dt);
        let start = law.elasticity().kirchhoff_stress(strain);
        stress.set(i, start);
        self.0.scatter(i, start, velocity);
    }
}

/// The stress increment that ends the residual if neighbours hold still.
#[inline(always)]
fn local_solution(residual: SymMat3, elasticity: &HenckyElasticity, stiffness: Real) -> SymMat3 {
    let (mu, lambda) = (elasticity.shear_modulus, elasticity.lame_lambda);
    let shear = 1.0 / (1.0 + 2.0 * mu * stiffness);
    let bulk = 1.0 / (1.0 + (3.0 * lambda + 2.0 * mu) * stiffness);
    let mean = residual.trace() * (1.0 / 3.0);
    residual * shear + SymMat3::isotropic(mean * (bulk - shear))
}
