//! Colliders and their motion.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Grip, Keyframe, Motion};
use pliant_geometry::{Nowhere, Shape, ShapeUse};
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::{Builder, color};
use crate::units::{ease, pose, radians3};

impl Builder<'_> {
    /// The colliders, without those whose shape was refused.
    pub(super) fn colliders(&mut self) -> Vec<Collider> {
        let spacing = self.finest_spacing();
        let mut colliders = Vec::new();
        for (path, values) in self.items("collider") {
            self.with.meshes.report_progress(&format!("making {path}"));
            let use_as = ShapeUse {
                is_filled: false,
                is_shell: values.flag("two_sided"),
                is_cloth: false,
                spacing,
            };
            let shape = match values.has("shape") {
                true => self.shape(&path, values, use_as),
                false => Some(Arc::new(Nowhere) as Arc<dyn Shape>),
            };
            let Some(shape) = shape else {
                continue;
            };
            colliders.push(Collider {
                name: values.text("name").into(),
                shape,
                motion: match values.flag("driven") {
                    true => Motion::Driven {
                        start: pose(values),
                    },
                    false => motion(values),
                },
                two_sided: values.flag("two_sided"),
                grip: grip(values),
                friction: values.number("friction"),
                restitution: values.number("restitution"),
                color: color(values.text("color")),
                opacity: values.number("opacity") as f32,
                gloss: values.number("gloss") as f32,
            });
        }
        colliders
    }
}

fn grip(collider: &Values) -> Grip {
    match (collider.flag("sticky"), collider.flag("separate")) {
        (true, _) => Grip::Stick,
        (false, false) => Grip::Slip,
        (false, true) => Grip::Separate,
    }
}

/// How a collider or a blade moves.
pub(super) fn motion(collider: &Values) -> Motion {
    let start = pose(collider);
    let Some(motion) = collider.table("motion") else {
        return Motion::Rest(start);
    };
    if !motion.has("keyframes") {
        return Motion::Constant {
            start,
            velocity: DVec3::from_array(motion.vector3("velocity")),
            spin: radians3(motion.vector3("spin")),
        };
    }
    let keyframes = motion.tables("keyframes");
    Motion::Keyframes {
        keyframes: keyframes.iter().map(|k| keyframe(k, collider)).collect(),
        ease: ease(motion),
    }
}

fn keyframe(values: &Values, collider: &Values) -> Keyframe {
    let of_collider = |key| collider.vector3(key);
    let vector = |key| {
        let own = values.optional_vector3(key);
        own.unwrap_or_else(|| of_collider(key))
    };
    Keyframe {
        time: values.number("t"),
        position: DVec3::from_array(vector("position")),
        rotation: radians3(vector("rotation")),
    }
}
