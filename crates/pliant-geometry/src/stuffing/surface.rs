//! Where the surface crosses the edges of the lattice, and lattice points that move onto it.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use super::lattice::Lattice;
use crate::Shape;

/// A cut point nearer to a lattice point than this part of its edge takes the point with it, for long and short
/// edges: the values for which Labelle and Shewchuk 2007 (sec. 4.3) prove their bounds on angles.
const ALPHA_LONG: f64 = 0.24999;
const ALPHA_SHORT: f64 = 0.41189;

/// The lattice, fitted to the surface.
pub(super) struct Crossed {
    /// Lattice points and, after them, cut points [m].
    pub(super) points: Vec<DVec3>,
    /// 1 for lattice points inside, 0 on the surface, -1 outside.
    pub(super) signs: Vec<i8>,
    /// The cut points of edges from inside to outside.
    pub(super) cuts: FxHashMap<[u32; 2], u32>,
}

/// A cut point.
struct Crossing {
    ends: [u32; 2],
    /// Where, as a part of the edge from its first end on.
    share: f64,
    is_long: bool,
}

/// An edge by its ends, the lesser first.
pub(super) fn edge(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Finds cut points and moves lattice points that they are too near to.
pub(super) fn crossed<S: Shape + ?Sized>(shape: &S, lattice: &Lattice) -> Crossed {
    let mut points = lattice.points();
    let distances: Vec<f64> = points.iter().map(|&x| shape.signed_distance(x)).collect();
    let mut signs: Vec<i8> = distances.iter().map(|&d| sign(d)).collect();
    let mut crossings = Vec::new();
    lattice.for_edges(|ends, is_long| {
        let [a, b] = ends.map(|v| v as usize);
        if signs[a] * signs[b] < 0 {
            let share = root(shape, [points[a], points[b]], [distances[a], distances[b]]);
            crossings.push(Crossing {
                ends,
                share,
                is_long,
            });
        }
    });
    move_points(&crossings, &mut points, &mut signs);
    let mut cuts = FxHashMap::default();
    for crossing in &crossings {
        let [a, b] = crossing.ends.map(|v| v as usize);
        if signs[a] * signs[b] < 0 {
            cuts.insert(crossing.ends, points.len() as u32);
            points.push(points[a].lerp(points[b], crossing.share));
        }
    }
    Crossed {
        points,
        signs,
        cuts,
    }
}

/// 1 inside, -1 outside. What is no number is outside.
fn sign(distance: f64) -> i8 {
    if distance < 0.0 {
        1
    } else if distance == 0.0 {
        0
    } else {
        -1
    }
}

/// Where the distance is zero between two points, as a part of the way from the first to the second: regula falsi with
/// halved values (Illinois) on distances of opposite signs.
fn root<S: Shape + ?Sized>(shape: &S, ends: [DVec3; 2], distances: [f64; 2]) -> f64 {
    /// Far below a spacing, at the cost of a few evaluations.
    const ACCURACY: f64 = 1e-7;
    const STEPS: usize = 30;
    let ([mut low, mut high], [mut f_low, mut f_high]) = ([0.0, 1.0], distances);
    let length = ends[0].distance(ends[1]);
    let mut share = 0.5;
    for _ in 0..STEPS {
        share = (low * f_high - high * f_low) / (f_high - f_low);
        let f = shape.signed_distance(ends[0].lerp(ends[1], share));
        if f.abs() <= ACCURACY * length {
            break;
        }
        if (f < 0.0) == (f_high < 0.0) {
            (high, f_high) = (share, f);
            f_low *= 0.5;
        } else {
            (low, f_low) = (share, f);
            f_high *= 0.5;
        }
    }
    share
}

/// Moves each lattice point with a cut point too near to the nearest of these, in the order of the points. Its edges
/// have no cut points from then on.
fn move_points(crossings: &[Crossing], points: &mut [DVec3], signs: &mut [i8]) {
    let mut by_point: Vec<(u32, usize, usize)> = Vec::new();
    for (number, crossing) in crossings.iter().enumerate() {
        let of_end = |end: usize| (crossing.ends[end], number, end);
        by_point.extend([of_end(0), of_end(1)]);
    }
    by_point.sort_unstable();
    for around in by_point.chunk_by(|a, b| a.0 == b.0) {
        let mut nearest: Option<(f64, DVec3)> = None;
        for &(_, number, end) in around {
            let crossing = &crossings[number];
            let [a, b] = crossing.ends.map(|v| v as usize);
            let share = [crossing.share, 1.0 - crossing.share][end];
            let alpha = if crossing.is_long {
                ALPHA_LONG
            } else {
                ALPHA_SHORT
            };
            if signs[a] * signs[b] == 0 || share >= alpha {
                continue;
            }
            // Both ends are where the lattice has them, since neither is on the surface.
            let cut = points[a].lerp(points[b], crossing.share);
            let distance = cut.distance(points[around[0].0 as usize]);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, cut));
            }
        }
        if let Some((_, cut)) = nearest {
            let point = around[0].0 as usize;
            points[point] = cut;
            signs[point] = 0;
        }
    }
}
