//! Parts of a surface that are so little bent that they cannot meet themselves within a substep.
//!
//! Over a plane, in which a region was laid out at the start, the surface is a map x(u). Where the part
//! of it over a convex domain has no rim inside, the way from u to w in the plane stays on it, and so
//!
//!   (u - w) . R^T (x(u) - x(w)) >= c |u - w|^2,  c = min over triangles of lambda_min(sym R^T dx/du)
//!
//! for any R with orthonormal columns (a strongly monotone map: Minty 1962). Simplices without a common
//! corner are at least as far apart in the plane as the least altitude of the triangles there, so they
//! are c times as far apart in space. The gradient of the velocity bounds in the same way how fast they
//! come nearer. What is left out because of these bounds would have been found too far apart one by one,
//! so results do not depend on where and when regions were laid out. Volino and Magnenat-Thalmann 1994
//! leave parts out whose normals have a common direction; that asks for the rim and gives no distance.

use std::ops::Range;

use pliant_math::simd::{Instructions, Job, LANES, Number, Pack, Places};
use pliant_math::{DVec3, Real};

use super::certificates::{Motion, Separation};
use super::swept::Record;
use crate::contacts::ccd::Trajectories;
use crate::parallel::gather_eight;

/// Rows of triangles after which it is asked whether a region is lost already.
const ROWS_AT_ONCE: usize = 8;

/// What the bounds may be off by rounding, as a share.
const ROUNDING: f64 = 1e-3;

/// Patches, those around them, and the triangles over the convex domain that holds both.
#[derive(Clone, Debug)]
pub struct Region {
    /// The patches.
    pub patches: Range<u32>,
    /// These and those around them, in order.
    pub near: Vec<u32>,
    /// The triangles, some of them repeated in the last row.
    pub triangles: Vec<Places>,
    /// The corners of these.
    pub corners: Vec<[Places; 3]>,
    /// The plane's axes and its normal.
    pub axes: [DVec3; 3],
    /// Corners far apart along the first axis, and along the second.
    pub frame: [u32; 4],
    /// Inverse of the matrix whose columns lead from the first to the second of each in the plane [1/m].
    pub frame_inverse: [[f64; 2]; 2],
    /// Least altitude of the triangles in the plane [m].
    pub least_altitude: f64,
    /// Longest of their sides in the plane [m].
    pub longest_side: f64,
}

/// The vectors in the plane of two sides whose products with them are one and zero, as a record.
pub fn duals(one: DVec3, other: DVec3) -> [Real; 8] {
    let normal = one.cross(other);
    let squared = normal.length_squared();
    let (a, b) = (other.cross(normal) / squared, normal.cross(one) / squared);
    record_of(a, b)
}

/// Two vectors as a record.
fn record_of(a: DVec3, b: DVec3) -> [Real; 8] {
    [a.x, a.y, a.z, b.x, b.y, b.z, 0.0, 0.0].map(|c| c as Real)
}

/// The columns of R: the plane's axes as they lie in space now, made orthonormal.
fn columns(region: &Region, position: &[DVec3]) -> Option<[DVec3; 2]> {
    let [a, b, c, d] = region.frame.map(|corner| position[corner as usize]);
    let (one, other) = (b - a, d - c);
    let [row, other_row] = region.frame_inverse;
    let x = one * row[0] + other * other_row[0];
    let y = one * row[1] + other * other_row[1];
    // The polar factor: L (L^T L)^(-1/2), whose root is (G + s I) / t with s = sqrt(det G).
    let (xx, xy, yy) = (x.length_squared(), x.dot(y), y.length_squared());
    let s = libm::sqrt((xx * yy - xy * xy).max(0.0));
    let t = libm::sqrt(xx + yy + 2.0 * s);
    if s <= 1e-6 * t * t {
        return None;
    }
    let (p, q, r) = ((xx + s) / t, xy / t, (yy + s) / t);
    let determinant = p * r - q * q;
    Some([(x * r - y * q) / determinant, (y * p - x * q) / determinant])
}

impl Region {
    /// Whether it cannot meet itself.
    ///
    /// * `duals` — of all triangles
    pub fn is_valid(&self, duals: &[[Real; 8]], motion: Motion<'_>, apart: Separation) -> bool {
        columns(self, motion.position).is_some_and(|columns| {
            Instructions::best().run(Bounds {
                region: self,
                columns,
                duals,
                records: motion.records,
                apart,
            })
        })
    }
}

/// The bounds for the triangles of a region.
struct Bounds<'a> {
    region: &'a Region,
    columns: [DVec3; 2],
    duals: &'a [[Real; 8]],
    records: &'a [Record],
    apart: Separation,
}

/// Bounds for triangles.
#[derive(Clone, Copy)]
struct Bound<N> {
    /// Least eigenvalue of the symmetric part of R^T dx/du at the start.
    slope: N,
    /// The same at the end; between them it is no less than at both, as it is concave.
    end_slope: N,
    /// Square of the norm of dx/du at the start.
    stretch: N,
    /// Square of that of its change.
    change: N,
    /// What positions and displacements may be off by [m].
    rounding: N,
}

impl Job for Bounds<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<P: Pack>(self) -> bool {
        let axes = [0, 1, 2].map(|k| splat::<P>(self.region.axes[k]));
        let columns = [splat::<P>(self.columns[0]), splat::<P>(self.columns[1])];
        let most = P::splat(Real::MAX);
        let mut all = Bound {
            slope: most,
            end_slope: most,
            stretch: P::ZERO,
            change: P::ZERO,
            rounding: P::ZERO,
        };
        let rows = self.region.triangles.chunks(ROWS_AT_ONCE);
        for (rows, corners) in rows.zip(self.region.corners.chunks(ROWS_AT_ONCE)) {
            for (triangles, [a, b, c]) in rows.iter().zip(corners) {
                let duals = gather_eight::<P>(self.duals, triangles);
                let a = gather_eight::<P>(self.records, a);
                let b = gather_eight::<P>(self.records, b);
                let c = gather_eight::<P>(self.records, c);
                let bound = bound(&axes, &columns, duals, &a, &b, &c);
                all.slope = all.slope.min(bound.slope);
                all.end_slope = all.end_slope.min(bound.end_slope);
                all.stretch = all.stretch.max(bound.stretch);
                all.change = all.change.max(bound.change);
                all.rounding = all.rounding.max(bound.rounding);
            }
            if !self.is_enough(&all) {
                return false;
            }
        }
        true
    }
}

impl Bounds<'_> {
    /// Whether bounds keep all that is no neighbour apart.
    #[inline(always)]
    fn is_enough<P: Pack>(&self, bound: &Bound<P>) -> bool {
        let (slope, end_slope) = (least(bound.slope.lanes()), least(bound.end_slope.lanes()));
        let (altitude, side) = (self.region.least_altitude, self.region.longest_side);
        // A gradient is off by what sides are off by over altitudes.
        let off = 4.0 * greatest(bound.rounding.lanes()) / altitude;
        let (slope, end_slope) = (
            slope * (1.0 - ROUNDING) - off,
            end_slope * (1.0 - ROUNDING) - off,
        );
        let stretch = greatest(bound.stretch.lanes()).sqrt() * (1.0 + ROUNDING) + off;
        let change = greatest(bound.change.lanes()).sqrt() * (1.0 + ROUNDING) + off;
        // What is further away than the altitude is beyond the reach, also where ways lengthen it.
        let is_beyond_reach = (slope - change) * altitude > self.apart.still;
        // Gradients of barycentric coordinates are one over the altitudes.
        let pushed = 3.0 * self.apart.room / altitude;
        // Four corners are within a distance and two sides of each other, and each is away from their mean
        // by three quarters of that at most: so fast, in distances.
        let approach = 1.5 * (change + pushed) * (1.0 + 2.0 * side / altitude) / slope;
        // The distance never shrinks to less than this share.
        let kept = slope.min(end_slope - pushed) / stretch;
        slope > 0.0
            && is_beyond_reach
            && Trajectories::are_followed_to_the_end(kept - self.apart.share, approach)
    }
}

#[inline(always)]
fn least(lanes: [Real; LANES]) -> f64 {
    let mut least = f64::INFINITY;
    for lane in lanes {
        least = least.min(f64::from(lane));
    }
    least
}

#[inline(always)]
fn greatest(lanes: [Real; LANES]) -> f64 {
    let mut greatest = 0.0f64;
    for lane in lanes {
        greatest = greatest.max(f64::from(lane));
    }
    greatest
}

#[inline(always)]
fn splat<P: Pack>(v: DVec3) -> [P; 3] {
    [
        P::splat(v.x as Real),
        P::splat(v.y as Real),
        P::splat(v.z as Real),
    ]
}

#[inline(always)]
fn dot<N: Number>(a: &[N; 3], b: &[N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn bound<N: Number>(
    [first, second, normal]: &[[N; 3]; 3],
    columns: &[[N; 3]; 2],
    [ax, ay, az, bx, by, bz, ..]: [N; 8],
    p: &[N; 8],
    q: &[N; 8],
    r: &[N; 8],
) -> Bound<N> {
    let (one, other) = (difference(q, p, 0), difference(r, p, 0));
    let (one_change, other_change) = (difference(q, p, 4), difference(r, p, 4));
    let (a, b) = ([ax, ay, az], [bx, by, bz]);
    let own = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    // A step along an axis of the plane leads along the triangle: so far up along the plane's normal.
    let per_height = N::splat(1.0) / dot(&own, normal);
    let up = [
        dot(&own, first) * per_height,
        dot(&own, second) * per_height,
    ];
    let (a_up, b_up) = (dot(&a, normal), dot(&b, normal));
    // Weights of the two sides in it.
    let weights = [
        [dot(&a, first) - a_up * up[0], dot(&b, first) - b_up * up[0]],
        [
            dot(&a, second) - a_up * up[1],
            dot(&b, second) - b_up * up[1],
        ],
    ];
    let gradient = gradient_of(&weights, &one, &other);
    let change = gradient_of(&weights, &one_change, &other_change);
    let [before, more] = [product(columns, &gradient), product(columns, &change)];
    let [xx, xy, yy] = before;
    let [dxx, dxy, dyy] = more;
    Bound {
        slope: least_eigenvalue(xx, xy, yy),
        end_slope: least_eigenvalue(xx + dxx, xy + dxy, yy + dyy),
        stretch: squared(&gradient),
        change: squared(&change),
        rounding: p[7].max(q[7]).max(r[7]),
    }
}

/// The difference of two records in three components.
#[inline(always)]
fn difference<N: Number>(a: &[N; 8], b: &[N; 8], first: usize) -> [N; 3] {
    [
        a[first] - b[first],
        a[first + 1] - b[first + 1],
        a[first + 2] - b[first + 2],
    ]
}

/// Along the two axes, from two sides.
#[inline(always)]
fn gradient_of<N: Number>([p, q]: &[[N; 2]; 2], one: &[N; 3], other: &[N; 3]) -> [[N; 3]; 2] {
    let along = |k: usize, w: &[N; 2]| one[k] * w[0] + other[k] * w[1];
    [
        [along(0, p), along(1, p), along(2, p)],
        [along(0, q), along(1, q), along(2, q)],
    ]
}

/// The symmetric part of columns times a gradient: its components xx, xy and yy.
#[inline(always)]
fn product<N: Number>([r, q]: &[[N; 3]; 2], [along, across]: &[[N; 3]; 2]) -> [N; 3] {
    let mixed = (dot(r, across) + dot(q, along)) * N::splat(0.5);
    [dot(r, along), mixed, dot(q, across)]
}

#[inline(always)]
fn least_eigenvalue<N: Number>(xx: N, xy: N, yy: N) -> N {
    let half = N::splat(0.5);
    let apart = (xx - yy) * half;
    (xx + yy) * half - (apart * apart + xy * xy).sqrt()
}

#[inline(always)]
fn squared<N: Number>([a, b]: &[[N; 3]; 2]) -> N {
    dot(a, a) + dot(b, b)
}
