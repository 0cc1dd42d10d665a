//! A point at which rigid bodies may touch, while it is solved.

use pliant_math::{DMat3, DVec3};

use super::newton::Row;
use super::{Fall, PairStep, RigidMeeting, Side};
use crate::boundaries::RigidStep;
use crate::contacts::solve::{Grain, Impulse, ImpulseContact};

/// Share of an overlap that is undone in a substep.
const BAUMGARTE_FACTOR: f64 = 0.2;
/// Overlaps of this share of a point's distance from the body's centre are left: contacts that rest stay
/// contacts.
const SLOP: f64 = 1e-4;

/// A point, its rule, and what it has done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) rule: ImpulseContact,
    pub(super) meeting: RigidMeeting,
    /// Colliders of the two sides.
    pub(super) sides: (u32, u32),
    /// Of a collider's surface [m/s].
    pub(super) surface_velocity: DVec3,
    /// What it gives back, if it is hit.
    pub(super) impact: Option<Impact>,
    /// Where the point is seen from the first side [m], and the square of its distance from there.
    pub(super) local: DVec3,
    pub(super) arm_squared: f64,
    /// Impulse to start from.
    pub(super) start: Impulse,
    /// The least number of the bodies that it is solved with.
    pub(super) island: u32,
    /// Impulse before a sweep, and the way that conjugate gradients go on.
    pub(super) before: Impulse,
    pub(super) way: Impulse,
}

/// How two sides part that meet within the substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    /// When they touch, from the start of the substep [s].
    pub(super) time: f64,
    /// Normal velocity at the end of the substep [m/s].
    pub(super) leaving: f64,
    /// What of the relative velocity comes after it [m/s].
    pub(super) gained: DVec3,
}

impl Pair {
    pub(super) fn new(
        meeting: RigidMeeting,
        bodies: &[RigidStep],
        first_rigid: usize,
        step: PairStep<'_>,
    ) -> Option<Self> {
        let index = |side: Side| match side {
            Side::Body(number) => first_rigid as u32 + number,
            Side::Collider(index) => index,
        };
        let mobility = |side: Side| match side {
            Side::Body(number) => bodies[number as usize].mobility(meeting.point),
            Side::Collider(_) => DMat3::ZERO,
        };
        let [first, second] = meeting.sides;
        let target = -meeting.gap.max(0.0) / step.dt;
        let mobility = mobility(first) + mobility(second);
        let local = match first {
            Side::Body(number) => bodies[number as usize].to_local(meeting.point),
            Side::Collider(_) => meeting.point,
        };
        let rule = ImpulseContact::new(meeting.normal, target, meeting.friction, mobility)?;
        // What is no longer a number is for `inspect` to find, and shall not make others so.
        let is_lost = |side: Side| match side {
            Side::Body(number) => !bodies[number as usize].spin.is_finite(),
            Side::Collider(_) => false,
        };
        if meeting.sides.into_iter().any(is_lost) {
            return None;
        }
        Some(Self {
            rule,
            meeting,
            sides: (index(first), index(second)),
            local,
            arm_squared: local.length_squared(),
            start: Impulse::default(),
            surface_velocity: match second {
                Side::Collider(index) => {
                    let index = index as usize;
                    step.shapes[index].velocity_at(&step.colliders[index], meeting.point)
                }
                Side::Body(_) => DVec3::ZERO,
            },
            impact: None,
            island: 0,
            before: Impulse::default(),
            way: Impulse::default(),
        })
    }

    /// The same with other friction along the axis of a side that has one; a collider has none.
    pub(super) fn with_grain(self, grains: &[Option<Grain>]) -> Self {
        let [one, other] = self.meeting.sides.map(|side| match side {
            Side::Body(number) => grains[number as usize],
            Side::Collider(_) => None,
        });
        Self {
            rule: self.rule.with_grain(Grain::stronger(one, other)),
            ..self
        }
    }

    /// Finds how it bounces, and returns how fast the sides approach each other at the start [m/s].
    pub(super) fn foresee(
        &mut self,
        bodies: &[RigidStep],
        falls: &[Fall],
        step: PairStep<'_>,
    ) -> f64 {
        let normal = self.meeting.normal;
        let fall = |side: Side| match side {
            Side::Body(number) => {
                let (body, fall) = (&bodies[number as usize], falls[number as usize]);
                let turning = body.velocity_at(self.meeting.point) - body.velocity;
                // Impulses of the substep before hold it up, if they do not throw it.
                let (free, held) = (fall.end - fall.velocity, body.velocity - fall.velocity);
                let gained = if held.length() < free.length() {
                    held
                } else {
                    free
                };
                (fall.velocity + turning, gained)
            }
            Side::Collider(_) => (self.surface_velocity, DVec3::ZERO),
        };
        let [first, second] = self.meeting.sides.map(fall);
        let speed = (first.0 - second.0).dot(normal);
        if self.meeting.restitution > 0.0 {
            self.bounce(speed, (first.1 - second.1) / step.dt, step);
        }
        -speed
    }

    /// Finds how it bounces with a normal velocity at the start [m/s] and an acceleration [m/s2].
    fn bounce(&mut self, speed: f64, gained: DVec3, step: PairStep<'_>) {
        let acceleration = gained.dot(self.meeting.normal);
        let gap = self.meeting.gap;
        let squared = speed * speed - 2.0 * acceleration * gap;
        let hit = squared.max(0.0).sqrt();
        if squared <= 0.0 || hit <= step.gravity * step.dt || speed - hit >= 0.0 {
            return;
        }
        // The first root, in the form that does not cancel.
        let time = (2.0 * gap.max(0.0)) / (hit - speed);
        let left = step.dt - time;
        if left < 0.0 {
            // Contacts take the velocity at the end for all of the substep; what only falls is slower.
            self.rule.target += 0.5 * acceleration.min(0.0) * step.dt;
            return;
        }
        let leaving = self.meeting.restitution * hit;
        if leaving + 0.5 * acceleration * left > 0.0 {
            self.impact = Some(Impact {
                time,
                leaving: leaving + acceleration * left,
                gained: gained * left,
            });
        }
    }

    /// The same point where it asks for nothing but less of an overlap, or for no new one.
    pub(super) fn position_correction(&self, step: PairStep<'_>) -> Self {
        let gap = self.meeting.gap + SLOP * self.arm_squared.sqrt();
        let target = match gap < 0.0 {
            true => (-BAUMGARTE_FACTOR * gap / step.dt).min(step.push_out_speed),
            false => -self.meeting.gap.max(0.0) / step.dt,
        };
        Self {
            rule: self.rule.without_friction(target),
            surface_velocity: DVec3::ZERO,
            ..*self
        }
    }

    pub(super) fn relative_velocity(&self, bodies: &[RigidStep]) -> DVec3 {
        let velocity = |side: Side| match side {
            Side::Body(number) => bodies[number as usize].velocity_at(self.meeting.point),
            Side::Collider(_) => self.surface_velocity,
        };
        velocity(self.meeting.sides[0]) - velocity(self.meeting.sides[1])
    }

    /// Projects it once; returns what that changes its velocity by [m/s].
    pub(super) fn project(&mut self, bodies: &mut [RigidStep]) -> f64 {
        let before = self.rule.impulse;
        let impulse = self.rule.project(self.relative_velocity(bodies));
        self.push(impulse, bodies);
        self.rule.speed_since(before)
    }

    /// The contact as Newton's method takes it.
    ///
    /// * `numbers` — of the bodies that it solves
    pub(super) fn row(&self, numbers: &[u32], bodies: &[RigidStep]) -> Row {
        let solved = |side: Side| {
            let number = side.moving(bodies)?;
            let place = numbers.binary_search(&number).ok()?;
            Some((place, self.meeting.point - bodies[number as usize].center))
        };
        let given = |side: Side| match (side, side.moving(bodies)) {
            (Side::Collider(_), _) => self.surface_velocity,
            (Side::Body(number), None) => bodies[number as usize].velocity_at(self.meeting.point),
            (Side::Body(_), Some(_)) => DVec3::ZERO,
        };
        let [first, second] = self.meeting.sides.map(given);
        Row {
            rule: self.rule,
            sides: self.meeting.sides.map(solved),
            given: first - second,
        }
    }

    /// Gives it an impulse in place of the one that it has.
    pub(super) fn set(&mut self, impulse: Impulse, bodies: &mut [RigidStep]) {
        let before = self.rule.total();
        self.rule.impulse = impulse;
        self.push(self.rule.total() - before, bodies);
    }

    /// Goes on by a share of the way so far, and takes what the last sweep has changed into that.
    pub(super) fn go_on(&mut self, share: f64, bodies: &mut [RigidStep]) {
        let gain = self.rule.gain_since(self.before);
        self.way.normal *= share;
        self.way.tangential *= share;
        if share > 0.0 {
            let impulse = self.rule.go_on(self.way);
            self.push(impulse, bodies);
        }
        self.way.normal += gain.normal;
        self.way.tangential += gain.tangential;
    }

    pub(super) fn push(&self, impulse: DVec3, bodies: &mut [RigidStep]) {
        for (side, impulse) in self.meeting.sides.iter().zip([impulse, -impulse]) {
            if let Side::Body(number) = side {
                bodies[*number as usize].push(impulse, self.meeting.point);
            }
        }
    }
}
