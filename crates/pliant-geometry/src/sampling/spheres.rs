//! A packing of spheres inside a shape: what granules start from, whose spheres push each other and all walls away.

use pliant_math::DVec3;

use super::estimate_count;
use super::walk::{Place, Walk};
use crate::{Aabb, Shape};

/// Distances of neighbours that are tried, from those of the packing whose number is volume / spacing^3 to those of
/// spheres that touch.
const DISTANCES: usize = 7;

/// A count this close to volume / spacing^3, as a fraction of it, needs no better fit.
const CLOSE_ENOUGH: f64 = 0.02;

/// Part of the spacing by which rounding may let a sphere out.
const TOLERANCE: f64 = 1e-9;

/// The centres of spheres of a spacing's diameter that neither overlap nor leave the shape; empty if none fits.
///
/// Hexagonal closest packing with layers across y, stretched along each axis until its outermost spheres touch the
/// bounds. As they stay inside, fewer fit than points would: neighbours come closer, until they touch.
pub(super) fn fill(shape: &dyn Shape, bounds: Aabb, spacing: f64) -> Vec<DVec3> {
    let target = estimate_count(shape, spacing);
    let miss = |points: &Vec<DVec3>| (points.len() as f64 - target).abs() / target;
    let widest = libm::cbrt(2f64.sqrt());
    let mut best = Vec::new();
    for k in 0..DISTANCES {
        let share = k as f64 / (DISTANCES - 1) as f64;
        let distance = spacing * (widest + share * (1.0 - widest));
        let points = packing(shape, bounds, (spacing, distance));
        if !points.is_empty() && (best.is_empty() || miss(&points) < miss(&best)) {
            best = points;
        }
        if miss(&best) < CLOSE_ENOUGH {
            break;
        }
    }
    best
}

/// The packing whose neighbours are at least so far apart.
fn packing(shape: &dyn Shape, bounds: Aabb, (diameter, distance): (f64, f64)) -> Vec<DVec3> {
    // Every other row is moved by half a step along x, every other layer also by a third of one along z.
    let moved = DVec3::new(0.5, 0.0, 1.0 / 3.0);
    let least = DVec3::new(1.0, (2.0f64 / 3.0).sqrt(), 0.5 * 3f64.sqrt()) * distance;
    let room = (bounds.extent() - DVec3::splat(diameter)).max(DVec3::ZERO);
    let fitting = (room / least - moved + DVec3::splat(TOLERANCE)).floor();
    let gaps = fitting.max(DVec3::ZERO);
    let steps = (room / (gaps + moved)).max(least);
    let first = bounds.center() - 0.5 * steps * gaps;
    let position = |index: [usize; 3]| {
        let [_, layer, row] = index;
        let side = |number: usize| if number % 2 == 1 { 0.5 } else { -0.5 };
        let shift = moved * DVec3::new(side(row + layer), 0.0, side(layer));
        first + steps * (DVec3::from(index.map(|i| i as f64)) + shift)
    };
    let inset = diameter * (0.5 - TOLERANCE);
    let walk = Walk {
        shape,
        counts: gaps.to_array().map(|gaps| gaps as usize + 1),
        position: &position,
        slack: steps.max_element() + inset,
    };
    let mut points = Vec::new();
    walk.visit(&mut |index, place| {
        let point = position(index);
        if place == Place::Inside || shape.signed_distance(point) <= -inset {
            points.push(point);
        }
    });
    points
}
