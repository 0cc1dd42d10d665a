//! An ellipsoid about the origin.

use std::f64::consts::PI;
use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Range};

use super::Sphere;
use crate::{Aabb, Shape, ShapeKind, TriangleMesh};

/// An ellipsoid about the origin with its axes along x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    /// Half the lengths of the axes [m], > 0.
    pub radii: DVec3,
}

impl Ellipsoid {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "ellipsoid",
        doc: "An ellipsoid with its axes along x, y, z, centred on the origin.",
        fields: &[Field::required(
            "radii",
            Kind::Vector(3, Range::POSITIVE),
            "m",
            "Half the lengths of the three axes.",
        )],
        build: |values, _, _| {
            Ok(Arc::new(Self {
                radii: values.vector3("radii").into(),
            }))
        },
    };

    /// The point of the surface that is nearest to `point`.
    ///
    /// It is r_i^2 p_i / (t + r_i^2), t the greatest root of sum (r_i p_i / (t + r_i^2))^2 = 1
    /// (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013).
    /// Left of that root the sum is convex and falls, so Newton's method climbs to it from any
    /// start where the sum is above one. The unknown is t plus the least r_i^2, which keeps its
    /// digits in thin ellipsoids. A coordinate of zero is moved off the symmetry plane by 1e-12
    /// radii, which keeps the root to the right of every pole.
    fn nearest(&self, point: DVec3) -> DVec3 {
        let scale = self.radii.max_element();
        let radii = self.radii / scale;
        let p = (point / scale).abs().max(radii * 1e-12);
        let squares = radii * radii;
        let beyond_least = squares - DVec3::splat(squares.min_element());
        let mut root = (radii * p - beyond_least).max_element();
        for _ in 0..MAX_STEPS {
            let terms = radii * p / (beyond_least + root);
            let slope = 2.0 * (terms * terms / (beyond_least + root)).element_sum();
            let step = (terms.length_squared() - 1.0) / slope;
            root += step;
            if step <= 1e-15 * root {
                break;
            }
        }
        scale * squares * p / (beyond_least + root) * point.signum()
    }
}

/// Newton's method needs about six steps; up to fifty beside a symmetry plane.
const MAX_STEPS: usize = 100;

impl Shape for Ellipsoid {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let is_inside = (point / self.radii).length_squared() < 1.0;
        let distance = point.distance(self.nearest(point));
        if is_inside { -distance } else { distance }
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        (self.nearest(point) / (self.radii * self.radii)).normalize_or(DVec3::Y)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: -self.radii,
            max: self.radii,
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(4.0 / 3.0 * PI * self.radii.element_product())
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        let mut mesh = Sphere { radius: 1.0 }.surface(size);
        for vertex in &mut mesh.vertices {
            *vertex *= self.radii;
        }
        mesh
    }
}
