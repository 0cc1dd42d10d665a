//! A part of space that probes look at.

use std::sync::Arc;

use pliant_geometry::{Shape, shapes};
use pliant_math::{DVec3, Pose};
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::ProbeContext;

pub(super) const POSITION: Field = Field::new(
    "position",
    Kind::Vector(3, Range::ANY),
    "m",
    Preset::Vector(&[0.0, 0.0, 0.0]),
    "Position of the region's origin.",
);

pub(super) const ROTATION: Field = Field::new(
    "rotation",
    Kind::Vector(3, Range::ANY),
    "degrees",
    Preset::Vector(&[0.0, 0.0, 0.0]),
    "Rotations about its own x, then y, then z axis.",
);

/// A shape somewhere.
pub(super) struct Region {
    shape: Arc<dyn Shape>,
    pose: Pose,
}

impl Region {
    /// Of the keys `shape`, `position` and `rotation`; `None` without a shape.
    pub(super) fn read(
        values: &Values,
        context: ProbeContext<'_>,
    ) -> Result<Option<Self>, Problem> {
        let Some(shape) = values.table("shape") else {
            return Ok(None);
        };
        let spacings = context.setup.bodies.iter().map(|b| b.spacing);
        let spacing = spacings.fold(f64::INFINITY, f64::min);
        let degrees = DVec3::from(values.vector3("rotation"));
        Ok(Some(Self {
            shape: shapes::build_region(shape, context.meshes, spacing)?,
            pose: Pose::from_euler(
                DVec3::from(values.vector3("position")),
                degrees.map(f64::to_radians),
            ),
        }))
    }

    pub(super) fn has(&self, position: DVec3) -> bool {
        self.shape.signed_distance(self.pose.to_local(position)) <= 0.0
    }
}
