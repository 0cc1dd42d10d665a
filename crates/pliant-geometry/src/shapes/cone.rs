//! A cone along y.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::{DVec2, DVec3};
use pliant_parameters::Field;

use crate::profile::Profile;
use crate::tessellation::lathe;
use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// A cone along y, its base half the height below the origin, its tip half the height above.
#[derive(Clone, Debug)]
pub struct Cone {
    radius: f64,
    height: f64,
    profile: Profile,
}

impl Cone {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "cone",
        doc: "A cone along y with its tip up; the origin is halfway between base and tip.",
        fields: &[
            Field::length("radius", "Radius of the base."),
            Field::length("height", "Height from base to tip."),
        ],
        build: |values, _, _| {
            Ok(Arc::new(Self::new(
                values.number("radius"),
                values.number("height"),
            )))
        },
    };

    /// A cone with a base of `radius` [m] and a `height` [m], both > 0.
    pub fn new(radius: f64, height: f64) -> Self {
        let y = 0.5 * height;
        let profile = Profile::counter_clockwise(vec![
            DVec2::new(0.0, -y),
            DVec2::new(radius, -y),
            DVec2::new(0.0, y),
        ]);
        Self {
            radius,
            height,
            profile,
        }
    }
}

impl Shape for Cone {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.profile.signed_distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.profile.normal(point)
    }

    fn form(&self) -> Form {
        Form::Cone(self.radius, self.height)
    }

    fn bounds(&self) -> Option<Aabb> {
        let max = DVec3::new(self.radius, 0.5 * self.height, self.radius);
        Some(Aabb { min: -max, max })
    }

    fn volume(&self) -> Option<f64> {
        Some(PI / 3.0 * self.radius * self.radius * self.height)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        lathe(self.profile.points())
    }
}
