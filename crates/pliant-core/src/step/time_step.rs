//! The choice of the substep.
//!
//! Stress travels c dt in a step, c = sqrt(M/rho) with the modulus of [`crate::world::Material::wave_modulus`]. Up to
//! r (half the support radius) a few sweeps resolve it; beyond about 1.6 r they do not, and unresolved
//! stress looks like softness, then ejects particles.

use std::borrow::Borrow;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, Pose, to_double, to_real};

use super::loads::speed_by_loads;
use crate::boundaries::Collider;
use crate::forces::Forces;
use crate::method::LongestStep;
use crate::methods::rigid::{RigidColumns, RigidSetup};
use crate::world::{Drive, Setup, State, pose_of_collider};

/// Greatest part of r that a particle may cross in an automatic step.
const CROSSING_SHARE: f64 = 0.4;
/// Beyond this c dt/r a few sweeps are likely not to resolve a step.
const DOUBTFUL: f64 = 1.2;
/// Beyond this c dt/r few sweeps surely do not resolve a step...
const UNRESOLVED: f64 = 1.6;
/// ...and these many are not few.
const MANY_SWEEPS: u32 = 20;
/// More substeps a frame are refused: the run would not end.
pub const MOST_SUBSTEPS: f64 = 1e6;
/// A collider's motion over a frame is looked at in so many parts: shaking may end where it began.
const MOTION_SAMPLES: u32 = 32;

/// How a body's step compares with the travel of stress through it.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// Name of the body.
    pub body: String,
    /// The step over the longest that sweeps resolve; where their number does not count, c dt/r.
    pub ratio: f64,
    /// True if more sweeps resolve a longer step.
    pub counts_sweeps: bool,
    /// The longest step [s] with a ratio of 1.
    pub advised_step: f64,
    /// True if `run` refuses it unless told otherwise.
    pub is_refused: bool,
}

/// What bounds the automatic step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBound {
    /// Name of the body that does; `None` if how fast things move does.
    pub body: Option<String>,
    /// The longest step, and why.
    pub longest: LongestStep,
}

/// What bounds the automatic step of a run's first frame, the shortest first.
pub fn step_bounds(setup: &Setup) -> Vec<StepBound> {
    let of_body = |(number, longest): (usize, LongestStep)| StepBound {
        body: Some(setup.bodies[number].name.clone()),
        longest,
    };
    let of_bodies = longest_steps(setup).enumerate();
    let mut bounds: Vec<StepBound> = of_bodies.map(of_body).collect();
    bounds.push(StepBound {
        body: None,
        longest: longest_step_now(setup, || State::initial(setup)),
    });
    bounds.push(StepBound {
        body: None,
        longest: LongestStep {
            seconds: crossing_step(setup, &initial_contents(setup), 0.0),
            reason: "nothing may move more than 0.4 kernel radii in it",
        },
    });
    bounds.retain(|bound| bound.longest.seconds.is_finite());
    bounds.sort_by(|a, b| a.longest.seconds.total_cmp(&b.longest.seconds));
    bounds
}

/// The longest automatic step of each body as far as stress and pressure go.
fn longest_steps(setup: &Setup) -> impl Iterator<Item = LongestStep> {
    let bodies = (0..).zip(&setup.bodies);
    bodies.map(|(number, body)| body.method.longest_step(setup, number))
}

/// The longest automatic step as bodies are now and with what lies on them.
fn longest_step_now<S: Borrow<State>>(setup: &Setup, state: impl FnOnce() -> S) -> LongestStep {
    let mut methods = setup.methods();
    methods.retain(|method| method.is_bound_by_loads());
    if methods.is_empty() {
        return LongestStep::UNBOUND;
    }
    let state = state();
    let steps = methods
        .iter()
        .map(|m| m.longest_step_now(setup, state.borrow()));
    steps.fold(LongestStep::UNBOUND, LongestStep::or_shorter)
}

/// The longest automatic step [s] as far as stress and pressure go, least over all bodies.
pub fn longest_elastic_step(setup: &Setup) -> f64 {
    let steps = longest_steps(setup).map(|longest| longest.seconds);
    steps.fold(f64::INFINITY, f64::min)
}

/// The bodies for which a step [s] is doubtful (1.2 times what sweeps resolve) or refused (1.6 times).
pub fn unresolved_steps(setup: &Setup, dt: f64) -> Vec<Resolution> {
    let has_many_sweeps = setup.solver.iterations >= MANY_SWEEPS;
    let resolution = |number: usize| {
        let body = &setup.bodies[number];
        let resolved = body.method.resolved_step(setup, number as u32)?;
        let ratio = dt / resolved.seconds;
        let is_excused =
            setup.solver.allow_unresolved || (has_many_sweeps && !resolved.counts_sweeps);
        Some(Resolution {
            body: body.name.clone(),
            ratio,
            counts_sweeps: resolved.counts_sweeps,
            advised_step: resolved.seconds,
            is_refused: ratio > UNRESOLVED && !is_excused,
        })
    };
    let all = (0..setup.bodies.len()).filter_map(resolution);
    all.filter(|r| r.ratio > DOUBTFUL).collect()
}

/// Number of equal substeps of the next frame: the given step, or one chosen from the materials and
/// the speeds at the start of the frame. Infinite for speeds that no step resolves.
pub fn frame_substeps(setup: &Setup, state: &State) -> f64 {
    let p = &state.particles;
    let particle = |i: usize| Moving {
        position: p.position[i],
        velocity: to_double(p.velocity[i]),
        body: p.body[i],
        is_free: p.inverse_mass[i] > 0.0,
    };
    let mut contents = Contents::of(setup, state.time, (0..p.len()).map(particle));
    if let Some(rigid) = state.methods.find::<RigidColumns>() {
        contents.fastest += rim_speed(setup, &rigid.spin);
    }
    contents.drives.clone_from(&state.drives);
    substeps(setup, &contents, state.time, || state)
}

/// Length of the next substep if the steps are left to the engine and no frame is to be met [s].
pub fn substep_length(setup: &Setup, state: &State) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    frame / frame_substeps(setup, state)
}

/// Number of equal substeps of a run's first frame, as [`frame_substeps`] finds it in the initial
/// state.
pub fn first_frame_substeps(setup: &Setup) -> f64 {
    substeps(setup, &initial_contents(setup), 0.0, || {
        State::initial(setup)
    })
}

fn initial_contents(setup: &Setup) -> Contents {
    let bodies = setup.bodies.iter().zip(0..);
    let particles = bodies.flat_map(|(body, number)| {
        let start = &body.particles;
        (0..start.position.len()).map(move |k| Moving {
            position: start.position[k],
            velocity: if start.is_pinned[k] {
                DVec3::ZERO
            } else {
                // As the state holds it.
                to_double(to_real(start.velocity[k]))
            },
            body: number,
            is_free: !start.is_pinned[k],
        })
    });
    let mut contents = Contents::of(setup, 0.0, particles);
    let spins: Vec<DVec3> = RigidSetup::of(setup)
        .bodies
        .iter()
        .map(|b| b.shape.spin)
        .collect();
    contents.fastest += rim_speed(setup, &spins);
    contents
}

/// Greatest speed [m/s] at which the surface of a rigid body turns about its centre of mass.
fn rim_speed(setup: &Setup, spins: &[DVec3]) -> f64 {
    let bodies = RigidSetup::of(setup).bodies;
    let speeds = bodies
        .iter()
        .zip(spins)
        .map(|(b, spin)| spin.length() * b.shape.extent);
    speeds.fold(0.0, f64::max)
}

/// A particle as far as the length of a step depends on it.
struct Moving {
    position: DVec3,
    velocity: DVec3,
    body: u32,
    is_free: bool,
}

/// What the particles of a world say about the length of a step.
struct Contents {
    /// Greatest speed [m/s].
    fastest: f64,
    /// Greatest change of velocity by forces and loads over a frame [m/s].
    gained: f64,
    /// The box around them [m]; empty without particles.
    bounds: Aabb,
    /// How driven colliders move.
    drives: Vec<Drive>,
}

impl Contents {
    fn of(setup: &Setup, time: f64, particles: impl Iterator<Item = Moving>) -> Self {
        let frame = 1.0 / setup.frame_rate;
        let forces = Forces::new(&setup.forces, time, frame);
        let mut contents = Self {
            fastest: 0.0,
            gained: 0.0,
            bounds: Aabb::EMPTY,
            drives: Vec::new(),
        };
        for particle in particles {
            let (x, v) = (particle.position, particle.velocity);
            contents.fastest = contents.fastest.max(v.length());
            contents.bounds = contents.bounds.including(x);
            if particle.is_free && !forces.is_empty() {
                let change = forces.velocity_change(particle.body, x, v);
                contents.gained = contents.gained.max(change.length());
            }
        }
        contents.gained += speed_by_loads(setup, time, frame);
        contents
    }
}

fn substeps<S: Borrow<State>>(
    setup: &Setup,
    contents: &Contents,
    time: f64,
    state: impl FnOnce() -> S,
) -> f64 {
    let step = setup.solver.time_step.unwrap_or_else(|| {
        longest_elastic_step(setup)
            .min(crossing_step(setup, contents, time))
            .min(longest_step_now(setup, state).seconds)
    });
    substeps_of(setup, step)
}

/// Number of equal substeps of a frame that are at most so long [s].
fn substeps_of(setup: &Setup, step: f64) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    // A step that divides the frame up to rounding is taken as it is.
    (frame / step - 1e-9).ceil().max(1.0)
}

/// The step [s] in which nothing moves more than a part of r, speeds at the end of the frame included
/// as far as gravity, forces and loads make them.
fn crossing_step(setup: &Setup, contents: &Contents, time: f64) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    let emitted = setup
        .emitters
        .iter()
        .map(|e| e.velocity.length())
        .fold(0.0, f64::max);
    let speed = contents.fastest.max(emitted)
        + contents.gained
        + setup.gravity.length() * frame
        + collider_speed(setup, contents, time);
    greatest_crossing(setup) / speed.max(f64::MIN_POSITIVE)
}

/// Greatest way [m] of anything in an automatic step.
fn greatest_crossing(setup: &Setup) -> f64 {
    let radii = setup.bodies.iter().map(|b| 0.5 * b.support_radius);
    CROSSING_SHARE * radii.fold(f64::INFINITY, f64::min)
}

/// Greatest speed [m/s] of a particle with which automatic steps do not divide a frame into more than
/// [`MOST_SUBSTEPS`], as far as that speed decides.
pub fn greatest_resolved_speed(setup: &Setup) -> f64 {
    greatest_crossing(setup) * MOST_SUBSTEPS * setup.frame_rate
}

/// Greatest speed [m/s] over the frame that a collider's surface has where particles may feel it: at
/// the corners of its box, or of the particles' box if it has no end.
fn collider_speed(setup: &Setup, contents: &Contents, time: f64) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    let colliders = setup.colliders.iter().enumerate();
    let moving = colliders.filter(|(_, c)| !c.is_at_rest());
    let speed = |(index, collider): (usize, &Collider)| {
        let pose = |time| pose_of_collider(setup, &contents.drives, index, time);
        let start = pose(time);
        let points: Vec<DVec3> = match collider.shape.bounds() {
            Some(bounds) => bounds.corners().to_vec(),
            None => contents
                .bounds
                .corners()
                .map(|x| start.to_local(x))
                .to_vec(),
        };
        let origin = std::iter::once(DVec3::ZERO);
        let points = points.into_iter().filter(|x| x.is_finite()).chain(origin);
        let deformation = collider.shape.moving();
        let deformation = deformation.map(|moving| moving.fastest_between(time, time + frame));
        let of_pose = points.map(|x| point_speed(pose, x, time, frame));
        of_pose.fold(0.0, f64::max) + deformation.unwrap_or(0.0)
    };
    moving.map(speed).fold(0.0, f64::max)
}

/// Greatest mean speed [m/s] of a point of a moving collider, given in its own coordinates, over
/// parts of a frame.
///
/// * `pose` — of the collider at a time [s]
fn point_speed(pose: impl Fn(f64) -> Pose, point: DVec3, time: f64, frame: f64) -> f64 {
    let part = frame / f64::from(MOTION_SAMPLES);
    let place = |k: u32| pose(time + f64::from(k) * part).to_world(point);
    let parts = 0..MOTION_SAMPLES;
    parts
        .map(|k| place(k).distance(place(k + 1)) / part)
        .fold(0.0, f64::max)
}
