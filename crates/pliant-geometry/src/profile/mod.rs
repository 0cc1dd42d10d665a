//! Closed outlines in the half plane (radius, y), turned about the y axis.

mod edges;

use std::f64::consts::PI;

use pliant_math::{DVec2, DVec3};
use robust::{Coord, orient2d};

use crate::Aabb;
use edges::{Edges, Nearest};

/// A simple closed polygon with radii >= 0, its corners counter-clockwise with the radius to the
/// right and y up. Edges on the axis belong to the outline but not to the surface.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    outline: Edges,
}

/// Why corners are not an outline.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ProfileFault {
    #[error("corner {} of the outline is [{}, {}]", .corner + 1, .point.x, .point.y)]
    NotInHalfPlane { corner: usize, point: DVec2 },
    #[error("the outline encloses no area")]
    NoArea,
    #[error(
        "the outline meets itself: the edge from {} to {} touches the edge from {} to {}",
        text(.edges[0][0]), text(.edges[0][1]), text(.edges[1][0]), text(.edges[1][1])
    )]
    MeetsItself { edges: [[DVec2; 2]; 2] },
}

impl Profile {
    /// An outline from its corners [m], either way round.
    pub(crate) fn new(corners: Vec<DVec2>) -> Result<Self, ProfileFault> {
        let is_valid = |p: &DVec2| p.is_finite() && p.x >= 0.0;
        if let Some(corner) = corners.iter().position(|p| !is_valid(p)) {
            let point = corners[corner];
            return Err(ProfileFault::NotInHalfPlane { corner, point });
        }
        let mut points = corners;
        points.dedup();
        while points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() < 3 {
            return Err(ProfileFault::NoArea);
        }
        if let Some(edges) = self_contact(&points) {
            return Err(ProfileFault::MeetsItself { edges });
        }
        let area = twice_area(&points);
        if area == 0.0 {
            return Err(ProfileFault::NoArea);
        }
        if area < 0.0 {
            points.reverse();
        }
        Ok(Self::counter_clockwise(points))
    }

    /// An outline from corners that are known to be simple and counter-clockwise.
    pub(crate) fn counter_clockwise(points: Vec<DVec2>) -> Self {
        Self {
            outline: Edges::new(points),
        }
    }

    /// The corners, counter-clockwise.
    pub(crate) fn points(&self) -> &[DVec2] {
        self.outline.points()
    }

    /// Exact signed distance from a point to the turned surface [m].
    pub(crate) fn signed_distance(&self, point: DVec3) -> f64 {
        let point = in_half_plane(point);
        let distance = self.outline.nearest(point).offset.length();
        if self.outline.is_inside(point) {
            -distance
        } else {
            distance
        }
    }

    /// Unit gradient of the signed distance.
    pub(crate) fn normal(&self, point: DVec3) -> DVec3 {
        let in_plane = in_half_plane(point);
        let Nearest { offset, edge } = self.outline.nearest(in_plane);
        let size = edge.length();
        let towards = if offset.length() > 1e-9 * size {
            let sign = if self.outline.is_inside(in_plane) {
                -1.0
            } else {
                1.0
            };
            offset.normalize() * sign
        } else {
            DVec2::new(edge.y, -edge.x) / size
        };
        let radial = DVec3::new(point.x, 0.0, point.z).normalize_or(DVec3::X);
        (radial * towards.x + DVec3::Y * towards.y).normalize_or(DVec3::Y)
    }

    /// The smallest box around the turned outline.
    pub(crate) fn bounds(&self) -> Aabb {
        let [low, high] = self.outline.bounds();
        Aabb {
            min: DVec3::new(-high.x, low.y, -high.x),
            max: DVec3::new(high.x, high.y, high.x),
        }
    }

    /// Volume of the turned outline [m3], 2 pi times the first moment of its area about the axis.
    pub(crate) fn volume(&self) -> f64 {
        let moment: f64 = edges(self.points())
            .map(|[a, b]| (a.x + b.x) * a.perp_dot(b))
            .sum();
        PI / 3.0 * moment
    }
}

fn in_half_plane(point: DVec3) -> DVec2 {
    DVec2::new(DVec2::new(point.x, point.z).length(), point.y)
}

fn edges(points: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> + '_ {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| [*a, *b])
}

fn twice_area(points: &[DVec2]) -> f64 {
    edges(points).map(|[a, b]| a.perp_dot(b)).sum()
}

/// The first two edges that cross, touch or fold back on each other.
fn self_contact(points: &[DVec2]) -> Option<[[DVec2; 2]; 2]> {
    let all: Vec<[DVec2; 2]> = edges(points).collect();
    let n = all.len();
    for i in 0..n {
        for j in i + 1..n {
            let meets = if j == i + 1 {
                folds_back(all[i], all[j])
            } else if i == 0 && j == n - 1 {
                folds_back(all[j], all[i])
            } else {
                touches(all[i], all[j])
            };
            if meets {
                return Some([all[i], all[j]]);
            }
        }
    }
    None
}

/// True if edge `b`, which starts where `a` ends, runs back along it.
fn folds_back(a: [DVec2; 2], b: [DVec2; 2]) -> bool {
    side(a, b[1]) == 0.0 && (a[1] - a[0]).dot(b[1] - b[0]) < 0.0
}

fn touches(a: [DVec2; 2], b: [DVec2; 2]) -> bool {
    let [b0, b1] = b.map(|p| side(a, p));
    let [a0, a1] = a.map(|p| side(b, p));
    let is_apart = |s: f64, t: f64| (s > 0.0 && t > 0.0) || (s < 0.0 && t < 0.0);
    if is_apart(b0, b1) || is_apart(a0, a1) {
        return false;
    }
    let is_apart_in = |f: fn(DVec2) -> f64| {
        f(a[0]).max(f(a[1])) < f(b[0]).min(f(b[1])) || f(b[0]).max(f(b[1])) < f(a[0]).min(f(a[1]))
    };
    !(is_apart_in(|p| p.x) || is_apart_in(|p| p.y))
}

/// Positive if the point lies left of the edge, zero if on its line; exact.
fn side(edge: [DVec2; 2], point: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(edge[0]), coord(edge[1]), coord(point))
}

fn text(point: DVec2) -> String {
    format!("[{}, {}]", point.x, point.y)
}
