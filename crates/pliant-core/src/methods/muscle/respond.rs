//! Stress of sixteen particles at once, with how it changes.
//!
//! This is compiled by itself, each law once, and called through memory: laws are large, and whoever visits
//! rows would have all of them inlined.

use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{Deformation, FiberResponse, MuscleFiber, Tangent, response};
use pliant_materials::{ElasticEnergy, dispatch_solid_law};
use pliant_math::simd::{Instructions, Job, Mask, Pack, Row};
use pliant_math::{Matrix3, SymMat3};

use super::rows::FiberRow;
use crate::interactions::lanes::load_vector;

/// Matrices of sixteen particles, by rows.
pub type MatrixRow = [[Row; 3]; 3];

/// How the stress of sixteen particles changes, see [`Tangent`] and [`FiberResponse`].
#[derive(Clone, Copy, Debug, Default)]
pub struct TangentRow {
    frame: MatrixRow,
    dilation: MatrixRow,
    shear: Row,
    bulk: Row,
    /// Along the fibres at rest, and where they run now.
    fiber: [[Row; 3]; 2],
    along: Row,
    across: Row,
}

/// First Piola-Kirchhoff stresses [Pa], fibres included.
///
/// * `laws` — each with its lanes
/// * `strain` — F - I
/// * `tangent` — where it is written how they change, if that is needed
#[inline(never)]
pub fn stress(
    instructions: Instructions,
    laws: &[(SolidLaw, u16)],
    fibers: Option<&FiberRow>,
    strain: &MatrixRow,
    mut tangent: Option<&mut TangentRow>,
) -> MatrixRow {
    let mut stress = MatrixRow::default();
    for (law, lanes) in laws {
        dispatch_solid_law!(law, |law| {
            instructions.run(Stress {
                law,
                lanes: *lanes,
                strain,
                stress: &mut stress,
            });
            if let Some(tangent) = tangent.as_deref_mut() {
                instructions.run(FindTangent {
                    law,
                    lanes: *lanes,
                    strain,
                    tangent,
                });
            }
        });
    }
    if let Some(fibers) = fibers {
        instructions.run(AddFibers {
            fibers,
            strain,
            stress: &mut stress,
            tangent,
        });
    } else if let Some(tangent) = tangent {
        (tangent.along, tangent.across) = (Row::ZERO, Row::ZERO);
    }
    stress
}

struct Stress<'a, L> {
    law: &'a L,
    lanes: u16,
    strain: &'a MatrixRow,
    stress: &'a mut MatrixRow,
}

impl<L: ElasticEnergy> Job for Stress<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let found = response(self.law, Matrix3::<P>::load(self.strain));
        let lanes = P::Mask::from_bits(self.lanes.into());
        let before = Matrix3::load(self.stress);
        found.stress.or_where_not(lanes, before).store(self.stress);
    }
}

struct FindTangent<'a, L> {
    law: &'a L,
    lanes: u16,
    strain: &'a MatrixRow,
    tangent: &'a mut TangentRow,
}

impl<L: ElasticEnergy> Job for FindTangent<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let to = self.tangent;
        let deformation = Deformation::from_displacement_gradient(Matrix3::<P>::load(self.strain));
        let found = self.law.tangent(&deformation);
        let lanes = P::Mask::from_bits(self.lanes.into());
        let frame = found.frame.or_where_not(lanes, Matrix3::load(&to.frame));
        frame.store(&mut to.frame);
        let dilation = found
            .dilation
            .or_where_not(lanes, Matrix3::load(&to.dilation));
        dilation.store(&mut to.dilation);
        let shear = found.shear.or_where_not(lanes, P::load(&to.shear));
        shear.store(&mut to.shear);
        let bulk = found.bulk.or_where_not(lanes, P::load(&to.bulk));
        bulk.store(&mut to.bulk);
    }
}

struct AddFibers<'a> {
    fibers: &'a FiberRow,
    strain: &'a MatrixRow,
    stress: &'a mut MatrixRow,
    tangent: Option<&'a mut TangentRow>,
}

impl Job for AddFibers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let h = Matrix3::<P>::load(self.strain);
        let along = load_vector(&self.fibers.direction);
        let fiber = MuscleFiber {
            stiffness: P::load(&self.fibers.stiffness),
            shortening: P::load(&self.fibers.shortening),
            active_stress: P::load(&self.fibers.active_stress),
        };
        let response = fiber.response(along, h, turned(h, along));
        (Matrix3::load(self.stress) + response.stress(along)).store(self.stress);
        if let Some(tangent) = self.tangent {
            let [rest, now] = &mut tangent.fiber;
            *rest = self.fibers.direction;
            for (row, component) in now.iter_mut().zip(response.direction) {
                component.store(row);
            }
            response.along.store(&mut tangent.along);
            response.across.store(&mut tangent.across);
        }
    }
}

/// Where material is turned inside out along fibres: a^T R^T F a < 0.
#[inline(always)]
pub fn turned<P: Pack>(h: Matrix3<P>, along: [P; 3]) -> P::Mask {
    let gradient = h + Matrix3::identity();
    let is_inverted = gradient.determinant().less(P::ZERO);
    if !is_inverted.any() {
        return is_inverted;
    }
    let deformation = Deformation::from_displacement_gradient(h);
    let moduli = pliant_materials::LameModuli {
        shear_modulus: 0.0,
        lame_lambda: 0.0,
    };
    let rotation = Tangent::corotated(moduli, &deformation).frame;
    let (end, turned) = (gradient.times_vector(along), rotation.times_vector(along));
    let projected = end[0] * turned[0] + end[1] * turned[1] + end[2] * turned[2];
    is_inverted & projected.less(P::ZERO)
}

impl TangentRow {
    /// The change of stresses [Pa] with changes of F.
    #[inline(always)]
    pub fn stress_change<P: Pack>(&self, change: Matrix3<P>, has_fibers: bool) -> Matrix3<P> {
        let of_law = self.of_law().stress_change(change);
        if !has_fibers {
            return of_law;
        }
        let (fiber, along) = self.of_fibers();
        of_law + fiber.stress_change(along, change)
    }

    /// What resists moving points by which F changes by (motion) g^T, over vectors g.
    ///
    /// * `moment` — sum of g g^T
    #[inline(always)]
    pub fn resistance<P: Pack>(&self, moment: SymMat3<P>, has_fibers: bool) -> SymMat3<P> {
        let of_law = self.of_law().resistance(moment);
        if !has_fibers {
            return of_law;
        }
        let (fiber, [x, y, z]) = self.of_fibers();
        let g = pliant_math::Vector3::new(x, y, z);
        let squared = (moment * g).dot(g);
        let [x, y, z] = fiber.direction;
        let n = pliant_math::Vector3::new(x, y, z);
        let excess = n.outer(n).symmetric_part() * ((fiber.along - fiber.across) * squared);
        of_law + excess + SymMat3::isotropic(fiber.across * squared)
    }

    #[inline(always)]
    fn of_law<P: Pack>(&self) -> Tangent<P> {
        Tangent {
            frame: Matrix3::load(&self.frame),
            dilation: Matrix3::load(&self.dilation),
            shear: P::load(&self.shear),
            bulk: P::load(&self.bulk),
        }
    }

    #[inline(always)]
    fn of_fibers<P: Pack>(&self) -> (FiberResponse<P>, [P; 3]) {
        let fiber = FiberResponse {
            energy: P::ZERO,
            tension: P::ZERO,
            stretch: P::ZERO,
            direction: load_vector(&self.fiber[1]),
            along: P::load(&self.along),
            across: P::load(&self.across),
        };
        (fiber, load_vector(&self.fiber[0]))
    }
}
