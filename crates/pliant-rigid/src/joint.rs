//! What joins two bodies, or a body and the world.

use pliant_math::{DQuat, DVec3, Pose};

use crate::member::Member;
use crate::rows::{JointRow, RowKind};

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
    pub max_force: f64,
}

/// Share of what a limit is exceeded by that is undone in a step.
const BAUMGARTE_FACTOR: f64 = 0.2;

/// A joint with its ends among members.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The members that it joins.
    pub ends: [usize; 2],
    /// Where it is on each, from the centre and in its own axes [m].
    anchors: [DVec3; 2],
    /// Its axes on each; the first is its axis.
    axes: [DQuat; 2],
    kind: JointKind,
    limits: Option<[f64; 2]>,
    motor: Option<Motor>,
}

/// A row of a link, and how far it is off [m] or [rad].
pub struct JointEquation {
    /// Its rate shall be zero.
    pub row: JointRow,
    /// What shall be zero itself.
    pub error: f64,
}

/// Where both ends of a link are, in world coordinates.
struct Place {
    arms: [DVec3; 2],
    offset: DVec3,
    axes: [DQuat; 2],
}

impl Joint {
    /// The joint for ends whose own axes were where they are given at the start, the origins at their
    /// centres.
    pub(crate) fn link(&self, ends: [usize; 2], starts: [Pose; 2]) -> Link {
        let axes = DQuat::from_rotation_arc(DVec3::X, self.axis);
        Link {
            ends,
            anchors: starts.map(|start| start.to_local(self.anchor)),
            axes: starts.map(|start| start.rotation.conjugate() * axes),
            kind: self.kind,
            limits: self.limits,
            motor: self.motor,
        }
    }
}

impl Link {
    fn place(&self, members: &[Member]) -> Place {
        let [one, other] = self.ends.map(|end| &members[end]);
        let arms = [
            one.rotation * self.anchors[0],
            other.rotation * self.anchors[1],
        ];
        Place {
            arms,
            offset: other.center + arms[1] - one.center - arms[0],
            axes: [one.rotation * self.axes[0], other.rotation * self.axes[1]],
        }
    }

    /// What it never lets go, one number after the other.
    pub fn equations(&self, members: &[Member], mut take: impl FnMut(JointEquation)) {
        let place = self.place(members);
        let [one, other] = place.axes;
        let directions = [DVec3::X, DVec3::Y, DVec3::Z];
        match self.kind {
            JointKind::Slider => {
                for side in &directions[1..] {
                    take(self.along(&place, one * *side));
                }
            }
            JointKind::Fixed | JointKind::Ball | JointKind::Hinge => {
                for direction in directions {
                    take(self.along(&place, direction));
                }
            }
        }
        match self.kind {
            JointKind::Ball => {}
            JointKind::Hinge => {
                let axis = other * DVec3::X;
                for side in &directions[1..] {
                    let side = one * *side;
                    take(self.about(axis.cross(side), side.dot(axis)));
                }
            }
            JointKind::Fixed | JointKind::Slider => {
                let turn = other * one.conjugate();
                let turn = if turn.w < 0.0 { -turn } else { turn };
                for direction in directions {
                    take(self.about(direction, 2.0 * turn.xyz().dot(direction)));
                }
            }
        }
    }

    /// Its limits and its motor over `dt` [s].
    pub fn drives(&self, members: &[Member], dt: f64, mut take: impl FnMut(JointRow)) {
        let place = self.place(members);
        let axis = place.axes[0] * DVec3::X;
        let free = match self.kind {
            JointKind::Hinge => {
                let turn = place.axes[0].conjugate() * place.axes[1];
                self.about(axis, 2.0 * libm::atan2(turn.x, turn.w))
            }
            JointKind::Slider => self.along(&place, axis),
            JointKind::Fixed | JointKind::Ball => return,
        };
        let row = free.row;
        let at = match (self.kind, self.limits) {
            (JointKind::Hinge, Some([low, high])) => nearest_turn(free.error, 0.5 * (low + high)),
            (JointKind::Hinge, None) => nearest_turn(free.error, 0.0),
            _ => free.error,
        };
        if let Some([low, high]) = self.limits {
            for (left, sign) in [(at - low, 1.0), (high - at, -1.0)] {
                let factor = if left < 0.0 { BAUMGARTE_FACTOR } else { 1.0 };
                take(JointRow {
                    linear: row.linear * sign,
                    turns: row.turns.map(|turn| turn * sign),
                    target: -factor * left / dt,
                    kind: RowKind::LowerBound,
                    ..row
                });
            }
        }
        if let Some(motor) = self.motor {
            motor.row(row, at, dt).map(take);
        }
    }

    /// The distance of the second end from the first along a direction, which goes with the first.
    fn along(&self, place: &Place, direction: DVec3) -> JointEquation {
        let arm = place.arms[0] + place.offset;
        JointEquation {
            row: JointRow {
                ends: self.ends,
                linear: direction,
                turns: [direction.cross(arm), place.arms[1].cross(direction)],
                target: 0.0,
                kind: RowKind::Equality,
            },
            error: place.offset.dot(direction),
        }
    }

    /// How far the second end is turned from the first about a direction.
    fn about(&self, direction: DVec3, error: f64) -> JointEquation {
        JointEquation {
            row: JointRow {
                ends: self.ends,
                linear: DVec3::ZERO,
                turns: [-direction, direction],
                target: 0.0,
                kind: RowKind::Equality,
            },
            error,
        }
    }
}

impl Motor {
    /// What it pulls with over `dt` [s] from where it is, as a spring and a damper at the end of that:
    ///
    ///   l = -dt (k (x + dt x') - k x* + c (x' - v*))
    fn row(&self, row: JointRow, at: f64, dt: f64) -> Option<JointRow> {
        let yields = dt * (dt * self.stiffness + self.damping);
        let pull = self.stiffness * (self.position - at) + self.damping * self.velocity;
        (yields > 0.0).then(|| JointRow {
            target: dt * pull / yields,
            kind: RowKind::Soft {
                softness: 1.0 / yields,
                max_impulse: self.max_force * dt,
            },
            ..row
        })
    }
}

/// The angle that is a number of turns from another, nearest to a third [rad].
fn nearest_turn(angle: f64, middle: f64) -> f64 {
    let turn = 2.0 * std::f64::consts::PI;
    angle + turn * ((middle - angle) / turn).round()
}
