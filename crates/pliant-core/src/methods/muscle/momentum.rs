//! Momentum and angular momentum of bodies that nothing holds.
//!
//! A solve that ends at a tolerance leaves impulses between particles that do not cancel, and linearised forces
//! act along directions of the start. Both momenta are given back as a rigid motion:
//!
//!   y_i += P/m + w x (x_i - c),   I w = L,   P = sum(J_i - m_i y_i),   L = sum (x_i - c) x (J_i - m_i y_i)

use std::ops::Range;

use pliant_math::{DMat3, DVec3, Real, point_inertia};

/// A body that nothing holds, as it is at the start of a substep.
#[derive(Clone, Debug)]
pub struct FreeBody {
    /// Places of its particles.
    pub members: Range<usize>,
    mass: f64,
    center: DVec3,
    inverse_inertia: DMat3,
}

impl FreeBody {
    /// Of particles none of which is held, not all in a line.
    pub fn new(members: Range<usize>, position: &[DVec3], mass: &[Real]) -> Self {
        let of = |i: usize| (position[i], f64::from(mass[i]));
        let (mut total, mut moment) = (0.0, DVec3::ZERO);
        for (x, m) in members.clone().map(of) {
            total += m;
            moment += x * m;
        }
        let center = moment / total;
        let mut inertia = DMat3::ZERO;
        for (x, m) in members.clone().map(of) {
            inertia += point_inertia(x - center) * m;
        }
        let is_turnable = inertia.determinant() > 0.0;
        Self {
            members,
            mass: total,
            center,
            inverse_inertia: match is_turnable {
                true => inertia.inverse(),
                false => DMat3::ZERO,
            },
        }
    }

    /// The motion that gives changes of velocity the momenta of impulses.
    ///
    /// * `missing` — impulse less mass times change of velocity of a particle [N s]
    pub fn missing_motion(
        &self,
        position: &[DVec3],
        missing: impl Fn(usize) -> DVec3,
    ) -> RigidMotion {
        let (mut momentum, mut spin) = (DVec3::ZERO, DVec3::ZERO);
        for place in self.members.clone() {
            let rest = missing(place);
            momentum += rest;
            spin += (position[place] - self.center).cross(rest);
        }
        RigidMotion {
            center: self.center,
            velocity: momentum / self.mass,
            spin: self.inverse_inertia * spin,
        }
    }
}

/// A rigid motion.
#[derive(Clone, Copy, Debug)]
pub struct RigidMotion {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl RigidMotion {
    /// Velocity at a place [m/s].
    pub fn at(&self, x: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(x - self.center)
    }
}
