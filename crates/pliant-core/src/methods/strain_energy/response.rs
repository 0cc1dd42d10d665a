//! Energy and stress of the particles in the lanes of a pack.
//!
//! This is compiled by itself, each part once for a pack, and called through memory: laws are large, and whoever
//! visits rows would have all of them inlined.

use pliant_materials::laws::{Corotated, Solid, SolidLaw};
use pliant_materials::strain_energy::{
    Deformation, Fibers, PlasticSplit, Plasticity, Response, bare_response, elastic_gradient,
    subtracted, whole_stress,
};
use pliant_materials::{ElasticEnergy, dispatch_solid_law};
use pliant_math::simd::{Job, LANES, Mask, Pack, Row};
use pliant_math::{Matrix3, Real, SymMat3};

use super::rows::MaterialStateRow;
pub use crate::constraints::dilation::MatrixRow;
use crate::constraints::dilation::dilations;
use crate::interactions::lanes::load_vector;

/// Energy and stress of a law.
#[derive(Clone, Copy, Debug, Default)]
pub struct StressResponse {
    /// Energy densities [J/m3].
    pub energy: Row,
    /// First Piola-Kirchhoff stresses [Pa].
    pub stress: MatrixRow,
    /// Lanes that are so crushed that the law was replaced, a bit each.
    pub crushed: u16,
}

/// Energy and stress of particles under a strain.
///
/// * `strain` — F - I
#[inline(never)]
pub fn stress_response<P: Pack>(
    solid: &Solid,
    strain: &MatrixRow,
    material_state: Option<&MaterialStateRow>,
) -> StressResponse {
    let Some(material_state) = material_state else {
        return elastic::<P>(&solid.law, strain);
    };
    let mut response = match &solid.plasticity {
        Some(plasticity) => plastic::<P>(&solid.law, plasticity, strain, material_state),
        None => elastic::<P>(&solid.law, strain),
    };
    if solid.fibers.count > 0 {
        P::apart(AddFibers {
            fibers: &solid.fibers,
            strain,
            material_state,
            response: &mut response,
        });
    }
    response
}

/// The gradients by F of what lambda resists; `None` if they are those of det F.
///
/// * `strain` — F - I
/// * `state` — with the lanes that are crushed, a bit each
#[inline(never)]
pub fn law_dilations<P: Pack>(
    solid: &Solid,
    strain: &MatrixRow,
    (material_state, crushed): (Option<&MaterialStateRow>, u16),
) -> Option<MatrixRow> {
    let crushed = crushed.into();
    let flows = solid.plasticity.as_ref();
    let is_split = flows.is_some_and(|flow| flow.split != PlasticSplit::Additive);
    let Some(material_state) = material_state.filter(|_| is_split) else {
        return dilations::<P>(&solid.law, strain, crushed);
    };
    let of_elastic = P::apart(ElasticGradient {
        strain,
        material_state,
    });
    let mut found = dilations::<P>(&solid.law, &of_elastic, crushed)?;
    P::apart(WholeStress {
        material_state,
        stress: &mut found,
    });
    Some(found)
}

#[inline(never)]
fn elastic<P: Pack>(law: &SolidLaw, strain: &MatrixRow) -> StressResponse {
    let (mut response, moduli) = dispatch_solid_law!(law, |law| {
        let is_replaced = is_replaced(law).then(|| law.moduli());
        (P::apart(Elastic { law, strain }), is_replaced)
    });
    if let Some(moduli) = moduli.filter(|_| response.crushed != 0) {
        P::apart(Crushed {
            law: Corotated { moduli },
            strain,
            response: &mut response,
        });
    }
    response
}

/// Whether another law takes the place of one where material is crushed.
fn is_replaced<L: ElasticEnergy>(_: &L) -> bool {
    L::LEAST_STRETCH.is_some()
}

#[inline(never)]
fn plastic<P: Pack>(
    law: &SolidLaw,
    plasticity: &Plasticity,
    strain: &MatrixRow,
    material_state: &MaterialStateRow,
) -> StressResponse {
    match (plasticity.split, law) {
        (PlasticSplit::Additive, SolidLaw::SaintVenantKirchhoff(law)) => {
            let mut response = P::apart(Subtracted {
                law,
                strain,
                material_state,
            });
            replace_crushed(law, plasticity, strain, material_state, &mut response);
            response
        }
        _ => {
            let of_elastic = P::apart(ElasticGradient {
                strain,
                material_state,
            });
            let mut response = elastic::<P>(law, &of_elastic);
            P::apart(WholeStress {
                material_state,
                stress: &mut response.stress,
            });
            response
        }
    }
}

/// What is crushed, lane by lane: it is rare.
fn replace_crushed<L: ElasticEnergy>(
    law: &L,
    plasticity: &Plasticity,
    strain: &MatrixRow,
    material_state: &MaterialStateRow,
    response: &mut StressResponse,
) {
    for lane in (0..LANES).filter(|lane| response.crushed >> lane & 1 == 1) {
        let rows = strain.map(|row| row.map(|component| component.0[lane]));
        let [xx, yy, zz, xy, xz, yz] = material_state.history.map(|component| component.0[lane]);
        let history = SymMat3::new(xx, yy, zz, xy, xz, yz);
        let found: Response<Real> = plasticity.response(law, Matrix3 { rows }, history);
        response.energy.set(lane, found.energy);
        for (to, from) in response.stress.iter_mut().zip(found.stress.rows) {
            for (to, from) in to.iter_mut().zip(from) {
                to.set(lane, from);
            }
        }
    }
}

struct Elastic<'a, L> {
    law: &'a L,
    strain: &'a MatrixRow,
}

impl<L: ElasticEnergy> Job for Elastic<'_, L> {
    type Output = StressResponse;

    #[inline(always)]
    fn run<P: Pack>(self) -> StressResponse {
        let deformation = Deformation::from_displacement_gradient(Matrix3::<P>::load(self.strain));
        response(bare_response(self.law, &deformation))
    }
}

struct ElasticGradient<'a> {
    strain: &'a MatrixRow,
    material_state: &'a MaterialStateRow,
}

impl Job for ElasticGradient<'_> {
    type Output = MatrixRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> MatrixRow {
        let history = SymMat3::load(&self.material_state.history);
        stored(elastic_gradient(Matrix3::<P>::load(self.strain), history))
    }
}

struct WholeStress<'a> {
    material_state: &'a MaterialStateRow,
    stress: &'a mut MatrixRow,
}

impl Job for WholeStress<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let history = SymMat3::load(&self.material_state.history);
        *self.stress = stored(whole_stress(Matrix3::<P>::load(self.stress), history));
    }
}

struct Subtracted<'a, L> {
    law: &'a L,
    strain: &'a MatrixRow,
    material_state: &'a MaterialStateRow,
}

impl<L: ElasticEnergy> Job for Subtracted<'_, L> {
    type Output = StressResponse;

    #[inline(always)]
    fn run<P: Pack>(self) -> StressResponse {
        let history = SymMat3::load(&self.material_state.history);
        response(subtracted(
            self.law,
            Matrix3::<P>::load(self.strain),
            history,
        ))
    }
}

struct Crushed<'a> {
    law: Corotated,
    strain: &'a MatrixRow,
    response: &'a mut StressResponse,
}

impl Job for Crushed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let response = self.response;
        let deformation = Deformation::from_displacement_gradient(Matrix3::<P>::load(self.strain));
        let (energy, stress) = self.law.energy_and_stress(&deformation);
        let crushed = P::Mask::from_bits(response.crushed.into());
        let before = P::load(&response.energy);
        energy
            .or_where_not(crushed, before)
            .store(&mut response.energy);
        response.stress = stored(stress.or_where_not(crushed, Matrix3::load(&response.stress)));
    }
}

struct AddFibers<'a> {
    fibers: &'a Fibers,
    strain: &'a MatrixRow,
    material_state: &'a MaterialStateRow,
    response: &'a mut StressResponse,
}

impl Job for AddFibers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let [a, b, c] = &self.material_state.fibers;
        let directions = [load_vector(a), load_vector(b), load_vector(c)];
        let mut sum = Response {
            energy: P::load(&self.response.energy),
            stress: Matrix3::load(&self.response.stress),
            is_crushed: P::Mask::from_bits(self.response.crushed.into()),
        };
        self.fibers
            .add(&directions, Matrix3::load(self.strain), &mut sum);
        *self.response = response(sum);
    }
}

#[inline(always)]
fn response<P: Pack>(found: Response<P>) -> StressResponse {
    let mut response = StressResponse {
        crushed: found.is_crushed.bits() as u16,
        stress: stored(found.stress),
        ..StressResponse::default()
    };
    found.energy.store(&mut response.energy);
    response
}

/// Matrices in memory.
#[inline(always)]
pub fn stored<P: Pack>(matrix: Matrix3<P>) -> MatrixRow {
    let mut rows = MatrixRow::default();
    matrix.store(&mut rows);
    rows
}
