//! How stress changes with deformation, for implicit integration: positive, and free of what resists rotations.

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real, SymMat3};

use super::{Deformation, rotation};
use crate::LameModuli;

/// A tangent of the form `dP = mu B (E + E^T) + k D (D : dF)` with `E = B^T dF`.
///
/// It is symmetric and never negative. As only the symmetric part of E counts, a body that turns is not resisted
/// where it is undeformed: with 2 mu dF in place of it, as is often written, it stops.
// Wang et al. 2023, eq. 7 for the corotated law, its derivative made symmetric.
#[derive(Clone, Copy, Debug)]
pub struct Tangent<N: Number = Real> {
    /// B: the rotation, or F for a law in Green strain.
    pub frame: Matrix3<N>,
    /// D: the rotation, F, or the cofactor of F.
    pub dilation: Matrix3<N>,
    /// mu [Pa], >= 0.
    pub shear: N,
    /// k [Pa], >= 0.
    pub bulk: N,
}

impl<N: Number> Tangent<N> {
    /// Hooke's law in the turned frame.
    #[inline(always)]
    pub fn corotated(moduli: LameModuli, deformation: &Deformation<N>) -> Self {
        let frame = rotation(deformation);
        Self {
            frame,
            dilation: frame,
            shear: N::splat(moduli.shear_modulus),
            bulk: N::splat(moduli.lame_lambda),
        }
    }

    /// A law with a term of the volume, which resists along the cofactor of F.
    ///
    /// * `bulk` — lambda of small strains where the volume is as it is [Pa]
    #[inline(always)]
    pub fn of_volume(moduli: LameModuli, bulk: N, deformation: &Deformation<N>) -> Self {
        Self {
            dilation: deformation.gradient.cofactor(),
            bulk: bulk.max(N::ZERO),
            ..Self::corotated(moduli, deformation)
        }
    }

    /// The change of the first Piola-Kirchhoff stress [Pa] with a change of F.
    #[inline(always)]
    pub fn stress_change(&self, change: Matrix3<N>) -> Matrix3<N> {
        let strain = self.frame.transpose() * change;
        let twice = strain + strain.transpose();
        let dilation = self.bulk * self.dilation.double_dot(change);
        self.frame * twice * self.shear + self.dilation * dilation
    }

    /// The sum of what resists moving a point by which F changes by (motion) g^T, over vectors g [Pa g^2].
    ///
    /// * `moment` — sum of g g^T
    #[inline(always)]
    pub fn resistance(&self, moment: SymMat3<N>) -> SymMat3<N> {
        let trace = moment.trace();
        let sheared = moment + SymMat3::isotropic(trace);
        congruence(self.frame, sheared) * self.shear + congruence(self.dilation, moment) * self.bulk
    }
}

/// A S A^T.
#[inline(always)]
fn congruence<N: Number>(a: Matrix3<N>, s: SymMat3<N>) -> SymMat3<N> {
    (a.times_symmetric(s) * a.transpose()).symmetric_part()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{
        Corotated, NeoHookean, PolynomialNeoHookean, SaintVenantKirchhoff, StableNeoHookean,
    };
    use crate::strain_energy::ElasticEnergy;

    const MODULI: LameModuli = LameModuli {
        shear_modulus: 1.3,
        lame_lambda: 2.7,
    };
    const STEP: Real = if size_of::<Real>() == 8 { 1e-6 } else { 2e-3 };
    const TOLERANCE: Real = if size_of::<Real>() == 8 { 1e-7 } else { 2e-2 };

    fn stress(law: &impl ElasticEnergy, h: Matrix3) -> Matrix3 {
        law.energy_and_stress(&Deformation::from_displacement_gradient(h))
            .1
    }

    fn check_at_rest(law: &impl ElasticEnergy) {
        let rest = Deformation::from_displacement_gradient(Matrix3::ZERO);
        let tangent = law.tangent(&rest);
        let way = Matrix3::from_rows([[0.3, -0.5, 0.2], [0.9, -0.4, 0.1], [0.6, 0.8, 0.7]]);
        let difference = (stress(law, way * STEP) - stress(law, way * -STEP)) * (0.5 / STEP);
        let error = difference - tangent.stress_change(way);
        assert!(error.norm_squared().sqrt() < TOLERANCE, "{error:?}");
    }

    #[test]
    fn tangents_are_exact_at_rest() {
        let moduli = MODULI;
        check_at_rest(&Corotated { moduli });
        check_at_rest(&SaintVenantKirchhoff { moduli });
        check_at_rest(&NeoHookean { moduli });
        check_at_rest(&StableNeoHookean { moduli });
        check_at_rest(&PolynomialNeoHookean { moduli });
    }

    #[test]
    fn turning_what_is_undeformed_is_not_resisted_and_nothing_is_pushed() {
        let (sine, cosine) = (0.6, 0.8);
        let turned =
            Matrix3::from_rows([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]]);
        let at = Deformation::from_displacement_gradient(turned - Matrix3::IDENTITY);
        let law = PolynomialNeoHookean { moduli: MODULI };
        let tangent = law.tangent(&at);
        let spin = Matrix3::from_rows([[0.0, -2.0, 1.0], [2.0, 0.0, -0.5], [-1.0, 0.5, 0.0]]);
        let change = tangent.stress_change(spin * turned);
        assert!(change.norm_squared().sqrt() < 20.0 * Real::EPSILON);
        let way = Matrix3::from_rows([[0.3, -0.5, 0.2], [0.9, -0.4, 0.1], [0.6, 0.8, 0.7]]);
        let crushed = Deformation::from_displacement_gradient(way - Matrix3::IDENTITY);
        let resisted = law.tangent(&crushed).stress_change(way).double_dot(way);
        assert!(resisted >= 0.0);
    }

    #[test]
    fn resistance_adds_up_over_gradients() {
        let way = Matrix3::from_rows([[0.1, -0.2, 0.1], [0.2, -0.1, 0.1], [0.1, 0.2, 0.1]]);
        let law = NeoHookean { moduli: MODULI };
        let tangent = law.tangent(&Deformation::from_displacement_gradient(way));
        let gradients = [[1.0, 0.5, -0.3], [0.2, -0.8, 0.4]];
        let motion = [0.4, -0.9, 0.3];
        let mut moment = SymMat3::ZERO;
        let mut expected = 0.0;
        for g in gradients {
            moment += Matrix3::outer(g, g).symmetric_part();
            let change = Matrix3::outer(motion, g);
            expected += tangent.stress_change(change).double_dot(change);
        }
        let [x, y, z] = Matrix3::from(tangent.resistance(moment)).times_vector(motion);
        let found = x * motion[0] + y * motion[1] + z * motion[2];
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    }
}
