//! Drucker-Prager plasticity with cohesion and volume correction: sand and soil.

mod section;
#[cfg(test)]
mod tests;

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::{HenckyLaw, LawKind, POISSONS_RATIO, YOUNGS_MODULUS, hencky_elasticity};
use crate::{HenckyElasticity, ReturnMapping};
use section::Section;
pub use section::YieldSurface;

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
///
/// The cone is round, or its slope depends on the Lode angle ([`YieldSurface`]). Either way e keeps its
/// direction and the pressure stays: the flow follows the stress deviator and keeps volume, where a flow
/// associated with a cone would gain volume, and one with corners would turn the deviator.
// Klar et al. 2016, Tampubolon et al. 2017 (volume correction), Yu et al. 2024, table 2 (c0 = c).
#[derive(Clone, Copy, Debug)]
pub struct DruckerPrager {
    /// Elastic moduli.
    pub elasticity: HenckyElasticity,
    /// Cohesion strain c: the tip lies at `eps = c I`, pressure -3 K c; in [0, 1].
    pub cohesion_strain: Real,
    /// True if volume gained beyond the tip is remembered.
    pub volume_correction: bool,
    /// Greatest |dev eps|_F a unit of `3 c - tr eps`, in triaxial compression.
    slope: Real,
    /// What the cone bears elsewhere; `None`: as much.
    section: Option<Section>,
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
            YIELD_SURFACE,
        ],
        build: |values: &Values| {
            let elasticity = hencky_elasticity(values)?;
            Ok(HenckyLaw::DruckerPrager(Self::new(
                elasticity,
                yield_surface(values),
                // Angles are in degrees in files and in radians from here on.
                values.number(FRICTION_ANGLE.name).to_radians(),
                cohesion_strain(values, &elasticity)?,
                values.flag(VOLUME_CORRECTION.name),
            )))
        },
    };

    /// From elastic moduli, the surface, the friction angle (rad) in [0, pi/2), and the cohesion strain
    /// in [0, 1].
    pub fn new(
        elasticity: HenckyElasticity,
        surface: YieldSurface,
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
            section: Section::new(surface, sine),
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
        let greatest_norm = N::splat(-self.slope) * beyond_tip * self.share(deviator, norm);
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
        let deviator = strain.deviator();
        let norm = deviator.norm();
        let excess = norm + self.slope * beyond_tip * self.share(deviator, norm);
        2.0 * self.elasticity.shear_modulus * excess.max(beyond_tip)
    }
}

impl DruckerPrager {
    /// What the cone bears in the direction of a deviator over what it bears in triaxial compression.
    #[inline(always)]
    fn share<N: Number>(&self, deviator: SymMat3<N>, norm: N) -> N {
        match self.section {
            None => N::splat(1.0),
            // Shorter ones, whose square is no normal number, count as this long: then they are no unit
            // long, and harmless.
            Some(section) => {
                let length = norm.max(N::splat(Real::MIN_POSITIVE.sqrt()));
                section.share(deviator * (N::splat(1.0) / length))
            }
        }
    }

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
    "Whether volume gained in free flight must be recovered before the material carries pressure again; at most 0.2 of logarithmic strain is stored.",
);

const YIELD_SURFACE: Field = Field::new(
    "yield_surface",
    Kind::Choice(&["drucker-prager", "matsuoka-nakai", "mohr-coulomb"]),
    "",
    Preset::Text("drucker-prager"),
    "Yield surface. All three agree in triaxial compression, where `friction_angle` is measured. `drucker-prager` does not depend on the intermediate stress: sand of 30 degrees shears at 34.7. `matsuoka-nakai` also agrees in triaxial extension: it shears at 29.0. `mohr-coulomb` also agrees in plane strain, within a degree up to 40: it shears at atan(sin 30) = 26.6.",
);

fn yield_surface(values: &Values) -> YieldSurface {
    match values.optional_text(YIELD_SURFACE.name) {
        Some("matsuoka-nakai") => YieldSurface::MatsuokaNakai,
        Some("mohr-coulomb") => YieldSurface::MohrCoulomb,
        _ => YieldSurface::DruckerPrager,
    }
}

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
