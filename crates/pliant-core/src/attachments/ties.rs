//! The ties of particles to rigid bodies, as a method sees them that solves for the velocities of both.

use std::ops::Range;

use pliant_math::{DVec3, Real, Spatial, Vec3, to_double};

use super::Tethers;
use crate::boundaries::RigidStep;
use crate::solvers::{TiedBodies, TiedParticle};

/// All ties of a substep, and the rigid bodies.
#[derive(Debug)]
pub struct Ties<'a> {
    /// The ties.
    pub tethers: &'a mut Tethers,
    /// The bodies.
    pub bodies: &'a mut [RigidStep],
}

impl Ties<'_> {
    /// Adds the bodies that particles at some places are tied to, where both can move, to those of a system. A
    /// particle with two ties has the first in it.
    ///
    /// * `range` — the places; those in the system count from its start
    /// * `velocity` — of those particles [m/s], from which gaps are counted
    /// * `mass` — of those particles [kg]
    pub fn add_to(
        &mut self,
        tied: &mut TiedBodies,
        range: Range<usize>,
        velocity: &[Vec3],
        mass: &[Real],
    ) {
        let places = range.start as u32..range.end as u32;
        let (order, tethers) = self.tethers.in_places(&places);
        for ties in order.chunk_by(|a, b| a.0 == b.0) {
            let body = ties[0].0;
            let rigid = &self.bodies[body as usize];
            let members = ties.iter().map(|&(_, tie)| {
                let tether = &tethers[tie as usize];
                let place = tether.particle - places.start;
                let velocity = to_double(velocity[place as usize]);
                TiedParticle {
                    tie,
                    place,
                    arm: tether.point - rigid.center,
                    gap: rigid.velocity_at(tether.point) + tether.target - velocity,
                    residual: DVec3::ZERO,
                }
            });
            let own = (1.0 / rigid.inverse_mass, rigid.inverse_inertia.inverse());
            let mass_at = |place: usize| f64::from(mass[place]);
            tied.add(body, own, members, mass_at);
        }
    }

    /// Has a tie give an impulse [N s], of which its particle knows already.
    pub fn give(&mut self, tie: u32, impulse: DVec3) {
        self.tethers.record(tie, impulse, self.bodies);
    }

    /// The motion of a body.
    pub fn motion(&self, body: u32) -> Spatial {
        let body = &self.bodies[body as usize];
        Spatial {
            linear: body.velocity,
            angular: body.spin,
        }
    }
}
