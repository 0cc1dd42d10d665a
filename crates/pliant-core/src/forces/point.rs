//! Attraction to a point, or repulsion from it.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Range};

use super::{ForceField, ForceKind, vector};

/// An acceleration towards a point that falls off with the distance r from it.
///
///   a = acceleration (distance / r)^falloff,   inside the core: a(core) r / core
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The point [m].
    pub center: DVec3,
    /// Acceleration [m/s2] towards it at `distance`; negative pushes away.
    pub acceleration: f64,
    /// Where the acceleration has its value [m], > 0.
    pub distance: f64,
    /// Exponent of the fall.
    pub falloff: f64,
    /// Radius [m], > 0, inside of which the acceleration falls to zero linearly.
    pub core: f64,
}

/// Radius of the core in the distance at which the acceleration is given.
const CORE_SHARE: f64 = 0.1;

pub(super) const KIND: ForceKind = ForceKind {
    name: "point",
    doc: "Attraction to a point, or repulsion from it, that falls off with a power of the distance r: a = acceleration (distance / r)^falloff. `strength` multiplies the acceleration.",
    fields: &[
        vector("center", "m", "The point."),
        Field::required(
            "acceleration",
            Kind::Number(Range::ANY),
            "m/s2",
            "Acceleration towards the point at the distance `distance`; negative pushes away.",
        ),
        Field::number(
            "distance",
            Range::POSITIVE,
            "m",
            1.0,
            "Distance at which the acceleration has its value.",
        ),
        Field::number(
            "falloff",
            Range::closed(-4.0, 8.0),
            "",
            2.0,
            "Exponent of the decay with distance: 2 as for gravity or charges, 0 for none, -1 for a spring.",
        ),
        Field::optional(
            "core",
            Kind::Number(Range::POSITIVE),
            "m",
            "Radius inside of which the acceleration falls to zero linearly. If missing, a tenth of `distance`.",
        ),
    ],
    build: |values| {
        let distance = values.number("distance");
        let core = values.optional_number("core");
        Ok(Arc::new(Point {
            center: DVec3::from(values.vector3("center")),
            acceleration: values.number("acceleration"),
            distance,
            falloff: values.number("falloff"),
            core: core.unwrap_or(CORE_SHARE * distance),
        }))
    },
};

impl ForceField for Point {
    fn acceleration(&self, position: DVec3, strength: f64) -> DVec3 {
        let towards = self.center - position;
        let radius = towards.length().max(self.core);
        let size = self.acceleration * libm::pow(self.distance / radius, self.falloff);
        towards * (strength * size / radius)
    }
}
