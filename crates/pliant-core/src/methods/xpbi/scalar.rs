//! The paper's scalar multiplier: one number a particle for the constraint C = sqrt(2 Psi).
//!
//!   d_lambda = (-C - a lambda)/(tr(S K S^T) + a),   a = 1/(V0 dt^2),   S = tau/C
//!   v_j += d_lambda/(dt m_j) S g_ij,   v_i -= d_lambda/(dt m_i) S sum g
//!
//! Yu et al. 2024, eq. 17 to 19. Deviation: S = tau/C instead of tau A^-T/C, which conserves angular
//! momentum. Kept for the paper's figures: its residual C + a lambda vanishes, momentum balance does
//! not (see the module `tensor`).

use pliant_materials::ReturnMapping;
use pliant_math::{Real, SymMat3, Vec3};

use super::sweep::{Projection, SweepInput};
use crate::parallel::View;

/// Projects C = sqrt(2 Psi) with its accumulated multiplier.
pub struct ProjectEnergy<'a>(pub SweepInput<'a>);

impl Projection for ProjectEnergy<'_> {
    type Multiplier = Real;

    #[inline(always)]
    fn project<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &mut View<'_, Vec3>,
        multiplier: &mut View<'_, Real>,
    ) {
        let input = &self.0;
        let strain = input.end_strain(law, i, velocity);
        let elasticity = law.elasticity();
        let constraint = (2.0 * elasticity.energy_density(strain)).sqrt();
        // The direction tau/C is bounded, so only 0/0 has to be avoided.
        if constraint <= 1e-9 * elasticity.shear_modulus.sqrt() {
            return;
        }
        let direction = elasticity.kirchhoff_stress(strain) * (1.0 / constraint);
        let volume_dt = input.rest_volume[i] * input.dt;
        let compliance = 1.0 / (volume_dt * input.dt);
        let stiffness = response(direction, input.interactions.sums[i].mobility);
        let lambda = multiplier.get(i);
        let increment =
            (-constraint - compliance * lambda) / (stiffness + compliance) * input.relaxation;
        multiplier.set(i, lambda + increment);
        // `scatter` applies -dt V0 times its argument.
        input.scatter(
            i,
            direction * (-increment / (volume_dt * input.dt)),
            velocity,
        );
    }
}

/// tr(S K S^T): how much the constraint moves for a unit impulse.
#[inline(always)]
fn response(direction: SymMat3, mobility: SymMat3) -> Real {
    direction.mul_commuting(direction).dot(mobility)
}
