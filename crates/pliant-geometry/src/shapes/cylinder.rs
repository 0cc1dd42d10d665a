//! A cylinder along y.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::{DVec2, DVec3};
use pliant_parameters::Field;

use crate::tessellation::lathe;
use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// A cylinder along y, centred on the origin.
#[derive(Clone, Copy, Debug)]
pub struct Cylinder {
    /// Radius [m], > 0.
    pub radius: f64,
    /// Height [m], > 0.
    pub height: f64,
}

impl Cylinder {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "cylinder",
        doc: "A cylinder that stands along y, centred on the origin.",
        fields: &[
            Field::length("radius", "Radius."),
            Field::length("height", "Height from end to end."),
        ],
        build: |values, _, _| {
            Ok(Arc::new(Self {
                radius: values.number("radius"),
                height: values.number("height"),
            }))
        },
    };

    /// How far the point lies beyond the mantle and beyond the ends [m].
    fn beyond(&self, point: DVec3) -> DVec2 {
        let radial = DVec2::new(point.x, point.z).length();
        DVec2::new(radial - self.radius, point.y.abs() - 0.5 * self.height)
    }
}

impl Shape for Cylinder {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let beyond = self.beyond(point);
        beyond.max(DVec2::ZERO).length() + beyond.max_element().min(0.0)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let beyond = self.beyond(point);
        let outside = beyond.max(DVec2::ZERO);
        let towards = if outside != DVec2::ZERO {
            outside.normalize()
        } else if beyond.x > beyond.y {
            DVec2::X
        } else {
            DVec2::Y
        };
        let radial = DVec3::new(point.x, 0.0, point.z).normalize_or(DVec3::X);
        radial * towards.x + DVec3::Y * (towards.y * point.y.signum())
    }

    fn form(&self) -> Form {
        Form::Cylinder(self.radius, self.height)
    }

    fn bounds(&self) -> Option<Aabb> {
        let max = DVec3::new(self.radius, 0.5 * self.height, self.radius);
        Some(Aabb { min: -max, max })
    }

    fn volume(&self) -> Option<f64> {
        Some(PI * self.radius * self.radius * self.height)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        let y = 0.5 * self.height;
        lathe(&[
            DVec2::new(0.0, -y),
            DVec2::new(self.radius, -y),
            DVec2::new(self.radius, y),
            DVec2::new(0.0, y),
        ])
    }
}
