//! The family of solids given by their energy.

use pliant_parameters::{Field, Problem, Values};

use super::{
    Corotated, LawKind, NeoHookean, POISSONS_RATIO, SaintVenantKirchhoff, StableNeoHookean,
    YOUNGS_MODULUS,
};

/// What `strain-energy` takes.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    /// The isotropic elastic law.
    pub law: SolidLaw,
}

impl Solid {
    /// The fields of every law of this family.
    pub(super) const FIELDS: &'static [Field] = &[YOUNGS_MODULUS, POISSONS_RATIO];

    /// The law with what the family has in common.
    pub(super) fn from_values(law: SolidLaw, _values: &Values) -> Result<Self, Problem> {
        Ok(Self { law })
    }
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
    Corotated,
    SaintVenantKirchhoff
);
