//! Random points that irregular samples start from.
//!
//! One random point in every cell of a grid gives the right number without large holes or clumps;
//! the cells that the surface cuts are then filled up or thinned out to the exact number.

use pliant_math::{DVec3, RandomStream};

use super::walk::{Place, Walk};
use crate::{Aabb, Shape, sampling};

/// How often a cell at the surface is tried to find points that are missing.
const MOST_ROUNDS: u64 = 64;

/// Points inside a shape: round(volume / spacing^3) of them.
pub(super) fn sample(
    shape: &dyn Shape,
    bounds: Aabb,
    spacing: f64,
    random: RandomStream,
) -> Vec<DVec3> {
    let target = sampling::estimate_count(shape, spacing).round() as usize;
    let mut start = Start::new(shape, bounds, spacing, random);
    start.thin_out(target);
    start.fill_up(target);
    let mut points = start.inner;
    points.extend(start.rim.into_iter().map(|(_, point)| point));
    points
}

/// Stratified random points.
struct Start<'a> {
    shape: &'a dyn Shape,
    random: RandomStream,
    spacing: f64,
    /// Points in cells that are whole inside.
    inner: Vec<DVec3>,
    /// Points in cells that the surface may cut, with their keys.
    rim: Vec<(u64, DVec3)>,
    /// Key and least corner of the cells that the surface may cut.
    rim_cells: Vec<(u64, DVec3)>,
}

impl<'a> Start<'a> {
    fn new(shape: &'a dyn Shape, bounds: Aabb, spacing: f64, random: RandomStream) -> Self {
        let counts = (bounds.extent() / spacing).ceil();
        let low = bounds.center() - 0.5 * spacing * counts;
        let corner = |index: [usize; 3]| low + spacing * DVec3::from(index.map(|i| i as f64));
        let middle = |index: [usize; 3]| corner(index) + DVec3::splat(0.5 * spacing);
        let mut start = Self {
            shape,
            random,
            spacing,
            inner: Vec::new(),
            rim: Vec::new(),
            rim_cells: Vec::new(),
        };
        let walk = Walk {
            shape,
            counts: counts.to_array().map(|n| n as usize),
            position: &middle,
            slack: 0.5 * 3f64.sqrt() * spacing,
        };
        let mut cells = 0;
        walk.visit(&mut |index, place| {
            let (key, corner) = (cells, corner(index));
            cells += 1;
            let point = start.draw(key, 0, corner);
            if place == Place::Inside {
                start.inner.push(point);
                return;
            }
            start.rim_cells.push((key, corner));
            if shape.signed_distance(point) < 0.0 {
                start.rim.push((key, point));
            }
        });
        start
    }

    /// The point that a cell's draw number `round` gives.
    fn draw(&self, cell: u64, round: u64, corner: DVec3) -> DVec3 {
        let first = 3 * (cell * MOST_ROUNDS + round);
        let unit = |axis: u64| self.random.unit(first + axis);
        corner + self.spacing * DVec3::new(unit(0), unit(1), unit(2))
    }

    /// Takes out points at the surface, chosen at random, until at most `target` are left.
    fn thin_out(&mut self, target: usize) {
        let surplus = (self.inner.len() + self.rim.len()).saturating_sub(target);
        let random = self.random;
        self.rim.sort_by_key(|(key, _)| random.bits(*key));
        self.rim.drain(..surplus.min(self.rim.len()));
    }

    /// Adds points at the surface, in cells chosen at random, until there are `target`.
    fn fill_up(&mut self, target: usize) {
        let random = self.random;
        let mut cells = self.rim_cells.clone();
        cells.sort_by_key(|(key, _)| random.bits(*key));
        for round in 1..MOST_ROUNDS {
            for &(key, corner) in &cells {
                if self.inner.len() + self.rim.len() >= target {
                    return;
                }
                let point = self.draw(key, round, corner);
                if self.shape.signed_distance(point) < 0.0 {
                    self.rim.push((key, point));
                }
            }
        }
    }
}
