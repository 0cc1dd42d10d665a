//! The choice of the substep.
//!
//! Stress travels sqrt(E/rho) dt in a step. Up to r (half the support radius) a few sweeps resolve
//! it; beyond about 1.6 r they do not, and unresolved stress looks like softness, then ejects
//! particles.

use crate::world::{Body, Setup, State};

/// Advised greatest c dt/r of an automatic step.
const ELASTIC_SHARE: f64 = 0.7;
/// Greatest part of r that a particle may cross in an automatic step.
const CROSSING_SHARE: f64 = 0.4;
/// Beyond this c dt/r a few sweeps are likely not to resolve a step.
const DOUBTFUL: f64 = 1.2;
/// Beyond this c dt/r few sweeps surely do not resolve a step...
const UNRESOLVED: f64 = 1.6;
/// ...and these many are not few.
const MANY_SWEEPS: u32 = 20;

/// How a body's step compares with the travel of stress through it.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// Name of the body.
    pub body: String,
    /// c dt/r.
    pub ratio: f64,
    /// The longest step [s] with a ratio of 1.
    pub advised_step: f64,
    /// True if `run` refuses it unless told otherwise.
    pub is_refused: bool,
}

/// The longest automatic step [s] as far as elasticity goes: 0.7 r/c, least over all bodies.
pub fn longest_elastic_step(setup: &Setup) -> f64 {
    let longest = |body: &Body| ELASTIC_SHARE * crossing_time(setup, body);
    setup
        .bodies
        .iter()
        .map(longest)
        .fold(f64::INFINITY, f64::min)
}

/// The bodies for which a step [s] is doubtful (c dt/r > 1.2) or refused (> 1.6 with few sweeps).
pub fn unresolved_steps(setup: &Setup, dt: f64) -> Vec<Resolution> {
    let resolution = |body: &Body| {
        let advised_step = crossing_time(setup, body);
        let ratio = dt / advised_step;
        Resolution {
            body: body.name.clone(),
            ratio,
            advised_step,
            is_refused: ratio > UNRESOLVED
                && setup.solver.iterations < MANY_SWEEPS
                && !setup.solver.allow_unresolved,
        }
    };
    let all = setup.bodies.iter().map(resolution);
    all.filter(|r| r.ratio > DOUBTFUL).collect()
}

/// Number of equal substeps of the next frame: the given step, or one chosen from the materials and
/// the speeds at the start of the frame.
pub fn frame_substeps(setup: &Setup, state: &State) -> u64 {
    let frame = 1.0 / setup.frame_rate;
    let step = match setup.solver.time_step {
        Some(step) => step,
        None => longest_elastic_step(setup).min(crossing_step(setup, state, frame)),
    };
    // A step that divides the frame up to rounding is taken as it is.
    (frame / step - 1e-9).ceil().max(1.0) as u64
}

/// Time [s] in which stress crosses r. The density is that of the body's particles, which differs
/// from the material's where a body is given its mass.
fn crossing_time(setup: &Setup, body: &Body) -> f64 {
    let density = body.particles.particle_mass / body.particles.particle_volume;
    let stiffness = setup.materials[body.material as usize].youngs_modulus;
    0.5 * body.support_radius / (stiffness / density).sqrt()
}

/// The step [s] in which nothing moves more than a part of r, speeds at the end of the frame included
/// as far as gravity makes them.
fn crossing_step(setup: &Setup, state: &State, frame: f64) -> f64 {
    let particles = &state.particles;
    let fastest = particles
        .velocity
        .iter()
        .map(|v| f64::from(v.length()))
        .fold(0.0, f64::max);
    let emitted = setup
        .emitters
        .iter()
        .map(|e| e.velocity.length())
        .fold(0.0, f64::max);
    let speed = fastest.max(emitted)
        + setup.gravity.length() * frame
        + collider_speed(setup, state.time, frame);
    let radius = setup
        .bodies
        .iter()
        .map(|b| 0.5 * b.support_radius)
        .fold(f64::INFINITY, f64::min);
    CROSSING_SHARE * radius / speed.max(f64::MIN_POSITIVE)
}

/// Greatest mean speed [m/s] of a bounded collider's corners over the frame.
fn collider_speed(setup: &Setup, time: f64, frame: f64) -> f64 {
    let moving = setup.colliders.iter().filter(|c| !c.motion.is_at_rest());
    let speed = |c: &crate::boundaries::Collider| {
        let (start, end) = (c.motion.pose(time), c.motion.pose(time + frame));
        let corners = c.shape.bounds().map_or(vec![], |b| b.corners().to_vec());
        let moved = corners
            .iter()
            .map(|&x| start.to_world(x).distance(end.to_world(x)));
        moved.fold(start.translation.distance(end.translation), f64::max) / frame
    };
    moving.map(speed).fold(0.0, f64::max)
}
