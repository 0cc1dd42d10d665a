//! The choice of the substep.
//!
//! Stress travels c dt in a step, c = sqrt(M/rho) with the modulus of [`Material::wave_modulus`]. Up to
//! r (half the support radius) a few sweeps resolve it; beyond about 1.6 r they do not, and unresolved
//! stress looks like softness, then ejects particles.

use std::borrow::Borrow;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, to_double, to_real};

use super::sheets::{longest_cloth_step, longest_springs_step};
use crate::attachments::{self, Attachment};
use crate::boundaries::{Collider, Motion};
use crate::forces::Forces;
use crate::methods::rigid::RigidColumns;
use crate::methods::{LongestStep, MethodKind};
use crate::world::{Body, Ordering, Setup, State};

/// Advised greatest c dt/r of an automatic step.
const ELASTIC_SHARE: f64 = 0.7;
/// Part of the longest step for solids in an automatic one: a bar has its Young's modulus within 2 %.
const SOLID_SHARE: f64 = 0.5;
/// Spacings that a pressure wave may cross in a step of one sweep in which all projections see the
/// state before: a bar then keeps 97 % of its stiffness, 95 % at 0.7 and three quarters at 0.93.
const JACOBI_CROSSING: f64 = 0.5;
/// Greatest part of r that a particle may cross in an automatic step.
const CROSSING_SHARE: f64 = 0.4;
/// Greatest part of a spacing that free fall may add to a fluid's way in an automatic step. A longer one
/// lets pressure overshoot: a tank sloshes without end.
const FALLEN_SHARE: f64 = 0.002;
/// Longest automatic step with rigid bodies [s]: a fall in it ends a tenth of a millimetre deep.
const LONGEST_RIGID_STEP: f64 = 0.005;
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
    /// c dt/r; of solids the step over the longest that sweeps resolve.
    pub ratio: f64,
    /// True for a body of `strain-energy`.
    pub is_solid: bool,
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
    let of_body = |body: &Body| StepBound {
        body: Some(body.name.clone()),
        longest: longest_step(setup, body),
    };
    let mut bounds: Vec<StepBound> = setup.bodies.iter().map(of_body).collect();
    if setup.bodies.iter().any(|b| b.method == MethodKind::Springs) {
        bounds.push(StepBound {
            body: None,
            longest: longest_springs_step(setup, &State::initial(setup)),
        });
    }
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

/// The longest automatic step as far as stress and pressure in a body go.
fn longest_step(setup: &Setup, body: &Body) -> LongestStep {
    let (seconds, reason) = match body.method {
        MethodKind::Xpbi => (
            ELASTIC_SHARE * crossing_time(setup, body),
            "stress may cross 0.7 kernel radii in it",
        ),
        MethodKind::Fluid | MethodKind::Granules => (
            (FALLEN_SHARE * body.spacing / setup.gravity.length()).sqrt(),
            "free fall may take a five-hundredth of a spacing in it",
        ),
        MethodKind::Cloth => return longest_cloth_step(setup, body),
        // Bound by what they carry: `longest_springs_step`.
        MethodKind::Springs => return LongestStep::UNBOUND,
        MethodKind::StrainEnergy => (
            SOLID_SHARE * longest_solid_step(setup, body),
            "sweeps have to follow pressure waves",
        ),
        MethodKind::Rigid => (
            LONGEST_RIGID_STEP,
            "a fall in it may end a tenth of a millimetre deep",
        ),
    };
    LongestStep { seconds, reason }
}

/// The longest automatic step [s] as far as stress and pressure go, least over all bodies: 0.7 r/c, and
/// for fluids and granules what free fall takes for a five-hundredth of a spacing.
pub fn longest_elastic_step(setup: &Setup) -> f64 {
    let bodies = setup.bodies.iter();
    bodies
        .map(|body| longest_step(setup, body).seconds)
        .fold(f64::INFINITY, f64::min)
}

/// The bodies for which a step [s] is doubtful (c dt/r > 1.2) or refused (> 1.6 with few sweeps).
pub fn unresolved_steps(setup: &Setup, dt: f64) -> Vec<Resolution> {
    // More sweeps of solids make the longest step longer, or, if they do not see each other, nothing
    // better.
    let has_sweeps = |body: &Body| {
        setup.solver.iterations >= MANY_SWEEPS && body.method != MethodKind::StrainEnergy
    };
    let resolution = |body: &Body| {
        let advised_step = match body.method {
            MethodKind::StrainEnergy => longest_solid_step(setup, body),
            _ => crossing_time(setup, body),
        };
        let ratio = dt / advised_step;
        Resolution {
            body: body.name.clone(),
            ratio,
            is_solid: body.method == MethodKind::StrainEnergy,
            advised_step,
            is_refused: ratio > UNRESOLVED && !has_sweeps(body) && !setup.solver.allow_unresolved,
        }
    };
    let all = setup.bodies.iter().map(resolution);
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
    contents.fastest += rim_speed(setup, &state.methods.of::<RigidColumns>().spin);
    substeps(setup, &contents, state.time).max(springs_substeps(setup, || state))
}

/// Number of equal substeps of a frame that networks under loads need.
fn springs_substeps<S: Borrow<State>>(setup: &Setup, state: impl FnOnce() -> S) -> f64 {
    let has_networks = setup.bodies.iter().any(|b| b.method == MethodKind::Springs);
    if !has_networks || setup.solver.time_step.is_some() {
        return 1.0;
    }
    substeps_of(setup, longest_springs_step(setup, state().borrow()).seconds)
}

/// Number of equal substeps of a run's first frame, as [`frame_substeps`] finds it in the initial
/// state.
pub fn first_frame_substeps(setup: &Setup) -> f64 {
    let contents = initial_contents(setup);
    substeps(setup, &contents, 0.0).max(springs_substeps(setup, || State::initial(setup)))
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
    let spins: Vec<DVec3> = setup.rigid().bodies.iter().map(|b| b.shape.spin).collect();
    contents.fastest += rim_speed(setup, &spins);
    contents
}

/// Greatest speed [m/s] at which the surface of a rigid body turns about its centre of mass.
fn rim_speed(setup: &Setup, spins: &[DVec3]) -> f64 {
    let bodies = setup.rigid().bodies;
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
}

impl Contents {
    fn of(setup: &Setup, time: f64, particles: impl Iterator<Item = Moving>) -> Self {
        let frame = 1.0 / setup.frame_rate;
        let forces = Forces::new(&setup.forces, time, frame);
        let mut contents = Self {
            fastest: 0.0,
            gained: 0.0,
            bounds: Aabb::EMPTY,
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
        let mass_of = |a: &Attachment| initial_mass(setup, a);
        let middle = time + 0.5 * frame;
        let loads = attachments::greatest_acceleration(&setup.attachments, mass_of, middle);
        contents.gained += loads * frame;
        contents
    }
}

/// Mass [kg] of an attachment's particles at the start of the run.
fn initial_mass(setup: &Setup, attachment: &Attachment) -> f64 {
    let Some(&first) = attachment.particles.first() else {
        return 1.0;
    };
    // Ids count the particles of one body after the other.
    let mut end = 0;
    let of_first = setup.bodies.iter().find(|body| {
        end += body.particles.position.len();
        (first as usize) < end
    });
    let particle_mass = of_first.map_or(1.0, |body| body.particles.particle_mass);
    attachment.particles.len() as f64 * particle_mass
}

fn substeps(setup: &Setup, contents: &Contents, time: f64) -> f64 {
    let step = match setup.solver.time_step {
        Some(step) => step,
        None => longest_elastic_step(setup).min(crossing_step(setup, contents, time)),
    };
    substeps_of(setup, step)
}

/// Number of equal substeps of a frame that are at most so long [s].
fn substeps_of(setup: &Setup, step: f64) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    // A step that divides the frame up to rounding is taken as it is.
    (frame / step - 1e-9).ceil().max(1.0)
}

/// Time [s] in which stress crosses r. The density is that of the body's particles, which differs
/// from the material's where a body is given its mass.
fn crossing_time(setup: &Setup, body: &Body) -> f64 {
    let density = body.particles.particle_mass / body.particles.particle_volume;
    let modulus = setup.materials[body.material as usize].wave_modulus();
    0.5 * body.support_radius / (modulus / density).sqrt()
}

/// The longest step [s] that sweeps over a solid body resolve: a pressure wave crosses a spacing a
/// sweep, or half of one where projections do not see each other.
fn longest_solid_step(setup: &Setup, body: &Body) -> f64 {
    let Some(law) = setup.materials[body.material as usize].law.solid() else {
        return f64::INFINITY;
    };
    let modulus = law.greatest_stiffness();
    let density = body.particles.particle_mass / body.particles.particle_volume;
    let crossed = match setup.solver.ordering {
        Ordering::GaussSeidel => f64::from(setup.solver.iterations),
        Ordering::Jacobi => JACOBI_CROSSING,
    };
    crossed * body.spacing / (f64::from(modulus) / density).sqrt()
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
    let radius = setup
        .bodies
        .iter()
        .map(|b| 0.5 * b.support_radius)
        .fold(f64::INFINITY, f64::min);
    CROSSING_SHARE * radius / speed.max(f64::MIN_POSITIVE)
}

/// Greatest speed [m/s] over the frame that a collider's surface has where particles may feel it: at
/// the corners of its box, or of the particles' box if it has no end.
fn collider_speed(setup: &Setup, contents: &Contents, time: f64) -> f64 {
    let frame = 1.0 / setup.frame_rate;
    let moving = setup.colliders.iter().filter(|c| !c.motion.is_at_rest());
    let speed = |collider: &Collider| {
        let start = collider.motion.pose(time);
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
        points
            .map(|x| point_speed(&collider.motion, x, time, frame))
            .fold(0.0, f64::max)
    };
    moving.map(speed).fold(0.0, f64::max)
}

/// Greatest mean speed [m/s] of a point of a moving collider, given in its own coordinates, over
/// parts of a frame.
fn point_speed(motion: &Motion, point: DVec3, time: f64, frame: f64) -> f64 {
    let part = frame / f64::from(MOTION_SAMPLES);
    let place = |k: u32| motion.pose(time + f64::from(k) * part).to_world(point);
    let parts = 0..MOTION_SAMPLES;
    parts
        .map(|k| place(k).distance(place(k + 1)) / part)
        .fold(0.0, f64::max)
}
