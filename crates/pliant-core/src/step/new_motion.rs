//! Positions and velocities that somebody gives particles between substeps.

use std::fmt;

use pliant_math::{DVec3, Vec3, to_double};

use super::inspect::greatest_crossing_speed;
use super::time_step::greatest_resolved_speed;
use crate::parallel;
use crate::world::{MovedParticles, OnExit, World};

/// Positions are within so many metres of the origin along each axis: further out, places of particles would be
/// rounded by more than 0.1 micrometres.
const GREATEST_COORDINATE: f64 = 1e9;

/// What particles are given, a column each: an entry a particle, in the order of the columns of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewMotion {
    /// Positions [m]; `None` leaves them.
    pub position: Option<Vec<DVec3>>,
    /// Velocities [m/s]; `None` leaves them.
    pub velocity: Option<Vec<Vec3>>,
}

/// Why particles cannot be given positions or velocities.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// A column of another length.
    #[error("a {column} of each of the {count} particles is wanted, not {given}")]
    Length {
        /// Which.
        column: MotionColumn,
        /// Its entries.
        given: usize,
        /// Particles that there are.
        count: usize,
    },
    /// A value that a particle cannot have.
    #[error("the {column} of particle {particle} of the body \"{body}\" cannot become ({}, {}, {}) {}: {trouble}",
        value.x, value.y, value.z, column.unit())]
    Value {
        /// In which column.
        column: MotionColumn,
        /// Stable id of the particle.
        particle: u32,
        /// Name of its body.
        body: String,
        /// What it was given.
        value: DVec3,
        /// Why not.
        trouble: MotionTrouble,
    },
}

/// A column that particles can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionColumn {
    /// Positions [m].
    Position,
    /// Velocities [m/s].
    Velocity,
}

impl MotionColumn {
    /// The symbol of its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position => "m",
            Self::Velocity => "m/s",
        }
    }
}

impl fmt::Display for MotionColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
        })
    }
}

/// Why a particle cannot have a position or a velocity.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MotionTrouble {
    /// No number.
    #[error("it must be finite")]
    NotFinite,
    /// Too far from the origin.
    #[error("coordinates go from {:e} m to {GREATEST_COORDINATE:e} m", -GREATEST_COORDINATE)]
    TooFar,
    /// Outside of bounds that stop a run.
    #[error("it is outside of scene.bounds, whose on_exit is \"stop\"")]
    OutOfBounds,
    /// Faster than any step resolves.
    #[error("no step resolves speeds above {limit:.3e} m/s here")]
    TooFast {
        /// The greatest speed [m/s].
        limit: f64,
    },
    /// What holds it says where it is.
    #[error(
        "it is held by an attachment or pinned, as its inverse mass of 0 tells; release it, or leave out what is held"
    )]
    Held,
}

/// Gives particles of a world other positions and velocities between substeps, all that are allowed at once. Only what
/// differs counts: what somebody gives a particle that it has already is no change, and nothing at all changes no bit.
///
/// Strain, plastic state and tears are the material's, and stay: continua that keep their strain know nothing of where
/// they were put, all others are deformed by it. The particle of a rigid body takes its body along, which keeps its
/// rotation and its spin, and wakes if it slept. The next frame begins with a new balance of energy. Nothing is
/// cleared: overlaps are pushed apart.
///
/// Returns what was moved. If positions were, whoever steps the world has its stepper `forget` its scratch.
///
/// # Errors
/// If a column has another length, or a particle cannot have its value; the first one is named, and the world stays as
/// it is.
pub fn give_motion(world: &mut World, motion: NewMotion) -> Result<MovedParticles, MotionError> {
    let count = world.state.particles.len();
    check_length(MotionColumn::Position, motion.position.as_ref(), count)?;
    check_length(MotionColumn::Velocity, motion.velocity.as_ref(), count)?;
    let particles = &world.state.particles;
    let mut moved = MovedParticles::default();
    if let Some(position) = &motion.position {
        let is_same = |i: usize| same_bits(position[i], particles.position[i]);
        moved.position = changed(count, is_same);
        check_positions(world, position, &moved.position)?;
    }
    if let Some(velocity) = &motion.velocity {
        let of = |v: Vec3| v.to_array().map(|c| c.to_bits());
        let is_same = |i: usize| of(velocity[i]) == of(particles.velocity[i]);
        moved.velocity = changed(count, is_same);
        check_velocities(world, velocity, &moved.velocity)?;
    }
    if moved.is_empty() {
        return Ok(moved);
    }
    let World { setup, state } = world;
    if let Some(position) = motion.position {
        state.particles.position = position;
    }
    if let Some(velocity) = motion.velocity {
        state.particles.velocity = velocity;
    }
    state.take_note_of(setup, &moved);
    Ok(moved)
}

fn check_length<T>(
    column: MotionColumn,
    given: Option<&Vec<T>>,
    count: usize,
) -> Result<(), MotionError> {
    match given.map(Vec::len) {
        Some(given) if given != count => Err(MotionError::Length {
            column,
            given,
            count,
        }),
        _ => Ok(()),
    }
}

fn same_bits(a: DVec3, b: DVec3) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}

/// The places, in order, at which something is not the same.
fn changed(count: usize, is_same: impl Fn(usize) -> bool + Sync) -> Vec<u32> {
    let of_chunk = |range: std::ops::Range<usize>| {
        let changed = range.filter(|&i| !is_same(i));
        changed.map(|i| i as u32).collect::<Vec<_>>()
    };
    let append = |mut all: Vec<u32>, of_chunk: Vec<u32>| {
        all.extend(of_chunk);
        all
    };
    parallel::ordered_fold(count, Vec::new(), of_chunk, append)
}

fn check_positions(world: &World, position: &[DVec3], places: &[u32]) -> Result<(), MotionError> {
    let inverse_mass = &world.state.particles.inverse_mass;
    let bounds = world.setup.bounds.filter(|b| b.on_exit == OnExit::Stop);
    let trouble = |i: usize| {
        let x = position[i];
        if !x.is_finite() {
            Some(MotionTrouble::NotFinite)
        } else if inverse_mass[i] == 0.0 {
            Some(MotionTrouble::Held)
        } else if x.abs().max_element() > GREATEST_COORDINATE {
            Some(MotionTrouble::TooFar)
        } else {
            let is_outside = bounds.is_some_and(|bounds| !bounds.contains(x));
            is_outside.then_some(MotionTrouble::OutOfBounds)
        }
    };
    let value = |i: usize| position[i];
    check(world, (MotionColumn::Position, &value), places, trouble)
}

fn check_velocities(world: &World, velocity: &[Vec3], places: &[u32]) -> Result<(), MotionError> {
    let inverse_mass = &world.state.particles.inverse_mass;
    let setup = &world.setup;
    let limit = match setup.solver.time_step {
        Some(dt) => greatest_crossing_speed(setup, dt),
        None => greatest_resolved_speed(setup),
    };
    let trouble = |i: usize| {
        let speed = to_double(velocity[i]).length();
        if !speed.is_finite() {
            Some(MotionTrouble::NotFinite)
        } else if inverse_mass[i] == 0.0 {
            Some(MotionTrouble::Held)
        } else {
            (speed > limit).then_some(MotionTrouble::TooFast { limit })
        }
    };
    let value = |i: usize| to_double(velocity[i]);
    check(world, (MotionColumn::Velocity, &value), places, trouble)
}

/// The error of the first of some particles that cannot have its value.
fn check(
    world: &World,
    (column, value): (MotionColumn, &dyn Fn(usize) -> DVec3),
    places: &[u32],
    trouble_of: impl Fn(usize) -> Option<MotionTrouble> + Sync,
) -> Result<(), MotionError> {
    let in_chunk = |range: std::ops::Range<usize>| {
        let mut places = places[range].iter().map(|&place| place as usize);
        places.find_map(|place| trouble_of(place).map(|trouble| (place, trouble)))
    };
    let first = parallel::ordered_fold(places.len(), None, in_chunk, |a, b| a.or(b));
    let particles = &world.state.particles;
    match first {
        None => Ok(()),
        Some((place, trouble)) => Err(MotionError::Value {
            column,
            particle: particles.id[place],
            body: world.setup.bodies[particles.body[place] as usize]
                .name
                .clone(),
            value: value(place),
            trouble,
        }),
    }
}
