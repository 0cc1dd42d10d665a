//! Particles tied to points of rigid bodies.
//!
//!   v_i - (v + omega x r) = (point - x_i)/dt
//!
//! at the particle's place, so that impulses keep momentum and angular momentum. What frozen arms miss in
//! a substep is made good in the next, at a limited speed.
//!
//! All ties of an attachment are solved for at once: what is tied moves with the body as one, with the momentum and
//! the angular momentum of both together. One tie after the other, the body would follow the last ones more.

use std::ops::Range;

use pliant_math::{DMat3, DVec3, Real, RigidInertia, Spatial, Vec3, to_double, to_real};

use super::{Attachment, AttachmentKind};
use crate::boundaries::{ColliderStep, RigidStep};
use crate::particles::{IdMap, Particles};

/// A particle and the point it is tied to, in one substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tether {
    pub particle: u32,
    pub body: u32,
    /// Where the particle is at the start [m].
    pub point: DVec3,
    /// Wanted relative velocity [m/s].
    pub target: DVec3,
    /// Effective mass: impulse over relative velocity [kg].
    mass: DMat3,
    /// Given to the particle so far [N s].
    impulse: DVec3,
}

/// A rigid body and all that an attachment ties to it, as one body.
#[derive(Clone, Copy, Debug)]
struct Compound {
    inertia: RigidInertia,
    /// Of the rigid body alone, around its own centre.
    body_inertia: DMat3,
}

/// The tethers of an attachment.
#[derive(Clone, Debug)]
struct Group {
    tethers: Range<usize>,
    /// `None` where the body or a particle cannot move: then ties are solved one after the other.
    compound: Option<Compound>,
}

/// The tethers of all attachments in one substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Tethers {
    tethers: Vec<Tether>,
    groups: Vec<Group>,
    /// Body and number of those that a method asked for.
    order: Vec<(u32, u32)>,
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
        self.groups.clear();
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
            let first = self.tethers.len();
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
            self.groups.push(Group {
                tethers: first..self.tethers.len(),
                compound: Compound::new(rigid, &self.tethers[first..], particles),
            });
        }
    }

    /// Projects every tether once, one after the other.
    pub fn project(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        for group in &self.groups {
            let tethers = &mut self.tethers[group.tethers.clone()];
            match &group.compound {
                Some(compound) => compound.project(tethers, velocity, inverse_mass, bodies),
                None => {
                    for tether in tethers {
                        let i = tether.particle as usize;
                        let body = &bodies[tether.body as usize];
                        let relative = to_double(velocity[i]) - body.velocity_at(tether.point);
                        let impulse = tether.mass * (tether.target - relative);
                        tether.give(impulse, velocity, inverse_mass, bodies);
                    }
                }
            }
        }
    }

    /// Body and number of those that hold particles at some places to bodies, where both can move: each particle
    /// once, body after body.
    pub(super) fn in_places(&mut self, places: &Range<u32>) -> (&[(u32, u32)], &[Tether]) {
        let Self {
            tethers,
            groups,
            order,
        } = self;
        order.clear();
        let free = groups.iter().filter(|group| group.compound.is_some());
        for number in free.flat_map(|group| group.tethers.clone()) {
            let tether = &tethers[number];
            if places.contains(&tether.particle) {
                order.push((tether.body, number as u32));
            }
        }
        order.sort_unstable_by_key(|&(_, number)| (tethers[number as usize].particle, number));
        order.dedup_by_key(|&mut (_, number)| tethers[number as usize].particle);
        order.sort_unstable();
        (order, tethers)
    }

    /// Takes note of an impulse [N s] that a particle has got already, and gives its body the opposite.
    pub(super) fn record(&mut self, tie: u32, impulse: DVec3, bodies: &mut [RigidStep]) {
        let tether = &mut self.tethers[tie as usize];
        tether.impulse += impulse;
        bodies[tether.body as usize].push(-impulse, tether.point);
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

impl Tether {
    /// Gives its particle an impulse [N s], and its body the opposite.
    fn give(
        &mut self,
        impulse: DVec3,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        let i = self.particle as usize;
        self.impulse += impulse;
        velocity[i] += to_real(impulse * f64::from(inverse_mass[i]));
        bodies[self.body as usize].push(-impulse, self.point);
    }
}

impl Compound {
    /// Of a body and what is tied to it; `None` where one of them cannot move or turn.
    fn new(rigid: &RigidStep, tethers: &[Tether], particles: &Particles) -> Option<Self> {
        let is_free = |tether: &Tether| particles.inverse_mass[tether.particle as usize] > 0.0;
        let turns = rigid.inverse_inertia.determinant() > 0.0;
        if !(rigid.inverse_mass > 0.0 && turns && tethers.iter().all(is_free)) {
            return None;
        }
        let body_inertia = rigid.inverse_inertia.inverse();
        let points = tethers.iter().map(|tether| {
            let mass = f64::from(particles.mass[tether.particle as usize]);
            (tether.point - rigid.center, mass)
        });
        Some(Self {
            inertia: RigidInertia::new(1.0 / rigid.inverse_mass, body_inertia, points),
            body_inertia,
        })
    }

    /// Gives all the motion of one body, beside what is to be made good, with the momenta that they have together.
    fn project(
        &self,
        tethers: &mut [Tether],
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        bodies: &mut [RigidStep],
    ) {
        let Some(first) = tethers.first() else {
            return;
        };
        let body = bodies[first.body as usize];
        let mut momentum = Spatial {
            linear: body.velocity / body.inverse_mass,
            angular: self.body_inertia * body.spin,
        };
        for tether in &*tethers {
            let i = tether.particle as usize;
            let beyond = to_double(velocity[i]) - tether.target;
            let carried = beyond / f64::from(inverse_mass[i]);
            momentum += Spatial::impulse_at(tether.point - body.center, carried);
        }
        let common = self.inertia.motion(momentum);
        for tether in tethers {
            let i = tether.particle as usize;
            let wanted = common.at(tether.point - body.center) + tether.target;
            let impulse = (wanted - to_double(velocity[i])) / f64::from(inverse_mass[i]);
            tether.give(impulse, velocity, inverse_mass, bodies);
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

    #[test]
    fn all_ties_of_an_attachment_are_met_at_once_and_keep_both_momenta() {
        let places = [
            DVec3::new(1.0, 0.2, 0.0),
            DVec3::new(1.1, -0.3, 0.4),
            DVec3::new(-0.5, 0.1, 0.6),
            DVec3::new(0.3, 0.9, -0.2),
        ];
        let mut particles = Particles::default();
        for (id, place) in (0..).zip(places) {
            particles.push(NewParticle {
                position: place,
                velocity: to_real(place.cross(DVec3::new(0.3, -2.0, 1.0)) * f64::from(id)),
                mass: 0.5 + 0.25 * id as Real,
                is_pinned: false,
                radius: 0.1,
                body: 0,
                id,
            });
        }
        let attachments = [Attachment {
            name: "tie".into(),
            particles: (0..4).collect(),
            kind: AttachmentKind::Rigid {
                body: 0,
                // Each is off by a millimetre.
                local: places.iter().map(|&x| x + DVec3::X * 1e-3).collect(),
            },
        }];
        let mut named = crate::attachments::named(&attachments);
        named.update(&particles.id);
        let mut bodies = [RigidStep {
            is_present: true,
            center: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::new(0.2, 0.0, -1.0),
            spin: DVec3::new(0.0, 3.0, 0.5),
            inverse_mass: 0.8,
            inverse_inertia: DMat3::from_diagonal(DVec3::new(2.0, 5.0, 9.0)),
        }];
        let colliders = [bodies[0].collider_step(DVec3::ZERO, 1e-2)];
        let step = TetherStep {
            bodies: &bodies,
            colliders: &colliders,
            push_out_speed: 1.0,
            dt: 1e-2,
        };
        let mut tethers = Tethers::default();
        tethers.find(&attachments, &named, &particles, step);
        let momenta = |particles: &Particles, body: &RigidStep| {
            let mut linear = body.velocity / body.inverse_mass;
            let mut angular = body.inverse_inertia.inverse() * body.spin;
            for i in 0..4 {
                let carried = to_double(particles.velocity[i]) * f64::from(particles.mass[i]);
                linear += carried;
                angular += places[i].cross(carried);
            }
            (linear, angular)
        };
        let (linear, angular) = momenta(&particles, &bodies[0]);
        let inverse_mass = particles.inverse_mass.clone();
        tethers.project(&mut particles.velocity, &inverse_mass, &mut bodies);
        for (i, &place) in places.iter().enumerate() {
            let relative = to_double(particles.velocity[i]) - bodies[0].velocity_at(place);
            assert!(
                (relative - DVec3::X * 0.1).length() < 1e-5,
                "{i} {relative}"
            );
        }
        let (after, turned) = momenta(&particles, &bodies[0]);
        assert!((after - linear).length() < 1e-5 && (turned - angular).length() < 1e-5);
    }
}
