//! Rigid bodies in a system of equations, with the particles that are tied to them.
//!
//!   y_i = g_i + V + W x (x_i - c)
//!
//! The changes V of a body's velocity and W of its spin are six unknowns in place of the three of each particle
//! tied to it; g is what a tie makes good. Their equation is the sum of those of the particles, beside the inertia of
//! the body itself: what the particles are joined to feels the body at once, however heavy it is. What is left of a
//! tied particle's own equation is the impulse that its tie gives it.

use std::ops::Range;

use pliant_math::{DMat3, DVec3, Real, RigidInertia, Spatial};

use super::unknowns::chunk_row_lane;
use super::{Unknowns, VectorRow, lane, set_lane};

/// A particle that moves with a body.
#[derive(Clone, Copy, Debug)]
pub struct TiedParticle {
    /// Number of its tie, for those who made it.
    pub tie: u32,
    /// Its place in the system.
    pub place: u32,
    /// From the body's centre [m].
    pub arm: DVec3,
    /// What its change of velocity is beside the body's [m/s].
    pub gap: DVec3,
    /// Of its own equation [N s]; less this is what the tie gives.
    pub residual: DVec3,
}

/// A body and the particles that move with it.
#[derive(Clone, Debug)]
pub struct TiedBody {
    /// Its number, for those who tied it.
    pub body: u32,
    members: Range<usize>,
    /// Of the body alone [kg], [kg m2].
    mass: f64,
    inertia: DMat3,
    /// With what is tied to it: of masses, and of all that resists on the diagonal of the matrix.
    together: RigidInertia,
    preconditioner: RigidInertia,
    /// Change of its motion so far.
    pub change: Spatial,
    /// Of the body's own equation.
    residual: Spatial,
    /// Of all, and scaled.
    sum: Spatial,
    scaled: Spatial,
    direction: Spatial,
}

/// The bodies of a system that particles are tied to.
#[derive(Debug, Default)]
pub struct TiedBodies {
    bodies: Vec<TiedBody>,
    members: Vec<TiedParticle>,
}

impl TiedBodies {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The bodies, each with its particles.
    pub fn iter(&self) -> impl Iterator<Item = (&TiedBody, &[TiedParticle])> {
        let members = |body: &TiedBody| &self.members[body.members.clone()];
        self.bodies.iter().map(move |body| (body, members(body)))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.members.clear();
    }

    /// Adds a body that can move and turn, with particles none of which is held or tied to another.
    ///
    /// * `mass`, `inertia` — of the body alone [kg], about its centre [kg m2]
    /// * `mass_at` — of the particle at a place [kg]
    pub fn add(
        &mut self,
        body: u32,
        (mass, inertia): (f64, DMat3),
        particles: impl Iterator<Item = TiedParticle>,
        mass_at: impl Fn(usize) -> f64,
    ) {
        let first = self.members.len();
        self.members.extend(particles);
        let added = &self.members[first..];
        let points = added.iter().map(|p| (p.arm, mass_at(p.place as usize)));
        let together = RigidInertia::new(mass, inertia, points);
        self.bodies.push(TiedBody {
            body,
            members: first..self.members.len(),
            mass,
            inertia,
            together,
            preconditioner: together,
            change: Spatial::ZERO,
            residual: Spatial::ZERO,
            sum: Spatial::ZERO,
            scaled: Spatial::ZERO,
            direction: Spatial::ZERO,
        });
    }

    /// All particles, body after body.
    pub fn particles(&self) -> &[TiedParticle] {
        &self.members
    }

    /// Makes changes of velocity of particles by themselves those of bodies and particles together.
    ///
    /// * `change` — by place
    /// * `given` — gets the impulse that each tie gives its particle [N s], in the order of the particles
    pub fn share(
        &self,
        change: &mut [[Real; 4]],
        mass_at: impl Fn(usize) -> f64,
        given: &mut Vec<DVec3>,
    ) {
        given.clear();
        for (body, members) in self.iter() {
            let mut sum = Spatial::ZERO;
            for member in members {
                let place = member.place as usize;
                let momentum = vector(&change[place]) * mass_at(place);
                sum += Spatial::impulse_at(member.arm, momentum);
            }
            let motion = body.together.motion(sum);
            for member in members {
                let place = member.place as usize;
                let shared = motion.at(member.arm);
                given.push((shared - vector(&change[place])) * mass_at(place));
                let [x, y, z] = shared.to_array().map(|c| c as Real);
                change[place][..3].copy_from_slice(&[x, y, z]);
            }
        }
    }

    /// Takes the particles out of the unknowns, or gives them back.
    pub(super) fn hold(&self, unknowns: &mut [Unknowns], is_tied: bool) {
        for member in &self.members {
            let (chunk, row, at) = chunk_row_lane(member.place as usize);
            unknowns[chunk].masses[row].is_free.0[at] = if is_tied { 0.0 } else { 1.0 };
        }
    }

    /// Starts from a solution of zero and the right sides that stand in the products; directions are the gaps.
    pub(super) fn start(&mut self, unknowns: &mut [Unknowns]) {
        for body in &mut self.bodies {
            let members = &mut self.members[body.members.clone()];
            for member in &mut *members {
                member.residual = at(unknowns, member.place, |u| &u.product);
                set(unknowns, member.place, member.gap, |u| &mut u.direction);
            }
            let resisted = |member: &TiedParticle| {
                let (chunk, row, at) = chunk_row_lane(member.place as usize);
                f64::from(unknowns[chunk].diagonal[row].0[at])
            };
            let points = members.iter().map(|member| (member.arm, resisted(member)));
            body.preconditioner = RigidInertia::new(body.mass, body.inertia, points);
            body.change = Spatial::ZERO;
            body.residual = Spatial::ZERO;
            body.direction = Spatial::ZERO;
        }
    }

    /// Forgets the solution.
    pub(super) fn clear_solution(&mut self) {
        for body in &mut self.bodies {
            body.change = Spatial::ZERO;
        }
    }

    /// Residuals of a solution, of which the products are.
    ///
    /// * `right` — right side at a place [N s]
    /// * `change` — change of motion that impulses on a body by itself would lead to, by its number here
    pub(super) fn restart(
        &mut self,
        unknowns: &[Unknowns],
        right: impl Fn(usize) -> DVec3,
        change: impl Fn(usize) -> Spatial,
    ) {
        for (number, body) in self.bodies.iter_mut().enumerate() {
            for member in &mut self.members[body.members.clone()] {
                let product = at(unknowns, member.place, |u| &u.product);
                member.residual = right(member.place as usize) - product;
            }
            body.residual = body.impulse_of(change(number) - body.change);
            body.sum_up(&self.members);
        }
    }

    /// Sums of residuals: times the scaled ones, and squared over masses.
    pub(super) fn sums(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for body in &self.bodies {
            sums[0] += body.sum.dot(body.scaled);
            sums[1] += body.sum.dot(body.together.motion(body.sum));
        }
        sums
    }

    /// The next directions, which the particles follow.
    pub(super) fn update_direction(&mut self, unknowns: &mut [Unknowns], share: f64) {
        for body in &mut self.bodies {
            body.direction = body.scaled + body.direction * share;
            for member in &self.members[body.members.clone()] {
                let along = body.direction.at(member.arm);
                set(unknowns, member.place, along, |u| &mut u.direction);
            }
        }
    }

    /// Calls `write(place, direction)` for each particle.
    pub(super) fn directions(
        &self,
        unknowns: &[Unknowns],
        mut write: impl FnMut(usize, [Real; 3]),
    ) {
        for member in &self.members {
            let (chunk, row, at) = chunk_row_lane(member.place as usize);
            write(
                member.place as usize,
                lane(&unknowns[chunk].direction[row], at),
            );
        }
    }

    /// Products of directions and what the bodies oppose to them.
    pub(super) fn resisted(&self) -> f64 {
        let of = |body: &TiedBody| body.direction.dot(body.impulse_of(body.direction));
        self.bodies.iter().map(of).sum()
    }

    /// A step along the directions, of which the products are.
    pub(super) fn advance(&mut self, unknowns: &[Unknowns], step: f64) {
        for body in &mut self.bodies {
            for member in &mut self.members[body.members.clone()] {
                member.residual -= at(unknowns, member.place, |u| &u.product) * step;
            }
            body.change += body.direction * step;
            body.residual -= body.impulse_of(body.direction) * step;
            body.sum_up(&self.members);
        }
    }
}

impl TiedBody {
    /// What changes the body's own motion so.
    fn impulse_of(&self, motion: Spatial) -> Spatial {
        Spatial {
            linear: motion.linear * self.mass,
            angular: self.inertia * motion.angular,
        }
    }

    /// Adds up the residuals of all.
    fn sum_up(&mut self, members: &[TiedParticle]) {
        self.sum = self.residual;
        for member in &members[self.members.clone()] {
            self.sum += Spatial::impulse_at(member.arm, member.residual);
        }
        self.scaled = self.preconditioner.motion(self.sum);
    }
}

fn vector(&[x, y, z, _]: &[Real; 4]) -> DVec3 {
    DVec3::from_array([x, y, z].map(f64::from))
}

fn at(unknowns: &[Unknowns], place: u32, rows: impl Fn(&Unknowns) -> &Vec<VectorRow>) -> DVec3 {
    let (chunk, row, at) = chunk_row_lane(place as usize);
    DVec3::from_array(lane(&rows(&unknowns[chunk])[row], at).map(f64::from))
}

fn set(
    unknowns: &mut [Unknowns],
    place: u32,
    value: DVec3,
    rows: impl Fn(&mut Unknowns) -> &mut Vec<VectorRow>,
) {
    let (chunk, row, at) = chunk_row_lane(place as usize);
    let value = value.to_array().map(|c| c as Real);
    set_lane(&mut rows(&mut unknowns[chunk])[row], at, value);
}
