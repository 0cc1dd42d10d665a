//! Herschel-Bulkley viscoplasticity: a yield stress, and flow whose rate is a power of what exceeds it.

use pliant_math::simd::{Mask, Number};
use pliant_math::{Real, SymMat3, exp, ln};
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::yield_strength::{YIELD_DEVIATOR, YIELD_STRESS, yield_deviator};
use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// Overstress (Pa) above which only its direction counts: far beyond any material, with room for
/// products in single precision.
const GREATEST_OVERSTRESS: Real = 1e24;

/// Consistencies between which single precision holds the ratios that the law forms.
const LEAST_CONSISTENCY: f64 = 1e-9;
const GREATEST_CONSISTENCY: f64 = 1e15;

/// Rounds of Halley's iteration after which it stops in any case; two to four are enough.
const MAX_ROUNDS: usize = 12;

/// A step after which it stops: what it leaves, a twentieth of the cube, is a rounding.
const LAST_STEP: Real = if size_of::<Real>() == 8 {
    1.6e-5
} else {
    1.3e-2
};

/// Paint, foam, mud, cream: elastic below a yield stress, above it flowing at the rate
/// `((s - sY)/eta)^(1/h)`, where s is the Frobenius norm of the stress deviator.
///
/// Over a step the deviator relaxes from the trial norm s_tr by backward Euler,
///
/// `s_tr - s = 2 mu dt ((s - sY)/eta)^(1/h)`,
///
/// which has a closed form for h = 1. Flow index h below 1 is shear thinning, above 1 shear
/// thickening; as eta goes to 0 the law becomes von Mises. It is a flow over dt, so mapping a mapped
/// strain again lets it flow twice as long.
// Yue et al. 2015, restated in Hencky strain: equal to theirs to first order in strain.
#[derive(Clone, Copy, Debug)]
pub struct HerschelBulkley {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
    /// Frobenius norm of the Kirchhoff stress deviator at which it flows (Pa), > 0.
    pub yield_deviator: Real,
    /// eta (Pa s^h), between Frobenius norms of stress deviator and rate of flow.
    pub consistency_deviator: Real,
    /// h, > 0.
    pub flow_index: Real,
}

impl HerschelBulkley {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "herschel-bulkley",
        doc: "Hencky elasticity with a yield stress and viscous flow beyond it, the stress that exceeds it being a power of the rate: paint, foam, mud, cream. Exactly one of `yield_stress` and `yield_deviator`, and one of `consistency` and `consistency_deviator`, is given.",
        fields: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            YIELD_STRESS,
            YIELD_DEVIATOR,
            FLOW_INDEX,
            CONSISTENCY,
            CONSISTENCY_DEVIATOR,
        ],
        build: |values: &Values| {
            let flow_index = values.number(FLOW_INDEX.name);
            Ok(HenckyLaw::HerschelBulkley(Self {
                elasticity: hencky_elasticity(values)?,
                yield_deviator: yield_deviator(values)? as Real,
                consistency_deviator: consistency_deviator(values, flow_index)? as Real,
                flow_index: flow_index as Real,
            }))
        },
    };

    /// What is left after `dt` (s) of an overstress (Pa), the excess of s over the yield deviator;
    /// any number where it is not positive.
    #[inline(always)]
    fn overstress_left<N: Number>(&self, overstress: N, dt: Real) -> N {
        let rate = 2.0 * self.elasticity.shear_modulus * dt / self.consistency_deviator;
        if self.flow_index == 1.0 {
            return overstress / N::splat(1.0 + rate);
        }
        overstress * self.share_left(overstress, rate)
    }

    /// The root z of `z + A z^(1/h) = 1`, `A = rate (X/eta)^(1/h - 1)`, for the overstress X.
    ///
    /// With z = exp(w) both terms are exponentials of w, and the logarithm of their sum S is nearly
    /// straight where one of them is much the greater. Its root is sought by Halley's iteration from
    /// where the greater term is 1, so that S lies between 1 and 2 and
    ///
    /// `ln S = n/m`,  `n = d (6 + d)`,  `m = 6 + 4 d`,  `d = S - 1`
    ///
    /// to a percent at first and to any number of digits as d goes to 0.
    #[inline(always)]
    fn share_left<N: Number>(&self, overstress: N, rate: Real) -> N {
        let one = N::splat(1.0);
        let inverse_index = 1.0 / self.flow_index;
        let ratio = ln(overstress * N::splat(1.0 / self.consistency_deviator));
        let log_a = N::splat(ln(rate)) + ratio * N::splat(inverse_index - 1.0);
        let half_square = N::splat(0.5 * (inverse_index - 1.0) * (inverse_index - 1.0));
        // Of the exponent that changes faster.
        let last_step = N::splat(LAST_STEP * self.flow_index.min(1.0));
        let mut w = (log_a * N::splat(-self.flow_index)).min(N::ZERO);
        let mut share = one;
        let mut seeks = N::ZERO.less(overstress);
        for _ in 0..MAX_ROUNDS {
            let left = exp(w);
            let flowed = exp(log_a + w * N::splat(inverse_index));
            let sum = left + flowed;
            let excess = sum - one;
            let (n, m) = (
                excess * (N::splat(6.0) + excess),
                N::splat(6.0) + N::splat(4.0) * excess,
            );
            // S times the first derivative; S^2 times half the second is half_square left flowed.
            let slope = left + flowed * N::splat(inverse_index);
            let step =
                n * slope * sum / (m * (slope * slope) - n * (half_square * (left * flowed)));
            w = w - step;
            // exp(-step) by its series.
            let third = N::splat(0.5) - step * N::splat(1.0 / 6.0);
            let stepped = left * (one - step * (one - step * third));
            share = stepped.or_where_not(seeks, share);
            seeks = seeks & last_step.less(step.abs());
            if !seeks.any() {
                break;
            }
        }
        share
    }
}

impl ReturnMapping for HerschelBulkley {
    const IS_PLASTIC: bool = true;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, dt: Real) -> (SymMat3<N>, N) {
        let mean = trial.trace() * N::splat(1.0 / 3.0);
        let deviator = trial - SymMat3::isotropic(mean);
        let stress = deviator.norm() * N::splat(2.0 * self.elasticity.shear_modulus);
        let yield_deviator = N::splat(self.yield_deviator);
        let overstress = (stress - yield_deviator).min(N::splat(GREATEST_OVERSTRESS));
        let flows = N::ZERO.less(overstress);
        if !flows.any() {
            return (trial, state);
        }
        let end_stress = yield_deviator + self.overstress_left(overstress, dt);
        let relaxed = deviator * (end_stress / stress) + SymMat3::isotropic(mean);
        (relaxed.or_where_not(flows, trial), state)
    }

    fn yield_excess(&self, strain: SymMat3, _state: Real) -> Real {
        2.0 * self.elasticity.shear_modulus * strain.deviator().norm() - self.yield_deviator
    }
}

const FLOW_INDEX: Field = Field::number(
    "flow_index",
    Range::closed(0.01, 100.0),
    "",
    1.0,
    "Exponent h of the rate in the stress: shear thinning below 1 (paint, cream), shear thickening above.",
);

const CONSISTENCY: Field = Field::optional(
    "consistency",
    Kind::Number(Range::POSITIVE),
    "Pa s^flow_index",
    "Viscosity as measured by rheometers: the shear stress beyond yield at a shear rate of 1/s.",
);

const CONSISTENCY_DEVIATOR: Field = Field::optional(
    "consistency_deviator",
    Kind::Number(Range::POSITIVE),
    "Pa s^flow_index",
    "Viscosity between Frobenius norms of the deviators of stress and rate, the eta of papers; 2^((1 + flow_index)/2) times `consistency`.",
);

/// eta (Pa s^h) from one of the two ways to say it.
fn consistency_deviator(values: &Values, flow_index: f64) -> Result<f64, Problem> {
    let shear = values.optional_number(CONSISTENCY.name);
    let norm = values.optional_number(CONSISTENCY_DEVIATOR.name);
    let (key, deviator) = match (shear, norm) {
        // Simple shear: |dev tau| = sqrt(2) tau and |D| = rate/sqrt(2).
        (Some(shear), None) => (
            CONSISTENCY.name,
            shear * libm::exp2(0.5 * (1.0 + flow_index)),
        ),
        (None, Some(norm)) => (CONSISTENCY_DEVIATOR.name, norm),
        (None, None) => {
            return Err(Problem::whole(
                "the material has neither `consistency` nor `consistency_deviator`",
                "give one of them, in Pa s^flow_index",
            ));
        }
        (Some(shear), Some(norm)) => {
            return Err(Problem::at(
                CONSISTENCY_DEVIATOR.name,
                format!(
                    "both `consistency` = {shear} and `consistency_deviator` = {norm} say how viscous the material is"
                ),
                "remove one of them; `consistency_deviator` is 2^((1 + flow_index)/2) times `consistency`",
            ));
        }
    };
    if (LEAST_CONSISTENCY..=GREATEST_CONSISTENCY).contains(&deviator) {
        return Ok(deviator);
    }
    Err(Problem::at(
        key,
        format!("this makes a `consistency_deviator` of {deviator:e} Pa s^{flow_index}"),
        format!("it must lie between {LEAST_CONSISTENCY:e} and {GREATEST_CONSISTENCY:e}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(flow_index: Real) -> HerschelBulkley {
        HerschelBulkley {
            elasticity: HenckyElasticity::from_youngs(14754.0, 0.475),
            yield_deviator: 50.0,
            consistency_deviator: 10.0,
            flow_index,
        }
    }

    fn norm_of_stress(law: &HerschelBulkley, strain: SymMat3) -> f64 {
        f64::from(law.yield_excess(strain, 0.0) + law.yield_deviator)
    }

    /// A deviatoric strain whose stress has a norm (Pa).
    fn shear(law: &HerschelBulkley, stress: Real) -> SymMat3 {
        let norm = stress / (2.0 * law.elasticity.shear_modulus);
        SymMat3::new(0.0, 0.0, 0.0, norm / Real::sqrt(2.0), 0.0, 0.0)
    }

    /// Norm (Pa) after a relaxation at rest for `time` in so many steps.
    fn relaxed(law: &HerschelBulkley, start: Real, time: f64, steps: usize) -> f64 {
        let mut strain = shear(law, start);
        for _ in 0..steps {
            strain = law.project(strain, 0.0, (time / steps as f64) as Real).0;
        }
        norm_of_stress(law, strain)
    }

    /// The classical Runge-Kutta solution of ds/dt = -2 mu ((s - sY)/eta)^(1/h).
    fn integrated(law: &HerschelBulkley, start: f64, time: f64) -> f64 {
        let two_mu = 2.0 * f64::from(law.elasticity.shear_modulus);
        let index = 1.0 / f64::from(law.flow_index);
        let over = |s: f64| {
            ((s - f64::from(law.yield_deviator)) / f64::from(law.consistency_deviator)).max(0.0)
        };
        let slope = |s: f64| -two_mu * libm::pow(over(s), index);
        let steps = 200_000;
        let dt = time / f64::from(steps);
        let mut s = start;
        for _ in 0..steps {
            let a = slope(s);
            let b = slope(s + 0.5 * dt * a);
            let c = slope(s + 0.5 * dt * b);
            let d = slope(s + dt * c);
            s += dt / 6.0 * (a + 2.0 * (b + c) + d);
        }
        s
    }

    #[test]
    fn bingham_relaxation_is_its_closed_form_for_any_step() {
        let law = law(1.0);
        for dt in [1e-6, 5e-5, 1e-2, 1.0] {
            for start in [50.1, 80.0, 5e3] {
                let found = relaxed(&law, start, dt, 1);
                let factor = 1.0 + 2.0 * f64::from(law.elasticity.shear_modulus) * dt / 10.0;
                let exact = 50.0 + (f64::from(start) - 50.0) / factor;
                assert!((found / exact - 1.0).abs() < 1e-5, "{found} {exact}");
            }
        }
    }

    #[test]
    fn bingham_relaxation_converges_to_the_exponential() {
        let law = law(1.0);
        let time = 1e-3;
        let exact =
            50.0 + 450.0 * libm::exp(-2.0 * f64::from(law.elasticity.shear_modulus) * time / 10.0);
        // In double precision backward Euler is 1e-4 close with steps of a ten-thousandth; in single
        // precision as many roundings would add up to more.
        let (steps, bound) = if size_of::<Real>() == 8 {
            (20_000, 1e-4)
        } else {
            (2_000, 1e-3)
        };
        let found = relaxed(&law, 500.0, time, steps);
        assert!((found / exact - 1.0).abs() < bound, "{found} {exact}");
    }

    #[test]
    fn thinning_and_thickening_relaxation_follow_their_differential_equation() {
        // Times in which a good part of the overstress goes.
        for (flow_index, start, time) in [
            (0.3, 70.0, 1e-4),
            (0.5, 80.0, 1e-4),
            (3.0, 500.0, 1e-2),
            (3.0, 90.0, 2e-3),
        ] {
            let law = law(flow_index);
            let exact = integrated(&law, f64::from(start), time);
            assert!(exact - 50.0 < 0.9 * (f64::from(start) - 50.0), "{exact}");
            let (steps, bound) = if size_of::<Real>() == 8 {
                (20_000, 1e-4)
            } else {
                (2_000, 1e-3)
            };
            let found = relaxed(&law, start, time, steps);
            assert!(
                (found / exact - 1.0).abs() < bound,
                "h = {flow_index}: {found} {exact}"
            );
        }
    }

    #[test]
    fn implicit_step_is_solved_for_any_power_over_many_decades() {
        for flow_index in [0.01, 0.1, 0.3, 0.9, 1.1, 3.0, 10.0, 100.0] {
            for power in -8..9 {
                for dt in [1e-6, 1e-4, 1e-2] {
                    check_step(&law(flow_index), 10.0_f64.powi(power) as Real, dt);
                }
            }
        }
    }

    /// What was before the step grows with what is left: that of a little less and of a little more
    /// than what is left brackets the overstress.
    fn check_step(law: &HerschelBulkley, overstress: Real, dt: Real) {
        let left = law.overstress_left(overstress, dt);
        assert!(left >= 0.0 && left <= overstress * (1.0 + 8.0 * Real::EPSILON));
        let over = f64::from(overstress);
        let rate = 2.0 * f64::from(law.elasticity.shear_modulus) * f64::from(dt);
        let index = 1.0 / f64::from(law.flow_index);
        let before = |x: f64| x + rate * libm::pow(x / 10.0, index);
        let slack = f64::from(Real::EPSILON) * 64.0 * (1.0 + libm::log(over).abs());
        // Less than 1e-30 Pa is nothing.
        let low = (f64::from(left) * (1.0 - slack) - 1e-30).max(0.0);
        let high = f64::from(left) * (1.0 + slack) + 1e-30;
        assert!(
            before(low) <= over * (1.0 + slack) && over * (1.0 - slack) <= before(high),
            "h = {}, {overstress} Pa, {dt} s: {left}",
            law.flow_index
        );
    }

    #[test]
    fn pressure_is_kept() {
        let law = law(0.3);
        let trial = SymMat3::new(0.1, -0.3, 0.05, 0.2, 0.0, -0.1);
        let (strain, _) = law.project(trial, 0.0, 1e-4);
        assert!((strain.trace() - trial.trace()).abs() < 1e-6);
    }

    #[test]
    fn consistency_of_a_rheometer_is_that_of_simple_shear() {
        use pliant_parameters::Value;
        let build = |key: &str, number: f64| {
            let mut values = Values::default();
            for (key, number) in [("flow_index", 0.5), (key, number)] {
                values.insert(key, Value::Number(number));
            }
            consistency_deviator(&values, 0.5).unwrap()
        };
        // At a rate g the shear stress is 7 sqrt(g): |dev tau| = sqrt(2) 7 sqrt(sqrt(2) |D|).
        let (norm, rate) = (build("consistency", 7.0), 0.2_f64);
        let expected = 2.0_f64.sqrt() * 7.0 * (2.0_f64.sqrt() * rate).sqrt();
        assert!((norm * rate.sqrt() / expected - 1.0).abs() < 1e-12);
        assert_eq!(build("consistency_deviator", 7.0), 7.0);
    }
}
