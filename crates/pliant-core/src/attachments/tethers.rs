//! Particles tied to points of rigid bodies.
//!
//!   v_i - (v + omega x r) = (point - x_i)/dt
//!
//! at the particle's place, so that impulses keep momentum and angular momentum. What frozen arms miss in
//! a substep is made good in the next, at a limited speed.

use pliant_math::{DMat3, DVec3, Real, Vec3, to_double, to_real};

use super::{Attachment, AttachmentKind};
use crate::boundaries::{ColliderStep, RigidStep};
use crate::particles::{IdMap, Particles};

/// A particle and the point it is tied to, in one substep.
#[derive(Clone, Copy, Debug)]
struct Tether {
    particle: u32,
    body: u32,
    /// Where the particle is at the start [m].
    point: DVec3,
    /// Wanted relative velocity [m/s].
    target: DVec3,
    /// Effective mass: impulse over relative velocity [kg].
    mass: DMat3,
    /// Given to the particle so far [N s].
    impulse: DVec3,
}

/// The tethers of all attachments in one substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Tethers {
    tethers: Vec<Tether>,
}

/// What tethers read of the step.
#[derive(Clone, Copy)]
pub struct TetherStep<'a> {
    /// The rigid bodies.
    pub bodies: &'a [RigidStep],
    /// Their colliders.
    pub colliders: &'a [ColliderStep],
    /// Greatest speed at which what is off is made good [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

impl Tethers {
    /// Freezes arms and what is to be made good.
    pub fn find(
        &mut self,
        attachments: &[Attachment],
        places: &IdMap,
        particles: &Particles,
        step: TetherStep<'_>,
    ) {
        self.tethers.clear();
        for attachment in attachments {
            let AttachmentKind::Rigid { body, local } = &attachment.kind else {
                continue;
            };
            let (rigid, collider) = (
                &step.bodies[*body as usize],
                &step.colliders[*body as usize],
            );
            if !rigid.is_present {
                continue;
            }
            let tethers = attachment.particles.iter().zip(local);
            self.tethers.extend(tethers.filter_map(|(&id, &local)| {
                let i = places.of(id)?;
                let point = particles.position[i];
                let own = DVec3::splat(f64::from(particles.inverse_mass[i]));
                let mobility = DMat3::from_diagonal(own) + rigid.mobility(point);
                let off = (collider.start.to_world(local) - point) / step.dt;
                (mobility.determinant() > 0.0).then(|| Tether {
                    particle: i as u32,
                    body: *body,
                    point,
                    target: off.clamp_length_max(step.push_out_speed),
                    mass: mobility.inverse(),
                    impulse: DVec3::ZERO,
                })
            }));
        }
    }

    /// Projects every tether once, one after the other.
    pub fn project(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        for tether in &mut self.tethers {
            let i = tether.particle as usize;
            let body = &mut bodies[tether.body as usize];
            let relative = to_double(velocity[i]) - body.velocity_at(tether.point);
            let impulse = tether.mass * (tether.target - relative);
            tether.impulse += impulse;
            velocity[i] += to_real(impulse * f64::from(inverse_mass[i]));
            body.push(-impulse, tether.point);
        }
    }

    /// Adds the impulse [N s] that each rigid body has got in this substep.
    pub fn add_impulses(&self, impulses: &mut [DVec3]) {
        for tether in &self.tethers {
            impulses[tether.body as usize] -= tether.impulse;
        }
    }

    /// Adds the impulse [N s] that each particle has got in this substep.
    pub fn add_to_particles(&self, impulses: &mut [DVec3]) {
        for tether in &self.tethers {
            impulses[tether.particle as usize] += tether.impulse;
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::{DQuat, Pose};

    use super::*;
    use crate::particles::NewParticle;

    #[test]
    fn a_tie_moves_particle_and_body_together_and_keeps_momentum() {
        let mut particles = Particles::default();
        particles.push(NewParticle {
            position: DVec3::X,
            velocity: to_real(DVec3::new(0.0, 2.0, 1.0)),
            mass: 0.5,
            is_pinned: false,
            radius: 0.1,
            body: 0,
            id: 7,
        });
        let attachments = [Attachment {
            name: "tie".into(),
            particles: vec![7],
            kind: AttachmentKind::Rigid {
                body: 0,
                local: vec![DVec3::X],
            },
        }];
        let mut places = crate::attachments::named(&attachments);
        places.update(&particles.id);
        let mut bodies = [RigidStep {
            is_present: true,
            center: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            inverse_mass: 0.5,
            inverse_inertia: DMat3::from_diagonal(DVec3::splat(2.0)),
        }];
        let colliders = [bodies[0].collider_step(DVec3::ZERO, 1e-3)];
        assert_eq!(colliders[0].start, Pose::IDENTITY);
        let mut tethers = Tethers::default();
        let step = TetherStep {
            bodies: &bodies,
            colliders: &colliders,
            push_out_speed: 0.1,
            dt: 1e-3,
        };
        tethers.find(&attachments, &places, &particles, step);
        tethers.project(
            &mut particles.velocity,
            &particles.inverse_mass,
            &mut bodies,
        );
        let velocity = to_double(particles.velocity[0]);
        assert!((velocity - bodies[0].velocity_at(DVec3::X)).length() < 1e-6);
        let momentum = velocity * 0.5 + bodies[0].velocity * 2.0;
        assert!((momentum - DVec3::new(0.0, 1.0, 0.5)).length() < 1e-6);
        let turning = DVec3::X.cross(velocity * 0.5) + bodies[0].spin * 0.5;
        assert!((turning - DVec3::new(0.0, -0.5, 1.0)).length() < 1e-6);
    }
}
