//! The flank of a heap as a profile of heights over radii.
//!
//! A surface of grains is rough, and a heap between walls has grains on the walls and may have a crater
//! at its top. So its height at a radius is the median over sectors all around, which single grains do
//! not move, and its slope the median over pairs of radii (Theil 1950, Sen 1968), which single radii do
//! not move.

use std::collections::BTreeMap;

use super::{Axis, Selection};
use crate::world::World;

/// Rings, and sectors in them, are this many spacings wide: narrower ones catch gaps between grains.
const RING_WIDTH: f64 = 1.5;

/// Radii between these shares of the greatest belong to the flank: inside lies the rounded summit,
/// outside the front, which is thin or leans on a wall. Which radii these are does not hang on heights.
const FLANK: std::ops::RangeInclusive<f64> = 0.4..=0.8;

/// Slope of the flank [rad], 0 without a heap.
pub fn slope(world: &World, selection: Selection, axis: Axis) -> f64 {
    let rings = rings(world, selection, axis);
    libm::atan(median_descent(&flank(&rings)))
}

/// The rings of the flank; it begins outside of the highest, which surrounds the crater if a jet has
/// made one.
fn flank(rings: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let summit = rings.iter().map(|r| r.1).fold(f64::NEG_INFINITY, f64::max);
    let inside = rings.iter().take_while(|&&(_, height)| height < summit);
    let outside = &rings[inside.count()..];
    let reach = rings.last().map_or(0.0, |&(radius, _)| radius);
    let is_flank = |&&(radius, _): &&(f64, f64)| FLANK.contains(&(radius / reach));
    outside.iter().filter(is_flank).copied().collect()
}

/// (middle radius, height of the surface) of each ring that has a surface [m].
fn rings(world: &World, selection: Selection, axis: Axis) -> Vec<(f64, f64)> {
    let p = &world.state.particles;
    let places = selection.particles(world);
    let widest = places.iter().map(|&i| 2.0 * f64::from(p.radius[i]));
    let width = widest.fold(0.0, f64::max) * RING_WIDTH;
    let mut tops: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for i in places {
        let x = p.position[i];
        let ring = (axis.radius(x) / width) as usize;
        let sector = (axis.turn(x) * sector_count(ring) as f64) as usize;
        let top = axis.height(x) + f64::from(p.radius[i]);
        let highest = tops.entry(ring).or_default().entry(sector);
        highest.and_modify(|h| *h = h.max(top)).or_insert(top);
    }
    let middle = |ring: usize| (ring as f64 + 0.5) * width;
    let rings = tops.into_iter();
    rings
        .filter_map(|(ring, tops)| {
            let tops: Vec<f64> = tops.into_values().collect();
            Some((middle(ring), surface(tops, sector_count(ring))?))
        })
        .collect()
}

/// Sectors of a ring about as long as it is wide.
fn sector_count(ring: usize) -> usize {
    (2.0 * std::f64::consts::PI * (ring as f64 + 0.5)).ceil() as usize
}

/// Median of the heights in all sectors, of which those without grains are lowest; `None` if it is one
/// of these.
fn surface(mut tops: Vec<f64>, sectors: usize) -> Option<f64> {
    tops.sort_unstable_by(|a, b| b.total_cmp(a));
    tops.get(sectors / 2).copied()
}

/// How steeply the line through points falls: the median over all pairs, 0 for fewer than two points.
fn median_descent(points: &[(f64, f64)]) -> f64 {
    let pairs = (0..points.len()).flat_map(|i| (0..i).map(move |j| (points[j], points[i])));
    let mut descents: Vec<f64> = pairs
        .map(|(inner, outer)| (inner.1 - outer.1) / (outer.0 - inner.0))
        .collect();
    descents.sort_unstable_by(f64::total_cmp);
    let middle = |k: usize| descents.get(k).copied().unwrap_or(0.0);
    let count = descents.len();
    0.5 * (middle(count / 2) + middle(count.saturating_sub(1) / 2))
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
        assert!(points.len() >= 4, "{points:?}");
        assert!((median_descent(&points) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_crater_is_no_flank() {
        // Falls by 0.3 to both sides of the ridge at 3.
        let rings: Vec<_> = (0..10)
            .map(|k| (f64::from(k), 4.0 - 0.3 * (f64::from(k) - 3.0).abs()))
            .collect();
        assert!((median_descent(&flank(&rings)) - 0.3).abs() < 1e-12);
        assert!(flank(&[]).is_empty());
    }

    #[test]
    fn a_straight_flank_has_its_slope() {
        let points: Vec<_> = (0..5)
            .map(|k| (f64::from(k), 3.0 - 0.5 * f64::from(k)))
            .collect();
        assert!((median_descent(&points) - 0.5).abs() < 1e-12);
        assert_eq!(median_descent(&points[..1]), 0.0);
    }

    #[test]
    fn grains_on_a_wall_and_a_hole_move_a_slope_little() {
        let mut points: Vec<_> = (0..9)
            .map(|k| (f64::from(k), 9.0 - 0.6 * f64::from(k)))
            .collect();
        points[0].1 -= 1.0;
        points[8].1 += 2.0;
        assert!((median_descent(&points) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn the_surface_of_a_ring_is_that_of_most_of_its_sectors() {
        assert_eq!(surface(vec![1.0, 9.0, 1.1, 0.9, 1.2], 5), Some(1.1));
        assert_eq!(surface(vec![1.0, 9.0, 1.1], 5), Some(1.0));
        assert_eq!(surface(vec![9.0, 8.0], 5), None);
    }
}
