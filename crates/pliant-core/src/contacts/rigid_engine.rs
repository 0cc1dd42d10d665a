//! The engine that finds contact points of rigid bodies and moves them under their joints.

use std::any::Any;
use std::fmt::Debug;

use pliant_math::DVec3;

use super::RigidMeeting;
use crate::boundaries::{Collider, ColliderStep, RigidStep};

/// Searches and moves the rigid bodies of a world. Holds scratch only: it may be dropped between two
/// substeps without changing a bit.
pub trait RigidEngine: Debug + Send {
    /// Finds the points at which rigid bodies may touch each other or colliders within the substep.
    ///
    /// * `bodies` — where they are at the start
    /// * `colliders` — of the world, rigid bodies after the others
    /// * `shapes` — of these, as they are at the start
    /// * `reach` — greatest distance of a point that is wanted [m]
    /// * `meetings` — takes what is found
    fn find(
        &mut self,
        bodies: &[RigidStep],
        colliders: &[ColliderStep],
        shapes: &[Collider],
        reach: f64,
        meetings: &mut Vec<RigidMeeting>,
    );

    /// Takes from the velocities of the bodies that [`RigidEngine::find`] was last called with what joints
    /// do not let them in a substep of `dt` [s].
    fn solve_joints(&mut self, bodies: &mut [RigidStep], dt: f64);

    /// The same for velocities at which overlaps are undone: what is no body stands still, and limits and
    /// motors do not count.
    fn solve_joints_of_corrections(&mut self, bodies: &mut [RigidStep]);

    /// Moves those bodies to the end of a substep of `dt` [s]: their velocities hold all impulses but those
    /// of joints. Leaves in `bodies` centres, rotations and velocities at the end.
    ///
    /// * `kicks` — what of their velocities [m/s] acts evenly all through the substep, not at its start
    fn advance(&mut self, bodies: &mut [RigidStep], kicks: &[DVec3], dt: f64);

    /// True if a joint takes part in how a body moves.
    fn is_joined(&self, body: usize) -> bool;

    /// True if joints may do work: where one has a motor, or hangs on a collider that moves.
    fn has_drives(&self) -> bool;
}

/// What makes engines for worlds of one setup.
pub trait RigidEngineSource: Any + Debug + Send + Sync {
    /// A new one.
    fn engine(&self) -> Box<dyn RigidEngine>;
}
