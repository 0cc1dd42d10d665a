//! Where two triangles look against each other, and how far apart they are there.

use pliant_geometry::TriangleMesh;
use pliant_math::{DVec2, DVec3};

use super::RestSurface;
use super::spreading::Contact;

/// The cosine of the angle of normals of triangles that look against each other, at most.
const AGAINST: f64 = -0.3;

/// Finds contacts.
pub(super) struct Facing<'a> {
    pub surface: &'a RestSurface<'a>,
    /// The surface as it is now.
    pub mesh: &'a TriangleMesh,
    /// How far they should be [m].
    pub distance: f64,
}

impl Facing<'_> {
    /// A unit vector out of the first of two triangles and into the second, if they look against each other.
    fn normal(&self, pair: [u32; 2]) -> Option<DVec3> {
        opposed(pair.map(|t| self.mesh.corners(t as usize)))
    }

    /// Whether two triangles look against each other and may be nearer than they should be: neither is in front of the
    /// other by as much.
    pub fn may_touch(&self, pair: [u32; 2]) -> bool {
        let [one, other] = pair.map(|t| self.mesh.corners(t as usize));
        let [of_one, of_other] = [one, other].map(|[a, b, c]| (b - a).cross(c - a));
        let is_before = |corners: [DVec3; 3], from: DVec3, normal: DVec3| {
            let distance = self.distance * normal.length();
            corners.iter().all(|x| (*x - from).dot(normal) > distance)
        };
        of_one.dot(of_other) < 0.0
            && !is_before(one, other[0], of_other)
            && !is_before(other, one[0], of_one)
            && self.normal(pair).is_some()
    }

    /// Where two triangles look against each other.
    pub fn contacts(&self, pair: [u32; 2]) -> Vec<Contact> {
        let Some(normal) = self.normal(pair) else {
            return Vec::new();
        };
        let of = pair.map(|t| self.mesh.corners(t as usize));
        let (x, y) = normal.any_orthonormal_pair();
        let flat = of.map(|corners| corners.map(|c| DVec2::new(c.dot(x), c.dot(y))));
        let vertices = pair.map(|t| self.surface.triangles[t as usize]);
        let mut contacts = Vec::new();
        meeting_points(flat, |weights| {
            let [one, other] = [0, 1].map(|k| point(of[k], weights[k]));
            let gap = (other - one).dot(normal);
            if gap >= self.distance || gap < -super::DEPTH * self.surface.spacing {
                return;
            }
            if let Some(distance) = self
                .distance(vertices, weights)
                .filter(|distance| gap < *distance)
            {
                contacts.push(Contact {
                    vertices,
                    weights,
                    normal,
                    lacking: distance - gap,
                });
            }
        });
        contacts
    }

    /// How far points of two triangles should be apart; `None` if what is between them is what they bound.
    fn distance(&self, vertices: [[u32; 3]; 2], weights: [[f64; 3]; 2]) -> Option<f64> {
        let corners = vertices.map(|of| of.map(|k| self.surface.vertices[k as usize]));
        let [one, other] = [0, 1].map(|k| point(corners[k], weights[k]));
        let between = other - one;
        if between.length() > super::FAR * self.surface.spacing {
            return Some(self.distance);
        }
        let [from, to] = corners.map(|[a, b, c]| (b - a).cross(c - a).normalize_or_zero());
        let gap = between.dot((from - to).normalize_or_zero());
        (gap > 0.0).then_some(self.distance.min(0.5 * gap))
    }
}

/// A unit vector out of the first of two triangles and into the second, if they look against each other.
fn opposed(corners: [[DVec3; 3]; 2]) -> Option<DVec3> {
    let [one, other] = corners.map(|[a, b, c]| (b - a).cross(c - a).normalize_or_zero());
    (one.dot(other) < AGAINST).then(|| (one - other).normalize())
}

fn point(corners: [DVec3; 3], weights: [f64; 3]) -> DVec3 {
    corners.into_iter().zip(weights).map(|(x, w)| x * w).sum()
}

/// Calls a function with the weights of the corners of two triangles at each corner of what they have in common.
fn meeting_points(triangles: [[DVec2; 3]; 2], mut f: impl FnMut([[f64; 3]; 2])) {
    let corner = |k: usize| [0, 1, 2].map(|i| if i == k { 1.0 } else { 0.0 });
    let [one, other] = triangles;
    for k in 0..3 {
        if let Some(weights) = weights(other, one[k]) {
            f([corner(k), weights]);
        }
        if let Some(weights) = weights(one, other[k]) {
            f([weights, corner(k)]);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let ends = [[one[i], one[(i + 1) % 3]], [other[j], other[(j + 1) % 3]]];
            if let Some([s, t]) = crossing(ends) {
                let along = |k: usize, s: f64| {
                    let (from, to) = (corner(k), corner((k + 1) % 3));
                    [0, 1, 2].map(|i| from[i] * (1.0 - s) + to[i] * s)
                };
                f([along(i, s), along(j, t)]);
            }
        }
    }
}

/// Weights of the corners of a triangle at a point in it.
fn weights([a, b, c]: [DVec2; 3], x: DVec2) -> Option<[f64; 3]> {
    let area = (b - a).perp_dot(c - a);
    let weights = [
        (b - x).perp_dot(c - x) / area,
        (c - x).perp_dot(a - x) / area,
        (a - x).perp_dot(b - x) / area,
    ];
    weights.iter().all(|w| *w >= 0.0).then_some(weights)
}

/// Where two segments cross, from 0 to 1 along each.
fn crossing([[a, b], [c, d]]: [[DVec2; 2]; 2]) -> Option<[f64; 2]> {
    let (one, other, between) = (b - a, d - c, c - a);
    let turn = one.perp_dot(other);
    let at = [between.perp_dot(other) / turn, between.perp_dot(one) / turn];
    at.iter().all(|t| (0.0..=1.0).contains(t)).then_some(at)
}
