//! What the groups in the lanes of a pack are pushed by where their stress is projected. The law is compiled by itself, and called through
//! memory: what is common to all laws would otherwise be compiled with each.

use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{ElasticEnergy, response};
use pliant_materials::{LameModuli, dispatch_solid_law};
use pliant_math::simd::{Job, Mask, Pack, Row};
use pliant_math::{Matrix3, Real, Vector3};

use super::projection::{Between, MotionRow, acting, completed, over_moment, tensor};
use super::rows::GroupRow;
use crate::constraints::dilation::{MatrixRow, dilations};
use crate::constraints::missing_stress::{MissingStress, Stressed};

/// The moduli, and the gradients of what lambda resists if they are not cof F.
type OfLaw<'a> = (LameModuli, Option<&'a MatrixRow>);

/// Energy densities [J/m3] and first Piola-Kirchhoff stresses [Pa] of sixteen groups at F - I.
#[derive(Debug, Default)]
pub struct Answer {
    strain: MatrixRow,
    energy: Row,
    stress: MatrixRow,
    /// Lanes that are crushed, a bit each.
    crushed: u32,
}

/// Gives the stress that is missing: the push.
///
/// * `dt` — the substep [s]
#[inline(never)]
pub fn push_by_stress<P: Pack>(
    row: &mut GroupRow,
    between: &mut Between,
    (law, dt): (&SolidLaw, Real),
) {
    let Between {
        motion,
        push,
        now,
        after,
    } = between;
    P::apart(Complete {
        row,
        motion,
        strain: &mut now.strain,
    });
    let moduli = answer::<P>(law, now);
    let dilations = dilations::<P>(law, &now.strain, now.crushed);
    let of_law = (moduli, dilations.as_ref());
    let is_large = P::apart(StrainAfter {
        row,
        now,
        of_law,
        dt,
        strain: &mut after.strain,
    });
    if is_large {
        answer::<P>(law, after);
    }
    P::apart(Give {
        row,
        push,
        now,
        after: is_large.then_some(&*after),
        of_law,
        dt,
    });
}

/// Finds energy and stress at a strain; returns the moduli.
fn answer<P: Pack>(law: &SolidLaw, answer: &mut Answer) -> LameModuli {
    dispatch_solid_law!(law, |law| {
        P::apart(Respond { law, answer });
        law.moduli()
    })
}

struct Complete<'a> {
    row: &'a GroupRow,
    motion: &'a MotionRow,
    strain: &'a mut MatrixRow,
}

impl Job for Complete<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        completed::<P>(self.row, self.motion).store(self.strain);
    }
}

struct Respond<'a, L> {
    law: &'a L,
    answer: &'a mut Answer,
}

impl<L: ElasticEnergy> Job for Respond<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let found = response::<L, P>(self.law, Matrix3::load(&self.answer.strain));
        found.energy.store(&mut self.answer.energy);
        found.stress.store(&mut self.answer.stress);
        self.answer.crushed = found.is_crushed.bits();
    }
}

/// The strain after the change of small strains, if any strains are large: whether there are.
struct StrainAfter<'a> {
    row: &'a GroupRow,
    now: &'a Answer,
    of_law: OfLaw<'a>,
    dt: Real,
    strain: &'a mut MatrixRow,
}

impl Job for StrainAfter<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<P: Pack>(self) -> bool {
        let missing = missing::<P>(self.row, self.now, self.of_law, self.dt);
        let is_large = missing.is_large().any();
        if is_large {
            missing.strain_after(missing.change()).store(self.strain);
        }
        is_large
    }
}

struct Give<'a> {
    row: &'a mut GroupRow,
    push: &'a mut MatrixRow,
    now: &'a Answer,
    after: Option<&'a Answer>,
    of_law: OfLaw<'a>,
    dt: Real,
}

impl Job for Give<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let missing = missing::<P>(self.row, self.now, self.of_law, self.dt);
        let mut change = missing.change();
        if let Some(after) = self.after {
            let stress = acting(self.row, Matrix3::load(&after.stress));
            let after = (P::load(&after.energy), stress);
            change = missing.along(change, after);
        }
        let given = Matrix3::load(&self.row.given) + change;
        given.store(&mut self.row.given);
        let push = change * -scale::<P>(self.row, self.dt);
        over_moment(self.row, push).store(self.push);
    }
}

#[inline(always)]
fn missing<P: Pack>(
    row: &GroupRow,
    now: &Answer,
    (moduli, dilations): OfLaw<'_>,
    dt: Real,
) -> MissingStress<P> {
    let strain: Matrix3<P> = Matrix3::load(&now.strain);
    let dilation = match dilations {
        Some(dilations) => Matrix3::load(dilations),
        None => (strain + Matrix3::identity()).cofactor(),
    };
    let stressed = Stressed {
        strain,
        energy: P::load(&now.energy),
        stress: acting(row, Matrix3::load(&now.stress)),
        dilation: acting(row, dilation),
        given: Matrix3::load(&row.given),
        normal: Vector3::load(&row.normal),
        mobility: tensor(&row.mobility),
        scale: scale(row, dt),
    };
    MissingStress::new(stressed, moduli)
}

/// dt2 V [s2 m3].
#[inline(always)]
fn scale<P: Pack>(row: &GroupRow, dt: Real) -> P {
    P::load(&row.volume) * P::splat(dt * dt)
}
