//! Points of rigid bodies that springs pull to places that colliders carry, or that are fixed in the world.
//!
//!   J = -dt (x + dt v - target)/compliance
//!
//! is the impulse at a point of the body that is at x and moves with v = velocity + spin x arm: that of a particle
//! on such a spring (`super::pulls`), but the point gives way by the mass and the inertia of the body. Arms are
//! frozen in a substep.

use pliant_math::{DMat3, DVec3, to_double};

use super::{Attachment, AttachmentKind, Carriers};
use crate::boundaries::{ColliderReactions, ColliderStep, RigidStep};
use crate::particles::{IdMap, Particles};

/// A point of a body and the place that it is pulled to, in one substep.
#[derive(Clone, Copy, Debug)]
struct RigidPull {
    body: u32,
    /// The collider that carries the place; `u32::MAX` if it is fixed.
    collider: u32,
    /// Where the point is at the start [m].
    point: DVec3,
    /// Velocity that would bring it to its place [m/s].
    target: DVec3,
    /// Change of that velocity which an impulse of 1 N s costs the spring [1/kg].
    softness: f64,
    /// Effective mass: impulse over what the velocity lacks [kg].
    mass: DMat3,
    /// Velocity of the point at the start [m/s].
    start: DVec3,
    /// Given to the body so far [N s].
    impulse: DVec3,
}

/// What these pulls read of the step.
#[derive(Clone, Copy)]
pub struct RigidPullStep<'a> {
    /// The rigid bodies.
    pub bodies: &'a [RigidStep],
    /// Their colliders.
    pub colliders: &'a [ColliderStep],
    /// The colliders that carry places.
    pub carriers: Carriers<'a>,
    /// Its start [s].
    pub time: f64,
    /// Its length [s].
    pub dt: f64,
}

/// The pulls at rigid bodies of all attachments in one substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct RigidPulls {
    pulls: Vec<RigidPull>,
}

impl RigidPulls {
    /// Takes the places at the end of the substep.
    pub fn find(
        &mut self,
        attachments: &[Attachment],
        (places, particles): (&IdMap, &Particles),
        step: RigidPullStep<'_>,
    ) {
        self.pulls.clear();
        let numbered = attachments.iter().enumerate();
        self.pulls
            .extend(numbered.filter_map(|(number, attachment)| {
                let AttachmentKind::PullRigid {
                    body,
                    point,
                    collider,
                    target,
                    compliance,
                    strength,
                } = &attachment.kind
                else {
                    return None;
                };
                let strength = strength.at(step.time + 0.5 * step.dt);
                let rigid = &step.bodies[*body as usize];
                if strength <= 0.0 || rigid.inverse_mass == 0.0 || !rigid.is_present {
                    return None;
                }
                let own = places.of(*attachment.particles.first()?)?;
                let point = step.colliders[*body as usize].start.to_world(*point);
                let place = match collider {
                    Some(collider) => step.carriers.end(*collider as usize, (number, 0), *target),
                    None => *target,
                };
                let softness = compliance / (strength * step.dt * step.dt);
                let yielding = rigid.mobility(point) + DMat3::from_diagonal(DVec3::splat(softness));
                Some(RigidPull {
                    body: *body,
                    collider: collider.unwrap_or(u32::MAX),
                    point,
                    target: (place - point) / step.dt,
                    softness,
                    mass: yielding.inverse(),
                    start: to_double(particles.velocity[own])
                        + rigid.spin.cross(point - rigid.center),
                    impulse: DVec3::ZERO,
                })
            }));
    }

    /// Projects every pull once.
    pub fn project(&mut self, bodies: &mut [RigidStep]) {
        for pull in &mut self.pulls {
            let body = &mut bodies[pull.body as usize];
            let velocity = body.velocity_at(pull.point);
            let missing = pull.target - velocity - pull.impulse * pull.softness;
            let impulse = pull.mass * missing;
            pull.impulse += impulse;
            body.push(impulse, pull.point);
        }
    }

    /// Marks the bodies that are pulled at.
    pub fn mark_pulled(&self, is_pulled: &mut [bool]) {
        for pull in &self.pulls {
            is_pulled[pull.body as usize] = true;
        }
    }

    /// Adds the impulse on each collider and each body [N s], and the work that the springs have done on bodies:
    /// what they store is not the world's.
    pub fn add_reactions(&self, bodies: &[RigidStep], reactions: &mut ColliderReactions) {
        for pull in &self.pulls {
            let end = bodies[pull.body as usize].velocity_at(pull.point);
            let work = 0.5 * pull.impulse.dot(pull.start + end);
            match pull.collider {
                u32::MAX => reactions.work += work,
                collider => reactions.push_with_work(collider as usize, -pull.impulse, work),
            }
            reactions.of_rigid()[pull.body as usize] += pull.impulse;
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::{DQuat, Vec3};

    use super::super::Anchors;
    use super::*;
    use crate::particles::NewParticle;
    use crate::schedule::Schedule;

    const MASS: f64 = 2.0;
    const INERTIA: f64 = 0.3;

    /// A body at the origin, and a spring at a point of it.
    struct Pulled {
        body: RigidStep,
        particles: Particles,
        attachments: [Attachment; 1],
    }

    impl Pulled {
        fn new(point: DVec3, compliance: f64) -> Self {
            let mut particles = Particles::default();
            particles.push(NewParticle {
                position: DVec3::ZERO,
                velocity: Vec3::ZERO,
                mass: MASS as pliant_math::Real,
                is_pinned: false,
                radius: 0.1,
                body: 0,
                id: 0,
            });
            let attachments = [Attachment {
                name: "hand".into(),
                particles: vec![0],
                kind: AttachmentKind::PullRigid {
                    body: 0,
                    point,
                    collider: None,
                    target: DVec3::ZERO,
                    compliance,
                    strength: Schedule::Constant(1.0),
                },
            }];
            let body = RigidStep {
                is_present: true,
                center: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                inverse_mass: 1.0 / MASS,
                inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.0 / INERTIA)),
            };
            Self {
                body,
                particles,
                attachments,
            }
        }

        /// The work of the spring [J] in so many substeps of `dt` [s].
        fn step(&mut self, steps: usize, dt: f64) -> f64 {
            let mut places = crate::attachments::named(&self.attachments);
            places.update(&self.particles.id);
            let (mut pulls, mut work) = (RigidPulls::default(), 0.0);
            let mut reactions = ColliderReactions::default();
            for k in 0..steps {
                let colliders = [self.body.collider_step(DVec3::ZERO, dt)];
                let step = RigidPullStep {
                    bodies: &[self.body],
                    colliders: &colliders,
                    carriers: Carriers {
                        colliders: &[],
                        steps: &[],
                        anchors: &Anchors::default(),
                    },
                    time: k as f64 * dt,
                    dt,
                };
                pulls.find(&self.attachments, (&places, &self.particles), step);
                let mut bodies = [self.body];
                for _ in 0..3 {
                    pulls.project(&mut bodies);
                }
                reactions.start(1, 0);
                pulls.add_reactions(&bodies, &mut reactions);
                work += reactions.work;
                let [body] = bodies;
                self.body = RigidStep {
                    center: body.center + body.velocity * dt,
                    rotation: body.rotation_after(dt),
                    ..body
                };
                self.particles.velocity[0] = pliant_math::to_real(body.velocity);
            }
            work
        }

        fn kinetic(&self) -> f64 {
            let body = &self.body;
            0.5 * (MASS * body.velocity.length_squared() + INERTIA * body.spin.length_squared())
        }
    }

    #[test]
    fn a_body_held_at_its_center_swings_with_its_mass_on_the_stiffness() {
        let mut pulled = Pulled::new(DVec3::ZERO, 0.02);
        pulled.body.center = DVec3::X * 0.1;
        let period = std::f64::consts::TAU * (MASS * 0.02).sqrt();
        pulled.step(1000, 0.25e-3 * period);
        assert!(pulled.body.center.length() < 1e-3, "{:?}", pulled.body);
        let speed = 0.1 / (MASS * 0.02).sqrt();
        assert!((pulled.body.velocity.x / -speed - 1.0).abs() < 2e-3);
    }

    #[test]
    fn a_force_at_an_arm_turns_as_the_inertia_says() {
        // Small swings along the force: 1/m + arm^2/I in place of 1/m.
        let arm = DVec3::Y * 0.4;
        let mut pulled = Pulled::new(arm, 0.02);
        pulled.body.center = DVec3::new(1e-3, 0.0, 0.0) - arm;
        let mobility = 1.0 / MASS + 0.16 / INERTIA;
        let period = std::f64::consts::TAU * (0.02 / mobility).sqrt();
        pulled.step(1000, 0.25e-3 * period);
        let point = pulled.body.center + pulled.body.rotation * arm;
        assert!(point.length() < 1e-5, "{point}");
        let share = (pulled.body.spin.z * INERTIA) / (pulled.body.velocity.x * MASS);
        assert!(
            (share + 0.4).abs() < 1e-3,
            "the momenta of one force: {share}"
        );
    }

    #[test]
    fn the_work_of_a_spring_is_the_kinetic_energy_that_it_gives() {
        let mut pulled = Pulled::new(DVec3::new(0.2, 0.3, -0.1), 0.02);
        pulled.body.center = DVec3::new(0.1, -0.2, 0.15);
        let work = pulled.step(150, 1e-3);
        let kinetic = pulled.kinetic();
        assert!(
            kinetic > 0.1 && (work / kinetic - 1.0).abs() < 1e-4,
            "{work} {kinetic}"
        );
    }

    #[test]
    fn a_stiff_spring_brings_its_point_there_in_one_step() {
        let mut pulled = Pulled::new(DVec3::ZERO, 1e-12);
        pulled.body.center = DVec3::X * 0.1;
        pulled.step(1, 1e-2);
        assert!(pulled.body.center.length() < 1e-7, "{:?}", pulled.body);
    }
}
