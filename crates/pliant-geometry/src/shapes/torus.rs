//! A torus around y.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::{DVec2, DVec3};
use pliant_parameters::{Field, Problem};

use crate::tessellation::{arc, lathe};
use crate::{Aabb, Shape, ShapeKind, TriangleMesh};

/// A torus that lies in the plane y = 0 around the origin.
#[derive(Clone, Copy, Debug)]
pub struct Torus {
    /// Radius of the circle in the middle of the tube [m], > 0.
    pub radius: f64,
    /// Radius of the tube [m], > 0 and at most `radius`.
    pub tube_radius: f64,
}

impl Torus {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "torus",
        doc: "A ring that lies in the plane y = 0 around the origin.",
        fields: &[
            Field::length("radius", "Radius of the circle in the middle of the tube."),
            Field::length("tube_radius", "Radius of the tube, at most `radius`."),
        ],
        build: |values, _, _| {
            let (radius, tube_radius) = (values.number("radius"), values.number("tube_radius"));
            if tube_radius > radius {
                return Err(Problem::at(
                    "tube_radius",
                    format!("the tube's radius {tube_radius} m exceeds the ring's {radius} m"),
                    format!("a ring's tube_radius is at most its radius, here {radius} m"),
                ));
            }
            Ok(Arc::new(Self {
                radius,
                tube_radius,
            }))
        },
    };

    /// From the nearest point of the tube's middle to the point, and the radial direction.
    fn offset_from_ring(&self, point: DVec3) -> (DVec2, DVec3) {
        let radial = DVec3::new(point.x, 0.0, point.z);
        let offset = DVec2::new(radial.length() - self.radius, point.y);
        (offset, radial.normalize_or(DVec3::X))
    }
}

impl Shape for Torus {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.offset_from_ring(point).0.length() - self.tube_radius
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let (offset, radial) = self.offset_from_ring(point);
        let towards = offset.normalize_or(DVec2::Y);
        radial * towards.x + DVec3::Y * towards.y
    }

    fn bounds(&self) -> Option<Aabb> {
        let reach = self.radius + self.tube_radius;
        let max = DVec3::new(reach, self.tube_radius, reach);
        Some(Aabb { min: -max, max })
    }

    fn volume(&self) -> Option<f64> {
        Some(2.0 * PI * PI * self.radius * self.tube_radius * self.tube_radius)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        let mut profile = arc([self.radius, 0.0], self.tube_radius, [-PI, PI]);
        profile.pop();
        lathe(&profile)
    }
}
