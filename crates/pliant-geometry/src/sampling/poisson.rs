//! Poisson-disk samples: points pushed apart until none are closer than these allow.

use std::ops::Range;

use pliant_math::DVec3;

use super::neighbors::SortedPoints;
use super::wall::{Sample, Wall};
use crate::{Aabb, Loop, Shape, work};

/// Least distance that is asked for, in spacings.
const LEAST_DISTANCE: f64 = 0.87;
/// Distance up to which points repel each other, in spacings: more than the least distance, so
/// that points also flow into holes.
const REACH: f64 = 1.0;
/// Depth below the surface that the outermost points are pushed to, in spacings.
const DEPTH: f64 = 0.5;
/// Passes after which that depth begins to shrink: narrow parts cannot hold their points at it.
const PASSES_AT_DEPTH: usize = 20;
/// Most passes.
const PASSES: usize = 60;
/// Points a piece of work.
const POINTS: usize = 4096;

/// The points moved apart, sorted by place. Every pass moves each point by half of every overlap
/// with its neighbours, all at once (projection in the manner of Jacobi), then off the surface.
pub(super) fn relax(
    shape: &dyn Shape,
    bounds: Aabb,
    spacing: f64,
    points: Vec<DVec3>,
    run: Loop,
) -> Vec<DVec3> {
    let mut samples: Vec<Sample> = points.into_iter().map(Sample::new).collect();
    for pass in 0..PASSES {
        let sorted = SortedPoints::new(samples, bounds.min, REACH * spacing, run);
        let (moves, least) = push_apart(&sorted, REACH * spacing, run);
        samples = sorted.points;
        if least >= LEAST_DISTANCE * spacing {
            break;
        }
        let late = pass.saturating_sub(PASSES_AT_DEPTH) as f64;
        let wall = Wall {
            shape,
            depth: DEPTH * spacing * (1.0 - late / (PASSES - PASSES_AT_DEPTH) as f64),
        };
        work::for_chunks(run, &mut samples, POINTS, |first, samples| {
            for (sample, step) in samples.iter_mut().zip(&moves[first..]) {
                wall.advance(sample, step.clamp_length_max(0.5 * spacing));
            }
        });
    }
    samples.into_iter().map(|sample| sample.position).collect()
}

/// How each point moves, and the least distance of two.
fn push_apart(sorted: &SortedPoints, reach: f64, run: Loop) -> (Vec<DVec3>, f64) {
    let parts = work::collect_chunks(run, sorted.points.len(), POINTS, |points| {
        let mut least = f64::INFINITY;
        let mut moves = Vec::with_capacity(points.len());
        sorted.for_each(points, |i, rows| {
            let (step, distance) = push(sorted, i, rows, reach);
            moves.push(step);
            least = least.min(distance);
        });
        (moves, least)
    });
    let least = parts
        .iter()
        .map(|part| part.1)
        .fold(f64::INFINITY, f64::min);
    let moves = parts.into_iter().flat_map(|part| part.0).collect();
    (moves, least)
}

/// How one point moves, and its distance to the nearest other.
fn push(sorted: &SortedPoints, i: usize, rows: &[Range<usize>; 9], reach: f64) -> (DVec3, f64) {
    let point = sorted.points[i].position;
    let (mut sum, mut nearest) = (DVec3::ZERO, f64::INFINITY);
    for row in rows {
        for (j, other) in row.clone().zip(&sorted.points[row.clone()]) {
            let offset = point - other.position;
            let square = offset.length_squared();
            if square < reach * reach && j != i {
                let distance = square.sqrt();
                nearest = nearest.min(distance);
                sum += offset * (0.5 * (reach - distance) / distance.max(1e-12 * reach));
            }
        }
    }
    (sum, nearest)
}
