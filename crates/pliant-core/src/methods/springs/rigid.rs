//! Momentum and angular momentum of free components.
//!
//! A solve that ends early leaves impulses between particles that do not cancel, and linearised forces
//! act along directions of the start while the particles move on: a turning body loses angular
//! momentum however well the system is solved. Both are given back as a rigid motion, the one that
//! has them:
//!
//!   y_i += P/m + w x (x_i - c),   I w = L,   P = sum(J_i - m_i y_i),   L = sum (x_i - c) x (J_i - m_i y_i)
//!
//! with impulses J from outside and positions at the start: what sum m x_end x v is afterwards differs
//! from sum m x_start x v by nothing, as x_end = x_start + dt v.

use pliant_math::{DMat3, DVec3, Real, inverse_inertia, point_inertia};

use super::system::System;

/// Part of its trace that the inertia of a line has about itself at least; what has more is no line.
const LEAST_INERTIA: f64 = 1e-9;

/// Particles joined to each other and to nothing that is held.
#[derive(Clone, Debug)]
pub struct FreePart {
    /// Their places.
    members: Vec<u32>,
    mass: f64,
    center: DVec3,
    inverse_inertia: DMat3,
}

impl FreePart {
    /// Of particles none of which is held.
    pub fn new(members: Vec<u32>) -> Self {
        Self {
            members,
            mass: 0.0,
            center: DVec3::ZERO,
            inverse_inertia: DMat3::ZERO,
        }
    }

    /// Takes over the shape at the start of a substep.
    pub fn start(&mut self, position: &[DVec3], mass: &[Real], keeps_rotation: bool) {
        let of = |&i: &u32| (position[i as usize], f64::from(mass[i as usize]));
        let (mut total, mut moment) = (0.0, DVec3::ZERO);
        for (x, m) in self.members.iter().map(of) {
            total += m;
            moment += x * m;
        }
        (self.mass, self.center) = (total, moment / total);
        self.inverse_inertia = DMat3::ZERO;
        if keeps_rotation && self.members.len() > 1 {
            let arms = self.members.iter().map(of);
            let inertia = inertia(arms.map(|(x, m)| (x - self.center, m)));
            self.inverse_inertia = inverse_inertia(inertia, LEAST_INERTIA);
        }
    }

    /// Gives the solution the momenta of the impulses.
    pub fn restore(
        &self,
        system: &mut System,
        position: &[DVec3],
        mass: &[Real],
        has_impulses: bool,
    ) {
        let (mut missing, mut spin) = (DVec3::ZERO, DVec3::ZERO);
        for place in self.members.iter().map(|&i| i as usize) {
            let mut rest = -system.solution(place) * f64::from(mass[place]);
            if has_impulses {
                rest += system.at(place, |task| &task.impulse);
            }
            missing += rest;
            spin += (position[place] - self.center).cross(rest);
        }
        let (shift, turn) = (missing / self.mass, self.inverse_inertia * spin);
        for place in self.members.iter().map(|&i| i as usize) {
            let arm = position[place] - self.center;
            let restored = system.solution(place) + shift + turn.cross(arm);
            system.set_solution(place, restored);
        }
    }
}

fn inertia(arms: impl Iterator<Item = (DVec3, f64)>) -> DMat3 {
    let mut sum = DMat3::ZERO;
    for (r, m) in arms {
        sum += point_inertia(r) * m;
    }
    sum
}
