//! The paper's scalar multiplier: one number a particle for the constraint C = sqrt(2 Psi).
//!
//!   d_lambda = (-C - a lambda)/(tr(S K S^T) + a),   a = 1/(V0 dt^2),   S = tau/C
//!   v_j += d_lambda/(dt m_j) S g_ij,   v_i -= d_lambda/(dt m_i) S sum g
//!
//! Yu et al. 2024, eq. 17 to 19. Deviation: S = tau/C instead of tau A^-T/C, which conserves angular
//! momentum. Kept for the paper's figures: its residual C + a lambda vanishes, momentum balance does
//! not (see the module `tensor`).

use pliant_math::SymMat3;
use pliant_math::simd::{Number, Pack};

use super::sweep::{Admitted, Projection, StressUpdate, Visit};

/// Projects C = sqrt(2 Psi) with its accumulated multiplier, which stands in the first component of
/// what is kept.
#[derive(Clone, Copy)]
pub struct ProjectEnergy;

impl Projection for ProjectEnergy {
    const READS_VELOCITY: bool = true;

    #[inline(always)]
    fn project<P: Pack>(
        &self,
        visit: Visit<'_, P>,
        admitted: Admitted<P>,
        multiplier: SymMat3<P>,
    ) -> StressUpdate<P> {
        let Admitted {
            strain,
            elasticity,
            stiffness_factor: factor,
        } = admitted;
        let constraint = elasticity.constraint(strain) * factor.sqrt();
        // The direction tau/C is bounded, so only 0/0 has to be avoided.
        let least = P::splat(1e-9) * elasticity.shear_modulus.sqrt();
        let is_strained = least.less(constraint);
        let direction = elasticity.kirchhoff_stress(strain) * (factor / constraint);
        let volume_dt = P::load(&visit.data.rest_volume) * P::splat(visit.dt);
        let compliance = P::splat(1.0) / (volume_dt * P::splat(visit.dt));
        // Not by a closure, which would be compiled without the vector instructions.
        let stiffness = match visit.mobility {
            Some(k) => response(direction, SymMat3::load(k)),
            None => P::ZERO,
        };
        let lambda = multiplier.xx;
        let increment = (-constraint - compliance * lambda) / (stiffness + compliance)
            * P::splat(visit.relaxation);
        // What is applied is dt V0 times the increment.
        let stress = direction * (-increment / (volume_dt * P::splat(visit.dt)));
        let is_there = is_strained & P::ZERO.less(volume_dt);
        let lambda = (lambda + increment).or_where_not(is_there, lambda);
        StressUpdate {
            increment: stress.or_where_not(is_there, SymMat3::ZERO),
            multiplier: SymMat3::isotropic(lambda),
        }
    }
}

/// tr(S K S^T): how much the constraint moves for a unit impulse.
#[inline(always)]
fn response<N: Number>(direction: SymMat3<N>, mobility: SymMat3<N>) -> N {
    direction.mul_commuting(direction).dot(mobility)
}
