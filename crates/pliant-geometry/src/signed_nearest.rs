//! The exact signed distance of a closed mesh, through its nearest triangle.

use std::sync::Arc;

use pliant_math::DVec3;

use crate::TriangleMesh;
use crate::nearest_triangle::{Nearest, NearestTriangle};
use crate::topology::MeetingTriangles;
use crate::triangle::{Feature, Triangle};

/// A mesh, closed if the side of a place is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SignedNearest {
    nearest: NearestTriangle,
    vertices: Vec<DVec3>,
    triangles: Arc<[[u32; 3]]>,
    meeting: Arc<MeetingTriangles>,
    /// A place nearer than this [m] is on the surface: what is left of the way there is rounding.
    least: f64,
}

/// What rounding may make of a way of no length, as a part of the size of the mesh.
const ROUNDING: f64 = 1e-9;

/// How a place lies to a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// From the nearest point to the place [m].
    pub(crate) offset: DVec3,
    /// Whether the place is inside.
    pub(crate) is_inside: bool,
    /// The nearest triangle; `None` without any.
    pub(crate) triangle: Option<u32>,
    is_on_surface: bool,
    /// Where the surface faces there; not of unit length.
    facing: DVec3,
}

impl SignedNearest {
    /// Of a mesh whose triangles share their vertices, counter-clockwise from outside.
    pub(crate) fn new(mesh: &TriangleMesh) -> Self {
        Self {
            nearest: NearestTriangle::new(mesh),
            vertices: mesh.vertices.clone(),
            triangles: mesh.triangles.clone().into(),
            meeting: Arc::new(MeetingTriangles::of(mesh)),
            least: ROUNDING * mesh.bounds().extent().length(),
        }
    }

    /// Where the vertices are [m].
    pub(crate) fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The vertices of each triangle.
    pub(crate) fn triangles(&self) -> &Arc<[[u32; 3]]> {
        &self.triangles
    }

    /// Moves the vertices, in their order.
    pub(crate) fn move_to(&mut self, places: impl Iterator<Item = DVec3>) {
        for (vertex, place) in self.vertices.iter_mut().zip(places) {
            *vertex = place;
        }
        let corners =
            |number: u32| self.triangles[number as usize].map(|v| self.vertices[v as usize]);
        self.nearest.refit(corners);
    }

    /// How a place lies to the mesh.
    pub(crate) fn of(&self, place: DVec3) -> Side {
        self.side(self.nearest.of(place))
    }

    /// The same, sooner if a triangle is near to the place.
    pub(crate) fn of_near(&self, place: DVec3, near: u32) -> Side {
        self.side(self.nearest.of_near(place, near))
    }

    fn side(&self, nearest: Nearest) -> Side {
        let facing = nearest.feature.map_or(DVec3::ZERO, |(triangle, feature)| {
            self.facing(triangle as usize, feature)
        });
        Side {
            offset: nearest.offset,
            is_inside: nearest.offset.dot(facing) < 0.0,
            triangle: nearest.feature.map(|(triangle, _)| triangle),
            is_on_surface: nearest.offset.length() <= self.least,
            facing,
        }
    }

    /// Where a part of a triangle faces: whoever is nearest to it is outside if that is on their side
    /// (Baerentzen and Aanaes 2005). Of an edge it is the sum of the normals on either side, of a corner that of the
    /// normals around, each times the angle of its triangle there.
    fn facing(&self, triangle: usize, feature: Feature) -> DVec3 {
        match feature {
            Feature::Face => self.normal(triangle),
            Feature::Edge(edge) => {
                let on_either_side = self.meeting.at_edge(triangle, edge).iter();
                on_either_side.map(|&t| self.normal(t as usize)).sum()
            }
            Feature::Corner(corner) => {
                let vertex = self.triangles[triangle][corner];
                let around = self.meeting.at_vertex(vertex).iter();
                let weighted = |&t: &u32| self.normal(t as usize) * self.angle(t as usize, vertex);
                around.map(weighted).sum()
            }
        }
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// Unit normal of a triangle, zero without area.
    fn normal(&self, triangle: usize) -> DVec3 {
        Triangle::new(self.corners(triangle)).normal()
    }

    /// Angle of a triangle at one of its vertices.
    fn angle(&self, triangle: usize, vertex: u32) -> f64 {
        let places = self.corners(triangle);
        let own = self.triangles[triangle].iter().position(|&v| v == vertex);
        let own = own.unwrap_or_default();
        let [from, to, back] = [0, 1, 2].map(|k| places[(own + k) % 3]);
        angle(to - from, back - from)
    }
}

impl Side {
    /// Distance [m], negative inside.
    pub(crate) fn signed_distance(&self) -> f64 {
        self.offset.length() * if self.is_inside { -1.0 } else { 1.0 }
    }

    /// Gradient of the distance: the way out, and on the surface where that faces.
    pub(crate) fn normal(&self) -> DVec3 {
        let out = match (self.is_on_surface, self.is_inside) {
            (true, _) => self.facing,
            (false, true) => -self.offset,
            (false, false) => self.offset,
        };
        out.normalize_or(DVec3::Y)
    }

    /// Away from the nearest point on whichever side, and on the surface where that faces.
    pub(crate) fn away(&self) -> DVec3 {
        match self.is_on_surface {
            true => self.facing.normalize_or(DVec3::Y),
            false => self.offset.normalize_or(DVec3::Y),
        }
    }
}

/// Angle between two vectors.
fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;
    use crate::Shape;
    use crate::shapes::{Box, Sphere};

    #[test]
    fn distances_have_the_sign_of_the_side_beside_faces_edges_and_corners() {
        let half_size = DVec3::new(0.5, 0.001, 0.3);
        let plate = Box { half_size };
        let exact = SignedNearest::new(&plate.surface(1.0));
        let random = RandomStream::new(3, 0);
        let mut inside = 0;
        for k in 0..20_000 {
            let unit = |axis: u64| 2.0 * random.unit(3 * k + axis) - 1.0;
            let place = DVec3::new(unit(0), 0.002 * unit(1), unit(2)) * 1.01;
            let expected = plate.signed_distance(place);
            let side = exact.of(place);
            assert!((side.signed_distance() - expected).abs() < 1e-12);
            if expected > 1e-4 {
                assert!(side.normal().distance(plate.normal(place)) < 1e-2);
            }
            let on_top = DVec3::new(place.x, half_size.y, place.z);
            if on_top.abs().cmplt(half_size + DVec3::Y - 0.01).all() {
                assert!(exact.of(on_top).normal().distance(DVec3::Y) < 1e-9);
            }
            inside += usize::from(expected < 0.0);
        }
        assert!(inside > 1000);
    }

    #[test]
    fn the_sign_outside_a_star_of_sharp_points_is_positive() {
        // A sphere whose vertices are drawn out or in, each second one.
        let mut mesh = Sphere { radius: 1.0 }.surface(0.2);
        for (k, vertex) in mesh.vertices.iter_mut().enumerate() {
            *vertex *= if k % 2 == 0 { 1.5 } else { 0.6 };
        }
        let exact = SignedNearest::new(&mesh);
        let is_inside = |place: DVec3| {
            let solid_angle = |t| {
                let [a, b, c] = mesh.corners(t).map(|corner| corner - place);
                let (la, lb, lc) = (a.length(), b.length(), c.length());
                let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
                2.0 * libm::atan2(a.dot(b.cross(c)), below)
            };
            let sum: f64 = (0..mesh.triangles.len()).map(solid_angle).sum();
            sum > 2.0 * std::f64::consts::PI
        };
        let random = RandomStream::new(4, 0);
        let mut inside = 0;
        for k in 0..3000 {
            let unit = |axis: u64| 2.0 * random.unit(3 * k + axis) - 1.0;
            let place = 1.5 * DVec3::new(unit(0), unit(1), unit(2));
            let distance = exact.of(place).signed_distance();
            assert_eq!(distance < 0.0, is_inside(place), "{place} {distance}");
            inside += usize::from(distance < 0.0);
        }
        assert!((300..2700).contains(&inside), "{inside}");
    }
}
