//! Why a substep could not be completed.

use pliant_math::DVec3;

use crate::particles::Particles;
use crate::world::Setup;

/// A simulation that cannot go on: which particle, of which body, when, and what usually helps.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "{trouble} at t = {time:.6} s, substep {substep}: body '{body}', particle {particle} near \
     ({:.4}, {:.4}, {:.4}) m; {}", .position.x, .position.y, .position.z, .trouble.advice()
)]
pub struct StepError {
    /// What went wrong.
    pub trouble: Trouble,
    /// Name of the body.
    pub body: String,
    /// Stable id of the first particle concerned.
    pub particle: u32,
    /// Where the particle was at the start of the substep [m].
    pub position: DVec3,
    /// Simulated time at the start of the substep [s].
    pub time: f64,
    /// Number of the substep since the start of the run.
    pub substep: u64,
}

/// What can go wrong in a substep.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// A velocity or strain is infinite or not a number.
    #[error("the simulation blew up: a velocity or strain is no longer finite")]
    NotFinite,
    /// A particle crosses a hundred support radii in a substep.
    #[error("the simulation blew up: a speed of {speed:.3e} m/s")]
    TooFast {
        /// The speed [m/s].
        speed: f64,
    },
    /// A particle left bounds with `on_exit = "stop"`.
    #[error("a particle left scene.bounds, whose on_exit is \"stop\"")]
    OutOfBounds,
}

impl Trouble {
    /// What usually helps.
    pub fn advice(&self) -> &'static str {
        match self {
            Trouble::NotFinite | Trouble::TooFast { .. } => {
                "usually a smaller solver.time_step or more solver.iterations helps; leaving \
                 time_step out lets Pliant choose it. A body that starts deep inside a collider or \
                 another body does this too"
            }
            Trouble::OutOfBounds => "enlarge the bounds, or use on_exit = \"remove\"",
        }
    }
}

impl StepError {
    /// The error of a particle at place `index`.
    pub fn of(
        trouble: Trouble,
        index: usize,
        particles: &Particles,
        setup: &Setup,
        when: (f64, u64),
    ) -> Self {
        Self {
            trouble,
            body: setup.bodies[particles.body[index] as usize].name.clone(),
            particle: particles.id[index],
            position: particles.position[index],
            time: when.0,
            substep: when.1,
        }
    }
}
