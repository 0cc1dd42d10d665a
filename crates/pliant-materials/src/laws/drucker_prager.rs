//! Drucker-Prager plasticity with cohesion and volume correction: sand and soil.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};

/// Greatest logarithmic volume gain that is remembered: grains that fly apart count as this loose,
/// so that a heap they land on does not have to take up all of their flight.
const VOLUME_GAIN_CAP: Real = 0.2;

/// Sand: friction bounds the shear stress by the pressure, cohesion lets it carry some tension.
///
/// With t = tr(eps), e = dev(eps), n = |e|_F and the cohesion strain c, the admissible strains are
/// the cone `n <= slope (3 c - t)` with its tip at `eps = c I`. The state is the logarithmic volume
/// gain v: what a parcel expanded without stress beyond the tip, which must be taken back before it
/// carries pressure again. So the cone is tested at t + v:
///
/// * beyond the tip (t + v >= 3 c): eps = c I, v = t + v - 3 c, at most 0.2;
/// * inside the cone: nothing changes;
/// * otherwise: e shrinks onto the cone, t takes up v, and v = 0.
///
/// Without volume correction v stays 0. Projecting the result again, with the new v, changes
/// nothing.
// Klar et al. 2016, Tampubolon et al. 2017 (volume correction), Yu et al. 2024, table 2 (c0 = c).
#[derive(Clone, Copy, Debug)]
pub struct DruckerPrager {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
    /// Cohesion strain c: the tip lies at `eps = c I`, pressure -3 K c; in [0, 1].
    pub cohesion_strain: Real,
    /// True if volume gained beyond the tip is remembered.
    pub volume_correction: bool,
    /// Greatest |dev eps|_F a unit of `3 c - tr eps`.
    slope: Real,
}

impl DruckerPrager {
    pub(super) const KIND: LawKind<HenckyLaw> = LawKind {
        name: "drucker-prager",
        doc: "Hencky elasticity with dry friction, optional cohesion and volume correction: sand, soil. At most one of `cohesion` and `cohesion_strain` is given; without either there is none.",
        fields: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            FRICTION_ANGLE,
            COHESION,
            COHESION_STRAIN,
            VOLUME_CORRECTION,
        ],
        build: |values: &Values| {
            let elasticity = hencky_elasticity(values)?;
            Ok(HenckyLaw::DruckerPrager(Self::new(
                elasticity,
                // Angles are in degrees in files and in radians from here on.
                values.number(FRICTION_ANGLE.name).to_radians(),
                cohesion_strain(values, &elasticity)?,
                values.flag(VOLUME_CORRECTION.name),
            )))
        },
    };

    /// From elastic moduli, the friction angle (rad) in [0, pi/2), and the cohesion strain in [0, 1].
    pub fn new(
        elasticity: HenckyElasticity,
        friction_angle: f64,
        cohesion_strain: Real,
        volume_correction: bool,
    ) -> Self {
        // The cone through the compressive edges of the Mohr-Coulomb pyramid (Klar et al. 2016).
        let sine = libm::sin(friction_angle);
        let alpha = ((2.0_f64 / 3.0).sqrt() * 2.0 * sine / (3.0 - sine)) as Real;
        let lambda_over_mu = elasticity.lame_lambda / elasticity.shear_modulus;
        Self {
            elasticity,
            cohesion_strain,
            volume_correction,
            slope: alpha * (1.5 * lambda_over_mu + 1.0),
        }
    }
}

impl ReturnMapping for DruckerPrager {
    const IS_PLASTIC: bool = true;
    const ADMITS_HALF_GRADIENTS: bool = true;

    fn elasticity(&self) -> HenckyElasticity {
        self.elasticity
    }

    #[inline(always)]
    fn project<N: Number>(&self, trial: SymMat3<N>, state: N, _dt: Real) -> (SymMat3<N>, N) {
        let trace = trial.trace();
        let deviator = trial - SymMat3::isotropic(trace * N::splat(1.0 / 3.0));
        let norm = deviator.norm();
        let beyond_tip = trace + state - N::splat(3.0 * self.cohesion_strain);
        let greatest_norm = N::splat(-self.slope) * beyond_tip;
        let is_beyond_tip = N::ZERO.at_most(beyond_tip);
        let is_inside = norm.at_most(greatest_norm);

        let mean = (trace + state) * N::splat(1.0 / 3.0);
        let on_cone = deviator * (greatest_norm / norm) + SymMat3::isotropic(mean);
        let tip = SymMat3::isotropic(N::splat(self.cohesion_strain));
        let strain = trial.or_where_not(is_inside, on_cone);
        let end_state = state.or_where_not(is_inside, N::ZERO);
        let gain = self.remembered_gain(beyond_tip);
        (
            tip.or_where_not(is_beyond_tip, strain),
            gain.or_where_not(is_beyond_tip, end_state),
        )
    }

    fn yield_excess(&self, strain: SymMat3, _state: Real) -> Real {
        let beyond_tip = strain.trace() - 3.0 * self.cohesion_strain;
        let excess = strain.deviator().norm() + self.slope * beyond_tip;
        2.0 * self.elasticity.shear_modulus * excess.max(beyond_tip)
    }
}

impl DruckerPrager {
    #[inline(always)]
    fn remembered_gain<N: Number>(&self, gain: N) -> N {
        if self.volume_correction {
            gain.min(N::splat(VOLUME_GAIN_CAP))
        } else {
            N::ZERO
        }
    }
}

const FRICTION_ANGLE: Field = Field::required(
    "friction_angle",
    Kind::Number(Range::from_to(0.0, 89.0)),
    "degrees",
    "Angle of internal friction: about 30 for dry sand; 0 carries no shear at all.",
);

const COHESION: Field = Field::optional(
    "cohesion",
    Kind::Number(Range::NOT_NEGATIVE),
    "Pa",
    "Tension that the material carries equally in all directions: the tip of the cone lies at pressure -cohesion.",
);

const COHESION_STRAIN: Field = Field::optional(
    "cohesion_strain",
    Kind::Number(Range::closed(0.0, 1.0)),
    "",
    "Logarithmic strain of each axis at the tip of the cone, the c0 of papers; cohesion / (3 K) with the bulk modulus K.",
);

const VOLUME_CORRECTION: Field = Field::new(
    "volume_correction",
    Kind::Flag,
    "",
    Preset::Flag(true),
    "Whether volume gained in free flight must be taken back before the material carries pressure again; at most 0.2 of logarithmic strain is remembered.",
);

fn cohesion_strain(values: &Values, elasticity: &HenckyElasticity) -> Result<Real, Problem> {
    let cohesion = values.optional_number(COHESION.name);
    let strain = values.optional_number(COHESION_STRAIN.name);
    match (cohesion, strain) {
        (None, strain) => Ok(strain.unwrap_or(0.0) as Real),
        (Some(cohesion), None) => strain_of_cohesion(cohesion, elasticity),
        (Some(cohesion), Some(strain)) => Err(Problem::at(
            COHESION_STRAIN.name,
            format!(
                "both `cohesion` = {cohesion} and `cohesion_strain` = {strain} say how much tension the material carries"
            ),
            "remove one of them; `cohesion_strain` is cohesion / (3 K)",
        )),
    }
}

fn strain_of_cohesion(cohesion: f64, elasticity: &HenckyElasticity) -> Result<Real, Problem> {
    let greatest = 3.0 * elasticity.bulk_modulus();
    let strain = cohesion as Real / greatest;
    if strain <= 1.0 {
        return Ok(strain);
    }
    Err(Problem::at(
        COHESION.name,
        format!("a cohesion of {cohesion:e} Pa strains every axis by more than 1 before it breaks"),
        format!("it must be at most three times the bulk modulus, {greatest:e} Pa"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_parameters::Value;

    fn build(angle: f64, more: &[(&str, Value)]) -> DruckerPrager {
        let mut values = Values::default();
        values.insert("youngs_modulus", Value::Number(1e6));
        values.insert("poissons_ratio", Value::Number(0.3));
        values.insert("friction_angle", Value::Number(angle));
        values.insert("volume_correction", Value::Flag(true));
        for (key, value) in more {
            values.insert(*key, value.clone());
        }
        match (DruckerPrager::KIND.build)(&values) {
            Ok(HenckyLaw::DruckerPrager(law)) => law,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn squeezed_cylinder_fails_at_the_mohr_coulomb_ratio() {
        for (angle, ratio) in [
            (0.0, 1.0),
            (20.0, 2.039_607),
            (30.0, 3.0),
            (45.0, 5.828_427),
        ] {
            let law = build(angle, &[]);
            // Pressed along x, bulging along y and z.
            let trial = SymMat3::diagonal(-0.1, 0.03, 0.03);
            let (strain, _) = law.project(trial, 0.0, 1.0);
            let stress = law.elasticity.kirchhoff_stress(strain);
            let found = stress.xx / stress.yy;
            assert!(
                (found / ratio - 1.0).abs() < 1e-3,
                "{angle} degrees: {found}"
            );
        }
    }

    #[test]
    fn without_friction_only_pressure_is_carried() {
        let law = build(0.0, &[]);
        let trial = SymMat3::new(-0.1, -0.2, -0.05, 0.03, 0.02, 0.01);
        let (strain, _) = law.project(trial, 0.0, 1.0);
        assert!(strain.deviator().norm() < Real::EPSILON);
        assert!((strain.trace() - trial.trace()).abs() < 1e-6);
    }

    #[test]
    fn cohesive_material_breaks_at_its_cohesion() {
        let law = build(30.0, &[("cohesion", Value::Number(500.0))]);
        let (strain, _) = law.project(SymMat3::diagonal(0.1, 0.2, 0.1), 0.0, 1.0);
        let stress = law.elasticity.kirchhoff_stress(strain);
        for tension in [stress.xx, stress.yy, stress.zz] {
            assert!((tension - 500.0).abs() < 1e-2, "{tension}");
        }
    }

    #[test]
    fn cohesion_and_its_strain_say_the_same() {
        let law = build(30.0, &[("cohesion_strain", Value::Number(2e-4))]);
        let pascal = 3.0 * 2e-4 * 1e6 / (3.0 * (1.0 - 0.6));
        let same = build(30.0, &[("cohesion", Value::Number(pascal))]);
        assert!((same.cohesion_strain / law.cohesion_strain - 1.0).abs() < 1e-5);
    }

    #[test]
    fn gained_volume_is_taken_back_before_pressure_returns() {
        let law = build(30.0, &[]);
        let press = |trace: Real, state: Real| {
            let (strain, state) = law.project(SymMat3::isotropic(trace / 3.0), state, 1.0);
            (strain.trace(), state)
        };
        let (trace, gain) = press(0.05, law.initial_state());
        assert!(trace == 0.0 && (gain - 0.05).abs() < 1e-6, "{trace} {gain}");
        let (trace, gain) = press(-0.02, gain);
        assert!(trace == 0.0 && (gain - 0.03).abs() < 1e-6, "{trace} {gain}");
        let (trace, _) = law.project(SymMat3::diagonal(-0.07, 0.0, 0.0), gain, 1.0);
        assert!((trace.trace() + 0.04).abs() < 1e-6, "{trace:?}");
    }

    #[test]
    fn remembered_gain_is_capped_and_can_be_switched_off() {
        let flight = SymMat3::isotropic(1.0);
        assert_eq!(
            build(30.0, &[]).project(flight, 0.1, 1.0).1,
            VOLUME_GAIN_CAP
        );
        let forgetful = build(30.0, &[("volume_correction", Value::Flag(false))]);
        assert_eq!(forgetful.project(flight, 0.0, 1.0).1, 0.0);
    }

    #[test]
    fn friction_angle_is_accepted_from_zero_to_below_89_degrees() {
        let Kind::Number(range) = FRICTION_ANGLE.kind else {
            panic!("not a number");
        };
        assert!(range.contains(0.0) && range.contains(88.9));
        assert!(!range.contains(-0.1) && !range.contains(89.0) && !range.contains(90.0));
    }
}
