//! Newton's viscosity of a row of particles: stress 2 mu dev D, D the symmetric part of grad v.
//!
//! grad v is corrected to be exact for linear fields, so that a rotating drop has no stress, and
//! stress acts through the same corrected gradients, so that it makes no torque.

use pliant_math::SymMat3;
use pliant_math::simd::Pack;

use crate::interactions::lanes::scaled;
use crate::interactions::passes::Rows3;

/// What viscosity reads of a row.
#[derive(Clone, Copy)]
pub struct Shear<P> {
    /// Dynamic viscosity [Pa s].
    pub viscosity: P,
    /// L, which corrects gradients.
    pub correction: SymMat3<P>,
    /// dt V0 k, k at least the greatest eigenvalue of L K L.
    pub stiffness: P,
}

/// What a particle's stresses do to its neighbours: an impulse a gradient, by rows.
#[derive(Clone, Copy)]
pub struct Impulse<P>(Rows3<P>);

impl<P: Pack> Shear<P> {
    /// The change of the viscous stress [Pa] for an uncorrected velocity gradient.
    #[inline(always)]
    pub fn change(&self, gradient: Rows3<P>, applied: SymMat3<P>) -> SymMat3<P> {
        let [x, y, z] = product(gradient, self.correction);
        let half = P::splat(0.5);
        let rate = SymMat3::new(
            x[0],
            y[1],
            z[2],
            half * (x[1] + y[0]),
            half * (x[2] + z[0]),
            half * (y[2] + z[1]),
        );
        let two = self.viscosity + self.viscosity;
        let mean = rate.trace() * P::splat(1.0 / 3.0);
        let wanted = (rate - SymMat3::isotropic(mean)) * two;
        let one = P::splat(1.0);
        (wanted - applied) * (one / (one + two * self.stiffness))
    }

    /// The impulse of a change of the stress, and of a pressure of strength dt V0 dp [Pa m3 s].
    #[inline(always)]
    pub fn impulse(&self, change: SymMat3<P>, step_volume: P, strength: P) -> Impulse<P> {
        let s = change * step_volume;
        let rows = [[s.xx, s.xy, s.xz], [s.xy, s.yy, s.yz], [s.xz, s.yz, s.zz]];
        let [mut x, mut y, mut z] = product(rows, self.correction);
        x[0] = x[0] - strength;
        y[1] = y[1] - strength;
        z[2] = z[2] - strength;
        Impulse([x, y, z])
    }
}

impl<P: Pack> Impulse<P> {
    /// Times a factor.
    #[inline(always)]
    pub fn scaled_by(self, factor: P) -> Self {
        let [x, y, z] = self.0;
        Self([scaled(x, factor), scaled(y, factor), scaled(z, factor)])
    }

    /// The impulse along a gradient.
    #[inline(always)]
    pub fn times(self, g: [P; 3]) -> [P; 3] {
        let [x, y, z] = self.0;
        [dot(x, g), dot(y, g), dot(z, g)]
    }
}

/// m l of a matrix by rows and a symmetric one.
#[inline(always)]
pub fn product<P: Pack>([x, y, z]: Rows3<P>, l: SymMat3<P>) -> Rows3<P> {
    let columns = [[l.xx, l.xy, l.xz], [l.xy, l.yy, l.yz], [l.xz, l.yz, l.zz]];
    let [a, b, c] = columns;
    [
        [dot(x, a), dot(x, b), dot(x, c)],
        [dot(y, a), dot(y, b), dot(y, c)],
        [dot(z, a), dot(z, b), dot(z, c)],
    ]
}

#[inline(always)]
fn dot<P: Pack>(a: [P; 3], b: [P; 3]) -> P {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
