//! The laws, a file each, and the registry that scenes, schema, reference and tests read.

mod cam_clay;
mod cloth;
mod contact_friction;
mod corotated;
mod drucker_prager;
mod elastic;
mod herschel_bulkley;
mod neo_hookean;
mod newtonian;
mod polynomial_neo_hookean;
mod rigid;
mod saint_venant_kirchhoff;
mod snow;
mod solid;
mod springs;
mod stable_neo_hookean;
mod von_mises;
mod yield_strength;

pub use cam_clay::CamClay;
pub use cloth::ClothLaw;
pub use contact_friction::ContactFriction;
pub use corotated::Corotated;
pub use drucker_prager::{DruckerPrager, YieldSurface};
pub use elastic::Elastic;
pub use herschel_bulkley::HerschelBulkley;
pub use neo_hookean::NeoHookean;
pub use newtonian::Newtonian;
pub use polynomial_neo_hookean::PolynomialNeoHookean;
pub use rigid::Rigid;
pub use saint_venant_kirchhoff::SaintVenantKirchhoff;
pub use snow::Snow;
pub use solid::{Solid, SolidLaw};
pub use springs::{SpringLaw, Springs};
pub use stable_neo_hookean::StableNeoHookean;
pub use von_mises::VonMises;

use pliant_math::Real;
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use crate::{HenckyElasticity, LameModuli};

/// A row of the registry of a family of laws.
#[derive(Clone, Copy)]
pub struct LawKind<L> {
    /// Name in scene files, kebab case.
    pub name: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// Its parameters, moduli included; density belongs to every material and is not listed.
    pub fields: &'static [Field],
    /// Builds it from checked values.
    ///
    /// # Errors
    /// If values that are each in range do not go together.
    pub build: fn(&Values) -> Result<L, Problem>,
}

/// Young's modulus, a field of every elastic law.
pub(crate) const YOUNGS_MODULUS: Field = Field::required(
    "youngs_modulus",
    Kind::Number(Range::POSITIVE),
    "Pa",
    "Young's modulus: stiffness in tension and compression.",
);

/// Poisson's ratio, a field of every elastic law.
pub(crate) const POISSONS_RATIO: Field = Field::number(
    "poissons_ratio",
    Range::open(-1.0, 0.5),
    "",
    0.3,
    "Poisson's ratio: contraction across for axial extension.",
);

/// Moduli (Pa) whose squares and products with strains single precision holds; the stiffest
/// material known has 1e12.
const LEAST_MODULUS: Real = 1e-12;
const GREATEST_MODULUS: Real = 1e18;

/// A law of any family.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// What `xpbi` takes.
    Hencky(HenckyLaw),
    /// What `fluid` takes.
    Newtonian(Newtonian),
    /// Grains without a continuum.
    ContactFriction(ContactFriction),
    /// What `cloth` takes.
    Cloth(ClothLaw),
    /// What `strain-energy` takes.
    Solid(Solid),
    /// What `springs` takes.
    Springs(Springs),
    /// What `rigid` takes.
    Rigid(Rigid),
    /// That of a method of another crate: its parameters are in the structure of the body.
    External,
}

/// What can be told about a law without its parameters' values.
#[derive(Clone, Copy)]
pub struct LawInfo {
    /// Name in scene files.
    pub name: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// Its parameters.
    pub fields: &'static [Field],
}

impl Law {
    /// The laws of all families.
    pub fn all() -> impl Iterator<Item = LawInfo> {
        let fluids = Newtonian::KINDS.iter().map(LawKind::info);
        let grains = ContactFriction::KINDS.iter().map(LawKind::info);
        let hencky = HenckyLaw::KINDS.iter().map(LawKind::info);
        let cloth = std::iter::once(ClothLaw::KIND.info());
        let solids = Solid::KINDS.iter().map(LawKind::info);
        let springs = Springs::KINDS.iter().map(LawKind::info);
        hencky
            .chain(fluids)
            .chain(grains)
            .chain(cloth)
            .chain(solids)
            .chain(springs)
            .chain(std::iter::once(Rigid::KIND.info()))
    }

    /// Builds the law of a name from checked values; `None` if there is none of this name.
    ///
    /// # Errors
    /// If values that are each in range do not go together.
    pub fn build(name: &str, values: &Values) -> Option<Result<Self, Problem>> {
        if let Some(kind) = HenckyLaw::KINDS.iter().find(|kind| kind.name == name) {
            return Some((kind.build)(values).map(Self::Hencky));
        }
        if let Some(kind) = Newtonian::KINDS.iter().find(|kind| kind.name == name) {
            return Some((kind.build)(values).map(Self::Newtonian));
        }
        if name == ClothLaw::NAME {
            return Some((ClothLaw::KIND.build)(values));
        }
        if let Some(kind) = Solid::KINDS.iter().find(|kind| kind.name == name) {
            return Some((kind.build)(values).map(Self::Solid));
        }
        if let Some(kind) = Springs::KINDS.iter().find(|kind| kind.name == name) {
            return Some((kind.build)(values).map(Self::Springs));
        }
        if name == Rigid::KIND.name {
            return Some((Rigid::KIND.build)(values).map(Self::Rigid));
        }
        let grains = ContactFriction::KINDS.iter().find(|k| k.name == name)?;
        Some((grains.build)(values).map(Self::ContactFriction))
    }

    /// The law if it is one of `xpbi`.
    pub fn hencky(&self) -> Option<&HenckyLaw> {
        match self {
            Self::Hencky(law) => Some(law),
            _ => None,
        }
    }

    /// The law if it is that of `cloth`.
    pub fn cloth(&self) -> Option<&ClothLaw> {
        match self {
            Self::Cloth(law) => Some(law),
            _ => None,
        }
    }

    /// The law if it is one of `springs`.
    pub fn springs(&self) -> Option<&Springs> {
        match self {
            Self::Springs(law) => Some(law),
            _ => None,
        }
    }

    /// The law if it is one of `strain-energy`.
    pub fn solid(&self) -> Option<&Solid> {
        match self {
            Self::Solid(law) => Some(law),
            _ => None,
        }
    }
}

impl<L> LawKind<L> {
    /// The row without what depends on the family.
    pub fn info(&self) -> LawInfo {
        LawInfo {
            name: self.name,
            doc: self.doc,
            fields: self.fields,
        }
    }
}

impl From<HenckyLaw> for Law {
    fn from(law: HenckyLaw) -> Self {
        Self::Hencky(law)
    }
}

macro_rules! hencky_laws {
    ($($variant:ident),* $(,)?) => {
        /// Any law that `xpbi` takes.
        #[derive(Clone, Copy, Debug)]
        pub enum HenckyLaw {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant)),*
        }

        impl HenckyLaw {
            /// The registry, a row a law.
            pub const KINDS: &'static [LawKind<HenckyLaw>] = &[$($variant::KIND),*];

            /// False if its return mapping returns its input unchanged, always.
            pub fn is_plastic(&self) -> bool {
                match self {
                    $(Self::$variant(_) => <$variant as $crate::ReturnMapping>::IS_PLASTIC),*
                }
            }
        }

        /// Runs a body once with `$law` bound to the concrete law, so that loops inside are
        /// compiled for it: `dispatch_hencky_law!(law, |law| sweep(law, ...))`.
        #[macro_export]
        macro_rules! dispatch_hencky_law {
            ($any:expr, |$law:ident| $body:expr) => {
                match $any {
                    $($crate::laws::HenckyLaw::$variant($law) => $body),*
                }
            };
        }
    };
}

hencky_laws!(
    Elastic,
    VonMises,
    DruckerPrager,
    HerschelBulkley,
    CamClay,
    Snow
);

/// The moduli of a Hencky law, refused where the solver's precision cannot hold them.
fn hencky_elasticity(values: &Values) -> Result<HenckyElasticity, Problem> {
    lame_moduli(values).map(HenckyElasticity::from)
}

/// The moduli of an elastic law, refused where the solver's precision cannot hold them.
fn lame_moduli(values: &Values) -> Result<LameModuli, Problem> {
    let youngs_modulus = values.number(YOUNGS_MODULUS.name);
    let moduli = LameModuli::from_youngs(youngs_modulus, values.number(POISSONS_RATIO.name));
    let both = [moduli.shear_modulus, moduli.bulk_modulus()];
    if both
        .iter()
        .all(|m| (LEAST_MODULUS..GREATEST_MODULUS).contains(m))
    {
        return Ok(moduli);
    }
    Err(Problem::at(
        YOUNGS_MODULUS.name,
        format!(
            "Young's modulus {youngs_modulus:e} Pa and Poisson's ratio {} give a shear modulus of {:e} Pa and a bulk modulus of {:e} Pa",
            values.number(POISSONS_RATIO.name),
            moduli.shear_modulus,
            moduli.bulk_modulus()
        ),
        format!("both must lie between {LEAST_MODULUS:e} and {GREATEST_MODULUS:e} Pa"),
    ))
}
