//! Motions of rigid bodies and what resists them, as pairs of a linear and an angular part about a reference point
//! (spatial vectors; Featherstone 2008, ch. 2).

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::{DMat3, DVec3};

/// A velocity [m/s] and a spin [rad/s], or an impulse [N s] and its moment about the reference [N m s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spatial {
    /// Of the reference point, or of all points together.
    pub linear: DVec3,
    /// About the reference point.
    pub angular: DVec3,
}

impl Spatial {
    /// Nothing moves.
    pub const ZERO: Self = Self {
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };

    /// Velocity of a point [m/s] at an arm from the reference [m].
    #[inline]
    pub fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }

    /// An impulse [N s] at an arm from the reference [m].
    #[inline]
    pub fn impulse_at(arm: DVec3, impulse: DVec3) -> Self {
        Self {
            linear: impulse,
            angular: arm.cross(impulse),
        }
    }

    /// The product of an impulse and a velocity [J].
    #[inline]
    pub fn dot(&self, other: Self) -> f64 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }
}

impl Add for Spatial {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            linear: self.linear + other.linear,
            angular: self.angular + other.angular,
        }
    }
}

impl AddAssign for Spatial {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Spatial {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Sub for Spatial {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl SubAssign for Spatial {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<f64> for Spatial {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self {
            linear: self.linear * factor,
            angular: self.angular * factor,
        }
    }
}

/// What resists the motion of points that move as one.
#[derive(Clone, Copy, Debug)]
pub struct RigidInertia {
    /// [kg].
    mass: f64,
    /// Centre of mass, from the reference [m].
    center: DVec3,
    /// About the centre [1/(kg m2)].
    inverse_inertia: DMat3,
}

impl RigidInertia {
    /// Of a body about its centre, which is the reference, with points at arms from it [m].
    ///
    /// * `mass` — of the body [kg], > 0
    /// * `inertia` — of the body [kg m2], invertible
    /// * `points` — arms and masses [kg], >= 0
    pub fn new(
        mass: f64,
        inertia: DMat3,
        points: impl Iterator<Item = (DVec3, f64)> + Clone,
    ) -> Self {
        let (mut total, mut moment) = (mass, DVec3::ZERO);
        for (arm, m) in points.clone() {
            total += m;
            moment += arm * m;
        }
        let center = moment / total;
        let mut inertia = inertia + point_inertia(center) * mass;
        for (arm, m) in points {
            inertia += point_inertia(arm - center) * m;
        }
        Self {
            mass: total,
            center,
            inverse_inertia: inertia.inverse(),
        }
    }

    /// The motion that an impulse about the reference leads to.
    pub fn motion(&self, impulse: Spatial) -> Spatial {
        let moment = impulse.angular - self.center.cross(impulse.linear);
        let spin = self.inverse_inertia * moment;
        Spatial {
            linear: impulse.linear / self.mass - spin.cross(self.center),
            angular: spin,
        }
    }
}

/// The inertia of a mass of one at a place [m2].
pub fn point_inertia(r: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer
}

/// The spin that an angular momentum gives points of an inertia about their centre: its inverse. Where they lie about
/// in a line, which has hardly an inertia about itself, a part of the trace is added.
///
/// * `least` — this part; what has a greater least inertia is no line
pub fn inverse_inertia(inertia: DMat3, least: f64) -> DMat3 {
    let (a, b, c) = (inertia.x_axis, inertia.y_axis, inertia.z_axis);
    let trace = a.x + b.y + c.z;
    let second = b.cross(c).x + c.cross(a).y + a.cross(b).z;
    // The least eigenvalue is about the ratio of these two.
    let is_line = inertia.determinant() < least * trace * second;
    let added = if is_line { least * trace } else { 0.0 };
    (inertia + DMat3::from_diagonal(DVec3::splat(added))).inverse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_move_as_one_have_the_impulse_that_moved_them() {
        let inertia = DMat3::from_diagonal(DVec3::new(0.5, 0.8, 1.1));
        let points = [
            (DVec3::new(1.0, 0.2, -0.3), 0.7),
            (DVec3::new(-0.4, 0.9, 0.1), 1.9),
            (DVec3::new(0.3, -0.5, 0.8), 0.2),
        ];
        let mass = 2.5;
        let all = RigidInertia::new(mass, inertia, points.iter().copied());
        let impulse = Spatial {
            linear: DVec3::new(0.3, -1.2, 0.7),
            angular: DVec3::new(-0.6, 0.4, 2.0),
        };
        let motion = all.motion(impulse);
        let mut sum = Spatial {
            linear: motion.linear * mass,
            angular: inertia * motion.angular,
        };
        for (arm, m) in points {
            sum += Spatial::impulse_at(arm, motion.at(arm) * m);
        }
        assert!((sum.linear - impulse.linear).length() < 1e-14);
        assert!((sum.angular - impulse.angular).length() < 1e-14);
    }
}
