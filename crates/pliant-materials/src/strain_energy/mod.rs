//! Solids given by their energy, as a function of the deformation gradient.

mod deformation;
mod fibers;
mod inversion;
mod muscle_fiber;
mod plasticity;
mod polar;
mod tangent;

pub use deformation::Deformation;
pub use fibers::{FiberField, Fibers, GREATEST_FAMILIES};
use inversion::response_to;
pub use inversion::{Response, bare_response, response};
pub use muscle_fiber::{ACTIVE_RANGE, FiberResponse, MuscleFiber};
pub use plasticity::{PlasticSplit, Plasticity, elastic_gradient, subtracted, whole_stress};
pub(crate) use polar::{biot_strain, rotation};
pub use tangent::Tangent;

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real};

use crate::LameModuli;

/// What the part of an energy with lambda resists: the gradient of it by F is the direction in which material that is
/// nearly incompressible is stiff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dilation {
    /// A change of det F, of the gradient cof F.
    Volume,
    /// The trace of the Green strain, of the gradient F.
    GreenTrace,
    /// The trace of the Biot strain, of the gradient R.
    BiotTrace,
}

impl Dilation {
    /// The gradient at a deformation.
    #[inline(always)]
    pub fn gradient<N: Number>(self, deformation: &Deformation<N>) -> Matrix3<N> {
        match self {
            Self::Volume => deformation.gradient.cofactor(),
            Self::GreenTrace => deformation.gradient,
            Self::BiotTrace => rotation(deformation),
        }
    }
}

/// An isotropic elastic law given by its energy: what `strain-energy` takes.
///
/// Energy and stress are those per volume at rest. They are zero at rest and under rotations, and
/// finite for any displacement gradient with components up to 1e4 and moduli up to 1e12 Pa.
pub trait ElasticEnergy: Copy + Send + Sync {
    /// Least principal stretch down to which the law itself is used; below it, and where material is
    /// inverted, solvers take [`response`], which puts the corotated law in its place. `None`: the
    /// law stands any deformation.
    const LEAST_STRETCH: Option<Real>;

    /// What lambda resists.
    const DILATION: Dilation = Dilation::Volume;

    /// The moduli that small strains show.
    fn moduli(&self) -> LameModuli;

    /// Energy density Psi [J/m3], >= 0, and first Piola-Kirchhoff stress `P = dPsi/dF` [Pa] of a
    /// deformation.
    ///
    /// Written without branches, for one deformation or a pack of them. Where strains are small,
    /// both are exact to a few roundings of the strain.
    fn energy_and_stress<N: Number>(&self, deformation: &Deformation<N>) -> (N, Matrix3<N>);

    /// How stress changes with deformation, as implicit integration takes it: exact at rest.
    #[inline(always)]
    fn tangent<N: Number>(&self, deformation: &Deformation<N>) -> Tangent<N> {
        Tangent::corotated(self.moduli(), deformation)
    }
}
