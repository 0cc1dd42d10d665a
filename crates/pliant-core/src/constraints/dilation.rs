//! Where sixteen particles or groups are stiff when they are nearly incompressible.

use pliant_materials::dispatch_solid_law;
use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{Deformation, Dilation, ElasticEnergy};
use pliant_math::Matrix3;
use pliant_math::simd::{Job, Mask, Pack, Row};

/// Matrices of sixteen particles or groups, by rows.
pub type MatrixRow = [[Row; 3]; 3];

/// The gradients of what the law's lambda resists; `None` if that is the volume in all lanes, of the gradient cof F.
///
/// * `strain` — F - I
/// * `crushed` — lanes that are so crushed that the corotated law takes the place of those that do not stand it, a
///   bit each
pub fn dilations<P: Pack>(law: &SolidLaw, strain: &MatrixRow, crushed: u32) -> Option<MatrixRow> {
    let (dilation, is_replaced) = dispatch_solid_law!(law, |law| of_law(law));
    let crushed = if is_replaced { crushed } else { 0 };
    let is_volume = dilation == Dilation::Volume && crushed == 0;
    (!is_volume).then(|| {
        P::apart(Dilations {
            dilation,
            strain,
            crushed,
        })
    })
}

/// What lambda resists, and whether the corotated law takes the place of a law where material is crushed.
fn of_law<L: ElasticEnergy>(_: &L) -> (Dilation, bool) {
    (L::DILATION, L::LEAST_STRETCH.is_some())
}

struct Dilations<'a> {
    dilation: Dilation,
    strain: &'a MatrixRow,
    crushed: u32,
}

impl Job for Dilations<'_> {
    type Output = MatrixRow;

    #[inline(always)]
    fn run<P: Pack>(self) -> MatrixRow {
        let deformation = Deformation::from_displacement_gradient(Matrix3::<P>::load(self.strain));
        let mut own = self.dilation.gradient(&deformation);
        if self.crushed != 0 && self.dilation != Dilation::BiotTrace {
            let crushed = P::Mask::from_bits(self.crushed);
            let turned = Dilation::BiotTrace.gradient(&deformation);
            own = turned.or_where_not(crushed, own);
        }
        let mut rows = MatrixRow::default();
        own.store(&mut rows);
        rows
    }
}
