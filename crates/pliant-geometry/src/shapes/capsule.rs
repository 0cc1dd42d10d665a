//! A capsule along y: a cylinder with half spheres on its ends.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::Field;

use crate::tessellation::{arc, lathe};
use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// A capsule along y, centred on the origin.
#[derive(Clone, Copy, Debug)]
pub struct Capsule {
    /// Radius of the cylinder and of the half spheres [m], > 0.
    pub radius: f64,
    /// Height of the cylindrical part [m], > 0.
    pub height: f64,
}

impl Capsule {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "capsule",
        doc: "A cylinder along y with half spheres on its ends, centred on the origin.",
        fields: &[
            Field::length("radius", "Radius of the cylinder and of its ends."),
            Field::length(
                "height",
                "Height of the cylindrical part, without the round ends.",
            ),
        ],
        build: |values, _, _| {
            Ok(Arc::new(Self {
                radius: values.number("radius"),
                height: values.number("height"),
            }))
        },
    };

    /// From the nearest point of the axis to the point.
    fn offset_from_axis(&self, point: DVec3) -> DVec3 {
        let half = 0.5 * self.height;
        point - DVec3::Y * point.y.clamp(-half, half)
    }
}

impl Shape for Capsule {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.offset_from_axis(point).length() - self.radius
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.offset_from_axis(point).normalize_or(DVec3::X)
    }

    fn form(&self) -> Form {
        Form::Capsule(self.radius, self.height)
    }

    fn bounds(&self) -> Option<Aabb> {
        let max = DVec3::new(self.radius, 0.5 * self.height + self.radius, self.radius);
        Some(Aabb { min: -max, max })
    }

    fn volume(&self) -> Option<f64> {
        Some(PI * self.radius * self.radius * (self.height + 4.0 / 3.0 * self.radius))
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        let half = 0.5 * self.height;
        let mut profile = arc([0.0, -half], self.radius, [-0.5 * PI, 0.0]);
        profile.extend(arc([0.0, half], self.radius, [0.0, 0.5 * PI]));
        lathe(&profile)
    }
}
