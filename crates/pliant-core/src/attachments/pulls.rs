//! Particles that springs pull to places that colliders carry, or that are fixed in the world.
//!
//!   J = -dt (x + dt v - target)/compliance
//!
//! is the impulse of a spring that is evaluated at the end of the substep, so that it is stable however stiff it
//! is: with the accumulated J, a constraint with a compliance (Macklin et al. 2016). The springs of an attachment
//! share its stiffness in proportion to the masses that they hold.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::{Attachment, AttachmentKind, Carriers, free_mass};
use crate::boundaries::ColliderReactions;
use crate::particles::{IdMap, Particles};

/// A particle and the place that it is pulled to, in one substep.
#[derive(Clone, Copy, Debug)]
struct Pull {
    particle: u32,
    /// The collider that carries the place; `u32::MAX` if it is fixed.
    collider: u32,
    /// Velocity that would bring it to its place [m/s].
    target: DVec3,
    /// Change of that velocity which an impulse of 1 N s costs the spring [1/kg].
    softness: f64,
    /// Velocity at the start [m/s].
    start: DVec3,
    /// Given to the particle so far [N s].
    impulse: DVec3,
}

/// The pulls of all attachments in one substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Pulls {
    pulls: Vec<Pull>,
}

impl Pulls {
    /// Takes the places at the end of the substep from `time` to `time + dt` [s].
    pub fn find(
        &mut self,
        attachments: &[Attachment],
        (places, particles): (&IdMap, &Particles),
        carriers: Carriers<'_>,
        (time, dt): (f64, f64),
    ) {
        self.pulls.clear();
        for (number, attachment) in attachments.iter().enumerate() {
            let AttachmentKind::Pull {
                collider,
                target,
                compliance,
                strength,
            } = &attachment.kind
            else {
                continue;
            };
            let strength = strength.at(time + 0.5 * dt);
            if strength <= 0.0 {
                continue;
            }
            let softness = compliance * free_mass(attachment, places, particles) / strength;
            let targets = attachment.particles.iter().zip(target).enumerate();
            self.pulls.extend(targets.filter_map(|(k, (&id, &target))| {
                let i = places.of(id)?;
                let place = match collider {
                    Some(collider) => carriers.end(*collider as usize, (number, k), target),
                    None => target,
                };
                (particles.inverse_mass[i] > 0.0).then(|| Pull {
                    particle: i as u32,
                    collider: collider.unwrap_or(u32::MAX),
                    target: (place - particles.position[i]) / dt,
                    softness: softness / (f64::from(particles.mass[i]) * dt * dt),
                    start: to_double(particles.velocity[i]),
                    impulse: DVec3::ZERO,
                })
            }));
        }
    }

    /// Projects every pull once.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for pull in &mut self.pulls {
            let i = pull.particle as usize;
            let mobility = f64::from(inverse_mass[i]);
            let missing = pull.target - to_double(velocity[i]) - pull.impulse * pull.softness;
            let impulse = missing / (mobility + pull.softness);
            pull.impulse += impulse;
            velocity[i] += to_real(impulse * mobility);
        }
    }

    /// Adds the impulse on each collider [N s], and the work that the springs have done on particles: what they
    /// store is not the world's.
    pub fn add_reactions(&self, velocity: &[Vec3], reactions: &mut ColliderReactions) {
        for pull in &self.pulls {
            let end = to_double(velocity[pull.particle as usize]);
            let work = 0.5 * pull.impulse.dot(pull.start + end);
            match pull.collider {
                u32::MAX => reactions.work += work,
                collider => {
                    reactions.push_with_work(collider as usize, -pull.impulse, work);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Anchors;
    use super::*;
    use crate::particles::NewParticle;
    use crate::schedule::Schedule;

    /// Two particles on a spring of 1/compliance in all, without gravity.
    fn pulled(compliance: f64) -> (Particles, [Attachment; 1], IdMap) {
        let mut particles = Particles::default();
        for id in 0..2 {
            particles.push(NewParticle {
                position: DVec3::new(0.1, 0.0, 0.0),
                velocity: Vec3::ZERO,
                mass: 0.5 + id as Real,
                is_pinned: false,
                radius: 0.1,
                body: 0,
                id,
            });
        }
        let attachments = [Attachment {
            name: "hand".into(),
            particles: vec![0, 1],
            kind: AttachmentKind::Pull {
                collider: None,
                target: vec![DVec3::ZERO; 2],
                compliance,
                strength: Schedule::Constant(1.0),
            },
        }];
        let mut places = crate::attachments::named(&attachments);
        places.update(&particles.id);
        (particles, attachments, places)
    }

    fn step(compliance: f64, steps: usize, dt: f64) -> (Particles, f64) {
        let (mut particles, attachments, places) = pulled(compliance);
        let mut pulls = Pulls::default();
        let mut reactions = ColliderReactions::default();
        for k in 0..steps {
            pulls.find(
                &attachments,
                (&places, &particles),
                Carriers {
                    colliders: &[],
                    steps: &[],
                    anchors: &Anchors::default(),
                },
                (k as f64 * dt, dt),
            );
            for _ in 0..3 {
                pulls.project(&mut particles.velocity, &particles.inverse_mass);
            }
            pulls.add_reactions(&particles.velocity, &mut reactions);
            for (x, &v) in particles.position.iter_mut().zip(&particles.velocity) {
                *x += to_double(v) * dt;
            }
        }
        (particles, reactions.work)
    }

    #[test]
    fn both_masses_swing_as_one_on_the_whole_stiffness() {
        // A quarter of the period of 2 kg on 50 N/m.
        let period = std::f64::consts::TAU * (2.0f64 / 50.0).sqrt();
        let (particles, _) = step(0.02, 1000, 0.25e-3 * period);
        let amplitude = 0.1 * (50.0f64 / 2.0).sqrt();
        for (x, &v) in particles.position.iter().zip(&particles.velocity) {
            assert!(x.x.abs() < 1e-3, "{x}");
            let error = f64::from(v.x) / -amplitude - 1.0;
            assert!(error.abs() < 2e-3, "{v}");
        }
    }

    #[test]
    fn a_stiff_spring_brings_its_particle_there_in_one_step() {
        let (particles, _) = step(1e-12, 1, 1e-2);
        assert!(particles.position.iter().all(|x| x.length() < 1e-7));
    }

    #[test]
    fn the_work_of_springs_is_the_kinetic_energy_they_give() {
        let (particles, work) = step(0.02, 100, 1e-3);
        let columns = particles.velocity.iter().zip(&particles.mass);
        let kinetic: f64 = columns
            .map(|(&v, &m)| 0.5 * f64::from(m) * to_double(v).length_squared())
            .sum();
        assert!((work / kinetic - 1.0).abs() < 1e-4, "{work} {kinetic}");
    }
}
