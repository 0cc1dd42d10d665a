//! Winding numbers at grid nodes, counted along grid lines.
//!
//! Every line of nodes along x is cut by the triangles; going towards positive x, a triangle that
//! faces that way is an exit and counts one, one that faces back counts minus one. The winding
//! number of a point is the sum of the cuts beyond it. Whether a line meets a triangle is decided
//! exactly, with lines through edges and corners moved aside by a symbolic epsilon in y and by its
//! square in z, so that each line meets a closed surface consistently.

use pliant_math::DVec3;
use robust::{Coord, orient2d};

use crate::{Loop, TriangleMesh, work};

/// Triangles a piece of work.
const TRIANGLES: usize = 512;

/// The cuts of all grid lines along x.
pub(super) struct Windings {
    /// Index of the first cut of each line, and the number of cuts at the end.
    starts: Vec<u32>,
    /// Where on the line, and what it counts, by line and place.
    cuts: Vec<(f64, i8)>,
    lines_along_y: usize,
    /// Cuts closer than this may be in the wrong order [m].
    rounding: f64,
}

/// The lines: `origin + cell * (_, j, k)` for j and k below `counts`.
pub(super) struct Lines {
    pub(super) origin: DVec3,
    pub(super) cell: f64,
    pub(super) counts: [usize; 2],
}

impl Windings {
    pub(super) fn new(mesh: &TriangleMesh, lines: &Lines, run: Loop) -> Self {
        let parts = work::collect_chunks(run, mesh.triangles.len(), TRIANGLES, |triangles| {
            let mut found = Vec::new();
            for triangle in triangles {
                cut_lines(mesh.corners(triangle), lines, &mut found);
            }
            found
        });
        let mut found: Vec<(u32, f64, i8)> = parts.concat();
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let line_count = lines.counts[0] * lines.counts[1];
        let mut starts = vec![0u32; line_count + 1];
        for (line, _, _) in &found {
            starts[*line as usize + 1] += 1;
        }
        for i in 0..line_count {
            starts[i + 1] += starts[i];
        }
        Self {
            starts,
            cuts: found.into_iter().map(|(_, x, count)| (x, count)).collect(),
            lines_along_y: lines.counts[0],
            rounding: 1e-6 * lines.cell,
        }
    }

    /// The winding number at place `x` on the line (j, k).
    pub(super) fn at(&self, x: f64, [j, k]: [usize; 2]) -> i32 {
        let beyond = |cut: &&(f64, i8)| cut.0 > x;
        let cuts = self.line(k * self.lines_along_y + j).iter().filter(beyond);
        cuts.map(|cut| i32::from(cut.1)).sum()
    }

    /// True if every winding number is 0 or 1: no shells cross, overlap or lie inside out.
    pub(super) fn is_simple(&self) -> bool {
        self.are_all(|winding| winding == 0 || winding == 1)
    }

    /// True if no winding number is negative: no shell lies inside out.
    pub(super) fn faces_outwards(&self) -> bool {
        self.are_all(|winding| winding >= 0)
    }

    fn are_all(&self, accepts: impl Fn(i32) -> bool) -> bool {
        (0..self.starts.len() - 1).all(|line| {
            let mut winding = 0;
            self.line(line).windows(2).rev().all(|pair| {
                winding += i32::from(pair[1].1);
                let is_gap = pair[1].0 - pair[0].0 > self.rounding;
                !is_gap || accepts(winding)
            })
        })
    }

    fn line(&self, line: usize) -> &[(f64, i8)] {
        &self.cuts[self.starts[line] as usize..self.starts[line + 1] as usize]
    }
}

fn cut_lines(corners: [DVec3; 3], lines: &Lines, found: &mut Vec<(u32, f64, i8)>) {
    let range = |axis: usize| {
        let places = corners.map(|p| (p[axis] - lines.origin[axis]) / lines.cell);
        let low = places.iter().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let last = lines.counts[axis - 1] - 1;
        (low.floor().max(0.0) as usize)..=(high.ceil().max(0.0) as usize).min(last)
    };
    for k in range(2) {
        for j in range(1) {
            let y = lines.origin.y + lines.cell * j as f64;
            let z = lines.origin.z + lines.cell * k as f64;
            if let Some((x, count)) = cut(corners, Coord { x: y, y: z }) {
                found.push(((k * lines.counts[0] + j) as u32, x, count));
            }
        }
    }
}

/// Where the line through (y, z) = `at` along x meets a triangle, and what that counts.
fn cut(corners: [DVec3; 3], at: Coord<f64>) -> Option<(f64, i8)> {
    let [a, b, c] = corners.map(|p| Coord { x: p.y, y: p.z });
    let first = side(b, c, at);
    let is_same = |s: f64| (s > 0.0) == (first > 0.0) && s != 0.0;
    let (second, third) = (side(c, a, at), side(a, b, at));
    if first == 0.0 || !is_same(second) || !is_same(third) {
        return None;
    }
    let weights = [orient2d(b, c, at), orient2d(c, a, at), orient2d(a, b, at)];
    let sum: f64 = weights.iter().sum();
    let parts = weights.iter().zip(corners).map(|(w, p)| w / sum * p.x);
    let x: f64 = parts.sum();
    let x = if x.is_finite() { x } else { corners[0].x };
    Some((x, if first > 0.0 { 1 } else { -1 }))
}

/// Which side of the line from `a` to `b` the moved point lies on: zero only if a = b.
fn side(a: Coord<f64>, b: Coord<f64>, at: Coord<f64>) -> f64 {
    let exact = orient2d(a, b, at);
    if exact != 0.0 {
        exact
    } else if a.y != b.y {
        a.y - b.y
    } else {
        b.x - a.x
    }
}
