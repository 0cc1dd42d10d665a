//! The stages of a substep and the time each takes.

/// A stage of the substep. Its name is the timing column of `stats.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Births, removals, colliders moved.
    Emit,
    /// Neighbours, gradients, contact candidates.
    Find,
    /// Gravity into velocities.
    Accelerate,
    /// Methods with a system of equations compute their velocity.
    Predict,
    /// Constraints and contacts, so many times.
    Project,
    /// XSPH, last clamp, restitution, damping.
    Derive,
    /// Deformation and plastic state committed.
    Flow,
    /// Positions moved.
    Advance,
    /// Finite? In bounds?
    Inspect,
}

/// All stages in order.
pub const STAGES: [Stage; 9] = [
    Stage::Emit,
    Stage::Find,
    Stage::Accelerate,
    Stage::Predict,
    Stage::Project,
    Stage::Derive,
    Stage::Flow,
    Stage::Advance,
    Stage::Inspect,
];

impl Stage {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Emit => "emit",
            Stage::Find => "find",
            Stage::Accelerate => "accelerate",
            Stage::Predict => "predict",
            Stage::Project => "project",
            Stage::Derive => "derive",
            Stage::Flow => "flow",
            Stage::Advance => "advance",
            Stage::Inspect => "inspect",
        }
    }
}

/// Wall time of each stage [s].
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes([f64; STAGES.len()]);

impl StageTimes {
    /// Time of a stage [s].
    pub fn of(&self, stage: Stage) -> f64 {
        self.0[stage as usize]
    }

    /// Adds to the time of a stage.
    pub fn add(&mut self, stage: Stage, seconds: f64) {
        self.0[stage as usize] += seconds;
    }

    /// Adds the times of another substep.
    pub fn add_all(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }

    /// Time of all stages [s].
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }
}
