//! Cubic and hexagonal lattices inside a shape.

use pliant_math::{DVec3, RandomStream};

use super::estimate_count;
use super::walk::{Place, Walk};
use crate::{Aabb, Shape};

/// A count this close to volume / spacing^3, as a fraction of it, needs no better fit.
const CLOSE_ENOUGH: f64 = 0.02;

/// A lattice of points at `steps` times whole numbers from a first point, moved by `shift`.
pub(super) struct Lattice {
    /// Distances of lattice points along x, y, z [m].
    steps: DVec3,
    /// Additional displacement of a lattice point [m].
    shift: fn([usize; 3], DVec3) -> DVec3,
    /// The greatest length of a shift [m].
    slack: f64,
}

impl Lattice {
    /// A cubic lattice.
    pub(super) fn grid(spacing: f64) -> Self {
        Self {
            steps: DVec3::splat(spacing),
            shift: |_, _| DVec3::ZERO,
            slack: 1e-9 * spacing,
        }
    }

    /// Hexagonal closest packing with layers across y: neighbours a = 2^(1/6) spacings apart, rows
    /// a sqrt(3)/2 and layers a sqrt(2/3) apart. Every other row is moved by a/2 along x, every
    /// other layer also by a third of a row along z.
    pub(super) fn hexagonal(spacing: f64) -> Self {
        let a = libm::cbrt(2f64.sqrt()) * spacing;
        Self {
            steps: DVec3::new(a, (2.0f64 / 3.0).sqrt() * a, 0.5 * 3f64.sqrt() * a),
            shift: |[_, layer, row], steps| {
                let side = |number: usize| if number % 2 == 1 { 1.0 } else { -1.0 };
                let along_x = 0.25 * side(row + layer);
                let along_z = side(layer) / 6.0;
                steps * DVec3::new(along_x, 0.0, along_z)
            },
            slack: 0.5 * a,
        }
    }

    /// The points inside a shape, each moved at random by up to `reach` [m] along each axis unless
    /// that takes it out.
    ///
    /// The lattice is centred in the bounds with about half a step between its outermost points and
    /// their faces. Where the bounds are no multiple of the steps, their number is rounded; if that
    /// misses the count by too much, the other ways to round are tried.
    pub(super) fn fill(
        &self,
        shape: &dyn Shape,
        bounds: Aabb,
        spacing: f64,
        reach: f64,
        random: RandomStream,
    ) -> Vec<DVec3> {
        let target = estimate_count(shape, spacing);
        let miss = |points: &Vec<DVec3>| (points.len() as f64 - target).abs() / target;
        let mut best = Vec::new();
        for counts in roundings(bounds.extent() / self.steps) {
            let points = self.inside(shape, bounds, counts);
            if best.is_empty() || miss(&points) < miss(&best) {
                best = points;
            }
            if miss(&best) < CLOSE_ENOUGH {
                break;
            }
        }
        if reach > 0.0 {
            jitter(shape, &mut best, reach, random);
        }
        best
    }

    fn inside(&self, shape: &dyn Shape, bounds: Aabb, counts: [usize; 3]) -> Vec<DVec3> {
        let vector = |index: [usize; 3]| DVec3::from(index.map(|i| i as f64));
        let first = bounds.center() - 0.5 * self.steps * (vector(counts) - DVec3::ONE);
        let position = |index: [usize; 3]| {
            first + self.steps * vector(index) + (self.shift)(index, self.steps)
        };
        let walk = Walk {
            shape,
            counts,
            position: &position,
            slack: 2.0 * self.slack,
        };
        let mut points = Vec::new();
        walk.visit(&mut |index, place| {
            let point = position(index);
            if place == Place::Inside || shape.signed_distance(point) < 0.0 {
                points.push(point);
            }
        });
        points
    }
}

/// Ways to round numbers of steps, the nearest first; the others keep the outermost points at
/// least an eighth of a step inside and at most seven eighths.
fn roundings(steps: DVec3) -> impl Iterator<Item = [usize; 3]> {
    let nearest = steps.round();
    let way = move |bits: u32| -> Option<[usize; 3]> {
        let mut counts = [0; 3];
        for axis in 0..3 {
            let other = if steps[axis] > nearest[axis] {
                1.0
            } else {
                -1.0
            };
            let is_other = bits >> axis & 1 == 1;
            let count = nearest[axis] + if is_other { other } else { 0.0 };
            if count < 1.0 || (count - steps[axis]).abs() > 0.75 {
                return None;
            }
            counts[axis] = count as usize;
        }
        Some(counts)
    };
    (0..8).filter_map(way)
}

fn jitter(shape: &dyn Shape, points: &mut [DVec3], reach: f64, random: RandomStream) {
    for (i, point) in points.iter_mut().enumerate() {
        let unit = |axis: u64| 2.0 * random.unit(3 * i as u64 + axis) - 1.0;
        let moved = *point + reach * DVec3::new(unit(0), unit(1), unit(2));
        if shape.signed_distance(moved) < 0.0 {
            *point = moved;
        }
    }
}
