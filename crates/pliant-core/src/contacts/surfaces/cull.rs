//! Which candidates are surely too far apart, sixteen at a time.
//!
//! What is left is looked at one by one in double precision, so that results do not depend on what is
//! left out here: distances are taken to be shorter than they may be by rounding, and trajectories longer.

use pliant_math::simd::{Instructions, Job, LANES, Mask, Number, Pack, Places};
use pliant_math::{Real, Vector3};

use super::swept::{Margin, Record, around_all};
use crate::contacts::broad::union;
use crate::parallel::gather_eight;

/// Four particles by their places: a point and the corners of a triangle, or the ends of two edges.
pub type Four = [u32; 4];

/// What candidates consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A point and a triangle.
    PointTriangle,
    /// Two edges.
    EdgeEdge,
}

/// What candidates are kept for.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// They may be in contact: boxes around their trajectories overlap, and they are within so many of
    /// the sum of the radii, as far as their relative displacement leads, and as much further as boxes are
    /// larger beside the radii.
    Contact {
        /// In sums of the radii.
        radii: Real,
        /// By how much boxes are larger than trajectories.
        margin: Margin,
    },
    /// Their distance may shrink to a share of what it is at the start.
    Passage {
        /// That share.
        share: Real,
        /// Length [m] by which the displacement of each corner may be another one than is known.
        changed: Real,
    },
}

/// Part of distances that their computation may be off by, ...
const ROUNDING: Real = 0.01;
/// ... and part of the length of edges that are nearly parallel.
const PARALLEL: Real = 1e-3;

/// Keeps those of candidates that are not too far apart, in their order.
pub fn keep_near(
    (kind, candidates): (Kind, &[Four]),
    records: &[Record],
    limit: Limit,
    kept: &mut Vec<Four>,
) {
    kept.clear();
    Instructions::best().run(Cull {
        kind,
        candidates,
        records,
        limit,
        kept,
    });
}

struct Cull<'a> {
    kind: Kind,
    candidates: &'a [Four],
    records: &'a [Record],
    limit: Limit,
    kept: &'a mut Vec<Four>,
}

impl Job for Cull<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        for row in self.candidates.chunks(LANES) {
            let mut filled = [row[0]; LANES];
            let items = row.try_into().unwrap_or_else(|_| {
                filled[..row.len()].copy_from_slice(row);
                &filled
            });
            let [a, b, c, d] = Places::transposed(items);
            let four = [
                gather_eight::<P>(self.records, &a),
                gather_eight::<P>(self.records, &b),
                gather_eight::<P>(self.records, &c),
                gather_eight::<P>(self.records, &d),
            ];
            let mut bits = is_near(self.kind, self.limit, &four).bits();
            bits &= u32::MAX >> (u32::BITS as usize - row.len());
            while bits != 0 {
                self.kept.push(row[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
    }
}

#[inline(always)]
fn is_near<N: Number>(kind: Kind, limit: Limit, four: &[[N; 8]; 4]) -> N::Mask {
    let x = [
        position(&four[0]),
        position(&four[1]),
        position(&four[2]),
        position(&four[3]),
    ];
    let way = [way(&four[0]), way(&four[1]), way(&four[2]), way(&four[3])];
    let rounding = four[0][7] + four[1][7] + four[2][7] + four[3][7];
    let rounded = N::splat(1.0 + ROUNDING);
    let (squared, slack) = match kind {
        Kind::PointTriangle => (to_triangle(x), N::ZERO),
        Kind::EdgeEdge => between_edges(x),
    };
    let distance = squared.sqrt() * N::splat(1.0 - ROUNDING) - slack - rounding;
    let is_far = match limit {
        Limit::Contact { radii, margin } => {
            let radii = (four[0][3] + four[2][3]) * N::splat(radii);
            let longest = greatest_difference(kind, way).sqrt();
            let reach = radii + longest * rounded + N::splat(margin.added) + rounding;
            reach.less(distance) | !do_boxes_overlap(kind, four, margin)
        }
        Limit::Passage { share, changed } => {
            let approach = greatest_approach(kind, way) * rounded + rounding;
            // A displacement from the mean of four changes by three halves of that at most, in each simplex.
            let approach = approach + N::splat(3.0 * changed);
            approach.less(distance * N::splat(1.0 - share))
        }
    };
    // NaN counts as near.
    !is_far
}

/// Whether the boxes around the trajectories of the two simplices have a point in common.
#[inline(always)]
fn do_boxes_overlap<N: Number>(kind: Kind, four: &[[N; 8]; 4], margin: Margin) -> N::Mask {
    let [a, b, c, d] = [
        around_all(four[0], margin),
        around_all(four[1], margin),
        around_all(four[2], margin),
        around_all(four[3], margin),
    ];
    let second = union(&c, &d);
    let (first, second) = match kind {
        Kind::PointTriangle => (a, union(&b, &second)),
        Kind::EdgeEdge => (union(&a, &b), second),
    };
    let least = first[0].at_most(second[3]) & first[1].at_most(second[4]);
    let least = least & first[2].at_most(second[5]);
    let greatest = second[0].at_most(first[3]) & second[1].at_most(first[4]);
    least & greatest & second[2].at_most(first[5])
}

#[inline(always)]
fn position<N: Number>(&[x, y, z, ..]: &[N; 8]) -> Vector3<N> {
    Vector3::new(x, y, z)
}

#[inline(always)]
fn way<N: Number>(&[_, _, _, _, x, y, z, _]: &[N; 8]) -> Vector3<N> {
    Vector3::new(x, y, z)
}

#[inline(always)]
fn clamped<N: Number>(t: N) -> N {
    t.max(N::ZERO).min(N::splat(1.0))
}

/// What is no length is at least this, for divisions.
#[inline(always)]
fn positive<N: Number>(x: N) -> N {
    x.max(N::splat(Real::MIN_POSITIVE))
}

/// Squared distance of a point from a segment.
///
/// * `point` — from the first end
/// * `segment` — from the first end to the second
#[inline(always)]
fn to_segment<N: Number>(point: Vector3<N>, segment: Vector3<N>) -> N {
    let t = clamped(point.dot(segment) / positive(segment.squared()));
    (point - segment * t).squared()
}

/// Squared distance of a point from a triangle: from its plane, or from its sides.
#[inline(always)]
fn to_triangle<N: Number>([p, a, b, c]: [Vector3<N>; 4]) -> N {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let (ap, bp, cp) = (p - a, p - b, p - c);
    let to_sides = to_segment(ap, ab).min(to_segment(bp, bc));
    let to_sides = to_sides.min(to_segment(cp, ca));
    let normal = ab.cross(bc);
    let squared = normal.squared();
    let height = ap.dot(normal);
    let to_plane = height * height / positive(squared);
    let outside = ab.cross(ap).dot(normal).less(N::ZERO)
        | bc.cross(bp).dot(normal).less(N::ZERO)
        | ca.cross(cp).dot(normal).less(N::ZERO)
        | squared.at_most(N::splat(Real::MIN_POSITIVE));
    to_sides.or_where_not(outside, to_plane)
}

/// Squared distance of two segments, and what it may be too large by if they are nearly parallel.
#[inline(always)]
fn between_edges<N: Number>([a, b, c, d]: [Vector3<N>; 4]) -> (N, N) {
    let (one, other, between) = (b - a, d - c, a - c);
    let (aa, bb) = (positive(one.squared()), positive(other.squared()));
    let (ab, ac, bc) = (one.dot(other), one.dot(between), other.dot(between));
    let s = clamped((ab * bc - ac * bb) / positive(aa * bb - ab * ab));
    // The best on one for what is on the other, and back.
    let t = clamped((ab * s + bc) / bb);
    let s = clamped((ab * t - ac) / aa);
    let apart = (between - other * t) - one * -s;
    let slack = aa.max(bb).sqrt() * N::splat(PARALLEL);
    (apart.squared(), slack)
}

/// Square of the greatest difference between displacements of the two simplices: no points of them
/// differ more.
#[inline(always)]
fn greatest_difference<N: Number>(kind: Kind, [a, b, c, d]: [Vector3<N>; 4]) -> N {
    match kind {
        Kind::PointTriangle => (a - b)
            .squared()
            .max((a - c).squared())
            .max((a - d).squared()),
        Kind::EdgeEdge => {
            let of_first = (a - c).squared().max((a - d).squared());
            of_first.max((b - c).squared()).max((b - d).squared())
        }
    }
}

/// As in [`Trajectories::impact`](crate::contacts::ccd::Trajectories::impact): displacements from their mean, the longest of
/// each simplex.
#[inline(always)]
fn greatest_approach<N: Number>(kind: Kind, [a, b, c, d]: [Vector3<N>; 4]) -> N {
    let mean = (a + b + c + d) * N::splat(0.25);
    let [a, b, c, d] = [
        (a - mean).squared(),
        (b - mean).squared(),
        (c - mean).squared(),
        (d - mean).squared(),
    ];
    match kind {
        Kind::PointTriangle => a.sqrt() + b.max(c).max(d).sqrt(),
        Kind::EdgeEdge => a.max(b).sqrt() + c.max(d).sqrt(),
    }
}
