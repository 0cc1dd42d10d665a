//! Colliders that are driven from outside: by a user's hand, a program, a robot's controller.

use pliant_math::{DQuat, DVec3, Pose};
use serde::{Deserialize, Serialize};

use super::{Setup, State, World};
use crate::boundaries::{Motion, turn_between, turned};

/// How a driven collider moves from now on; part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Index of the collider.
    collider: u32,
    /// When this motion starts [s].
    since: f64,
    /// Where it starts: rotation, position [m].
    start: (DQuat, DVec3),
    /// Velocity of its origin [m/s].
    velocity: DVec3,
    /// Angular velocity in world axes [rad/s].
    spin: DVec3,
    /// When it comes to rest, and where.
    end: Option<(f64, (DQuat, DVec3))>,
}

/// Why a collider cannot be driven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DriveError {
    /// It moves by itself, or there is no such collider.
    #[error("collider {0} is not driven: its motion is to be `driven`")]
    NotDriven(usize),
    /// A number that no motion has.
    #[error("a collider is driven by finite numbers over a time above zero, not by {0}")]
    Invalid(String),
}

impl Drive {
    /// At rest at a pose.
    pub(super) fn resting(collider: usize, pose: Pose) -> Self {
        Self::from(collider, 0.0, pose)
    }

    /// At rest at a pose from a time [s] on.
    fn from(collider: usize, since: f64, pose: Pose) -> Self {
        Self {
            collider: collider as u32,
            since,
            start: (pose.rotation, pose.translation),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            end: None,
        }
    }

    /// Where it is at a time [s].
    pub fn pose(&self, time: f64) -> Pose {
        if let Some((stop, end)) = self.end
            && time >= stop
        {
            return pose(end);
        }
        let passed = (time - self.since).max(0.0);
        let (rotation, position) = self.start;
        Pose {
            rotation: turned(rotation, self.spin * passed),
            translation: position + self.velocity * passed,
        }
    }
}

fn pose((rotation, translation): (DQuat, DVec3)) -> Pose {
    Pose {
        rotation,
        translation,
    }
}

impl State {
    /// How a driven collider moves.
    pub(crate) fn drive(&self, collider: usize) -> Option<&Drive> {
        drive_of(&self.drives, collider)
    }

    /// Where a collider that is no rigid body is at a time [s]; of a driven one as far as is known now.
    pub(crate) fn pose_of_collider(&self, setup: &Setup, collider: usize, time: f64) -> Pose {
        pose_of_collider(setup, &self.drives, collider, time)
    }
}

/// Where a collider that is no rigid body is at a time [s], if driven ones move on as they do now.
pub(crate) fn pose_of_collider(
    setup: &Setup,
    drives: &[Drive],
    collider: usize,
    time: f64,
) -> Pose {
    let motion = &setup.colliders[collider].motion;
    let drive = match motion {
        Motion::Driven { .. } => drive_of(drives, collider),
        _ => None,
    };
    drive.map_or_else(|| motion.pose(time), |drive| drive.pose(time))
}

fn drive_of(drives: &[Drive], collider: usize) -> Option<&Drive> {
    let mut drives = drives.iter();
    drives.find(|drive| drive.collider as usize == collider)
}

/// The driven colliders of a setup, at rest where they start.
pub(super) fn drives(setup: &Setup) -> Vec<Drive> {
    let colliders = setup.colliders.iter().enumerate();
    let driven = colliders.filter_map(|(index, collider)| match collider.motion {
        Motion::Driven { start } => Some(Drive::resting(index, start)),
        _ => None,
    });
    driven.collect()
}

/// Whether these are the drives of the driven colliders of a setup.
pub(super) fn fit(of_state: &[Drive], setup: &Setup) -> bool {
    let indices = |drives: &[Drive]| drives.iter().map(|d| d.collider).collect::<Vec<_>>();
    indices(of_state) == indices(&drives(setup))
}

impl World {
    /// Moves a driven collider from where it is now to a pose, evenly over a time [s] > 0; then it rests.
    /// It turns the shorter way round.
    ///
    /// # Errors
    /// If it is not driven, or a number is not finite.
    pub fn drive_to(
        &mut self,
        collider: usize,
        target: Pose,
        duration: f64,
    ) -> Result<(), DriveError> {
        let is_finite = target.translation.is_finite() && target.rotation.is_finite();
        if !(is_finite && duration > 0.0 && duration.is_finite()) {
            let what = format!("{target:?} in {duration} s");
            return Err(DriveError::Invalid(what));
        }
        let end = Pose {
            rotation: target.rotation.normalize(),
            ..target
        };
        self.set_drive(collider, |time, start| Drive {
            velocity: (end.translation - start.translation) / duration,
            spin: turn_between(start.rotation, end.rotation) / duration,
            end: Some((time + duration, (end.rotation, end.translation))),
            ..Drive::from(collider, time, start)
        })
    }

    /// Moves a driven collider from where it is now with a velocity [m/s] of its origin and a spin [rad/s] in
    /// world axes, until it is told otherwise.
    ///
    /// # Errors
    /// If it is not driven, or a number is not finite.
    pub fn drive(
        &mut self,
        collider: usize,
        velocity: DVec3,
        spin: DVec3,
    ) -> Result<(), DriveError> {
        if !(velocity.is_finite() && spin.is_finite()) {
            let what = format!("{velocity} m/s and {spin} rad/s");
            return Err(DriveError::Invalid(what));
        }
        self.set_drive(collider, |time, start| Drive {
            velocity,
            spin,
            ..Drive::from(collider, time, start)
        })
    }

    /// Puts a driven collider to a pose, where it rests: as if it had been there always.
    ///
    /// # Errors
    /// If it is not driven, or a number is not finite.
    pub fn put(&mut self, collider: usize, pose: Pose) -> Result<(), DriveError> {
        if !(pose.translation.is_finite() && pose.rotation.is_finite()) {
            return Err(DriveError::Invalid(format!("{pose:?}")));
        }
        self.set_drive(collider, |time, _| Drive::from(collider, time, pose))
    }

    fn set_drive(
        &mut self,
        collider: usize,
        drive: impl FnOnce(f64, Pose) -> Drive,
    ) -> Result<(), DriveError> {
        let time = self.state.time;
        let now = self.state.drive(collider).map(|drive| drive.pose(time));
        let now = now.ok_or(DriveError::NotDriven(collider))?;
        let mut drives = self.state.drives.iter_mut();
        if let Some(kept) = drives.find(|drive| drive.collider as usize == collider) {
            *kept = drive(time, now);
        }
        Ok(())
    }
}
