//! A sphere about the origin.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::Field;

use crate::tessellation::{arc, lathe};
use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// A sphere about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// Radius [m], > 0.
    pub radius: f64,
}

impl Sphere {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "sphere",
        doc: "A sphere, centred on the origin.",
        fields: &[Field::length("radius", "Radius.")],
        build: |values, _, _| {
            Ok(Arc::new(Self {
                radius: values.number("radius"),
            }))
        },
    };
}

impl Shape for Sphere {
    fn signed_distance(&self, point: DVec3) -> f64 {
        point.length() - self.radius
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        point.normalize_or(DVec3::Y)
    }

    fn form(&self) -> Form {
        Form::Sphere(self.radius)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: DVec3::splat(-self.radius),
            max: DVec3::splat(self.radius),
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(4.0 / 3.0 * PI * self.radius.powi(3))
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        lathe(&arc([0.0, 0.0], self.radius, [-0.5 * PI, 0.5 * PI]))
    }
}
