//! A shape with nothing in it.

use pliant_math::DVec3;

use crate::{Aabb, Shape, TriangleMesh};

/// Distance [m] that all points keep from it: finite, in single precision too.
const FAR: f64 = 1e30;

/// No region at all: the shape of a collider that only carries what is attached to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nowhere;

impl Shape for Nowhere {
    fn signed_distance(&self, _point: DVec3) -> f64 {
        FAR
    }

    fn normal(&self, _point: DVec3) -> DVec3 {
        DVec3::Y
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: DVec3::ZERO,
            max: DVec3::ZERO,
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(0.0)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        TriangleMesh::default()
    }

    fn is_thin(&self) -> bool {
        true
    }
}
