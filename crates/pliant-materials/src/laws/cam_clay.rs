//! Non-associated Cam-Clay with hardening and softening: snow, soil, brittle candy.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3, sinh};
use pliant_parameters::{Field, Kind, Range, Values};

use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// Least consolidation pressure, as a share of the bulk modulus.
const LEAST_CONSOLIDATION: Real = 1e-5;

/// Greatest argument of the hyperbolic sine: a consolidation pressure of 1490 bulk moduli.
const GREATEST_HARDENING: Real = 8.0;

/// Porous or brittle matter that fails in shear, in tension and under pressure.
///
/// With p = -K tr(eps) and q = sqrt(6) mu |dev eps| the admissible stresses are the ellipse
///
/// `(1 + 2 beta) q^2 + M^2 (p + beta p0)(p - p0) <= 0`,  `p0 = K (1e-5 + sinh(xi max(-a, 0)))`,
///
/// between the tension beta p0 and the consolidation pressure p0. Beyond a tip everything else is
/// lost; between them the deviator shrinks onto the ellipse at the same p: the flow keeps volume,
/// which makes the law non-associated. The state a is the logarithm of the plastic volume change, and
/// follows the point where the line from the centre of the ellipse to the trial stress leaves it:
/// pressed matter hardens, sheared or torn matter softens, down to grains that carry no tension.
// Wolper et al. 2019, restated in Hencky strain: equal to theirs to first order in strain.
#[derive(Clone, Copy, Debug)]
pub struct CamClay {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
    /// a at the start, <= 0.
    pub initial_volume_strain: Real,
    /// beta: strength in tension over that in compression, >= 0.
    pub cohesion_ratio: Real,
    /// xi, > 0.
    pub hardening: Real,
    /// M: q over p of the critical state, > 0.
    pub critical_state_slope: Real,
}

impl CamClay {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "cam-clay",
        doc: "Hencky elasticity with non-associated Cam-Clay plasticity, which hardens under pressure and softens when it is torn: snow, soil, brittle candy.",
        fields: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            INITIAL_VOLUME_STRAIN,
            COHESION_RATIO,
            HARDENING,
            CRITICAL_STATE_SLOPE,
        ],
        build: |values: &Values| {
            let number = |field: Field| values.number(field.name) as Real;
            Ok(HenckyLaw::CamClay(Self {
                elasticity: hencky_elasticity(values)?,
                initial_volume_strain: number(INITIAL_VOLUME_STRAIN),
                cohesion_ratio: number(COHESION_RATIO),
                hardening: number(HARDENING),
                critical_state_slope: number(CRITICAL_STATE_SLOPE),
            }))
        },
    };

    /// The pressure p0 (Pa) at which the material gives way at a state.
    #[inline(always)]
    pub fn consolidation_pressure<N: Number>(&self, state: N) -> N {
        let packed = (-state).max(N::ZERO) * N::splat(self.hardening);
        let share = sinh(packed.min(N::splat(GREATEST_HARDENING))) + N::splat(LEAST_CONSOLIDATION);
        share * N::splat(self.elasticity.bulk_modulus())
    }

    /// q (Pa) over the norm of the strain deviator.
    fn shear_factor(&self) -> Real {
        Real::sqrt(6.0) * self.elasticity.shear_modulus
    }
}

impl ReturnMapping for CamClay {
    const IS_PLASTIC: bool = true;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    fn initial_state(&self) -> Real {
        self.initial_volume_strain
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        let trace = trial.trace();
        let deviator = trial - SymMat3::isotropic(trace * N::splat(1.0 / 3.0));
        let compliance = N::splat(1.0 / self.elasticity.bulk_modulus());
        let p = trace * N::splat(-self.elasticity.bulk_modulus());
        let q = deviator.norm() * N::splat(self.shear_factor());
        let greatest = self.consolidation_pressure(state);
        let least = greatest * N::splat(-self.cohesion_ratio);

        let slope = self.critical_state_slope / Real::sqrt(1.0 + 2.0 * self.cohesion_ratio);
        let square = ((p - least) * (greatest - p)).max(N::ZERO);
        let greatest_q = N::splat(slope) * square.sqrt();
        let is_inside = q.at_most(greatest_q);
        let shrunk = deviator * (greatest_q / q) + (trial - deviator);
        let strain = trial.or_where_not(is_inside, shrunk);

        // p_x - p: the ray from the centre leaves the ellipse at the share f of its way.
        let half = N::splat(0.5);
        let from_center = p - (greatest + least) * half;
        let across = q * N::splat(1.0 / slope);
        let length = (from_center * from_center + across * across).sqrt();
        let left = (greatest - least) * half / length;
        let change = from_center * (left - N::splat(1.0)) * compliance;
        let end_state = state.or_where_not(is_inside, state + change);

        // Beyond an end of the ellipse: to that end.
        let (is_crushed, is_torn) = (greatest.less(p), p.less(least));
        let tip = greatest.or_where_not(is_crushed, least) * compliance;
        let tip_strain = SymMat3::isotropic(tip * N::splat(-1.0 / 3.0));
        let tip_state = state + (trace + tip);
        let is_beyond = is_crushed | is_torn;
        (
            tip_strain.or_where_not(is_beyond, strain),
            tip_state.or_where_not(is_beyond, end_state),
        )
    }

    fn yield_excess(&self, strain: SymMat3, state: Real) -> Real {
        let p = -self.elasticity.bulk_modulus() * strain.trace();
        let q = self.shear_factor() * strain.deviator().norm();
        let greatest = self.consolidation_pressure(state);
        let least = -self.cohesion_ratio * greatest;
        // The distance to the ellipse to first order: its function over the length of the gradient.
        let slope_square = self.critical_state_slope * self.critical_state_slope;
        let flatness = 1.0 + 2.0 * self.cohesion_ratio;
        let function = flatness * q * q + slope_square * (p - least) * (p - greatest);
        let gradient = (2.0 * flatness * q).hypot(slope_square * (2.0 * p - greatest - least));
        (function / gradient).max(p - greatest).max(least - p)
    }
}

const INITIAL_VOLUME_STRAIN: Field = Field::number(
    "initial_volume_strain",
    Range {
        with_high: true,
        ..Range::open(f64::NEG_INFINITY, 0.0)
    },
    "",
    -0.01,
    "Logarithm of the plastic volume change at the start, the alpha0 of papers: the further below 0, the stronger; at 0 it has hardly any strength.",
);

const COHESION_RATIO: Field = Field::number(
    "cohesion_ratio",
    Range::NOT_NEGATIVE,
    "",
    0.5,
    "Strength in tension over strength in compression, the beta of papers; 0 carries no tension.",
);

const HARDENING: Field = Field::number(
    "hardening",
    Range::POSITIVE,
    "",
    1.0,
    "Growth of strength with plastic compression, the xi of papers: the strength in compression is K (1e-5 + sinh(-hardening times the logarithm of the plastic volume change)) with the bulk modulus K.",
);

const CRITICAL_STATE_SLOPE: Field = Field::required(
    "critical_state_slope",
    Kind::Number(Range::POSITIVE),
    "",
    "Slope M of the critical state line; 6 sin(phi)/(3 - sin(phi)) for the friction angle phi: 1.2 for 30 degrees, 1.85 for 45.",
);

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of a path and what they are held to: an explicit state is as close as its steps are
    /// short, and single precision does not add up ten times as many.
    const STEPS: usize = if size_of::<Real>() == 8 {
        100_000
    } else {
        10_000
    };
    const BOUND: f64 = if size_of::<Real>() == 8 { 1e-4 } else { 1e-3 };

    fn law(cohesion_ratio: Real, hardening: Real) -> CamClay {
        CamClay {
            elasticity: HenckyElasticity::from_youngs(2e4, 0.35),
            initial_volume_strain: -0.02,
            cohesion_ratio,
            hardening,
            critical_state_slope: 1.85,
        }
    }

    fn bulk(law: &CamClay) -> f64 {
        f64::from(law.elasticity.bulk_modulus())
    }

    /// p0 (Pa) in double precision.
    fn consolidation(law: &CamClay, state: f64) -> f64 {
        bulk(law) * (1e-5 + libm::sinh(f64::from(law.hardening) * (-state).max(0.0)))
    }

    /// Strain and state after a strain that was added in steps.
    fn led(law: &CamClay, mut strain: SymMat3, mut state: Real, added: SymMat3) -> (SymMat3, Real) {
        for _ in 0..STEPS {
            (strain, state) = law.project(strain + added * (1.0 / STEPS as Real), state, 1.0);
        }
        (strain, state)
    }

    #[test]
    fn hydrostatic_compression_follows_its_integral() {
        for (law, volume) in [(law(0.5, 1.0), -0.06), (law(0.05, 10.0), -0.24)] {
            let added = SymMat3::isotropic(volume / 3.0);
            let (strain, state) = led(&law, SymMat3::ZERO, law.initial_state(), added);
            let pressure = -bulk(&law) * f64::from(strain.trace());
            // All of the volume is elastic or plastic: volume = a - a0 - p0(a)/K, solved by bisection.
            let (mut low, mut high) = (-0.3, f64::from(law.initial_state()));
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let strains = middle
                    - f64::from(law.initial_state())
                    - consolidation(&law, middle) / bulk(&law);
                if strains < f64::from(volume) {
                    low = middle
                } else {
                    high = middle
                }
            }
            assert!(
                (f64::from(state) / low - 1.0).abs() < BOUND,
                "{state} {low}"
            );
            let exact = consolidation(&law, low);
            assert!(
                (pressure / exact - 1.0).abs() < 2.0 * BOUND,
                "{pressure} {exact}"
            );
        }
    }

    #[test]
    fn hydrostatic_tension_softens_until_nothing_is_carried() {
        let law = law(0.5, 1.0);
        let (strain, state) = led(&law, SymMat3::ZERO, -0.02, SymMat3::isotropic(0.02));
        // The pieces part when the plastic volume has come back to where nothing was pressed.
        let tension = bulk(&law) * f64::from(strain.trace());
        assert!(
            (tension / (0.5 * 1e-5 * bulk(&law)) - 1.0).abs() < 1e-2,
            "{tension}"
        );
        assert!((f64::from(state) - (0.06 - 0.02)).abs() < 1e-4, "{state}");
    }

    #[test]
    fn triaxial_shear_at_constant_pressure_follows_its_integral() {
        // Share of p0 that the sample is under: beyond half it hardens, below it softens.
        for (share, hardens) in [(0.8, true), (0.1, false)] {
            let law = law(0.5, 1.0);
            let pressure = share * consolidation(&law, -0.02);
            let start = SymMat3::isotropic((-pressure / (3.0 * bulk(&law))) as Real);
            let stroke = 0.03;
            let direction = SymMat3::diagonal(-2.0, 1.0, 1.0) * (1.0 / Real::sqrt(6.0));
            let (strain, state) = led(&law, start, -0.02, direction * stroke);
            let exact = sheared(&law, pressure, f64::from(stroke));
            assert_eq!(exact < -0.02, hardens);
            assert!(
                (f64::from(state) / exact - 1.0).abs() < BOUND,
                "{state} {exact}"
            );
            let q = f64::from(law.shear_factor() * strain.deviator().norm());
            let surface = greatest_shear(&law, pressure, exact);
            assert!((q / surface - 1.0).abs() < 2.0 * BOUND, "{q} {surface}");
        }
    }

    fn slope(law: &CamClay) -> f64 {
        f64::from(law.critical_state_slope) / (1.0 + 2.0 * f64::from(law.cohesion_ratio)).sqrt()
    }

    /// q (Pa) on the surface of a state.
    fn greatest_shear(law: &CamClay, p: f64, state: f64) -> f64 {
        let (p0, beta) = (consolidation(law, state), f64::from(law.cohesion_ratio));
        slope(law) * ((p + beta * p0) * (p0 - p)).sqrt()
    }

    /// The state after a stroke |dev eps| at constant pressure, by Runge-Kutta. In the limit of short
    /// steps the ray from the centre (pc, 0) to a stress dq beyond the surface S leaves it at
    /// p - (p - pc) q dq/B^2, and dq is what of the stroke does not raise S itself.
    fn sheared(law: &CamClay, p: f64, stroke: f64) -> f64 {
        let factor = f64::from(law.shear_factor());
        let rate = |state: f64| {
            let (p0, beta) = (consolidation(law, state), f64::from(law.cohesion_ratio));
            let (center, radius) = (0.5 * (1.0 - beta) * p0, 0.5 * (1.0 + beta) * p0);
            let shear = greatest_shear(law, p, state);
            let hardening = f64::from(law.hardening);
            let p0_change = -bulk(law) * hardening * libm::cosh(hardening * state);
            let surface_change = slope(law) * slope(law) / (2.0 * shear)
                * (beta * (p0 - p) + p + beta * p0)
                * p0_change;
            let b = slope(law) * radius;
            let turn = -(p - center) * shear / (b * b * bulk(law));
            turn * factor / (1.0 + turn * surface_change)
        };
        let mut state = f64::from(law.initial_volume_strain);
        let steps = 10_000;
        let step = (stroke - greatest_shear(law, p, state) / factor) / f64::from(steps);
        for _ in 0..steps {
            let a = rate(state);
            let b = rate(state + 0.5 * step * a);
            let c = rate(state + 0.5 * step * b);
            let d = rate(state + step * c);
            state += step / 6.0 * (a + 2.0 * (b + c) + d);
        }
        state
    }

    #[test]
    fn projection_at_a_frozen_state_is_idempotent() {
        let law = law(0.5, 1.0);
        for trial in [
            SymMat3::new(0.1, -0.3, 0.05, 0.2, 0.0, -0.1),
            SymMat3::new(-0.01, -0.005, 0.0, 0.01, 0.02, 0.0),
            SymMat3::isotropic(0.1),
            SymMat3::isotropic(-0.1),
        ] {
            let (once, _) = law.project(trial, -0.02, 1.0);
            let (twice, _) = law.project(once, -0.02, 1.0);
            assert!(
                (twice - once).norm() < 16.0 * Real::EPSILON * trial.norm(),
                "{once:?}"
            );
        }
    }
}
