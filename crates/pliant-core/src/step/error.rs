//! Why a substep could not be completed.

use std::fmt;

use pliant_math::DVec3;

use crate::world::World;

/// A simulation that cannot go on: what, when, which particle, and what usually helps.
#[derive(Clone, Debug)]
pub struct StepError {
    /// What went wrong.
    pub trouble: Trouble,
    /// The first particle concerned, if one is.
    pub culprit: Option<Culprit>,
    /// Simulated time at the start of the substep [s].
    pub time: f64,
    /// Number of the substep since the start of the run.
    pub substep: u64,
    /// Whether the scene gives the step.
    pub is_step_given: bool,
}

/// The particle that an error is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Culprit {
    /// Name of its body.
    pub body: String,
    /// Stable id.
    pub particle: u32,
    /// Where it was at the start of the substep [m].
    pub position: DVec3,
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
    /// A particle is stretched beyond all measure.
    #[error("the simulation blew up: a stretch by a factor of {stretch:.1e}")]
    TooStretched {
        /// The stretch.
        stretch: f64,
    },
    /// A particle is turned inside out.
    #[error(
        "a part of a body was turned inside out: its volume is {volume_ratio:.2} of that at rest"
    )]
    InsideOut {
        /// det F.
        volume_ratio: f64,
    },
    /// Energy appeared that nothing has paid for, however short the step.
    #[error(
        "{gained:.3e} J appeared in a frame that nothing has paid for, {:.0} % of what there was, and with shorter steps too",
        100.0 * share
    )]
    UnpaidEnergy {
        /// How much [J].
        gained: f64,
        /// As a part of what there was to be spent.
        share: f64,
    },
    /// The step that resolves the fastest motion divides a frame into too many.
    #[error("a frame would take {count:.1e} substeps, and particles move at up to {speed:.3e} m/s")]
    TooManySubsteps {
        /// How many.
        count: f64,
        /// The greatest speed of a particle [m/s].
        speed: f64,
    },
    /// An emitter found no room in memory for another particle.
    #[error("there is no memory for more than {limit} particles")]
    TooManyParticles {
        /// The most particles of this world.
        limit: usize,
    },
    /// A particle left bounds with `on_exit = "stop"`.
    #[error("a particle left scene.bounds, whose on_exit is \"stop\"")]
    OutOfBounds,
}

impl Trouble {
    /// True if a shorter step may help.
    pub fn may_be_the_step(&self) -> bool {
        matches!(
            self,
            Trouble::NotFinite
                | Trouble::TooFast { .. }
                | Trouble::TooStretched { .. }
                | Trouble::InsideOut { .. }
                | Trouble::UnpaidEnergy { .. }
        )
    }

    /// What usually helps.
    ///
    /// * `is_step_given` — whether the scene gives `solver.time_step`
    pub fn advice(&self, is_step_given: bool) -> &'static str {
        match self {
            Trouble::NotFinite | Trouble::TooFast { .. } | Trouble::TooStretched { .. }
                if is_step_given =>
            {
                "usually a smaller solver.time_step or more solver.iterations helps; leaving \
                 time_step out lets Pliant choose it. A body that starts deep inside a collider or \
                 another body does this too"
            }
            Trouble::NotFinite
            | Trouble::TooFast { .. }
            | Trouble::TooStretched { .. }
            | Trouble::UnpaidEnergy { .. } => {
                "look for a body that starts deep inside a collider or another body, for what is \
                 much stiffer or lighter than what it touches, and for a spacing that is coarse \
                 beside its thickness; more solver.iterations help, and a solver.time_step is \
                 taken as it is given"
            }
            Trouble::InsideOut { .. } => {
                "look for what crushes it, such as colliders that leave it less room than it has, for \
                 muscles that are much stiffer than what is around them, and for a body that is few \
                 spacings thick; a smaller solver.time_step and a smaller spacing help"
            }
            Trouble::TooManySubsteps { .. } => {
                "look for what makes things so fast: gravity, a velocity, a collider's motion, a \
                 particle that falls without end (scene.bounds removes it)"
            }
            Trouble::TooManyParticles { .. } => {
                "give the emitter a `rate` or a `stop`, coarsen its body, or let scene.bounds \
                 remove what has left the picture"
            }
            Trouble::OutOfBounds => "enlarge the bounds, or use on_exit = \"remove\"",
        }
    }
}

impl StepError {
    /// The error in the next substep of a world, of the particle at place `index` if of one.
    pub fn of(trouble: Trouble, index: Option<usize>, world: &World) -> Self {
        let particles = &world.state.particles;
        let culprit = |i: usize| Culprit {
            body: world.setup.bodies[particles.body[i] as usize].name.clone(),
            particle: particles.id[i],
            position: particles.position[i],
        };
        Self {
            trouble,
            culprit: index.map(culprit),
            time: world.state.time,
            substep: world.state.substeps + 1,
            is_step_given: world.setup.solver.time_step.is_some(),
        }
    }
}

impl std::error::Error for StepError {}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            trouble,
            culprit,
            time,
            substep,
            is_step_given,
        } = self;
        write!(f, "{trouble} at t = {time:.6} s, substep {substep}")?;
        if let Some(culprit) = culprit {
            let [x, y, z] = culprit.position.to_array();
            let Culprit { body, particle, .. } = culprit;
            write!(
                f,
                ": body '{body}', particle {particle} near ({x:.4}, {y:.4}, {z:.4}) m"
            )?;
        }
        write!(f, "; {}", trouble.advice(*is_step_given))
    }
}
