//! The tensor multiplier: per particle the Kirchhoff stress T whose impulse has been applied.
//!
//!   T += dT,   dT = dev(R)/(1 + 2 mu a) + tr(R)/3 I/(1 + (3 lambda + 2 mu) a)
//!   R = tau(v) - T,   a = dt^2 V0 k,   k >= the greatest eigenvalue of K
//!
//! It replaces Yu et al. 2024, eq. 17 to 19, whose one scalar a particle accumulates impulses in
//! directions that turn between iterations, and therefore does not converge to implicit Euler. The
//! fixed point here is T = tau(v) with balanced momentum, plastic flow and separation included. The
//! update is the exact local solution for the two isotropic modes if K = k I.

use pliant_materials::HenckyElasticity;
use pliant_math::SymMat3;
use pliant_math::simd::{Number, Pack};

use super::sweep::{Admitted, Projection, StressUpdate, Visit};

/// Brings T closer to the stress of the present velocities.
#[derive(Clone, Copy)]
pub struct ProjectStress;

/// Applies the impulse of the stress at the start of the substep, so that the sweeps only find what
/// changes: the first residual of a body at rest falls from a sixth to a thousandth.
#[derive(Clone, Copy)]
pub struct WarmStart;

impl Projection for ProjectStress {
    const READS_VELOCITY: bool = true;

    #[inline(always)]
    fn project<P: Pack>(
        &self,
        visit: Visit<'_, P>,
        admitted: Admitted<P>,
        applied: SymMat3<P>,
    ) -> StressUpdate<P> {
        let residual = admitted.kirchhoff_stress() - applied;
        let stiffness = P::splat(visit.dt * visit.dt)
            * P::load(&visit.data.rest_volume)
            * P::load(&visit.data.mobility_bound)
            * admitted.stiffness_factor;
        let solution = local_solution(residual, admitted.elasticity, stiffness);
        let increment = solution * P::splat(visit.relaxation);
        StressUpdate {
            increment,
            multiplier: applied + increment,
        }
    }
}

impl Projection for WarmStart {
    const READS_VELOCITY: bool = false;

    #[inline(always)]
    fn project<P: Pack>(
        &self,
        _visit: Visit<'_, P>,
        admitted: Admitted<P>,
        _applied: SymMat3<P>,
    ) -> StressUpdate<P> {
        let start = admitted.kirchhoff_stress();
        StressUpdate {
            increment: start,
            multiplier: start,
        }
    }
}

/// The stress increment that ends the residual if neighbours hold still.
#[inline(always)]
fn local_solution<N: Number>(
    residual: SymMat3<N>,
    elasticity: HenckyElasticity<N>,
    stiffness: N,
) -> SymMat3<N> {
    let (mu, lambda) = (elasticity.shear_modulus, elasticity.lame_lambda);
    let one = N::splat(1.0);
    let twice_mu = N::splat(2.0) * mu;
    let shear = one / (one + twice_mu * stiffness);
    let bulk = one / (one + (N::splat(3.0) * lambda + twice_mu) * stiffness);
    let mean = residual.trace() * N::splat(1.0 / 3.0);
    residual * shear + SymMat3::isotropic(mean * (bulk - shear))
}
