//! Contacts of rigid bodies with each other and with colliders.
//!
//! Their points come from whoever searches them (`RigidMeeting`); impulses are projected here, in the
//! same iterations as all other contacts, so that a stack on cloth or sand is one system. Impulses are
//! kept from substep to substep, point by point: what presses on a stack takes many iterations to reach
//! its foot.

use pliant_math::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::impulse::{Impulse, ImpulseContact};
use crate::boundaries::{ColliderReactions, ColliderStep, RigidStep};

/// Who takes part in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A rigid body, by its number.
    Body(u32),
    /// A collider, by its index.
    Collider(u32),
}

/// A point at which two sides may touch within the substep.
#[derive(Clone, Copy, Debug)]
pub struct RigidMeeting {
    /// The first side is a rigid body.
    pub sides: [Side; 2],
    /// Middle of the two nearest points [m].
    pub point: DVec3,
    /// Unit, towards the first side.
    pub normal: DVec3,
    /// Distance [m], negative for an overlap.
    pub gap: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Fraction of the approach speed given back.
    pub restitution: f64,
}

/// The impulse of a point, for the next substep.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct KeptImpulse {
    /// Colliders of the two sides.
    sides: (u32, u32),
    /// Where it is seen from the first [m].
    local: DVec3,
    /// Along the normal [N s].
    normal: f64,
    /// Along the surface [N s].
    tangential: DVec3,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    rule: ImpulseContact,
    meeting: RigidMeeting,
    /// Colliders of the two sides.
    sides: (u32, u32),
    /// Of a collider's surface [m/s].
    surface_velocity: DVec3,
    /// Normal velocity before the substep [m/s].
    approach: f64,
    /// Where the point is seen from the first side [m], and the square of its distance from there.
    local: DVec3,
    arm_squared: f64,
    /// Impulse to start from.
    start: Impulse,
}

/// Share of an overlap that is undone in a substep.
const UNDONE: f64 = 0.2;
/// Overlaps of this share of a point's distance from the body's centre are left: contacts that rest stay
/// contacts.
const LEFT: f64 = 1e-4;
/// Passes there and back, each time that all contacts are projected.
const PASSES: u32 = 2;
/// Passes in which overlaps are undone.
const PARTINGS: u32 = 4;

/// Points nearer to each other than this share of their distance from the body's centre, squared, are
/// one point in two substeps.
const SAME: f64 = 0.04;

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct RigidPairs {
    pairs: Vec<Pair>,
    /// Those whose overlaps are undone.
    deep: Vec<Pair>,
}

/// What contacts need to know of the step.
#[derive(Clone, Copy)]
pub struct PairStep<'a> {
    /// Where colliders are; rigid bodies come last.
    pub colliders: &'a [ColliderStep],
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

impl RigidPairs {
    /// Takes over the points that were found.
    pub fn take(&mut self, meetings: &[RigidMeeting], bodies: &[RigidStep], step: PairStep<'_>) {
        self.pairs.clear();
        let first_rigid = step.colliders.len() - bodies.len();
        let pair = |meeting: &RigidMeeting| Pair::new(*meeting, bodies, first_rigid, step);
        self.pairs.extend(meetings.iter().filter_map(pair));
        self.pairs.sort_by_key(|pair| pair.sides);
    }

    /// Starts from the impulses of the substep before: each kept one goes to the nearest point of the
    /// same two sides, if that is near.
    ///
    /// * `share` — length of this substep over that of the one before
    pub fn start_from(&mut self, kept: &[KeptImpulse], share: f64, bodies: &mut [RigidStep]) {
        for of_sides in kept.chunk_by(|a, b| a.sides == b.sides) {
            let sides = of_sides[0].sides;
            let first = self.pairs.partition_point(|pair| pair.sides < sides);
            let end = self.pairs.partition_point(|pair| pair.sides <= sides);
            for kept in of_sides {
                let pairs = &mut self.pairs[first..end];
                let distance = |pair: &Pair| pair.local.distance_squared(kept.local);
                let nearest = pairs
                    .iter_mut()
                    .min_by(|a, b| distance(a).total_cmp(&distance(b)));
                if let Some(pair) = nearest.filter(|pair| distance(pair) < SAME * pair.arm_squared)
                {
                    pair.start.normal += kept.normal * share;
                    pair.start.tangential += kept.tangential * share;
                }
            }
        }
        for pair in &mut self.pairs {
            let impulse = pair.rule.start_from(pair.start);
            pair.push(impulse, bodies);
        }
    }

    /// Projects every contact, a few times: they are few, and a stack is a long chain.
    pub fn project(&mut self, bodies: &mut [RigidStep]) {
        for _ in 0..PASSES {
            self.pairs.iter_mut().for_each(|pair| pair.project(bodies));
            let back = self.pairs.iter_mut().rev();
            back.for_each(|pair| pair.project(bodies));
        }
    }

    /// Gives back a fraction of the approach velocity where a contact was pressed and the approach was
    /// faster than a threshold [m/s].
    pub fn restore(&mut self, bodies: &mut [RigidStep], threshold: f64) {
        for pair in &mut self.pairs {
            let restitution = pair.meeting.restitution;
            let is_pressed = pair.rule.impulse.normal > 0.0;
            if restitution > 0.0 && is_pressed && pair.approach < -threshold {
                let relative = pair.relative_velocity(bodies);
                let impulse = pair.rule.restore(relative, -restitution * pair.approach);
                pair.push(impulse, bodies);
            }
        }
    }

    /// Where bodies shall move, beside their velocities, so that a part of their overlaps is undone: as
    /// velocities over the substep, which then are forgotten. Kept in the bodies' velocities they would
    /// make a stack hop.
    ///
    /// * `bodies` — changed for scratch; their velocities become those
    pub fn part(&mut self, bodies: &mut [RigidStep], step: PairStep<'_>) {
        for body in bodies.iter_mut() {
            (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
        }
        let Self { pairs, deep } = self;
        deep.clear();
        deep.extend(pairs.iter().filter_map(|pair| pair.parting(step)));
        for _ in 0..PARTINGS {
            deep.iter_mut().for_each(|pair| pair.project(bodies));
        }
    }

    /// Keeps the impulses for the next substep.
    pub fn keep(&self, kept: &mut Vec<KeptImpulse>) {
        kept.clear();
        let pressed = self.pairs.iter().filter(|p| p.rule.impulse.normal > 0.0);
        kept.extend(pressed.map(|pair| KeptImpulse {
            sides: pair.sides,
            local: pair.local,
            normal: pair.rule.impulse.normal,
            tangential: pair.rule.impulse.tangential,
        }));
    }

    /// Adds what each collider, rigid bodies among them, has got in this substep.
    pub fn add_impulses(&self, reactions: &mut ColliderReactions) {
        for pair in &self.pairs {
            let ((first, second), impulse) = (pair.sides, pair.rule.total());
            reactions.push(first as usize, impulse, DVec3::ZERO);
            reactions.push(second as usize, -impulse, pair.surface_velocity);
        }
    }

    /// Marks the bodies that colliders which move press on.
    pub fn mark_carried(&self, is_carried: &mut [bool]) {
        for pair in self.pairs.iter().filter(|p| p.rule.impulse.normal > 0.0) {
            let is_moved = pair.surface_velocity != DVec3::ZERO;
            if let (Side::Body(number), true) = (pair.meeting.sides[0], is_moved) {
                is_carried[number as usize] = true;
            }
        }
    }

    /// Number of contacts that press.
    pub fn pressed_count(&self) -> usize {
        let pairs = self.pairs.iter();
        pairs.filter(|p| p.rule.impulse.normal > 0.0).count()
    }
}

impl Pair {
    fn new(
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
        let mut pair = Self {
            rule,
            meeting,
            sides: (index(first), index(second)),
            local,
            arm_squared: local.length_squared(),
            start: Impulse::default(),
            surface_velocity: match second {
                Side::Collider(index) => step.colliders[index as usize].velocity_at(meeting.point),
                Side::Body(_) => DVec3::ZERO,
            },
            approach: 0.0,
        };
        pair.approach = pair.relative_velocity(bodies).dot(meeting.normal);
        Some(pair)
    }

    /// The same point where it asks for nothing but less of an overlap; `None` if there is none.
    fn parting(&self, step: PairStep<'_>) -> Option<Self> {
        let overlap = -self.meeting.gap - LEFT * self.arm_squared.sqrt();
        (overlap > 0.0).then(|| Self {
            rule: self
                .rule
                .without_friction((UNDONE * overlap / step.dt).min(step.push_out_speed)),
            surface_velocity: DVec3::ZERO,
            ..*self
        })
    }

    fn relative_velocity(&self, bodies: &[RigidStep]) -> DVec3 {
        let velocity = |side: Side| match side {
            Side::Body(number) => bodies[number as usize].velocity_at(self.meeting.point),
            Side::Collider(_) => self.surface_velocity,
        };
        velocity(self.meeting.sides[0]) - velocity(self.meeting.sides[1])
    }

    fn project(&mut self, bodies: &mut [RigidStep]) {
        let impulse = self.rule.project(self.relative_velocity(bodies));
        self.push(impulse, bodies);
    }

    fn push(&self, impulse: DVec3, bodies: &mut [RigidStep]) {
        for (side, impulse) in self.meeting.sides.iter().zip([impulse, -impulse]) {
            if let Side::Body(number) = side {
                bodies[*number as usize].push(impulse, self.meeting.point);
            }
        }
    }
}
