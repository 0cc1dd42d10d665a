//! Energy and stress of sixteen particles at once.
//!
//! This is compiled by itself, each part once, and called through memory: laws are large, and whoever
//! visits rows would have all of them inlined.

use pliant_materials::laws::{Corotated, Solid, SolidLaw};
use pliant_materials::strain_energy::{
    Deformation, Fibers, PlasticSplit, Plasticity, Response, bare_response, elastic_gradient,
    subtracted, whole_stress,
};
use pliant_materials::{ElasticEnergy, dispatch_solid_law};
use pliant_math::simd::{Instructions, Job, LANES, Mask, Pack, Row};
use pliant_math::{Matrix3, Real, SymMat3};

use super::algebra::load_rows;
use super::rows::ExtraRow;
use crate::interactions::lanes::{load_tensor, load_vector, store_vector};

/// Matrices of sixteen particles, by rows.
pub type MatrixRow = [[Row; 3]; 3];

/// What a law answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer {
    /// Energy densities [J/m3].
    pub energy: Row,
    /// First Piola-Kirchhoff stresses [Pa].
    pub stress: MatrixRow,
    /// Lanes that are so crushed that the law was replaced, a bit each.
    pub crushed: u16,
}

/// Energy and stress.
///
/// * `strain` — F - I
#[inline(never)]
pub fn respond(
    instructions: Instructions,
    solid: &Solid,
    strain: &MatrixRow,
    extra: Option<&ExtraRow>,
) -> Answer {
    let Some(extra) = extra else {
        return elastic(instructions, &solid.law, strain);
    };
    let mut answer = match &solid.plasticity {
        Some(plasticity) => plastic(instructions, &solid.law, plasticity, strain, extra),
        None => elastic(instructions, &solid.law, strain),
    };
    if solid.fibers.count > 0 {
        instructions.run(AddFibers {
            fibers: &solid.fibers,
            strain,
            extra,
            answer: &mut answer,
        });
    }
    answer
}

#[inline(never)]
fn elastic(instructions: Instructions, law: &SolidLaw, strain: &MatrixRow) -> Answer {
    let (mut answer, moduli) = dispatch_solid_law!(law, |law| {
        let is_replaced = is_replaced(law).then(|| law.moduli());
        (instructions.run(Elastic { law, strain }), is_replaced)
    });
    if let Some(moduli) = moduli.filter(|_| answer.crushed != 0) {
        instructions.run(Crushed {
            law: Corotated { moduli },
            strain,
            answer: &mut answer,
        });
    }
    answer
}

/// Whether another law takes the place of one where material is crushed.
fn is_replaced<L: ElasticEnergy>(_: &L) -> bool {
    L::LEAST_STRETCH.is_some()
}

#[inline(never)]
fn plastic(
    instructions: Instructions,
    law: &SolidLaw,
    plasticity: &Plasticity,
    strain: &MatrixRow,
    extra: &ExtraRow,
) -> Answer {
    match (plasticity.split, law) {
        (PlasticSplit::Additive, SolidLaw::SaintVenantKirchhoff(law)) => {
            let mut answer = instructions.run(Subtracted { law, strain, extra });
            replace_crushed(law, plasticity, strain, extra, &mut answer);
            answer
        }
        _ => {
            let of_elastic = instructions.run(ElasticGradient { strain, extra });
            let mut answer = elastic(instructions, law, &of_elastic);
            instructions.run(WholeStress {
                extra,
                stress: &mut answer.stress,
            });
            answer
        }
    }
}

/// What is crushed, lane by lane: it is rare.
fn replace_crushed<L: ElasticEnergy>(
    law: &L,
    plasticity: &Plasticity,
    strain: &MatrixRow,
    extra: &ExtraRow,
    answer: &mut Answer,
) {
    for lane in (0..LANES).filter(|lane| answer.crushed >> lane & 1 == 1) {
        let rows = strain.map(|row| row.map(|component| component.0[lane]));
        let [xx, yy, zz, xy, xz, yz] = extra.history.map(|component| component.0[lane]);
        let history = SymMat3::new(xx, yy, zz, xy, xz, yz);
        let found: Response<Real> = plasticity.response(law, Matrix3 { rows }, history);
        answer.energy.set(lane, found.energy);
        for (to, from) in answer.stress.iter_mut().zip(found.stress.rows) {
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
    type Output = Answer;

    #[inline(always)]
    fn run<P: Pack>(self) -> Answer {
        let deformation = Deformation::from_displacement_gradient(loaded::<P>(self.strain));
        answer(bare_response(self.law, &deformation))
    }
}

struct ElasticGradient<'a> {
    strain: &'a MatrixRow,
    extra: &'a ExtraRow,
}

impl Job for ElasticGradient<'_> {
    type Output = MatrixRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> MatrixRow {
        let history = load_tensor(&self.extra.history);
        stored(elastic_gradient(loaded::<P>(self.strain), history))
    }
}

struct WholeStress<'a> {
    extra: &'a ExtraRow,
    stress: &'a mut MatrixRow,
}

impl Job for WholeStress<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let history = load_tensor(&self.extra.history);
        *self.stress = stored(whole_stress(loaded::<P>(self.stress), history));
    }
}

struct Subtracted<'a, L> {
    law: &'a L,
    strain: &'a MatrixRow,
    extra: &'a ExtraRow,
}

impl<L: ElasticEnergy> Job for Subtracted<'_, L> {
    type Output = Answer;

    #[inline(always)]
    fn run<P: Pack>(self) -> Answer {
        let history = load_tensor(&self.extra.history);
        answer(subtracted(self.law, loaded::<P>(self.strain), history))
    }
}

struct Crushed<'a> {
    law: Corotated,
    strain: &'a MatrixRow,
    answer: &'a mut Answer,
}

impl Job for Crushed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let answer = self.answer;
        let deformation = Deformation::from_displacement_gradient(loaded::<P>(self.strain));
        let (energy, stress) = self.law.energy_and_stress(&deformation);
        let crushed = P::Mask::from_bits(answer.crushed.into());
        let before = P::load(&answer.energy);
        energy
            .or_where_not(crushed, before)
            .store(&mut answer.energy);
        answer.stress = stored(stress.or_where_not(crushed, loaded(&answer.stress)));
    }
}

struct AddFibers<'a> {
    fibers: &'a Fibers,
    strain: &'a MatrixRow,
    extra: &'a ExtraRow,
    answer: &'a mut Answer,
}

impl Job for AddFibers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let [a, b, c] = &self.extra.fibers;
        let directions = [load_vector(a), load_vector(b), load_vector(c)];
        let mut sum = Response {
            energy: P::load(&self.answer.energy),
            stress: loaded(&self.answer.stress),
            is_crushed: P::Mask::from_bits(self.answer.crushed.into()),
        };
        self.fibers.add(&directions, loaded(self.strain), &mut sum);
        *self.answer = answer(sum);
    }
}

#[inline(always)]
fn answer<P: Pack>(found: Response<P>) -> Answer {
    let mut answer = Answer {
        crushed: found.is_crushed.bits() as u16,
        stress: stored(found.stress),
        ..Answer::default()
    };
    found.energy.store(&mut answer.energy);
    answer
}

#[inline(always)]
fn loaded<P: Pack>(rows: &MatrixRow) -> Matrix3<P> {
    Matrix3 {
        rows: load_rows(rows),
    }
}

/// Matrices by rows in memory.
#[inline(always)]
pub fn stored<P: Pack>(matrix: Matrix3<P>) -> MatrixRow {
    let mut rows = MatrixRow::default();
    for (rows, values) in rows.iter_mut().zip(matrix.rows) {
        store_vector(values, rows);
    }
    rows
}
