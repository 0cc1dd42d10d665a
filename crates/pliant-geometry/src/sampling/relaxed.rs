//! Samples in balance: every point is repelled by all others within the reach of a kernel until the
//! pushes on those inside cancel, in the manner of the particle packing of Colagrossi et al. 2012.
//!
//! A solid whose particles are the points of integration bears a uniform stress without moving where
//! the gradients of each particle's kernel add up to zero. Irregular samples leave forces inside, to
//! which the body gives way: it is too soft, by a tenth with Poisson-disk samples. The pushes are
//! steeper at short distances than the kernel's gradient, which pairs would form under.

use std::ops::Range;

use pliant_math::DVec3;

use super::neighbors::SortedPoints;
use super::wall::{Sample, Wall};
use crate::{Aabb, Loop, Shape, work};

/// Distance up to which points repel each other, in spacings: that of the neighbours of solids.
const REACH: f64 = 1.8;
/// Depth below the surface that the outermost points are pushed to, in spacings.
const DEPTH: f64 = 0.5;
/// Part of a push that a pass follows: as long as passes converge.
const SHARE: f64 = 0.06;
/// Part of the last step that points keep on moving by (the heavy-ball method).
const MOMENTUM: f64 = 0.85;
/// Longest step of a pass, in spacings.
const LONGEST_STEP: f64 = 0.2;
/// Passes. Young's modulus of a bar is 0.987 to 0.994 of what was given after 60, and no better after
/// 200.
const PASSES: usize = 60;
/// Lifts off the surface at the end: particles that begin nearer to it than their radius would be pushed
/// out of what the body lies on.
const LIFTS: usize = 4;
/// Points a piece of work.
const POINTS: usize = 4096;

/// The points in balance, sorted by place.
pub(super) fn relax(
    shape: &dyn Shape,
    bounds: Aabb,
    spacing: f64,
    points: Vec<DVec3>,
    run: Loop,
) -> Vec<DVec3> {
    let mut samples: Vec<Sample> = points.into_iter().map(Sample::new).collect();
    let wall = Wall {
        shape,
        depth: DEPTH * spacing,
    };
    let reach = REACH * spacing;
    for _ in 0..PASSES {
        let sorted = SortedPoints::new(samples, bounds.min, reach, run);
        let pushes = work::collect_chunks(run, sorted.points.len(), POINTS, |points| {
            let mut pushes = Vec::with_capacity(points.len());
            sorted.for_each(points, |i, rows| pushes.push(push(&sorted, i, rows, reach)));
            pushes
        })
        .concat();
        samples = sorted.points;
        work::for_chunks(run, &mut samples, POINTS, |first, samples| {
            for (sample, &push) in samples.iter_mut().zip(&pushes[first..]) {
                let step = sample.last_step * MOMENTUM + push * (SHARE * spacing);
                let before = sample.position;
                wall.advance(sample, step.clamp_length_max(LONGEST_STEP * spacing));
                sample.last_step = sample.position - before;
            }
        });
    }
    // Each lift is off one face; at an edge or a corner there are more.
    work::for_chunks(run, &mut samples, POINTS, |_, samples| {
        for sample in samples {
            (0..LIFTS).for_each(|_| wall.advance(sample, DVec3::ZERO));
        }
    });
    samples.into_iter().map(|sample| sample.position).collect()
}

/// The sum of the pushes on a point: (1 - q)^2 / q^2 each, q the distance over the reach.
fn push(sorted: &SortedPoints, i: usize, rows: &[Range<usize>; 9], reach: f64) -> DVec3 {
    let point = sorted.points[i].position;
    let mut sum = DVec3::ZERO;
    for row in rows {
        for (j, other) in row.clone().zip(&sorted.points[row.clone()]) {
            let offset = point - other.position;
            let square = offset.length_squared();
            if square < reach * reach && j != i {
                let distance = square.sqrt().max(1e-3 * reach);
                let excess = reach / distance - 1.0;
                sum += offset * (excess * excess / distance);
            }
        }
    }
    sum
}
