//! What the substep asks of a method of simulation.
//!
//! A method is a folder of this room, and a line in the list of them. What it does not do, it leaves out:
//! every stage and every answer has a default.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

use pliant_math::DVec3;
use pliant_math::simd::Instructions;

use super::MethodStates;
use crate::attachments::{Attachment, Ties};
use crate::boundaries::{Collider, ColliderReactions, ColliderStep, RigidStep};
use crate::contacts::{ColliderContacts, KeptContacts, Offers};
use crate::particles::{IdMap, Particles};

/// What all stages of a substep know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Substep {
    /// Its length [s].
    pub dt: f64,
    /// Time at its start [s].
    pub time: f64,
    /// Sweeps.
    pub iterations: u32,
    /// XSPH viscosity [1/s].
    pub xsph_rate: f64,
    /// Greatest speed at which overlaps are pushed apart [m/s].
    pub push_out_speed: f64,
    /// Whether impulses on held particles will be asked for.
    pub tells_held: bool,
}

/// The walls near particles, and the rigid bodies among them.
#[derive(Clone, Copy)]
pub struct Walls<'a> {
    /// The walls that contacts were found with.
    pub contacts: &'a ColliderContacts,
    /// The colliders, rigid bodies last.
    pub colliders: &'a [Collider],
    /// Their poses in this substep.
    pub steps: &'a [ColliderStep],
    /// Index of the first collider that is a rigid body; all after it are too.
    pub first_rigid: usize,
    /// The rigid bodies at the start.
    pub bodies: &'a [RigidStep],
    /// Greatest speed at which overlaps are pushed apart [m/s].
    pub push_out_speed: f64,
}

/// What else acts on rigid bodies; called while a method finds what it does to them.
pub type Answer<'a> = &'a mut dyn FnMut(&mut [RigidStep]);

/// A particle that is not fit to go on with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unsound {
    /// Its place.
    pub place: usize,
    /// The sum of its squared principal stretches; not finite where something else is not.
    pub squared_stretches: f64,
    /// Its volume over that at rest, if it is that which cannot be: turned inside out, it is below zero.
    pub volume_ratio: Option<f64>,
}

/// Counts of a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pairs of a particle and a neighbour.
    pub neighbors: usize,
    /// Particles that have neighbours.
    pub particles: usize,
}

/// A method of simulation for all its bodies: constants of the run and scratch of the stepper. What it keeps
/// from substep to substep is a state in a list, see [`MethodStates`].
///
/// Stages are called in the order in which they stand here, `project` and `correct_positions` in turns.
pub trait Method: Any + Debug + Send + Sync {
    /// Whether a body is of this method.
    fn has_body(&self, body: u32) -> bool;

    /// Groups of bodies whose particles are no contacts of each other.
    fn group_count(&self) -> u32 {
        0
    }

    /// The group of a body of this method; `None` if its particles are not met as balls.
    fn group_of(&self, body: u32) -> Option<u32> {
        let _ = body;
        None
    }

    /// Appends the places of its particles to `order`: there they stand from `find` on.
    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>);

    /// Neighbours, and what follows from the shape at the start of the substep.
    fn find(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let _ = (particles, states, step);
    }

    /// Surfaces that it offers, where anything else may meet them.
    fn find_surfaces(&mut self, particles: &Particles, states: &MethodStates) {
        let _ = (particles, states);
    }

    /// What the walls found near its particles do to it.
    fn meet_walls(&mut self, particles: &Particles, states: &mut MethodStates, walls: Walls<'_>) {
        let _ = (particles, states, walls);
    }

    /// Velocities of a method that solves a system of equations, after gravity and loads.
    ///
    /// * `ties` — of its particles to rigid bodies, which it may solve for with them
    fn predict(&mut self, particles: &mut Particles, ties: Ties<'_>, step: Substep) {
        let _ = (particles, ties, step);
    }

    /// The impulses that are known before the first sweep.
    fn start_warm(&mut self, particles: &mut Particles, bodies: &mut [RigidStep], step: Substep) {
        let _ = (particles, bodies, step);
    }

    /// Answers what others have done to the velocities of the places that [`Self::implicit_places`] tells.
    fn respond(&mut self, particles: &mut Particles, ties: Ties<'_>) {
        let _ = (particles, ties);
    }

    /// One sweep over all constraints.
    fn project(
        &mut self,
        particles: &mut Particles,
        ties: Ties<'_>,
        answer: Answer<'_>,
        step: Substep,
    ) {
        let _ = (particles, ties, answer, step);
    }

    /// Takes crowded particles apart.
    fn correct_positions(&mut self, particles: &mut Particles, step: Substep) {
        let _ = (particles, step);
    }

    /// Smooths velocities.
    fn smooth(&mut self, particles: &mut Particles, step: Substep) {
        let _ = (particles, step);
    }

    /// Commits what the velocities at the end of the substep make of its state.
    fn flow(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let _ = (particles, states, step);
    }

    /// Tears and cuts, after positions have moved.
    fn part(&mut self, particles: &Particles, states: &mut MethodStates, step: Substep) {
        let _ = (particles, states, step);
    }

    /// The first particle whose state, just committed, is not finite, or that is stretched so much that
    /// squared principal stretches add up to more than `greatest`.
    fn first_unsound(
        &self,
        particles: &Particles,
        states: &MethodStates,
        greatest: f64,
    ) -> Option<Unsound> {
        let _ = (particles, states, greatest);
        None
    }

    /// Two sums, the root of whose ratio is 0 where the constraints are solved at these velocities and 1 where
    /// nothing has been; `None` for a method without an iteration.
    fn residual(
        &mut self,
        particles: &Particles,
        bodies: &[RigidStep],
        step: Substep,
    ) -> Option<(f64, f64)> {
        let _ = (particles, bodies, step);
        None
    }

    /// Share of its particles that have too few neighbours.
    fn deficient_share(&self) -> f64 {
        0.0
    }

    /// Adds the impulses [N s] that it gave particles in the substep, complete for those that are held.
    ///
    /// * `on_particle` — of all particles, by place
    fn add_impulses(
        &mut self,
        particles: &Particles,
        states: &MethodStates,
        step: Substep,
        on_particle: &mut [DVec3],
    ) {
        let _ = (particles, states, step, on_particle);
    }

    /// Adds the impulses [N s] that it gave walls in the substep beside those of contacts.
    fn add_wall_impulses(&self, reactions: &mut ColliderReactions) {
        let _ = reactions;
    }

    /// What others may meet of it.
    fn offers(&self) -> Offers<'_> {
        Offers::default()
    }

    /// Whether particles of one of its bodies may be contacts of each other.
    fn meets_itself(&self) -> bool {
        false
    }

    /// Friction between particles of a body; `None` if they are no contacts of each other.
    fn inner_friction(&self, body: u32) -> Option<f64> {
        let _ = body;
        None
    }

    /// What contacts inside of its groups did in the last substep, if the next one starts with it.
    fn kept_contacts<'a>(&self, states: &'a MethodStates) -> Option<&'a KeptContacts> {
        let _ = states;
        None
    }

    /// Where that is kept; `None` if [`Self::kept_contacts`] is.
    fn contacts_to_keep<'a>(&self, states: &'a mut MethodStates) -> Option<&'a mut KeptContacts> {
        let _ = states;
        None
    }

    /// Whether it feels walls beside contacts: then the next three are asked.
    fn feels_walls(&self) -> bool {
        false
    }

    /// Distance from a particle's centre [m] within which it feels walls.
    fn wall_reach(&self, body: u32) -> f64 {
        let _ = body;
        0.0
    }

    /// How fast a wall at a distance [m] drags a particle along with it [1/s].
    fn wall_drag(&self, body: u32, distance: f64) -> f64 {
        let _ = (body, distance);
        0.0
    }

    /// Where a direction in one of its bodies at rest, a unit vector, points now around a particle; at the start of
    /// a substep. Methods that forget how their bodies were leave it as it is.
    fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        let _ = (particles, place);
        at_rest
    }

    /// Places of the particles whose velocities it solves for together; empty if there are none.
    fn implicit_places(&self) -> Range<usize> {
        0..0
    }

    /// Mass [kg] that a load on an attachment's particles moves at once, if these are of this method and more
    /// than they move.
    fn mass_under_load(
        &self,
        attachment: &Attachment,
        places: &IdMap,
        particles: &Particles,
    ) -> Option<f64> {
        let _ = (attachment, places, particles);
        None
    }

    /// Work [J] that it was given from outside in the substep beside that of walls, loads and fields: as muscles
    /// are, by what feeds them.
    fn work(&self) -> f64 {
        0.0
    }

    /// What the substep had to look at.
    fn counts(&self) -> Counts {
        Counts::default()
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    fn set_instructions(&mut self, instructions: Instructions) {
        let _ = instructions;
    }
}

/// The root of the ratio of the sums that [`Method::residual`] tells.
pub fn relative_residual((difference, whole): (f64, f64)) -> f64 {
    if whole > 0.0 {
        (difference / whole).sqrt()
    } else {
        0.0
    }
}
