//! Methods of simulation, as the bodies of a world name them.

use std::fmt::Debug;

use super::{Body, MovedParticles, Setup, State, World};
use crate::method::{
    DrawnAs, JoinedBody, LongestStep, Method, MethodState, MethodStates, MuscleReading, Readings,
    ResolvedStep, StretchOf, Tensors, TensorsOf,
};
use crate::rest::{CutPoint, RestShape, StartShape, SurfaceCarrier};

/// A method of simulation: how its bodies are computed, and what can be told of them without computing.
///
/// What a method does not do, it leaves out: all but its name and its solver have defaults. A body of a world
/// belongs to the method that [`Body::method`] names.
pub trait MethodKind: Debug + Send + Sync {
    /// Its name, in kebab case, no other's.
    fn name(&self) -> &'static str;

    /// What computes its bodies in a substep; `None` for rigid bodies, which all methods meet.
    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>>;

    /// Whether its bodies do not deform: each is one particle, and a collider to all others.
    fn is_rigid(&self) -> bool {
        false
    }

    /// What it keeps from substep to substep, as it is at the start, before particles are added.
    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        let _ = setup;
        None
    }

    /// Whether what it keeps can be that of a setup.
    ///
    /// # Errors
    /// What does not fit.
    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        let _ = (setup, states);
        Ok(())
    }

    /// Takes note that somebody from outside has moved particles between substeps: forgets what it concluded from how
    /// they moved before, as that a body sleeps. What a material remembers stays, and so do the guesses that a substep
    /// starts from, which it corrects.
    fn take_note_of(&self, setup: &Setup, state: &mut State, moved: &MovedParticles) {
        let _ = (setup, state, moved);
    }

    /// Contact radius [m] of the particles of one of its bodies.
    fn contact_radius(&self, setup: &Setup, body: &Body) -> f64 {
        let _ = setup;
        0.5 * body.spacing
    }

    /// The longest automatic step for one of its bodies, whatever moves.
    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let _ = (setup, body);
        LongestStep::UNBOUND
    }

    /// Time [s] in which stress crosses a spacing of one of its bodies; infinite where it does not hold together, or may
    /// tear.
    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        let _ = (setup, body);
        f64::INFINITY
    }

    /// Whether [`Self::longest_step_now`] bounds the step: else nobody makes a state to ask it.
    fn is_bound_by_loads(&self) -> bool {
        false
    }

    /// The longest automatic step of the next frame, as its bodies are now and with what lies on them.
    fn longest_step_now(&self, setup: &Setup, state: &State) -> LongestStep {
        let _ = (setup, state);
        LongestStep::UNBOUND
    }

    /// The longest step in which its sweeps follow the stress in one of its bodies; `None` if any step will do.
    fn resolved_step(&self, setup: &Setup, body: u32) -> Option<ResolvedStep> {
        let _ = (setup, body);
        None
    }

    /// Volume, stress and energy of its particles, for files, pictures and tables.
    fn read(&self, world: &World, readings: &mut Readings) {
        let _ = (world, readings);
    }

    /// The elastic energies [J] of its particles, by place.
    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        let _ = (world, energies);
    }

    /// What it is whose stretches it can tell.
    fn stretch_of(&self) -> Option<StretchOf> {
        None
    }

    /// The least stretch, the mean and the greatest at its particles: calls `put(place, stretches)`.
    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        let _ = (world, put);
    }

    /// What it is whose F and stress it can tell.
    fn tensors_of(&self) -> Option<TensorsOf> {
        None
    }

    /// F and stress at its particles: calls `put(place, tensors)`.
    fn read_tensors(&self, world: &World, put: &mut dyn FnMut(usize, Tensors)) {
        let _ = (world, put);
    }

    /// What it chooses for steps of `dt` [s], and what particles alone do not tell: lines for people, one a body.
    fn remarks(&self, setup: &Setup, dt: f64) -> Vec<String> {
        let _ = (setup, dt);
        Vec::new()
    }

    /// The names of the muscles of its bodies, each with the index of its body.
    fn muscles(&self, setup: &Setup) -> Vec<(u32, String)> {
        let _ = setup;
        Vec::new()
    }

    /// What these muscles do.
    fn read_muscles(&self, world: &World) -> Vec<MuscleReading> {
        let _ = world;
        Vec::new()
    }

    /// Changes the activation of a muscle that is driven from outside, from what it is now to one in [0, 1], evenly over
    /// a time [s] >= 0; false if there is no such muscle, or it is not driven.
    ///
    /// * `muscle` — index of the body and name
    /// * `target` — activation and time
    fn activate(
        &self,
        setup: &Setup,
        state: &mut State,
        muscle: (u32, &str),
        target: (f64, f64),
    ) -> bool {
        let _ = (setup, state, muscle, target);
        false
    }

    /// Pairs of particles that hold each other however far apart they are, by places among some ids.
    ///
    /// * `ids` — increasing
    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        let _ = (world, ids);
        Vec::new()
    }

    /// Groups of bodies whose particles hold each other where they are near.
    fn joined(&self, setup: &Setup) -> Vec<Vec<JoinedBody>> {
        let _ = setup;
        Vec::new()
    }

    /// Triangles that pictures and files show, by places among all ids.
    ///
    /// * `ids` — of all particles, increasing
    fn triangles(&self, world: &World, ids: &[u32]) -> Vec<[u32; 3]> {
        let _ = (world, ids);
        Vec::new()
    }

    /// What shows one of its bodies in pictures.
    fn drawn_as(&self, body: &Body) -> DrawnAs {
        let _ = body;
        match self.is_rigid() {
            true => DrawnAs::Collider,
            false => DrawnAs::Particles,
        }
    }

    /// Whether its bodies may carry surfaces: [`Self::surface_carriers`] tells them.
    fn carries_surfaces(&self) -> bool {
        false
    }

    /// Whether blades cut its bodies.
    fn can_be_cut(&self) -> bool {
        false
    }

    /// Whether particles can be added to its bodies while they move.
    fn can_be_fed(&self) -> bool {
        false
    }

    /// Its bodies that may carry surfaces.
    fn surface_carriers(&self, setup: &Setup) -> Vec<SurfaceCarrier> {
        let _ = setup;
        Vec::new()
    }

    /// Where neighbours of its bodies have been parted.
    fn cut_points<'a>(&self, state: &'a State) -> &'a [CutPoint] {
        let _ = state;
        &[]
    }
}

impl PartialEq for dyn MethodKind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The order in which methods are asked, which decides who is summed before whom. Others come after these,
/// in the order of their first bodies. Those that offer sheets stand beside each other.
const ORDER: &[&str] = &[
    "xpbi",
    "fluid",
    "granules",
    "strain-energy",
    "shape-groups",
    "muscle",
    "cloth",
    "springs",
    "rigid",
];

impl Setup {
    /// The methods of its bodies, each once, in the order in which they are asked.
    pub fn methods(&self) -> Vec<&'static dyn MethodKind> {
        let mut methods: Vec<&'static dyn MethodKind> = Vec::new();
        for body in &self.bodies {
            if !methods.contains(&body.method) {
                methods.push(body.method);
            }
        }
        let place = |kind: &&'static dyn MethodKind| {
            let known = ORDER.iter().position(|&name| name == kind.name());
            known.unwrap_or(ORDER.len())
        };
        methods.sort_by_key(place);
        methods
    }

    /// The bodies of a method.
    pub fn bodies_of(
        &self,
        method: &'static dyn MethodKind,
    ) -> impl Iterator<Item = NumberedBody<'_>> {
        self.numbered()
            .filter(move |numbered| numbered.body.method == method)
    }

    /// The bodies of a method that have an axis of friction, as they are at the start.
    pub fn start_shapes(&self, method: &'static dyn MethodKind) -> Vec<StartShape> {
        let with_axis = self.bodies_of(method).filter(|of| of.body.grain.is_some());
        let shape = |of: NumberedBody<'_>| StartShape {
            body: of.number,
            first_id: of.first_id,
            shape: RestShape::new(of.body.particles.position.clone(), of.body.support_radius),
        };
        with_axis.map(shape).collect()
    }

    /// Groups of bodies, by their indices, whose particles hold each other within their support radii.
    pub fn joined_within_support(&self, groups: Vec<Vec<u32>>) -> Vec<Vec<JoinedBody>> {
        let joined = |body: u32| JoinedBody {
            body,
            reach: self.bodies[body as usize].support_radius,
        };
        let groups = groups.into_iter();
        groups
            .map(|group| group.into_iter().map(joined).collect())
            .collect()
    }

    /// All bodies with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = NumberedBody<'_>> {
        let mut next_id = 0;
        (0..).zip(&self.bodies).map(move |(number, body)| {
            let first_id = body.particles.first_id.unwrap_or(next_id);
            next_id = first_id + body.particles.position.len() as u32;
            NumberedBody {
                number,
                first_id,
                body,
            }
        })
    }
}

/// A body with its number.
#[derive(Clone, Copy, Debug)]
pub struct NumberedBody<'a> {
    /// Its index.
    pub number: u32,
    /// Stable id of its first particle at the start; the others follow.
    pub first_id: u32,
    /// The body.
    pub body: &'a Body,
}
