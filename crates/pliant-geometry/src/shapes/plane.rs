//! A half space bounded by a plane through the origin.

use std::sync::Arc;

use pliant_math::{DVec3, direction};
use pliant_parameters::{Field, Kind, Preset, Problem, Range};

use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// Everything below a plane through the origin.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Unit vector out of the solid.
    pub normal: DVec3,
}

impl Plane {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "plane",
        doc: "A plane through the origin with solid below it, without end: for colliders and regions.",
        fields: &[Field::new(
            "normal",
            Kind::Vector(3, Range::ANY),
            "",
            Preset::Vector(&[0.0, 1.0, 0.0]),
            "Outward normal, of any length but zero.",
        )],
        build: |values, _, use_as| {
            if use_as.is_filled {
                return Err(Problem::whole(
                    "a plane has no end and cannot be filled with particles",
                    "take a box, or give the plane to a collider",
                ));
            }
            let normal = DVec3::from(values.vector3("normal"));
            let Some(normal) = direction(normal) else {
                return Err(Problem::at(
                    "normal",
                    "this normal has no direction",
                    "give a vector that is not zero, such as [0, 1, 0]",
                ));
            };
            Ok(Arc::new(Self { normal }))
        },
    };
}

impl Shape for Plane {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point)
    }

    fn normal(&self, _point: DVec3) -> DVec3 {
        self.normal
    }

    fn form(&self) -> Form {
        Form::HalfSpace(self.normal)
    }

    fn bounds(&self) -> Option<Aabb> {
        None
    }

    fn volume(&self) -> Option<f64> {
        None
    }

    /// A square with edges of twice `size`: what a picture of the scene can show of it.
    fn surface(&self, size: f64) -> TriangleMesh {
        let right = self.normal.any_orthonormal_vector();
        let ahead = self.normal.cross(right);
        let corner = |x: f64, y: f64| size * (x * right + y * ahead);
        TriangleMesh {
            vertices: vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}
