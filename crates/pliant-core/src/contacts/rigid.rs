//! Contacts of particles with rigid bodies: both sides feel them.
//!
//! A rigid body is met as a collider, by its signed distance, and answers each impulse where the
//! particle's centre is: so neither momentum nor angular momentum is lost. All contacts are projected one
//! after the other, there and back in turns, since many share one body.

use pliant_math::{DMat3, DVec3, Real, Vec3, to_double, to_real};

use super::solve::{Extrapolation, Grain, Impulse, ImpulseContact};
use crate::boundaries::RigidStep;

/// A particle that may touch a rigid body within the substep, as the search finds it.
#[derive(Clone, Copy, Debug)]
pub struct ParticleBodyContact {
    /// Place of the particle.
    pub particle: u32,
    /// Number of the rigid body.
    pub body: u32,
    /// Unit, out of the body.
    pub normal: Vec3,
    /// Least normal velocity relative to the body [m/s].
    pub target: Real,
    /// Coulomb's coefficient.
    pub friction: Real,
    /// Where friction is another along an axis.
    pub grain: Option<Grain>,
    /// c dt of a viscous fluid, which has no friction; 0 for all others.
    pub drag: Real,
    /// Normal velocity before the substep [m/s], negative if approaching.
    pub approach: Real,
    /// Fraction of the approach speed given back.
    pub restitution: Real,
    /// What is behind the particle, if anything.
    pub backing: Option<Backing>,
}

/// A collider that a particle may be pressed against by a rigid body.
///
/// Projected in turns, a heavy body and a collider take as many passes to stop each other as the body is
/// heavier than what is between them: so the two contacts of the particle are solved together.
#[derive(Clone, Copy, Debug)]
pub struct Backing {
    /// Unit, out of the collider.
    pub normal: Vec3,
    /// Least velocity of the particle along it [m/s].
    pub least: Real,
}

impl Backing {
    /// How far an impulse along a normal must go to give a relative velocity its target, if the particle
    /// is pressed against the collider then; else as far as it goes without.
    fn normal_gain(self, rule: &ImpulseContact, [own, relative]: [DVec3; 2], weight: f64) -> f64 {
        let (behind, least) = (to_double(self.normal), f64::from(self.least));
        let free = rule.normal_gain(relative);
        let taken = free.max(-rule.impulse.normal) * weight;
        if (own + rule.normal * taken).dot(behind) >= least {
            return free;
        }
        // What the collider leaves the particle to move by.
        let opposed = rule.normal.dot(behind);
        let yields = rule.yields() - weight * opposed * opposed;
        let relative = relative + behind * (least - own.dot(behind));
        let missing = rule.target - relative.dot(rule.normal);
        missing / yields.max(LEAST_YIELD * rule.yields())
    }
}

/// A rigid body yields at least this part of what a contact does as a whole.
const LEAST_YIELD: f64 = 1e-9;

#[derive(Clone, Copy, Debug)]
struct RigidContact {
    rule: ImpulseContact,
    touch: ParticleBodyContact,
    /// Where the particle is at the start [m].
    point: DVec3,
}

/// Sweeps, at most, in which what bounces gets its velocities...
const BOUNCES: u32 = 50;
/// ...and the share of them to which it does.
const BOUNCED: f64 = 1e-4;

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct RigidContacts {
    contacts: Vec<RigidContact>,
    /// What those that are accelerated were, with their numbers.
    before: Vec<(u32, Impulse)>,
    /// True if the next pass begins at the end.
    is_reversed: bool,
}

impl RigidContacts {
    /// Takes over what the search has found.
    pub fn take(
        &mut self,
        touches: impl Iterator<Item = ParticleBodyContact>,
        position: &[DVec3],
        inverse_mass: &[Real],
        bodies: &[RigidStep],
    ) {
        self.is_reversed = false;
        self.contacts.clear();
        self.contacts.extend(touches.filter_map(|touch| {
            let i = touch.particle as usize;
            let own = DMat3::from_diagonal(DVec3::splat(f64::from(inverse_mass[i])));
            let mobility = own + bodies[touch.body as usize].mobility(position[i]);
            let normal = to_double(touch.normal);
            let (target, friction) = (f64::from(touch.target), f64::from(touch.friction));
            // In double precision: of a particle that is held it is huge, and must not be infinite.
            let drag = f64::from(touch.drag) / f64::from(inverse_mass[i]).max(1e-60);
            let rule = ImpulseContact::new(normal, target, friction, mobility)?;
            Some(RigidContact {
                rule: rule.with_drag(drag).with_grain(touch.grain),
                touch,
                point: position[i],
            })
        }));
        // Scattered: a light body passes on to one side what another gives it, a contact at a time.
        self.contacts.sort_unstable_by_key(|contact| {
            let ParticleBodyContact { particle, body, .. } = contact.touch;
            (particle.wrapping_mul(0x9e37_79b9), body)
        });
    }

    /// Projects every contact once.
    pub fn project(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        self.project_once(velocity, inverse_mass, bodies);
    }

    /// Projects every contact once, and returns the greatest change of a relative velocity by that [m/s].
    fn project_once(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) -> f64 {
        let mut most: f64 = 0.0;
        let project = |contact: &mut RigidContact| {
            let before = contact.rule.impulse;
            let relative = contact.relative_velocity(velocity, bodies);
            let i = contact.touch.particle as usize;
            let gain = match contact.touch.backing {
                Some(backing) => {
                    let velocities = [to_double(velocity[i]), relative];
                    backing.normal_gain(&contact.rule, velocities, f64::from(inverse_mass[i]))
                }
                None => contact.rule.normal_gain(relative),
            };
            let impulse = contact.rule.project_by(relative, gain);
            contact.push(impulse, velocity, inverse_mass, bodies);
            most = most.max(contact.rule.speed_since(before));
        };
        if self.is_reversed {
            self.contacts.iter_mut().rev().for_each(project);
        } else {
            self.contacts.iter_mut().for_each(project);
        }
        self.is_reversed = !self.is_reversed;
        most
    }

    /// Lets contacts of certain particles go further the way they went.
    pub fn extrapolate(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
        extrapolation: &Extrapolation,
    ) {
        if extrapolation.turn == 0 {
            let numbered = (0..).zip(&self.contacts);
            let concerned = numbered.filter(|(_, c)| extrapolation.concerns(c.touch.particle));
            self.before.clear();
            self.before
                .extend(concerned.map(|(number, c)| (number, c.rule.impulse)));
        }
        for (number, before) in &mut self.before {
            let contact = &mut self.contacts[*number as usize];
            let impulse = contact
                .rule
                .extrapolate(before, f64::from(extrapolation.momentum()));
            contact.push(impulse, velocity, inverse_mass, bodies);
        }
    }

    /// Gives back a fraction of the approach velocity where a contact was pressed and the approach was
    /// faster than a threshold [m/s]: to all contacts at once, since what one gives a body the next one
    /// would take for an answer.
    pub fn restore(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
        threshold: Real,
    ) {
        let mut fastest: f64 = 0.0;
        for contact in &mut self.contacts {
            let ParticleBodyContact {
                approach,
                restitution,
                ..
            } = contact.touch;
            let is_pressed = contact.rule.impulse.normal > 0.0;
            if restitution > 0.0 && is_pressed && approach < -threshold {
                contact.rule.target = f64::from(-restitution * approach);
                fastest = fastest.max(contact.rule.target);
            }
        }
        if fastest == 0.0 {
            return;
        }
        for _ in 0..BOUNCES {
            if self.project_once(velocity, inverse_mass, bodies) <= BOUNCED * fastest {
                return;
            }
        }
    }

    /// Adds the impulse [N s] that particles have given each body in this substep.
    pub fn add_impulses(&self, impulses: &mut [DVec3]) {
        for contact in &self.contacts {
            impulses[contact.touch.body as usize] -= contact.rule.total();
        }
    }

    /// Adds the impulse [N s] that bodies have given each particle in this substep.
    pub fn add_to_particles(&self, impulses: &mut [DVec3]) {
        for contact in &self.contacts {
            impulses[contact.touch.particle as usize] += contact.rule.total();
        }
    }

    /// Marks the bodies that particles press on.
    pub fn mark_pressed(&self, is_pressed: &mut [bool]) {
        let contacts = self.contacts.iter();
        for contact in contacts.filter(|c| c.rule.impulse.normal > 0.0) {
            is_pressed[contact.touch.body as usize] = true;
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        let contacts = self.contacts.iter();
        contacts.filter(|c| c.rule.impulse.normal > 0.0).count()
    }
}

impl RigidContact {
    fn relative_velocity(&self, velocity: &[Vec3], bodies: &[RigidStep]) -> DVec3 {
        let of_body = bodies[self.touch.body as usize].velocity_at(self.point);
        to_double(velocity[self.touch.particle as usize]) - of_body
    }

    /// Gives the particle an impulse [N s], and the body the opposite.
    fn push(
        &self,
        impulse: DVec3,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        let i = self.touch.particle as usize;
        velocity[i] += to_real(impulse * f64::from(inverse_mass[i]));
        bodies[self.touch.body as usize].push(-impulse, self.point);
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::DQuat;

    use super::*;

    fn ball() -> RigidStep {
        RigidStep {
            is_present: true,
            center: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::new(0.0, 1.0, 0.0),
            spin: DVec3::ZERO,
            inverse_mass: 0.5,
            inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.25)),
        }
    }

    fn touch(particle: u32, restitution: Real) -> ParticleBodyContact {
        ParticleBodyContact {
            particle,
            body: 0,
            normal: to_real(DVec3::Y),
            target: 0.0,
            friction: 0.5,
            grain: None,
            drag: 0.0,
            approach: -1.0,
            restitution,
            backing: None,
        }
    }

    #[test]
    fn what_particles_gain_the_body_loses() {
        let position = [DVec3::new(0.3, 1.0, 0.0), DVec3::new(-0.2, 1.0, 0.4)];
        let inverse_mass = [4.0, 2.0];
        let mut velocity = [to_real(DVec3::new(0.1, -0.5, 0.0)), to_real(DVec3::ZERO)];
        let mut bodies = [ball()];
        let momentum = |velocity: &[Vec3], body: &RigidStep| {
            let spins = body.inverse_inertia.inverse() * body.spin;
            let mut sums = (body.velocity / body.inverse_mass, spins);
            for ((v, x), w) in velocity.iter().zip(position).zip(inverse_mass) {
                let own = to_double(*v) / f64::from(w);
                sums = (sums.0 + own, sums.1 + x.cross(own));
            }
            sums
        };
        let before = momentum(&velocity, &bodies[0]);
        let mut contacts = RigidContacts::default();
        let touches = [touch(0, 0.0), touch(1, 0.5)];
        contacts.take(touches.into_iter(), &position, &inverse_mass, &bodies);
        for _ in 0..20 {
            contacts.project(&mut velocity, &inverse_mass, &mut bodies);
        }
        contacts.restore(&mut velocity, &inverse_mass, &mut bodies, 0.1);
        let after = momentum(&velocity, &bodies[0]);
        assert!((after.0 - before.0).length() < 1e-6);
        assert!((after.1 - before.1).length() < 1e-6);
        let leaving = to_double(velocity[1]) - bodies[0].velocity_at(position[1]);
        assert!((leaving.y - 0.5).abs() < 2.0 * BOUNCED, "{leaving}");
        assert_eq!(contacts.pressed_count(), 2);
    }

    #[test]
    fn a_viscous_particle_that_is_held_drags_a_body_as_a_wall_does() {
        let viscous = ParticleBodyContact {
            friction: 0.0,
            drag: 10.0,
            ..touch(0, 0.0)
        };
        let (position, inverse_mass) = ([DVec3::Y], [0.0]);
        let mut velocity = [to_real(DVec3::ZERO)];
        let mut bodies = [RigidStep {
            velocity: DVec3::X,
            ..ball()
        }];
        let mut contacts = RigidContacts::default();
        contacts.take([viscous].into_iter(), &position, &inverse_mass, &bodies);
        for _ in 0..20 {
            contacts.project(&mut velocity, &inverse_mass, &mut bodies);
        }
        let sliding = bodies[0].velocity_at(position[0]).x;
        assert!(sliding.abs() < 1e-9, "{sliding}");
    }
}
