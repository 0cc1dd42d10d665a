//! The exact signed distance of a closed mesh, through its nearest triangle.

use std::collections::BTreeMap;

use pliant_math::DVec3;

use crate::TriangleMesh;
use crate::nearest_triangle::NearestTriangle;
use crate::triangle::{Feature, Triangle};

/// A closed mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SignedNearest {
    nearest: NearestTriangle,
    facing: Vec<Facing>,
    /// A place nearer than this [m] is on the surface: what is left of the way there is rounding.
    least: f64,
}

/// What rounding may make of a way of no length, as a part of the size of the mesh.
const ROUNDING: f64 = 1e-9;

/// Where the parts of a triangle face: whoever is nearest to one is outside if that is on their side
/// (Baerentzen and Aanaes 2005).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Facing {
    face: DVec3,
    /// Of the edges that start at each corner: the sum of the normals on either side.
    edges: [DVec3; 3],
    /// Of the corners: the sum of the normals around, each times the angle of its triangle there.
    corners: [DVec3; 3],
}

/// How a place lies to a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// From the nearest point to the place [m].
    pub(crate) offset: DVec3,
    /// Whether the place is inside.
    pub(crate) is_inside: bool,
    is_on_surface: bool,
    /// Where the surface faces there; not of unit length.
    facing: DVec3,
}

impl SignedNearest {
    /// Of a mesh whose triangles share their vertices, counter-clockwise from outside.
    pub(crate) fn new(mesh: &TriangleMesh) -> Self {
        Self {
            nearest: NearestTriangle::new(mesh),
            facing: facing(mesh),
            least: ROUNDING * mesh.bounds().extent().length(),
        }
    }

    /// How a place lies to the mesh.
    pub(crate) fn of(&self, place: DVec3) -> Side {
        let nearest = self.nearest.of(place);
        let facing = nearest.feature.map(|(triangle, feature)| {
            let facing = &self.facing[triangle as usize];
            match feature {
                Feature::Corner(corner) => facing.corners[corner],
                Feature::Edge(edge) => facing.edges[edge],
                Feature::Face => facing.face,
            }
        });
        let facing = facing.unwrap_or_default();
        Side {
            offset: nearest.offset,
            is_inside: nearest.offset.dot(facing) < 0.0,
            is_on_surface: nearest.offset.length() <= self.least,
            facing,
        }
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
}

fn facing(mesh: &TriangleMesh) -> Vec<Facing> {
    let triangles = 0..mesh.triangles.len();
    let normals: Vec<DVec3> = triangles
        .map(|triangle| Triangle::new(mesh.corners(triangle)).normal())
        .collect();
    let mut of_edge = BTreeMap::<[u32; 2], DVec3>::new();
    let mut of_vertex = vec![DVec3::ZERO; mesh.vertices.len()];
    for (number, (vertices, &normal)) in mesh.triangles.iter().zip(&normals).enumerate() {
        let places = mesh.corners(number);
        for k in 0..3 {
            *of_edge.entry(edge(vertices, k)).or_default() += normal;
            let [from, to, back] = [k, (k + 1) % 3, (k + 2) % 3].map(|corner| places[corner]);
            of_vertex[vertices[k] as usize] += normal * angle(to - from, back - from);
        }
    }
    let of_triangle = mesh.triangles.iter().zip(&normals);
    let of_triangle = of_triangle.map(|(vertices, &face)| Facing {
        face,
        edges: std::array::from_fn(|k| of_edge[&edge(vertices, k)]),
        corners: vertices.map(|vertex| of_vertex[vertex as usize]),
    });
    of_triangle.collect()
}

/// The edge that starts at a corner, its lesser vertex first.
fn edge(vertices: &[u32; 3], corner: usize) -> [u32; 2] {
    let ends = [vertices[corner], vertices[(corner + 1) % 3]];
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
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
