//! Bodies moved under their joints.
//!
//! RATTLE (Andersen 1983), which keeps energy and angular momentum where the motion allows it:
//!
//!   v' = v + M^-1 J(q)^T l,   q' = flight of q with v',   g(q') = 0,   then J(q') v'' = 0
//!
//! Between the impulses of joints a body flies as it would alone (`member`), and gravity and forces act half
//! before and half after.

use pliant_core::boundaries::{ColliderStep, RigidStep};
use pliant_math::{DMat3, DVec3, Pose};

use crate::joint::{End, Joint, Link};
use crate::member::Member;
use crate::rows::{JointRows, RowKind};

/// Angle [rad] that no body turns by in a part of a step.
const TURN: f64 = 0.15;
/// Parts of a step, at most.
const MOST_PARTS: f64 = 64.0;
/// Corrections of a part's end, at most, and the speed [m/s] or [rad/s] that ends them.
const CORRECTIONS: u32 = 20;
const CORRECTED: f64 = 1e-9;

/// Bodies and joints while they move; scratch.
#[derive(Debug, Default)]
pub struct JointSolver {
    links: Vec<Link>,
    /// The bodies, the colliders that joints hold on to, and the world.
    members: Vec<Member>,
    ends: Vec<Member>,
    turns: Vec<DMat3>,
    rows: JointRows,
    errors: Vec<f64>,
}

/// What of bodies and joints never changes.
pub struct Bodies {
    /// Moment of inertia of each about its centre, in its own axes [kg m2].
    pub inertias: Vec<DMat3>,
    /// Centre of mass of each in the coordinates of its collider [m].
    pub centers: Vec<DVec3>,
    /// Where all colliders are at the start, rigid bodies last.
    pub starts: Vec<Pose>,
    /// The joints.
    pub joints: Vec<Joint>,
    /// Whether a body is the end of a joint.
    pub is_joined: Vec<bool>,
}

impl JointSolver {
    /// Takes over where bodies and colliders are, and how they move.
    pub fn start(&mut self, fixed: &Bodies, bodies: &[RigidStep], colliders: &[ColliderStep]) {
        self.members.clear();
        let numbered = bodies.iter().zip(&fixed.inertias);
        let members = numbered.map(|(body, inertia)| Member::of_body(body, *inertia));
        self.members.extend(members);
        self.links.clear();
        let first_rigid = fixed.starts.len() - bodies.len();
        for joint in &fixed.joints {
            let is_there = |end: End| match end {
                End::Body(number) => bodies[number as usize].is_present,
                End::Collider(_) | End::World => true,
            };
            if !joint.ends.into_iter().all(is_there) {
                continue;
            }
            let mut start = |end: End| match end {
                End::Body(number) => {
                    let number = number as usize;
                    let pose = fixed.starts[first_rigid + number];
                    let center = pose.to_world(fixed.centers[number]);
                    let rotation = pose.rotation;
                    (
                        number,
                        Pose {
                            rotation,
                            translation: center,
                        },
                    )
                }
                End::Collider(index) => {
                    self.members
                        .push(Member::of_collider(&colliders[index as usize]));
                    (self.members.len() - 1, fixed.starts[index as usize])
                }
                End::World => {
                    self.members.push(Member::world());
                    (self.members.len() - 1, Pose::IDENTITY)
                }
            };
            let [one, other] = joint.ends.map(&mut start);
            let ends = [one.0, other.0];
            if ends.iter().any(|&end| self.members[end].inverse_mass > 0.0) {
                self.links.push(joint.link(ends, [one.1, other.1]));
            }
        }
    }

    /// Takes from the velocities of bodies what joints do not let them.
    pub fn solve_joints(&mut self, bodies: &mut [RigidStep], dt: f64) {
        if self.links.is_empty() {
            return;
        }
        self.take_velocities(bodies);
        self.constrain(dt, false);
        self.give_velocities(bodies);
    }

    /// The same where what is no body stands still, without limits.
    pub fn solve_joints_of_corrections(&mut self, bodies: &mut [RigidStep]) {
        if self.links.is_empty() {
            return;
        }
        self.take_velocities(bodies);
        let count = bodies.len();
        let still = |member: &Member| Member {
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            ..*member
        };
        self.ends.clear();
        self.ends.extend_from_slice(&self.members[..count]);
        self.ends.extend(self.members[count..].iter().map(still));
        std::mem::swap(&mut self.members, &mut self.ends);
        self.bind();
        self.rows.solve(&mut self.members, &self.turns);
        self.give_velocities(bodies);
        std::mem::swap(&mut self.members, &mut self.ends);
    }

    fn take_velocities(&mut self, bodies: &[RigidStep]) {
        for (member, body) in self.members.iter_mut().zip(bodies) {
            (member.velocity, member.spin) = (body.velocity, body.spin);
        }
    }

    fn give_velocities(&self, bodies: &mut [RigidStep]) {
        for (member, body) in self.members.iter().zip(bodies) {
            (body.velocity, body.spin) = (member.velocity, member.spin);
        }
    }

    /// Moves bodies by `dt` [s], and leaves in them where and how they are at the end.
    ///
    /// * `kicks` — what of their velocities [m/s] acts evenly all through the step
    pub fn advance(&mut self, bodies: &mut [RigidStep], kicks: &[DVec3], dt: f64) {
        let mut fastest: f64 = 0.0;
        for (member, (body, kick)) in self.members.iter_mut().zip(bodies.iter().zip(kicks)) {
            (member.velocity, member.spin) = (body.velocity - *kick, body.spin);
        }
        for link in &self.links {
            let spins = link.ends.map(|end| self.members[end].spin.length());
            fastest = fastest.max(spins[0]).max(spins[1]);
        }
        let parts = (fastest * dt / TURN).ceil().clamp(1.0, MOST_PARTS);
        for _ in 0..parts as u32 {
            self.kick(kicks, 0.5 / parts);
            self.fly(dt / parts);
            self.kick(kicks, 0.5 / parts);
            self.constrain(dt / parts, false);
        }
        for (member, body) in self.members.iter().zip(bodies) {
            if body.inverse_mass > 0.0 {
                body.center = member.center;
                body.rotation = member.rotation;
                body.velocity = member.velocity;
                body.spin = member.spin;
            }
        }
    }

    fn kick(&mut self, kicks: &[DVec3], share: f64) {
        for (member, kick) in self.members.iter_mut().zip(kicks) {
            member.velocity += *kick * share;
        }
    }

    /// A part of a step [s].
    fn fly(&mut self, dt: f64) {
        if !self.links.is_empty() {
            self.constrain(dt, true);
            self.bind();
            self.rows.factorise_equalities(&self.members, &self.turns);
        }
        for _ in 0..CORRECTIONS {
            self.ends.clear();
            self.ends
                .extend(self.members.iter().map(|member| member.flown(dt)));
            self.errors.clear();
            for link in &self.links {
                link.equations(&self.ends, |equation| self.errors.push(equation.error));
            }
            let most = self
                .errors
                .iter()
                .fold(0.0, |most: f64, e| most.max(e.abs()));
            if most <= CORRECTED * dt {
                break;
            }
            let changes = self.errors.iter().map(|error| -error / dt);
            self.rows.change(changes, &mut self.members, &self.turns);
        }
        std::mem::swap(&mut self.members, &mut self.ends);
    }

    /// The rows of what joints never let go, where members are.
    fn bind(&mut self) {
        let Self {
            links,
            members,
            turns,
            rows,
            ..
        } = self;
        turns.clear();
        turns.extend(members.iter().map(Member::turns));
        rows.rows.clear();
        for link in links {
            link.equations(members, |equation| rows.rows.push(equation.row));
        }
    }

    /// Velocities as joints and limits let them be, and motors drive them, over `dt` [s].
    fn constrain(&mut self, dt: f64, drives: bool) {
        if self.links.is_empty() {
            return;
        }
        self.bind();
        let Self {
            links,
            members,
            turns,
            rows,
            ..
        } = self;
        for link in links {
            link.drives(members, dt, |row| {
                if drives || row.kind == RowKind::LowerBound {
                    rows.rows.push(row);
                }
            });
        }
        rows.solve(members, turns);
    }
}
