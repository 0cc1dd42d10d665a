//! Surfaces of revolution as triangles.

use std::f64::consts::PI;

use pliant_math::{DVec2, DVec3};

use crate::TriangleMesh;

/// Steps around the axis, and around a full circle of an outline: the chord of one lies within
/// 0.12 % of the radius from its arc.
const SEGMENTS: usize = 64;

/// The surface that a closed outline of (radius, y) leaves when it is turned about y. Corners are
/// counter-clockwise with the radius to the right and y up; edges on the axis leave no surface.
pub(crate) fn lathe(outline: &[DVec2]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let rings: Vec<Ring> = outline.iter().map(|p| Ring::new(&mut mesh, *p)).collect();
    for (i, lower) in rings.iter().enumerate() {
        let upper = &rings[(i + 1) % rings.len()];
        if lower.is_point && upper.is_point {
            continue;
        }
        for segment in 0..SEGMENTS {
            let [a, b] = [lower, upper].map(|ring| ring.vertex(segment));
            let [d, c] = [lower, upper].map(|ring| ring.vertex(segment + 1));
            if !upper.is_point {
                mesh.triangles.push([a, b, c]);
            }
            if !lower.is_point {
                mesh.triangles.push([a, c, d]);
            }
        }
    }
    mesh
}

/// Points of a circular arc about `center`, from one angle to another [rad] counter-clockwise.
/// Points that rounding leaves beside the axis are put on it.
pub(crate) fn arc(center: [f64; 2], radius: f64, angles: [f64; 2]) -> Vec<DVec2> {
    let turn = angles[1] - angles[0];
    let steps = (turn / (2.0 * PI) * SEGMENTS as f64).ceil() as usize;
    let point = |i: usize| {
        let angle = angles[0] + turn * i as f64 / steps as f64;
        let x = center[0] + radius * libm::cos(angle);
        let is_on_axis = x.abs() < 1e-12 * radius;
        DVec2::new(
            if is_on_axis { 0.0 } else { x },
            center[1] + radius * libm::sin(angle),
        )
    };
    (0..=steps).map(point).collect()
}

/// The vertices that one corner of the outline leaves.
struct Ring {
    first: u32,
    is_point: bool,
}

impl Ring {
    fn new(mesh: &mut TriangleMesh, corner: DVec2) -> Self {
        let is_point = corner.x == 0.0;
        let first = mesh.vertices.len() as u32;
        for i in 0..if is_point { 1 } else { SEGMENTS } {
            let angle = 2.0 * PI * i as f64 / SEGMENTS as f64;
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            mesh.vertices
                .push(DVec3::new(corner.x * cos, corner.y, corner.x * sin));
        }
        Self { first, is_point }
    }

    fn vertex(&self, segment: usize) -> u32 {
        if self.is_point {
            self.first
        } else {
            self.first + (segment % SEGMENTS) as u32
        }
    }
}
