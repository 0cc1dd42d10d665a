//! Certificates laid out over a plane: a convex domain without a rim inside, and the triangles over it.
//!
//! The domain is what of a rectangle around the region and its neighbours lies on the inner side of
//! every rim. Triangles are followed from the region across all sides that meet the rectangle. The part
//! of the surface over the domain is then connected and locally one to one, without an end inside: over
//! a convex domain it is one to one.

use std::ops::Range;
use std::sync::Arc;

use pliant_math::simd::{LANES, Places};
use pliant_math::{DVec2, DVec3};
use rustc_hash::FxHashSet;

use super::patches::Patches;
use super::planar::Region;
use crate::contacts::CloseAtRest;
use crate::contacts::narrow::Candidate;

/// Triangles steeper than this against the plane have no region: the cosine of the angle.
const LEAST_COSINE: f64 = 0.2;

/// Share of the size by which rectangles are larger than what they hold, and by which rims may fail to be
/// straight.
const SLACK: f64 = 1e-6;

/// What lies across a side of a triangle: nothing, ...
const RIM: u32 = u32::MAX;
/// ... or more than one triangle.
const BRANCH: u32 = u32::MAX - 1;

/// The triangle across each side of each triangle; sides start at the corner of their number.
#[derive(Clone, Debug, Default)]
struct Sides(Vec<[u32; 3]>);

impl Sides {
    /// Of triangles.
    fn new(triangles: &[[u32; 3]]) -> Self {
        let mut all = Vec::with_capacity(3 * triangles.len());
        for (number, &[a, b, c]) in (0u32..).zip(triangles) {
            for (k, (from, to)) in (0..3).zip([(a, b), (b, c), (c, a)]) {
                all.push((from.min(to), from.max(to), number, k));
            }
        }
        all.sort_unstable();
        let mut across = vec![[RIM; 3]; triangles.len()];
        for shared in all.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            for (place, &(_, _, number, k)) in shared.iter().enumerate() {
                across[number as usize][k] = match shared.len() {
                    1 => RIM,
                    2 => shared[1 - place].2,
                    _ => BRANCH,
                };
            }
        }
        Self(across)
    }
}

/// What regions are laid out from: the surface as it was at some time.
#[derive(Clone, Debug)]
pub struct ReferenceShape {
    /// Corners, numbered as positions are.
    pub triangles: Vec<[u32; 3]>,
    /// Where they were [m].
    pub position: Vec<DVec3>,
    /// What is too close at rest to meet, as in [`Surface`](super::Surface).
    pub close_at_rest: Vec<(u32, Arc<CloseAtRest>)>,
    sides: Sides,
}

/// A plane and a rectangle in it.
struct Domain {
    axes: [DVec3; 3],
    min: DVec2,
    max: DVec2,
}

/// Lengths of the triangles of a region in its plane.
struct Lengths {
    least_altitude: f64,
    longest_side: f64,
}

impl ReferenceShape {
    /// Of triangles whose corners are at positions [m].
    pub fn new(triangles: Vec<[u32; 3]>, position: Vec<DVec3>) -> Self {
        Self {
            sides: Sides::new(&triangles),
            triangles,
            position,
            close_at_rest: Vec::new(),
        }
    }

    /// Whether a candidate is left out, since it is too close at rest.
    pub fn is_left_out(&self, candidate: &Candidate) -> bool {
        let (ones, others) = candidate.points.split_at(match candidate.is_triangle {
            true => 1,
            false => 2,
        });
        let mut all = self.close_at_rest.iter();
        all.any(|(first, close)| close.are_close(*first, ones, others))
    }

    /// The region of patches and those around them, if there is one.
    pub fn region(&self, all: &Patches, patches: Range<u32>) -> Option<Region> {
        let mut near = all.grown(patches.clone());
        let mut corners: Vec<u32> = near
            .iter()
            .flat_map(|&patch| all.corners.of(patch))
            .copied()
            .collect();
        corners.sort_unstable();
        corners.dedup();
        let inner = all.tree.items_of(patches.clone());
        let domain = self.domain(inner, &corners)?;
        let (triangles, lengths) = self.triangles_over(&domain, *inner.first()?, &corners)?;
        let is_over = |&patch: &u32| {
            let mut own = all.tree.items(patch).iter();
            own.all(|t| triangles.binary_search(t).is_ok())
        };
        near.retain(is_over);
        if !patches
            .clone()
            .all(|patch| near.binary_search(&patch).is_ok())
        {
            return None;
        }
        let (frame, frame_inverse) = self.frame(&domain, &corners)?;
        let row = |row: &[u32]| Places::from_fn(|k| row[k.min(row.len() - 1)]);
        let corner = |row: &[u32], k: usize| {
            Places::from_fn(|lane| self.triangles[row[lane.min(row.len() - 1)] as usize][k])
        };
        let corners = |row: &[u32]| [0, 1, 2].map(|k| corner(row, k));
        Some(Region {
            patches,
            near,
            triangles: triangles.chunks(LANES).map(row).collect(),
            corners: triangles.chunks(LANES).map(corners).collect(),
            axes: domain.axes,
            frame,
            frame_inverse,
            least_altitude: lengths.least_altitude,
            longest_side: lengths.longest_side,
        })
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|corner| self.position[corner as usize])
    }

    /// Across the mean normal of triangles, with a rectangle around corners.
    fn domain(&self, triangles: &[u32], corners: &[u32]) -> Option<Domain> {
        let areas = triangles.iter().map(|&triangle| {
            let [a, b, c] = self.corners(triangle);
            (b - a).cross(c - a)
        });
        let normal = areas.sum::<DVec3>().try_normalize()?;
        // Along an axis of space, as the tree cuts.
        let across = |axis: DVec3| axis - normal * axis.dot(normal);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(across);
        let longest = (0..3).fold(0, |a, b| {
            if axes[b].length() > axes[a].length() + SLACK {
                b
            } else {
                a
            }
        });
        let first = axes[longest].try_normalize()?;
        let mut domain = Domain {
            axes: [first, normal.cross(first), normal],
            min: DVec2::INFINITY,
            max: DVec2::NEG_INFINITY,
        };
        for &corner in corners {
            let place = domain.place(self.position[corner as usize]);
            domain.min = domain.min.min(place);
            domain.max = domain.max.max(place);
        }
        let slack = DVec2::splat(SLACK * domain.size());
        domain.min -= slack;
        domain.max += slack;
        Some(domain)
    }

    /// The triangles that are reached from one across sides that meet the domain, in order; `None` if a
    /// rim lies inside or the surface turns away from the plane.
    fn triangles_over(
        &self,
        domain: &Domain,
        start: u32,
        corners: &[u32],
    ) -> Option<(Vec<u32>, Lengths)> {
        let mut reached = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        let mut lengths = Lengths {
            least_altitude: f64::INFINITY,
            longest_side: 0.0,
        };
        while let Some(triangle) = open.pop() {
            let places = self.corners(triangle);
            let normal = (places[1] - places[0]).cross(places[2] - places[0]);
            if normal.dot(domain.axes[2]) <= LEAST_COSINE * normal.length() {
                return None;
            }
            let places = places.map(|x| domain.place(x));
            lengths.include(&places);
            for (k, &across) in self.sides.0[triangle as usize].iter().enumerate() {
                let (from, to) = (places[k], places[(k + 1) % 3]);
                if !domain.meets(from, to) {
                    continue;
                }
                match across {
                    BRANCH => return None,
                    RIM if !self.are_inside(domain, from, to, corners) => return None,
                    RIM => {}
                    across => {
                        if reached.insert(across) {
                            open.push(across);
                        }
                    }
                }
            }
        }
        let mut triangles: Vec<u32> = reached.into_iter().collect();
        triangles.sort_unstable();
        Some((triangles, lengths))
    }

    /// True if all corners are on the inner side of a rim.
    fn are_inside(&self, domain: &Domain, from: DVec2, to: DVec2, corners: &[u32]) -> bool {
        let inward = (to - from).perp().normalize_or_zero();
        let least = -SLACK * domain.size();
        corners.iter().all(|&corner| {
            let place = domain.place(self.position[corner as usize]);
            (place - from).dot(inward) >= least
        })
    }

    /// Corners that are far apart along both axes, and the inverse of the matrix of what lies between.
    fn frame(&self, domain: &Domain, corners: &[u32]) -> Option<([u32; 4], [[f64; 2]; 2])> {
        let place = |corner: u32| domain.place(self.position[corner as usize]);
        let along = |axis: usize| {
            let by_axis = |a: &&u32, b: &&u32| place(**a)[axis].total_cmp(&place(**b)[axis]);
            let (least, most) = (
                corners.iter().min_by(by_axis),
                corners.iter().max_by(by_axis),
            );
            Some((*least?, *most?))
        };
        let ((a, b), (c, d)) = (along(0)?, along(1)?);
        let (one, other) = (place(b) - place(a), place(d) - place(c));
        let determinant = one.perp_dot(other);
        if determinant.abs() <= SLACK * one.length() * other.length() {
            return None;
        }
        let inverse = [
            [other.y / determinant, -other.x / determinant],
            [-one.y / determinant, one.x / determinant],
        ];
        Some(([a, b, c, d], inverse))
    }
}

impl Domain {
    /// Where a point is over the plane.
    fn place(&self, x: DVec3) -> DVec2 {
        DVec2::new(x.dot(self.axes[0]), x.dot(self.axes[1]))
    }

    fn size(&self) -> f64 {
        (self.max - self.min).max_element()
    }

    /// True if a segment has a point in the rectangle.
    fn meets(&self, from: DVec2, to: DVec2) -> bool {
        let (mut start, mut end) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let (x, way) = (from[axis], to[axis] - from[axis]);
            let (near, far) = (self.min[axis] - x, self.max[axis] - x);
            if way == 0.0 {
                if near > 0.0 || far < 0.0 {
                    return false;
                }
                continue;
            }
            start = start.max((near / way).min(far / way));
            end = end.min((near / way).max(far / way));
        }
        start <= end
    }
}

impl Lengths {
    fn include(&mut self, &[a, b, c]: &[DVec2; 3]) {
        let area = (b - a).perp_dot(c - a);
        for side in [b - a, c - b, a - c] {
            let length = side.length();
            self.longest_side = self.longest_side.max(length);
            self.least_altitude = self.least_altitude.min(area / length);
        }
    }
}
