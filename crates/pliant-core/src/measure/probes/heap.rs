//! The flank of a heap as a profile of heights over radii.

use super::{Axis, Selection};
use crate::world::World;

/// Rings are this many spacings wide: narrower ones catch gaps between grains.
const RING_WIDTH: f64 = 1.5;

/// Heights between these shares of the way from the edge to the summit belong to the flank: below
/// lies the thin front, above the rounded summit.
const FLANK: std::ops::Range<f64> = 0.15..0.85;

/// Slope of the flank [rad], 0 without a heap: a straight line fitted to the greatest heights in rings.
pub fn slope(world: &World, selection: Selection, axis: Axis) -> f64 {
    let rings = rings(world, selection, axis);
    let points = flank(&rings);
    libm::atan(fitted_descent(&points))
}

/// The rings of the flank. It begins at the highest ring, which surrounds the crater if a jet has made
/// one, and counts from the lowest: a heap between walls has its edge above its base.
fn flank(rings: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let summit = rings.iter().map(|r| r.1).fold(f64::NEG_INFINITY, f64::max);
    let inside = rings.iter().take_while(|&&(_, height)| height < summit);
    let outside = &rings[inside.count()..];
    let edge = outside.iter().map(|r| r.1).fold(f64::INFINITY, f64::min);
    let share = |height: f64| (height - edge) / (summit - edge);
    let is_flank = |&&(_, height): &&(f64, f64)| FLANK.contains(&share(height));
    outside.iter().filter(is_flank).copied().collect()
}

/// (middle radius, greatest height) of each ring that holds particles [m].
fn rings(world: &World, selection: Selection, axis: Axis) -> Vec<(f64, f64)> {
    let p = &world.state.particles;
    let places = selection.particles(world);
    let width = places
        .iter()
        .map(|&i| 2.0 * f64::from(p.radius[i]))
        .fold(0.0, f64::max)
        * RING_WIDTH;
    let mut heights: Vec<Option<f64>> = Vec::new();
    for i in places {
        // A particle far from the axis belongs to no heap and must not ask for endless rings.
        let ring = (axis.radius(p.position[i]) / width) as usize;
        if ring > p.len() {
            continue;
        }
        if ring >= heights.len() {
            heights.resize(ring + 1, None);
        }
        let top = axis.height(p.position[i]) + f64::from(p.radius[i]);
        heights[ring] = Some(heights[ring].map_or(top, |h: f64| h.max(top)));
    }
    let middle = |k: usize| (k as f64 + 0.5) * width;
    let rings = heights.into_iter().enumerate();
    rings
        .filter_map(|(k, height)| Some((middle(k), height?)))
        .collect()
}

/// How steeply the least-squares line through points falls; 0 for fewer than two.
fn fitted_descent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (y - p.1)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_between_walls_has_the_slope_of_its_top() {
        // A cone of slope 0.2 that stands on a cylinder of height 2.
        let rings: Vec<_> = (0..10)
            .map(|k| (f64::from(k), 4.0 - 0.2 * f64::from(k)))
            .collect();
        let points = flank(&rings);
        assert!(points.len() >= 6, "{points:?}");
        assert!((fitted_descent(&points) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_crater_is_no_flank() {
        // Falls by 0.3 to both sides of the ridge at 3.
        let rings: Vec<_> = (0..10)
            .map(|k| (f64::from(k), 4.0 - 0.3 * (f64::from(k) - 3.0).abs()))
            .collect();
        assert!((fitted_descent(&flank(&rings)) - 0.3).abs() < 1e-12);
        assert!(flank(&[]).is_empty());
    }

    #[test]
    fn a_straight_flank_has_its_slope() {
        let points: Vec<_> = (0..5)
            .map(|k| (f64::from(k), 3.0 - 0.5 * f64::from(k)))
            .collect();
        assert!((fitted_descent(&points) - 0.5).abs() < 1e-12);
        assert_eq!(fitted_descent(&points[..1]), 0.0);
    }
}
