//! What the deviatoric section of a cone of friction looks like: how much less it bears than in triaxial
//! compression, by the Lode angle.

use pliant_math::simd::Number;
use pliant_math::{Real, SymMat3};

/// What bounds the deviator at a pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YieldSurface {
    /// The circle through triaxial compression.
    #[default]
    DruckerPrager,
    /// The smooth section through the compressive and the extensive corners of Mohr and Coulomb.
    MatsuokaNakai,
    /// The hexagon, its corners rounded.
    MohrCoulomb,
}

/// Sine of three Lode angles at the rounded corners of the hexagon: at 40 degrees the corners bear what
/// a friction angle of 39.1 degrees does. Nearer to 1, rounding of the invariants shows in the corners.
const ROUNDING: f64 = 0.998;

/// A deviatoric section that is not a circle, by the sine of three Lode angles
/// `c = 3 sqrt(6) det(s)/|s|^3` of a deviator s, compression positive: 1 in triaxial compression, -1 in
/// extension, 0 where the middle stress is the mean of the others.
///
/// At a pressure p and with S the sine of the friction angle both surfaces are
///
/// `|s| = p sqrt(6) S / sqrt(3 + S^2) / cos(d + asin(k c)/3)`
///
/// * Mohr-Coulomb: `d = atan(S/sqrt(3))` and k = 1, here 0.998, which rounds the corners;
/// * Matsuoka-Nakai, `I1 I2/I3 = (9 - S^2)/(1 - S^2)`: `d = 30 degrees` and
///   `k = S (9 - S^2)/(3 + S^2)^(3/2)`.
// Matsuoka and Nakai 1974; the form 1/cos(beta - acos(k c)/3) for both is that of Bigoni and Piccolroaz
// 2004. In it the cubic of the invariants, I3 = p^3 - p J2 + J3 and so on, is solved by its angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// k.
    rounding: Real,
    /// cos d.
    cosine: Real,
    /// sin d.
    sine: Real,
    /// What the section bears over what the circle does, times the cosine of the formula.
    scale: Real,
}

impl Section {
    /// Of a surface that is not round, from the sine of the friction angle.
    pub(super) fn new(surface: YieldSurface, sine: f64) -> Option<Self> {
        let root = (3.0 + sine * sine).sqrt();
        let (rounding, cosine, sine_of_d) = match surface {
            YieldSurface::DruckerPrager => return None,
            YieldSurface::MatsuokaNakai => {
                let rounding = sine * (9.0 - sine * sine) / (root * root * root);
                (rounding, 0.75_f64.sqrt(), 0.5)
            }
            YieldSurface::MohrCoulomb => (ROUNDING, 3.0_f64.sqrt() / root, sine / root),
        };
        Some(Self {
            rounding: rounding as Real,
            cosine: cosine as Real,
            sine: sine_of_d as Real,
            // sqrt(6) S/root over the circle's sqrt(2/3) 6 S/(3 - S).
            scale: (0.5 * (3.0 - sine) / root) as Real,
        })
    }

    /// What the section bears in the direction of a deviator of unit length, extension positive, over
    /// what the circle does.
    ///
    /// With `z = k c`, `r = sqrt(1 - z^2)` and C the cosine of a third of acos(r), whose sine is that of
    /// asin(z)/3, `cos(d + asin(z)/3) = C cos d - sin d z/(4 C^2 - 1)`, and `C (4 C^2 - 1) = r + 2 C`.
    #[inline(always)]
    pub(super) fn share<N: Number>(&self, direction: SymMat3<N>) -> N {
        let one = N::splat(1.0);
        let c = direction.determinant() * N::splat(-3.0 * Real::sqrt(6.0));
        let z = c.max(-one).min(one) * N::splat(self.rounding);
        let r = (one - z * z).sqrt();
        let third = cosine_of_third(r);
        let across = N::splat(self.cosine) * (r + third + third) - N::splat(self.sine) * z;
        N::splat(self.scale) * (N::splat(4.0) * third * third - one) / across
    }
}

/// Terms of a series in (1 - r)/2; for r in [0, 1] the rest is below 0.00006.
const TERMS: [Real; 8] = terms();

/// cos(acos(r)/3) for r in [0, 1].
// The hypergeometric function F(-1/3, 1/3; 1/2; (1 - r)/2), summed in pairs.
#[inline(always)]
fn cosine_of_third<N: Number>(r: N) -> N {
    let w = (N::splat(1.0) - r) * N::splat(0.5);
    let square = w * w;
    let pair = |k: usize| N::splat(TERMS[k]) + N::splat(TERMS[k + 1]) * w;
    let low = pair(0) + pair(2) * square;
    let high = pair(4) + pair(6) * square;
    low + high * (square * square)
}

/// 1, -2/9, ...: each is the one before times (n^2 - 1/9)/((n + 1/2)(n + 1)).
const fn terms() -> [Real; 8] {
    let mut terms = [1.0; 8];
    let (mut n, mut term) = (0, 1.0);
    while n + 1 < terms.len() {
        let k = n as f64;
        term *= (k * k - 1.0 / 9.0) / ((k + 0.5) * (k + 1.0));
        n += 1;
        terms[n] = term as Real;
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Principal stresses over the pressure on a surface, compression positive, at a Lode angle [rad]
    /// from triaxial compression.
    fn principal(surface: YieldSurface, degrees: f64, lode: f64) -> [f64; 3] {
        let sine = degrees.to_radians().sin();
        let third = std::f64::consts::TAU / 3.0;
        let unit = [0.0, -third, third].map(|turn| (2.0_f64 / 3.0).sqrt() * (lode + turn).cos());
        let [x, y, z] = unit.map(|value| -value as Real);
        let share = Section::new(surface, sine)
            .map_or(1.0, |s| f64::from(s.share(SymMat3::diagonal(x, y, z))));
        let length = (2.0_f64 / 3.0).sqrt() * 6.0 * sine / (3.0 - sine) * share;
        unit.map(|value| 1.0 + length * value)
    }

    fn lode_angles() -> impl Iterator<Item = f64> {
        (0..=60).map(|k| f64::from(k).to_radians())
    }

    #[test]
    fn third_of_an_angle_agrees_with_the_library() {
        for k in 0..=100 {
            let r = 0.01 * f64::from(k);
            let exact = (r.acos() / 3.0).cos();
            let found = f64::from(cosine_of_third(r as Real));
            assert!((found - exact).abs() < 6e-5, "{r}: {found} {exact}");
        }
    }

    #[test]
    fn invariants_agree_with_matsuoka_and_nakai() {
        for degrees in [1.0, 10.0, 30.0, 45.0, 60.0] {
            let sine = f64::to_radians(degrees).sin();
            let exact = (9.0 - sine * sine) / (1.0 - sine * sine);
            for lode in lode_angles() {
                let [a, b, c] = principal(YieldSurface::MatsuokaNakai, degrees, lode);
                let found = (a + b + c) * (a * b + a * c + b * c) / (a * b * c);
                assert!(
                    (found / exact - 1.0).abs() < 2e-3,
                    "{degrees} {lode}: {found}"
                );
            }
        }
    }

    #[test]
    fn the_mobilised_angle_of_mohr_coulomb_is_the_given_one() {
        for degrees in [1.0, 10.0, 20.0, 30.0, 40.0] {
            for lode in lode_angles() {
                let mut stress = principal(YieldSurface::MohrCoulomb, degrees, lode);
                stress.sort_by(f64::total_cmp);
                let [least, _, greatest] = stress;
                let found = ((greatest - least) / (greatest + least))
                    .asin()
                    .to_degrees();
                assert!((found - degrees).abs() < 1.0, "{degrees} {lode}: {found}");
            }
        }
    }
}
