//! Hencky StVK elasticity without plasticity.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};
use pliant_parameters::Values;

use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// A material that always springs back.
#[derive(Clone, Copy, Debug)]
pub struct Elastic {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
}

impl Elastic {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "elastic",
        doc: "Hencky (logarithmic) StVK elasticity. For rubber under large tension use `strain-energy`.",
        fields: &[YOUNGS_MODULUS, POISSONS_RATIO],
        build: |values: &Values| {
            Ok(HenckyLaw::Elastic(Self {
                elasticity: hencky_elasticity(values)?,
            }))
        },
    };
}

impl ReturnMapping for Elastic {
    const IS_PLASTIC: bool = false;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        (trial, state)
    }

    fn yield_excess(&self, _strain: SymMat3, _state: Real) -> Real {
        Real::NEG_INFINITY
    }
}
