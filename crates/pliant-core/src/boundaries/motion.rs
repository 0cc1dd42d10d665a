//! How colliders move: poses as functions of time.

use pliant_math::{DVec3, Pose};

use super::turned;
use crate::schedule::{Bracket, Ease};

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Time [s], increasing from one keyframe to the next.
    pub time: f64,
    /// Position [m].
    pub position: DVec3,
    /// Intrinsic rotations about x, then y, then z [rad]; interpolated component by component, so
    /// that two turns are two turns.
    pub rotation: DVec3,
}

/// The pose of a collider as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// It rests at its pose.
    Rest(Pose),
    /// It moves with a constant velocity and turns at a constant rate about its own origin.
    Constant {
        /// Pose at time zero.
        start: Pose,
        /// Velocity [m/s].
        velocity: DVec3,
        /// Angular velocity in world axes [rad/s].
        spin: DVec3,
    },
    /// It passes through keyframes, and rests before the first and after the last.
    Keyframes {
        /// At least one, times increasing.
        keyframes: Vec<Keyframe>,
        /// From one to the next.
        ease: Ease,
    },
    /// It is driven from outside (`World::drive_to`): its motion is part of the state.
    Driven {
        /// Pose at time zero, where it rests until it is driven.
        start: Pose,
    },
    /// It is a rigid body: its pose is part of the state.
    Free {
        /// Pose at time zero.
        start: Pose,
    },
}

impl Motion {
    /// The pose at a time [s]; of what is driven and of a rigid body where it started.
    pub fn pose(&self, time: f64) -> Pose {
        match self {
            Motion::Rest(pose) => *pose,
            Motion::Free { start } | Motion::Driven { start } => *start,
            Motion::Constant {
                start,
                velocity,
                spin,
            } => Pose {
                rotation: turned(start.rotation, *spin * time),
                translation: start.translation + *velocity * time,
            },
            Motion::Keyframes { keyframes, ease } => between(keyframes, *ease, time),
        }
    }

    /// True if the pose never changes.
    pub fn is_at_rest(&self) -> bool {
        match self {
            Motion::Rest(_) => true,
            Motion::Free { .. } | Motion::Driven { .. } => false,
            Motion::Constant { velocity, spin, .. } => {
                *velocity == DVec3::ZERO && *spin == DVec3::ZERO
            }
            Motion::Keyframes { keyframes, .. } => keyframes
                .windows(2)
                .all(|k| k[0].position == k[1].position && k[0].rotation == k[1].rotation),
        }
    }
}

fn between(keyframes: &[Keyframe], ease: Ease, time: f64) -> Pose {
    let at = Bracket::of(keyframes, |k| k.time, ease, time);
    let (a, b, s) = (keyframes[at.before], keyframes[at.after], at.progress);
    Pose::from_euler(
        a.position + (b.position - a.position) * s,
        a.rotation + (b.rotation - a.rotation) * s,
    )
}
