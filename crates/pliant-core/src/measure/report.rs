//! What happened in a frame.

use pliant_math::DVec3;

use super::{Energies, StageTimes};
use crate::world::Work;

/// What happened in a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameReport {
    /// Substeps taken.
    pub substeps: u64,
    /// The substep [s].
    pub dt: f64,
    /// Wall time [s], all included.
    pub wall: f64,
    /// Wall time of each stage.
    pub times: StageTimes,
    /// Wall time of all constraint sweeps [s], a part of the stage `project`.
    pub sweep_time: f64,
    /// Contacts that pressed in the last substep.
    pub contacts: usize,
    /// Mean number of neighbours a particle in the last substep.
    pub neighbors: f64,
    /// Relative dual residual of the last substep.
    pub residual: f64,
    /// Share of particles in the last substep whose gradient is not of rank 3.
    pub deficient_share: f64,
    /// Mean force [N] on each collider.
    pub collider_force: Vec<DVec3>,
    /// The energies at the end; `None` of the initial state.
    pub energies: Option<Energies>,
    /// Work done on the world in the frame.
    pub work: Work,
    /// Energy that appeared in the frame without being paid for [J], >= 0.
    pub gained: f64,
    /// The same as a part of what was there to be spent, and of what bodies that touch settle with.
    pub gained_share: f64,
    /// How far the balance of gains and losses stands above its lowest, as a part of what was there to be
    /// spent.
    pub risen_share: f64,
    /// How often the frame was taken back and done again with half the step.
    pub redone: u32,
}
