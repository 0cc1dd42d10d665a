//! An axis-aligned box about the origin.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Range};

use crate::{Aabb, Form, Shape, ShapeKind, TriangleMesh};

/// An axis-aligned box about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Box {
    /// Half the edge lengths [m], > 0.
    pub half_size: DVec3,
}

impl Box {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "box",
        doc: "A box with edges along the axes, centred on the origin.",
        fields: &[Field::required(
            "size",
            Kind::Vector(3, Range::POSITIVE),
            "m",
            "Full edge lengths.",
        )],
        build: |values, _, _| {
            Ok(Arc::new(Self {
                half_size: 0.5 * DVec3::from(values.vector3("size")),
            }))
        },
    };
}

impl Shape for Box {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let beyond = point.abs() - self.half_size;
        beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let beyond = point.abs() - self.half_size;
        let outside = beyond.max(DVec3::ZERO);
        let towards = if outside != DVec3::ZERO {
            outside.normalize()
        } else if beyond.x >= beyond.y.max(beyond.z) {
            DVec3::X
        } else if beyond.y >= beyond.z {
            DVec3::Y
        } else {
            DVec3::Z
        };
        towards * point.signum()
    }

    fn form(&self) -> Form {
        Form::Box(self.half_size)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: -self.half_size,
            max: self.half_size,
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(8.0 * self.half_size.element_product())
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        let bounds = Aabb {
            min: -self.half_size,
            max: self.half_size,
        };
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        TriangleMesh {
            vertices: bounds.corners().to_vec(),
            triangles: faces
                .iter()
                .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
                .collect(),
        }
    }
}
