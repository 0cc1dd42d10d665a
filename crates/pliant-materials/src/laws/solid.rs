//! The family of solids given by their energy.

use pliant_math::Real;
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::yield_strength::{YIELD_DEVIATOR, YIELD_STRESS, optional_yield_deviator};
use super::{
    Corotated, LawKind, NeoHookean, POISSONS_RATIO, PolynomialNeoHookean, SaintVenantKirchhoff,
    StableNeoHookean, YOUNGS_MODULUS,
};
use crate::LameModuli;
use crate::strain_energy::{ElasticEnergy, Fibers, PlasticSplit, Plasticity};

/// What `strain-energy` takes: an isotropic elastic law, with fibres and plastic flow if a scene
/// says so.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    /// The isotropic elastic law.
    pub law: SolidLaw,
    /// Fibres: their energy comes on top, as a function of the whole deformation.
    pub fibers: Fibers,
    /// Plastic flow of what the isotropic law holds; `None`: the solid always springs back.
    pub plasticity: Option<Plasticity>,
    /// Strain of the way between neighbours beyond which it tears, > 0; `None`: never.
    pub tear_strain: Option<Real>,
}

macro_rules! solid_laws {
    ($($variant:ident),* $(,)?) => {
        /// The isotropic elastic law of a solid given by its energy.
        #[derive(Clone, Copy, Debug)]
        pub enum SolidLaw {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant)),*
        }

        impl Solid {
            /// The registry, a row a law.
            pub const KINDS: &'static [LawKind<Solid>] = &[$($variant::KIND),*];
        }

        /// Runs a body once with `$law` bound to the concrete law, so that loops inside are
        /// compiled for it: `dispatch_solid_law!(solid.law, |law| sweep(law, ...))`.
        #[macro_export]
        macro_rules! dispatch_solid_law {
            ($any:expr, |$law:ident| $body:expr) => {
                match $any {
                    $($crate::laws::SolidLaw::$variant($law) => $body),*
                }
            };
        }
    };
}

solid_laws!(
    NeoHookean,
    StableNeoHookean,
    PolynomialNeoHookean,
    Corotated,
    SaintVenantKirchhoff
);

const FLOW_RATE: Field = Field::number(
    "flow_rate",
    Range::POSITIVE,
    "1/s",
    600.0,
    "Rate at which elastic strain beyond yield turns plastic: loads slower than its inverse are limited to the yield stress, faster ones exceed it.",
);

/// Beyond this norm, lengths change by a factor of 10 and more.
const MAX_STRAIN_ACCEPTED: f64 = 3.0;

const MAX_PLASTIC_STRAIN: Field = Field::number(
    "max_plastic_strain",
    Range {
        with_high: true,
        ..Range::open(0.0, MAX_STRAIN_ACCEPTED)
    },
    "",
    0.5,
    "Greatest Frobenius norm of the plastic strain: 0.5 is a bar at 1.5 times its length. Beyond it the material is elastic again.",
);

const PLASTIC_SPLIT: Field = Field::new(
    "plastic_split",
    Kind::Choice(&["multiplicative", "additive"]),
    "",
    Preset::Text("multiplicative"),
    "Split of a deformation into elastic and plastic: `multiplicative` keeps volume under any flow; `additive` subtracts Green strains, as papers do, and loses 5 % of the volume at a plastic stretch of 1.18.",
);

/// Greatest norm of a plastic Green strain without trace for which every length stays positive.
const MAX_ADDITIVE_STRAIN: f64 = 0.5;

const TEAR_STRAIN: Field = Field::optional(
    "tear_strain",
    Kind::Number(Range::POSITIVE),
    "",
    "Strain of the bond between two neighbours at which it breaks; of a group of `shape-groups`, its greatest strain, at which it is taken away. If missing, nothing tears.",
);

impl Solid {
    /// The fields of every law of this family.
    pub(super) const FIELDS: &'static [Field] = &[
        YOUNGS_MODULUS,
        POISSONS_RATIO,
        Fibers::FIELD,
        YIELD_STRESS,
        YIELD_DEVIATOR,
        FLOW_RATE,
        MAX_PLASTIC_STRAIN,
        TEAR_STRAIN,
    ];

    /// The fields of the law whose strains can be subtracted.
    pub(super) const FIELDS_WITH_SPLIT: &'static [Field] = &[
        YOUNGS_MODULUS,
        POISSONS_RATIO,
        Fibers::FIELD,
        YIELD_STRESS,
        YIELD_DEVIATOR,
        FLOW_RATE,
        MAX_PLASTIC_STRAIN,
        PLASTIC_SPLIT,
        TEAR_STRAIN,
    ];

    /// An elastic law alone.
    pub fn elastic(law: SolidLaw) -> Self {
        Self {
            law,
            fibers: Fibers::NONE,
            plasticity: None,
            tear_strain: None,
        }
    }

    /// The law with what the family has in common.
    pub(super) fn from_values(law: SolidLaw, values: &Values) -> Result<Self, Problem> {
        Ok(Self {
            law,
            fibers: Fibers::from_values(values)?,
            plasticity: plasticity(values)?,
            tear_strain: values.optional_number(TEAR_STRAIN.name).map(|x| x as Real),
        })
    }

    /// The moduli that small strains show, without fibres.
    pub fn moduli(&self) -> LameModuli {
        dispatch_solid_law!(self.law, |law| law.moduli())
    }

    /// The greatest modulus [Pa] that small strains show in any direction, fibres included: what
    /// bounds the step.
    pub fn greatest_stiffness(&self) -> Real {
        self.moduli().compression_wave_modulus() + self.fibers.greatest_stiffness()
    }
}

/// Plastic flow, if the values say when it begins.
fn plasticity(values: &Values) -> Result<Option<Plasticity>, Problem> {
    let Some(yield_deviator) = optional_yield_deviator(values)? else {
        return Ok(None);
    };
    let split = match values.optional_text(PLASTIC_SPLIT.name) {
        Some("additive") => PlasticSplit::Additive,
        _ => PlasticSplit::Multiplicative,
    };
    let greatest = values.number(MAX_PLASTIC_STRAIN.name);
    if split == PlasticSplit::Additive && greatest > MAX_ADDITIVE_STRAIN {
        return Err(Problem::at(
            MAX_PLASTIC_STRAIN.name,
            format!("a plastic strain of {greatest} that is subtracted leaves lengths below zero"),
            format!("give at most {MAX_ADDITIVE_STRAIN}, or `plastic_split = \"multiplicative\"`"),
        ));
    }
    Ok(Some(Plasticity {
        yield_deviator: yield_deviator as Real,
        flow_rate: values.number(FLOW_RATE.name) as Real,
        max_plastic_strain: greatest as Real,
        split,
    }))
}
