//! What joins two bodies, or a body and the world.

use pliant_math::{DQuat, DVec3};
use rapier3d_f64::math::Pose as Frame;
use rapier3d_f64::prelude::{
    GenericJoint, GenericJointBuilder, JointAxesMask, JointAxis, MotorModel, SpringCoefficients,
};

/// A joint between two ends, which hold where both are at the start.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name, unique among joints.
    pub name: String,
    /// What it joins; at least one is a body.
    pub ends: [End; 2],
    /// Where it is at the start, in world coordinates [m].
    pub anchor: DVec3,
    /// Its axis at the start, unit, in world axes: what a hinge turns about and a slider goes along.
    pub axis: DVec3,
    /// What it leaves free.
    pub kind: JointKind,
    /// Least and greatest angle [rad] of a hinge or way [m] of a slider, from where it is at the start.
    pub limits: Option<[f64; 2]>,
    /// What drives a hinge or a slider.
    pub motor: Option<Motor>,
    /// True if what it joins may touch each other.
    pub collides: bool,
}

/// What a joint joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A rigid body, by its number.
    Body(u32),
    /// A collider, by its index.
    Collider(u32),
    /// What never moves.
    World,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// All rotations about the anchor.
    Ball,
    /// Rotation about the axis.
    Hinge,
    /// Translation along the axis.
    Slider,
}

/// What drives the free direction of a hinge or a slider: a spring and a damper towards targets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    /// Angle [rad] or way [m] that the spring pulls towards.
    pub position: f64,
    /// Rate [rad/s] or velocity [m/s] that the damper pulls towards.
    pub velocity: f64,
    /// Of the spring [N m/rad] or [N/m], >= 0.
    pub stiffness: f64,
    /// Of the damper [N m s/rad] or [N s/m], >= 0.
    pub damping: f64,
    /// Greatest torque [N m] or force [N]; infinite for no bound.
    pub greatest: f64,
}

/// Joints hold as if they were springs of this frequency [Hz], critically damped: stiffer than any step
/// resolves.
const FREQUENCY: f64 = 1e6;

impl Joint {
    /// The joint for ends whose frames were where they are given at the start.
    pub(crate) fn build(&self, frames: [Frame; 2]) -> GenericJoint {
        let rotation = DQuat::from_rotation_arc(DVec3::X, self.axis);
        let world = Frame::from_parts(self.anchor, rotation);
        let [first, second] = frames.map(|frame| frame.inv_mul(&world));
        let locked = match self.kind {
            JointKind::Fixed => JointAxesMask::LOCKED_FIXED_AXES,
            JointKind::Ball => JointAxesMask::LOCKED_SPHERICAL_AXES,
            JointKind::Hinge => JointAxesMask::LOCKED_REVOLUTE_AXES,
            JointKind::Slider => JointAxesMask::LOCKED_PRISMATIC_AXES,
        };
        let mut joint = GenericJointBuilder::new(locked)
            .local_frame1(first)
            .local_frame2(second)
            .contacts_enabled(self.collides)
            .softness(SpringCoefficients::new(FREQUENCY, 1.0))
            .build();
        let axis = match self.kind {
            JointKind::Hinge => JointAxis::AngX,
            JointKind::Slider => JointAxis::LinX,
            JointKind::Fixed | JointKind::Ball => return joint,
        };
        if let Some(limits) = self.limits {
            joint.set_limits(axis, limits);
        }
        if let Some(motor) = self.motor {
            joint
                .set_motor_model(axis, MotorModel::ForceBased)
                .set_motor(
                    axis,
                    motor.position,
                    motor.velocity,
                    motor.stiffness,
                    motor.damping,
                )
                .set_motor_max_force(axis, motor.greatest.min(f64::MAX));
        }
        joint
    }
}
