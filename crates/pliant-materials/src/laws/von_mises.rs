//! Von Mises plasticity: perfectly plastic flow at a fixed size of the stress deviator.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};
use pliant_parameters::Values;

use super::yield_strength::{YIELD_DEVIATOR, YIELD_STRESS, yield_deviator};
use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// Metal, dough, clay: keeps its volume elastically and flows in shear beyond a yield stress.
///
/// The surface is `|dev tau|_F <= yield_deviator`; the trial deviator is scaled back onto it.
// Yu et al. 2024, sec. 4; Li et al. 2022 for the radial return in Hencky strain.
#[derive(Clone, Copy, Debug)]
pub struct VonMises {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
    /// Greatest Frobenius norm of the Kirchhoff stress deviator (Pa), > 0.
    pub yield_deviator: Real,
    /// Greatest Frobenius norm of the strain deviator: `yield_deviator / (2 mu)`.
    greatest_deviator: Real,
}

impl VonMises {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "von-mises",
        doc: "Hencky elasticity with a yield stress in shear and no hardening: metal, dough, clay. Exactly one of `yield_stress` and `yield_deviator` is given.",
        fields: &[YOUNGS_MODULUS, POISSONS_RATIO, YIELD_STRESS, YIELD_DEVIATOR],
        build: |values: &Values| {
            let elasticity = hencky_elasticity(values)?;
            Ok(HenckyLaw::VonMises(Self::new(
                elasticity,
                yield_deviator(values)?,
            )))
        },
    };

    /// From elastic moduli and the greatest Frobenius norm of the stress deviator (Pa), > 0.
    pub fn new(elasticity: HenckyElasticity, yield_deviator: f64) -> Self {
        let yield_deviator = yield_deviator as Real;
        Self {
            elasticity,
            yield_deviator,
            greatest_deviator: yield_deviator / (2.0 * elasticity.shear_modulus),
        }
    }
}

impl ReturnMapping for VonMises {
    const IS_PLASTIC: bool = true;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        let mean = trial.trace() * N::splat(1.0 / 3.0);
        let deviator = trial - SymMat3::isotropic(mean);
        let norm = deviator.norm();
        let greatest = N::splat(self.greatest_deviator);
        let shrunk = deviator * (greatest / norm) + SymMat3::isotropic(mean);
        (trial.or_where_not(norm.at_most(greatest), shrunk), state)
    }

    fn yield_excess(&self, strain: SymMat3, _state: Real) -> Real {
        2.0 * self.elasticity.shear_modulus * strain.deviator().norm() - self.yield_deviator
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_parameters::Value;

    fn build(key: &str, number: f64) -> VonMises {
        let mut values = Values::default();
        values.insert("youngs_modulus", Value::Number(1e6));
        values.insert("poissons_ratio", Value::Number(0.3));
        values.insert(key, Value::Number(number));
        match (VonMises::KIND.build)(&values) {
            Ok(HenckyLaw::VonMises(law)) => law,
            other => panic!("{other:?}"),
        }
    }

    /// The strain of a bar under the tension `stress` (Pa).
    fn uniaxial(law: &VonMises, stress: Real) -> SymMat3 {
        let along = stress / 1e6;
        let strain = SymMat3::diagonal(along, -0.3 * along, -0.3 * along);
        assert!((law.elasticity.kirchhoff_stress(strain).xx / stress - 1.0).abs() < 1e-5);
        strain
    }

    #[test]
    fn bar_flows_at_its_yield_stress() {
        let law = build("yield_stress", 1e4);
        let below = uniaxial(&law, 0.9999e4);
        assert_eq!(law.project(below, 0.0, 1.0).0, below);
        let beyond = uniaxial(&law, 1.0001e4);
        assert_ne!(law.project(beyond, 0.0, 1.0).0, beyond);
    }

    #[test]
    fn yield_deviator_bounds_the_norm_of_the_stress_deviator() {
        let law = build("yield_deviator", 1e4);
        let trial = SymMat3::new(0.1, -0.3, 0.05, 0.2, 0.0, -0.1);
        let (strain, _) = law.project(trial, 0.0, 1.0);
        let deviator = law.elasticity.kirchhoff_stress(strain).deviator().norm();
        assert!((deviator / 1e4 - 1.0).abs() < 1e-4, "{deviator}");
    }

    #[test]
    fn flow_keeps_volume_and_direction() {
        let law = build("yield_stress", 1e4);
        let trial = SymMat3::new(0.1, -0.3, 0.05, 0.2, 0.0, -0.1);
        let (strain, _) = law.project(trial, 0.0, 1.0);
        assert!((strain.trace() - trial.trace()).abs() < 1e-6);
        let (a, b) = (strain.deviator(), trial.deviator());
        assert!((a.dot(b) / (a.norm() * b.norm()) - 1.0).abs() < 1e-5);
    }
}
