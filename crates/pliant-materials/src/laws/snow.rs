//! Snow that breaks where it is stretched, packs where it is pressed, and hardens as it packs.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Real, SymMat3, exp, map_eigenvalues, symmetric_eigen};
use pliant_parameters::{Field, Range, Values};

use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// Greatest absolute exponent of the hardening: moduli between a fiftieth and fifty times their own.
const GREATEST_EXPONENT: Real = 4.0;

/// Snow: principal stretches stay between `1 - critical_compression` and `1 + critical_stretch`, and
/// both moduli are multiplied by `exp(hardening (1 - J_P))`.
///
/// The state is log J_P, the logarithm of the plastic volume change: 0 at the start, negative where
/// it was packed. The exponent is at most 4 in size.
// Stomakhin et al. 2013, sec. 5, with Hencky elasticity as in Yu et al. 2024, fig. 19.
#[derive(Clone, Copy, Debug)]
pub struct Snow {
    /// Moduli of undeformed snow.
    pub elasticity: HenckyElasticity,
    /// xi, >= 0.
    pub hardening: Real,
    /// Least principal Hencky strain: `log(1 - critical_compression)`.
    least: Real,
    /// Greatest principal Hencky strain: `log(1 + critical_stretch)`.
    greatest: Real,
}

impl Snow {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "snow",
        doc: "Hencky elasticity whose principal stretches are limited, and whose moduli grow as it is packed: snow as Stomakhin et al. 2013 have it.",
        fields: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            CRITICAL_COMPRESSION,
            CRITICAL_STRETCH,
            HARDENING,
        ],
        build: |values: &Values| {
            Ok(HenckyLaw::Snow(Self::new(
                hencky_elasticity(values)?,
                values.number(CRITICAL_COMPRESSION.name),
                values.number(CRITICAL_STRETCH.name),
                values.number(HARDENING.name) as Real,
            )))
        },
    };

    /// From elastic moduli, the critical compression in (0, 1), the critical stretch and the
    /// hardening coefficient, both at least 0.
    pub fn new(
        elasticity: HenckyElasticity,
        critical_compression: f64,
        critical_stretch: f64,
        hardening: Real,
    ) -> Self {
        Self {
            elasticity,
            hardening,
            least: libm::log1p(-critical_compression) as Real,
            greatest: libm::log1p(critical_stretch) as Real,
        }
    }
}

impl ReturnMapping for Snow {
    const IS_PLASTIC: bool = true;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    #[inline(always)]
    fn stiffness_factor<N: Number>(&self, state: N) -> N {
        let packed = N::splat(1.0) - exp(state);
        let exponent = packed * N::splat(self.hardening);
        let limit = N::splat(GREATEST_EXPONENT);
        exp(exponent.min(limit).max(-limit))
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        let (least, greatest) = (N::splat(self.least), N::splat(self.greatest));
        let is_inside = is_semidefinite(trial - SymMat3::isotropic(least))
            & is_semidefinite(SymMat3::isotropic(greatest) - trial);
        if !(!is_inside).any() {
            return (trial, state);
        }
        let limited = map_eigenvalues(trial, |value| value.max(least).min(greatest));
        let end_state = state + (trial.trace() - limited.trace());
        (
            trial.or_where_not(is_inside, limited),
            state.or_where_not(is_inside, end_state),
        )
    }

    fn yield_excess(&self, strain: SymMat3, _state: Real) -> Real {
        let beyond = |value: Real| (value - self.greatest).max(self.least - value);
        let [a, b, c] = symmetric_eigen(strain).values.map(beyond);
        2.0 * self.elasticity.shear_modulus * a.max(b).max(c)
    }
}

/// True where no eigenvalue is negative: then no coefficient of the characteristic polynomial has the
/// wrong sign.
#[inline(always)]
fn is_semidefinite<N: Number>(a: SymMat3<N>) -> N::Mask {
    N::ZERO.at_most(a.trace())
        & N::ZERO.at_most(a.adjugate().trace())
        & N::ZERO.at_most(a.determinant())
}

const CRITICAL_COMPRESSION: Field = Field::number(
    "critical_compression",
    Range::open(0.0, 1.0),
    "",
    0.025,
    "Greatest principal compression before snow compacts: smaller for powder, greater for wet snow.",
);

const CRITICAL_STRETCH: Field = Field::number(
    "critical_stretch",
    Range::NOT_NEGATIVE,
    "",
    0.0075,
    "Greatest principal extension before snow breaks.",
);

const HARDENING: Field = Field::number(
    "hardening",
    Range::NOT_NEGATIVE,
    "",
    10.0,
    "Hardening by compaction: the logarithm of the moduli grows by this times the plastic loss of volume, up to 4.",
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The snow of Yu et al. 2024, fig. 19.
    fn law() -> Snow {
        Snow::new(HenckyElasticity::from_youngs(5e5, 0.2), 0.025, 0.0075, 10.0)
    }

    #[test]
    fn packed_snow_hardens_as_the_closed_form_says() {
        let law = law();
        for steps in [1, 7, 400] {
            let mut packed = (SymMat3::ZERO, law.initial_state());
            for _ in 0..steps {
                let step = SymMat3::diagonal(-0.2 / steps as Real, 0.0, 0.0);
                packed = law.project(packed.0 + step, packed.1, 1.0);
            }
            let (strain, state) = packed;
            let least = libm::log(0.975);
            assert!((f64::from(strain.xx) - least).abs() < 1e-6, "{strain:?}");
            let volume = -0.2 - least;
            assert!((f64::from(state) - volume).abs() < 1e-5, "{state} {volume}");
            let factor = libm::exp(10.0 * (1.0 - libm::exp(volume)));
            let stress = f64::from(law.kirchhoff_stress(strain, state).xx);
            let soft = f64::from(law.elasticity.kirchhoff_stress(strain).xx);
            assert!(
                (stress / (soft * factor) - 1.0).abs() < 2e-4,
                "{stress} {soft} {factor}"
            );
        }
    }

    #[test]
    fn torn_snow_softens_and_hardening_is_bounded() {
        let law = law();
        let (strain, state) = law.project(SymMat3::isotropic(0.01), 0.0, 1.0);
        let greatest = libm::log(1.0075);
        assert!((f64::from(strain.yy) - greatest).abs() < 1e-6);
        assert!((f64::from(state) - 3.0 * (0.01 - greatest)).abs() < 1e-6);
        assert!(law.stiffness_factor(state) < 1.0);
        let bound = libm::exp(4.0) as Real;
        assert!((law.stiffness_factor(-5.0 as Real) / bound - 1.0).abs() < 1e-5);
        assert!((law.stiffness_factor(5.0 as Real) * bound - 1.0).abs() < 1e-5);
    }

    #[test]
    fn principal_stretches_are_limited_in_any_direction() {
        let law = law();
        let trial = SymMat3::new(0.1, -0.3, 0.05, 0.2, 0.0, -0.1);
        let (strain, _) = law.project(trial, 0.0, 1.0);
        let exact = symmetric_eigen(trial).map(|value| value.clamp(law.least, law.greatest));
        assert!((strain - exact).norm() < 1e-6, "{strain:?} {exact:?}");
    }
}
