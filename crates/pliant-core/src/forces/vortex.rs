//! A vortex about an axis.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::{DVec3, direction};
use pliant_parameters::{Field, Kind, Preset, Problem, Range};

use super::resistance::{LINEAR, QUADRATIC};
use super::{ForceField, ForceKind, Medium, Resistance, vector};

/// A Rankine vortex: air that turns like a solid inside a core and, outside, ever slower with the
/// distance r from the axis, as a flow without rotation does (speed spin core^2 / r).
#[derive(Clone, Copy, Debug)]
pub struct Vortex {
    /// A point of the axis [m].
    pub center: DVec3,
    /// Unit vector along the axis.
    pub axis: DVec3,
    /// Rate of turning inside the core [rad/s], counter-clockwise seen against the axis.
    pub spin: f64,
    /// Radius of the core [m], > 0.
    pub core: f64,
    /// Velocity along the axis [m/s].
    pub updraft: f64,
    /// How it takes hold.
    pub resistance: Resistance,
}

pub(super) const KIND: ForceKind = ForceKind {
    name: "vortex",
    doc: "Air that turns about an axis and takes particles along as `wind` does: like a solid inside a core, ever slower outside, with the speed spin core^2 / r at the distance r from the axis (a Rankine vortex). `strength` multiplies the velocity of the air.",
    fields: &[
        vector("center", "m", "A point of the axis."),
        Field::new(
            "axis",
            Kind::Vector(3, Range::ANY),
            "",
            Preset::Vector(&[0.0, 1.0, 0.0]),
            "Direction of the axis, of any length but zero.",
        ),
        Field::required(
            "spin",
            Kind::Number(Range::ANY),
            "degrees/s",
            "Angular velocity inside the core, counter-clockwise seen against the axis.",
        ),
        Field::length("core", "Radius of the core."),
        Field::number(
            "updraft",
            Range::ANY,
            "m/s",
            0.0,
            "Uniform velocity of the air along the axis.",
        ),
        LINEAR,
        QUADRATIC,
    ],
    build: |values| {
        let axis = DVec3::from(values.vector3("axis"));
        let Some(axis) = direction(axis) else {
            return Err(Problem::at(
                "axis",
                "this axis has no direction",
                "give a vector that is not zero, such as [0, 1, 0]",
            ));
        };
        Ok(Arc::new(Vortex {
            center: DVec3::from(values.vector3("center")),
            axis,
            spin: values.number("spin") * (PI / 180.0),
            core: values.number("core"),
            updraft: values.number("updraft"),
            resistance: Resistance::read(values)?,
        }))
    },
};

impl Vortex {
    /// Velocity of the air at a point [m/s].
    pub fn flow(&self, point: DVec3) -> DVec3 {
        let from_axis = (point - self.center).reject_from_normalized(self.axis);
        let reach = (from_axis.length() / self.core).max(1.0);
        self.axis.cross(from_axis) * (self.spin / (reach * reach)) + self.axis * self.updraft
    }
}

impl ForceField for Vortex {
    fn medium(&self, position: DVec3, strength: f64) -> Option<Medium> {
        Some(Medium {
            flow: self.flow(position) * strength,
            resistance: self.resistance,
        })
    }
}
