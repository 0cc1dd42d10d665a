//! The laws, a file each, and the registry that scenes, schema, reference and tests read.

mod elastic;

pub use elastic::Elastic;

use pliant_parameters::{Field, Kind, Problem, Range, Values};

/// A row of the law registry.
#[derive(Clone, Copy)]
pub struct LawKind {
    /// Name in scene files, kebab case.
    pub name: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// Its parameters, elastic moduli included; density belongs to every material and is not listed.
    pub fields: &'static [Field],
    /// Builds it from checked values.
    pub build: fn(&Values) -> Result<HenckyLaw, Problem>,
}

/// Young's modulus, a field of every Hencky law.
pub(crate) const YOUNGS_MODULUS: Field = Field::required(
    "youngs_modulus",
    Kind::Number(Range::POSITIVE),
    "Pa",
    "Young's modulus: stiffness in tension and compression.",
);

/// Poisson's ratio, a field of every Hencky law.
pub(crate) const POISSONS_RATIO: Field = Field::number(
    "poissons_ratio",
    Range::open(-1.0, 0.5),
    "",
    0.3,
    "Poisson's ratio: contraction across for extension along.",
);

macro_rules! hencky_laws {
    ($($variant:ident),* $(,)?) => {
        /// Any law that `xpbi` takes.
        #[derive(Clone, Copy, Debug)]
        pub enum HenckyLaw {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant)),*
        }

        impl HenckyLaw {
            /// The registry, a row a law.
            pub const KINDS: &'static [LawKind] = &[$($variant::KIND),*];
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

hencky_laws!(Elastic);
