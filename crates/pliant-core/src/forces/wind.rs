//! Uniform wind.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Range};

use super::resistance::{LINEAR, QUADRATIC};
use super::{ForceField, ForceKind, Medium, Resistance};

/// A uniform flow that takes particles along.
#[derive(Clone, Copy, Debug)]
pub struct Wind {
    /// Velocity of the air [m/s].
    pub velocity: DVec3,
    /// How it takes hold.
    pub resistance: Resistance,
}

pub(super) const KIND: ForceKind = ForceKind {
    name: "wind",
    doc: "Air that moves at one velocity and takes particles along: a = -(linear + quadratic |w|) w with w the velocity relative to the air. `strength` multiplies the velocity of the air. Every particle feels it, also those in the lee of others.",
    fields: &[
        Field::required(
            "velocity",
            Kind::Vector(3, Range::ANY),
            "m/s",
            "Velocity of the air.",
        ),
        LINEAR,
        QUADRATIC,
    ],
    build: |values| {
        Ok(Arc::new(Wind {
            velocity: DVec3::from(values.vector3("velocity")),
            resistance: Resistance::read(values)?,
        }))
    },
};

impl ForceField for Wind {
    fn medium(&self, _: DVec3, strength: f64) -> Option<Medium> {
        Some(Medium {
            flow: self.velocity * strength,
            resistance: self.resistance,
        })
    }
}
