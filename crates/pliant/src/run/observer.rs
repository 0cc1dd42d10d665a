//! Observers of a run, which may stop it.

use std::path::Path;

use pliant_core::step::Progress;

/// What a run is about to do.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// Where it writes.
    pub folder: &'a Path,
    /// Number of the frame it starts from: 1, or that of a checkpoint.
    pub first_frame: u32,
    /// Number of the last frame.
    pub last_frame: u32,
    /// Frames per second.
    pub frame_rate: f64,
    /// Particles now.
    pub particles: usize,
    /// Threads of the simulation.
    pub threads: usize,
    /// Whether the scene gives the step.
    pub is_step_given: bool,
}

/// A frame that is complete and written.
#[derive(Clone, Copy, Debug)]
pub struct FrameDone {
    /// Its number.
    pub number: u32,
    /// Simulated time [s].
    pub time: f64,
    /// Particles.
    pub particles: usize,
    /// Substeps it took.
    pub substeps: u64,
    /// Wall time of its simulation [s].
    pub wall: f64,
    /// How often it was taken back and done again with half the step.
    pub redone: u32,
    /// The substep it was done with in the end [s].
    pub dt: f64,
    /// Energy that appeared in it without being paid for, as a part of what there was to be spent.
    pub gained_share: f64,
}

/// Watches a run. Every method may do nothing.
pub trait Observer {
    /// The run starts.
    fn begin(&mut self, _plan: &Plan<'_>) {}

    /// A substep is done.
    fn progress(&mut self, _progress: Progress) {}

    /// A frame is done.
    fn frame_done(&mut self, _frame: &FrameDone) {}

    /// Something worth saying happened.
    fn note(&mut self, _text: &str) {}

    /// The frames are done; the film and the report are being made.
    fn finishing(&mut self) {}

    /// True to end the run after this frame, with a checkpoint.
    fn wants_to_stop(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
