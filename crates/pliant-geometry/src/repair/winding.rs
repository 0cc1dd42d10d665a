//! What a mesh goes around, by its generalised winding number (Jacobson et al. 2013): the solid angle of its
//! triangles over the whole one, which is 1 inside and 0 outside of a closed mesh, and between where it has holes.

use std::f64::consts::PI;

use pliant_math::DVec3;

use super::field::{Field, for_rows};
use crate::halving::{Node, halved, halves};
use crate::{Aabb, Loop, TriangleMesh};

/// Triangles in a box that is not split further.
const LEAF: usize = 2;

/// A box whose triangles are seen as one: it is farther away than so many times its radius (Barill et al. 2018).
const FAR: f64 = 2.0;

/// Distances are exact in a band of so many cells around triangles.
const BAND: f64 = 3.0;

/// Cells over which a winding number changes from 0 to 1 for its place to be taken from it: where triangles are near,
/// the surface is where they are, and elsewhere where the winding number is a half.
const SOFTNESS: f64 = 4.0;

/// The surface of what the mesh goes around more than half.
pub(super) fn outlined(mesh: &TriangleMesh, cell: f64, run: Loop) -> TriangleMesh {
    let windings = Windings::new(mesh);
    // A mesh that is inside out as a whole goes around its inside the other way.
    let sign = if mesh.volume() < 0.0 { -1.0 } else { 1.0 };
    let mut field = Field::new(mesh, cell, BAND * cell, run);
    for_rows(&mut field.grid, run, |row, place| {
        for_winding(row, cell, |x| sign * windings.at(place(x)));
    });
    field.outline()
}

/// Replaces distances in a row of nodes by numbers that are negative inside. Winding numbers are interpolated between
/// nodes that are no farther apart than the nearest triangle: they jump at triangles alone.
fn for_winding(row: &mut [f64], cell: f64, winding: impl Fn(usize) -> f64) {
    let value = |distance: f64, winding: f64| {
        let beyond = 0.5 - winding;
        distance
            .min(SOFTNESS * cell * beyond.abs())
            .copysign(beyond)
    };
    let (mut from, mut at_from) = (0, winding(0));
    while from + 1 < row.len() {
        let stride = (row[from] / cell).max(1.0) as usize;
        let to = (from + stride).min(row.len() - 1);
        let at_to = winding(to);
        for x in from..to {
            let part = (x - from) as f64 / (to - from) as f64;
            row[x] = value(row[x], at_from + (at_to - at_from) * part);
        }
        (from, at_from) = (to, at_to);
    }
    row[from] = value(row[from], at_from);
}

/// Triangles in the order of a tree, to see them from afar.
struct Windings {
    triangles: Vec<[DVec3; 3]>,
    nodes: Vec<Node<Distant>>,
}

/// Triangles as they are seen from afar.
struct Distant {
    /// Middle of the triangles, weighted by their areas.
    center: DVec3,
    /// Around all of them [m].
    radius: f64,
    /// Sum of their areas times their normals [m2].
    area: DVec3,
}

impl Windings {
    fn new(mesh: &TriangleMesh) -> Self {
        let mut triangles: Vec<[DVec3; 3]> =
            (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
        let center = |[a, b, c]: &[DVec3; 3]| *a + *b + *c;
        let nodes = halved(&mut triangles, LEAF, &center, &Distant::of);
        Self { triangles, nodes }
    }

    /// The winding number at a place.
    fn at(&self, place: DVec3) -> f64 {
        solid_angle(&self.triangles, &self.nodes, place) / (4.0 * PI)
    }
}

impl Distant {
    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let (mut area, mut total, mut weighted) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        for &[a, b, c] in triangles {
            let own = 0.5 * (b - a).cross(c - a);
            area += own;
            total += own.length();
            weighted += own.length() * (a + b + c) / 3.0;
        }
        let corners = triangles.iter().flatten().copied();
        let center = match total > 0.0 {
            true => weighted / total,
            false => Aabb::around(corners.clone()).center(),
        };
        let radius = corners
            .map(|corner| corner.distance(center))
            .fold(0.0, f64::max);
        Self {
            center,
            radius,
            area,
        }
    }
}

fn solid_angle(triangles: &[[DVec3; 3]], nodes: &[Node<Distant>], place: DVec3) -> f64 {
    let node = &nodes[0].of;
    let away = node.center - place;
    let distance = away.length();
    if distance > FAR * node.radius {
        return node.area.dot(away) / distance.powi(3);
    }
    if triangles.len() <= LEAF {
        return triangles
            .iter()
            .map(|corners| of_triangle(corners, place))
            .sum();
    }
    let halves = halves(triangles, nodes);
    halves
        .map(|(part, of_part)| solid_angle(part, of_part, place))
        .iter()
        .sum()
}

/// Van Oosterom and Strackee 1983, eq. 8.
fn of_triangle(corners: &[DVec3; 3], place: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - place);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(a.dot(b.cross(c)), below)
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;
    use crate::Shape;
    use crate::shapes::Torus;

    #[test]
    fn winding_numbers_from_afar_equal_the_sum_over_triangles() {
        let ring = Torus {
            radius: 1.0,
            tube_radius: 0.4,
        };
        let mut mesh = ring.surface(1.0);
        mesh.triangles.truncate(mesh.triangles.len() * 4 / 5);
        let windings = Windings::new(&mesh);
        let random = RandomStream::new(6, 0);
        for k in 0..2000 {
            let unit = |axis: u64| 2.0 * random.unit(3 * k + axis) - 1.0;
            let place = 1.5 * DVec3::new(unit(0), unit(1), unit(2));
            let triangles = (0..mesh.triangles.len()).map(|t| of_triangle(&mesh.corners(t), place));
            let exact = triangles.sum::<f64>() / (4.0 * PI);
            let error = (windings.at(place) - exact).abs();
            assert!(error < 0.1, "{place}: {error}");
        }
    }
}
