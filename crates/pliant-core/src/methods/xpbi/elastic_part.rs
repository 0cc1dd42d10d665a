//! A law without its plasticity.

use pliant_materials::{HenckyElasticity, ReturnMapping};
use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3, Vec3};

use super::sweep::Projection;
use crate::parallel::View;

/// Runs a projection with the elastic part of each law: semi-implicit plasticity, in which the
/// return mapping acts at the end of the step only (Yu et al. 2024, sec. 5.1; for comparison).
pub struct WithoutPlasticity<P>(pub P);

impl<P: Projection> Projection for WithoutPlasticity<P> {
    type Multiplier = P::Multiplier;

    #[inline(always)]
    fn project<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &mut View<'_, Vec3>,
        multiplier: &mut View<'_, P::Multiplier>,
    ) {
        self.0.project(&ElasticPart(*law), i, velocity, multiplier);
    }
}

#[derive(Clone, Copy)]
struct ElasticPart<L>(L);

impl<L: ReturnMapping> ReturnMapping for ElasticPart<L> {
    const IS_PLASTIC: bool = false;

    fn elasticity(&self) -> HenckyElasticity {
        self.0.elasticity()
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        (trial, state)
    }

    fn yield_excess(&self, _strain: SymMat3, _state: Real) -> Real {
        Real::NEG_INFINITY
    }
}
