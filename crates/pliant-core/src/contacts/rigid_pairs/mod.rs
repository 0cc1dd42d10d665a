//! Contacts of rigid bodies with each other and with colliders.
//!
//! Their points come from whoever searches them (`RigidMeeting`); impulses are projected here, in the
//! same iterations as all other contacts, so that a stack on cloth or sand is one system. Impulses are
//! kept from substep to substep, point by point.
//!
//! Bodies that touch are solved together, each time to a tolerance: sweeps there and back, and between them
//! nonsmooth nonlinear conjugate gradients (Silcowitz et al. 2010), and where that takes long Newton's
//! method (`newton`). A sweep alone takes as many turns as a body is heavier than what it stands on.
//!
//! What bounces is solved in the same way, once the sweeps of the substep are done, so that the corners of
//! a box leave together:
//!
//!   gap + u t + a t^2/2 = 0,   w = -(u + a t),   v' >= e w + a (dt - t)
//!
//! with the normal velocity u at the start, the acceleration a of one side relative to the other, and the
//! time t at which they touch. Its impulse acts from then on: bodies are moved back by t of what it changes.

mod newton;
mod pair;
mod profile;
mod solve;

use pliant_math::DVec3;
use serde::{Deserialize, Serialize};

use self::pair::Pair;
use self::solve::{SWEEPS, Solver, give_no_energy, sweep_on};
use crate::boundaries::{Collider, ColliderReactions, ColliderStep, RigidStep};
use crate::contacts::solve::Grain;

/// Who takes part in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A rigid body, by its number.
    Body(u32),
    /// A collider, by its index.
    Collider(u32),
}

impl Side {
    /// The number of a body that is not held.
    fn moving(self, bodies: &[RigidStep]) -> Option<u32> {
        match self {
            Side::Body(number) if bodies[number as usize].inverse_mass > 0.0 => Some(number),
            Side::Body(_) | Side::Collider(_) => None,
        }
    }
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

/// Contacts are solved to this share of what gravity gives in a substep...
const TOLERANCE: f64 = 1e-4;
/// ...or to this share of the fastest approach, if that is more.
const TOLERANCE_OF_IMPACTS: f64 = 1e-7;
/// Overlaps are undone to this share of the fastest.
const CORRECTION_TOLERANCE: f64 = 1e-3;

/// Points nearer to each other than this share of their distance from the body's centre, squared, are
/// one point in two substeps.
const SAME: f64 = 0.04;

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct RigidPairs {
    pairs: Vec<Pair>,
    /// The same where overlaps are undone.
    deep: Vec<Pair>,
    /// For each body one that it is solved with, or itself.
    linked: Vec<u32>,
    /// The bodies without the impulses of contacts.
    free: Vec<RigidStep>,
    /// The island of all that joints hold.
    joined: Option<u32>,
    solver: Solver,
    /// Change of velocity [m/s] that is not worth another sweep.
    tolerance: f64,
}

/// Takes from the velocities of bodies what joints do not let them.
pub type Hold<'a> = &'a mut dyn FnMut(&mut [RigidStep]);

/// What contacts need to know of the step.
#[derive(Clone, Copy)]
pub struct PairStep<'a> {
    /// The colliders, in the form that they have now.
    pub shapes: &'a [Collider],
    /// Where colliders are; rigid bodies come last.
    pub colliders: &'a [ColliderStep],
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// The substep [s].
    pub dt: f64,
}

/// How a body moves before contacts act on it.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// Velocity of its centre of mass at the start of the substep [m/s].
    pub velocity: DVec3,
    /// The same at the end, if nothing touches it [m/s].
    pub end: DVec3,
}

impl RigidPairs {
    /// Takes over the points that were found.
    ///
    /// * `grains` — of each body, where its friction is another along an axis
    pub fn take(
        &mut self,
        meetings: &[RigidMeeting],
        (bodies, grains): (&[RigidStep], &[Option<Grain>]),
        step: PairStep<'_>,
    ) {
        self.pairs.clear();
        let first_rigid = step.colliders.len() - bodies.len();
        let pair = |meeting: &RigidMeeting| {
            let pair = Pair::new(*meeting, bodies, first_rigid, step)?;
            Some(pair.with_grain(grains))
        };
        self.pairs.extend(meetings.iter().filter_map(pair));
        self.pairs.sort_by_key(|pair| pair.sides);
        self.tolerance = TOLERANCE * step.gravity * step.dt;
    }

    /// Parts the contacts by who can push whom, in this order from here on.
    ///
    /// * `is_joined` — whether a joint takes part in how a body moves
    fn find_islands(&mut self, bodies: &[RigidStep], is_joined: &dyn Fn(usize) -> bool) {
        let Self { pairs, linked, .. } = self;
        linked.clear();
        linked.extend(0..bodies.len() as u32);
        let first = (0..bodies.len()).find(|&number| is_joined(number));
        for number in (0..bodies.len()).filter(|&number| is_joined(number)) {
            linked[number] = first.map_or(0, |first| first as u32);
        }
        let moving = |side: Side| side.moving(bodies);
        for pair in pairs.iter() {
            if let [Some(one), Some(other)] = pair.meeting.sides.map(moving) {
                let (one, other) = (root(linked, one), root(linked, other));
                linked[one.max(other) as usize] = one.min(other);
            }
        }
        for pair in pairs.iter_mut() {
            let body = pair.meeting.sides.into_iter().find_map(moving);
            pair.island = body.map_or(0, |body| root(linked, body));
        }
        self.joined = first.map(|first| root(linked, first as u32));
        pairs.sort_by_key(|pair| (pair.island, pair.sides));
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

    /// Finds what bounces within the substep, and how. To be called with the velocities that the impulses
    /// of the substep before lead to: what they hold up does not fall.
    ///
    /// * `is_joined` — whether a joint takes part in how a body moves
    pub fn foresee(
        &mut self,
        bodies: &[RigidStep],
        falls: &[Fall],
        is_joined: &dyn Fn(usize) -> bool,
        step: PairStep<'_>,
    ) {
        let mut fastest: f64 = 0.0;
        for pair in &mut self.pairs {
            fastest = fastest.max(pair.foresee(bodies, falls, step));
        }
        self.tolerance = self.tolerance.max(TOLERANCE_OF_IMPACTS * fastest);
        self.find_islands(bodies, is_joined);
    }

    /// Solves the contacts, with friction, for the velocities that bodies have now.
    ///
    /// * `hold` — takes from velocities what joints do not let bodies
    pub fn project(&mut self, bodies: &mut [RigidStep], hold: Hold<'_>) {
        let Self {
            pairs,
            solver,
            joined,
            tolerance,
            ..
        } = self;
        for island in pairs.chunk_by_mut(|a, b| a.island == b.island) {
            match Some(island[0].island) == *joined {
                true => {
                    hold(bodies);
                    sweep_on(island, bodies, SWEEPS, *tolerance, hold);
                }
                false => solver.solve(island, bodies, *tolerance),
            }
        }
    }

    /// Gives back a fraction of the approach velocity where a contact was pressed: to all at once.
    ///
    /// * `hold` — as for [`RigidPairs::project`]
    pub fn restore(&mut self, bodies: &mut [RigidStep], hold: Hold<'_>) {
        let mut bounces = false;
        for pair in &mut self.pairs {
            pair.start = pair.rule.impulse;
            pair.impact = pair.impact.filter(|_| pair.rule.impulse.normal > 0.0);
            if let Some(impact) = pair.impact {
                pair.rule.target = impact.leaving;
                bounces = true;
            }
        }
        if !bounces {
            return;
        }
        self.project(bodies, hold);
        self.free.clear();
        self.free.extend_from_slice(bodies);
        let Self { pairs, free, .. } = self;
        for pair in pairs.iter() {
            pair.push(-pair.rule.total(), free);
        }
        for island in pairs.chunk_by_mut(|a, b| a.island == b.island) {
            let is_free = Some(island[0].island) != self.joined;
            if is_free && island.iter().any(|pair| pair.impact.is_some()) {
                give_no_energy(island, free, bodies);
            }
        }
    }

    /// Where bodies shall move, beside their velocities, so that a part of their overlaps is undone: as
    /// velocities over the substep, which then are forgotten. Kept in the bodies' velocities they would
    /// make a stack hop.
    ///
    /// * `bodies` — changed for scratch; their velocities become those
    /// * `hold` — takes from such velocities what joints do not let bodies
    pub fn correct_positions(
        &mut self,
        bodies: &mut [RigidStep],
        hold: Hold<'_>,
        step: PairStep<'_>,
    ) {
        for body in bodies.iter_mut() {
            (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
        }
        let Self {
            pairs,
            deep,
            solver,
            joined,
            ..
        } = self;
        deep.clear();
        deep.extend(pairs.iter().map(|pair| pair.position_correction(step)));
        let fastest = deep.iter().map(|p| p.rule.target).fold(0.0, f64::max);
        if fastest > 0.0 {
            for island in deep.chunk_by_mut(|a, b| a.island == b.island) {
                let tolerance = CORRECTION_TOLERANCE * fastest;
                match Some(island[0].island) == *joined {
                    true => {
                        sweep_on(island, bodies, SWEEPS, tolerance, hold);
                    }
                    false => solver.solve(island, bodies, tolerance),
                }
            }
        }
        for pair in pairs {
            if let Some(impact) = pair.impact {
                pair.push(-pair.rule.total() * (impact.time / step.dt), bodies);
            }
        }
    }

    /// What impacts have changed the velocities of the centres of mass by [m/s], a value a body.
    pub fn add_impacts(&self, bodies: &[RigidStep], changes: &mut [DVec3]) {
        for pair in self.pairs.iter().filter(|pair| pair.impact.is_some()) {
            let impulse = pair.rule.total();
            for (side, impulse) in pair.meeting.sides.iter().zip([impulse, -impulse]) {
                if let Side::Body(number) = *side {
                    changes[number as usize] += impulse * bodies[number as usize].inverse_mass;
                }
            }
        }
    }

    /// Keeps the impulses for the next substep.
    pub fn keep(&self, kept: &mut Vec<KeptImpulse>) {
        kept.clear();
        let pressed = self.pairs.iter().filter(|p| p.rule.impulse.normal > 0.0);
        let lasting = pressed.filter(|pair| pair.impact.is_none());
        kept.extend(lasting.map(|pair| KeptImpulse {
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

/// The body that stands for all that one is linked with.
fn root(linked: &mut [u32], mut body: u32) -> u32 {
    while linked[body as usize] != body {
        let next = linked[linked[body as usize] as usize];
        linked[body as usize] = next;
        body = next;
    }
    body
}
