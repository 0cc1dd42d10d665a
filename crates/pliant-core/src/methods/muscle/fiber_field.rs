//! How fibres run through a body at rest: along a direction, along a curve, around an axis, from one
//! end to another, or as given.

use pliant_math::{DMat3, DVec3};

use crate::rest::{RestCorrection, RestShape, weight};

/// Fibres at a point: a direction, and how far along the muscle that is, from 0 at its start to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiberPoint {
    /// Unit vector along the fibres.
    pub direction: DVec3,
    /// Part of the length of the muscle.
    pub share: f64,
}

/// Points that a piece of a curve between two of its points is made of.
const PIECES: usize = 16;

/// A smooth curve through points.
#[derive(Clone, Debug)]
pub struct Curve {
    points: Vec<DVec3>,
    /// Length up to each point [m].
    lengths: Vec<f64>,
}

impl Curve {
    /// A Catmull-Rom spline through at least two points [m], each another than the one before.
    pub fn through(points: &[DVec3]) -> Self {
        let last = points.len() - 1;
        let at = |k: isize| points[k.clamp(0, last as isize) as usize];
        let mut all = vec![points[0]];
        for k in 0..last as isize {
            let [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
            for piece in 1..=PIECES {
                let t = piece as f64 / PIECES as f64;
                let linear = (c - a) * t;
                let square = (a * 2.0 - b * 5.0 + c * 4.0 - d) * (t * t);
                let cube = (b * 3.0 - a - c * 3.0 + d) * (t * t * t);
                all.push(b + (linear + square + cube) * 0.5);
            }
        }
        let mut lengths = vec![0.0];
        for pair in all.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + pair[0].distance(pair[1]));
        }
        Self {
            points: all,
            lengths,
        }
    }

    /// Its length [m].
    pub fn length(&self) -> f64 {
        self.lengths[self.lengths.len() - 1]
    }

    /// Fibres at a point, as at the nearest of the curve.
    pub fn at(&self, x: DVec3) -> FiberPoint {
        let (mut nearest, mut found) = (f64::INFINITY, None);
        for (k, pair) in self.points.windows(2).enumerate() {
            let way = pair[1] - pair[0];
            let squared = way.length_squared();
            let t = ((x - pair[0]).dot(way) / squared.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            let distance = x.distance_squared(pair[0] + way * t);
            if distance < nearest && squared > 0.0 {
                nearest = distance;
                found = Some((way.normalize(), self.lengths[k] + t * squared.sqrt()));
            }
        }
        let (direction, length) = found.unwrap_or((DVec3::X, 0.0));
        FiberPoint {
            direction,
            share: length / self.length().max(f64::MIN_POSITIVE),
        }
    }
}

/// Along a direction, of any length above zero, through some points [m], at least one; and the length of the muscle
/// [m].
pub fn straight(direction: DVec3, points: &[DVec3]) -> (Vec<FiberPoint>, f64) {
    let direction = direction.normalize();
    let along = points.iter().map(|x| x.dot(direction));
    let low = along.clone().fold(f64::INFINITY, f64::min);
    let length = along.clone().fold(f64::NEG_INFINITY, f64::max) - low;
    let share = |s: f64| {
        if length > 0.0 {
            (s - low) / length
        } else {
            0.0
        }
    };
    let fibers = along.map(|s| FiberPoint {
        direction,
        share: share(s),
    });
    (fibers.collect(), length)
}

/// Along given directions, unit vectors whose signs do not matter, at some points [m], at least one; and the length of
/// the muscle [m] along the axis that most of them have in common.
pub fn as_given(directions: &[DVec3], points: &[DVec3]) -> (Vec<FiberPoint>, f64) {
    let axis = common_axis(directions);
    let (along, length) = straight(axis, points);
    let aligned = directions.iter().zip(along).map(|(&direction, along)| {
        let is_against = direction.dot(axis) < 0.0;
        FiberPoint {
            direction: if is_against { -direction } else { direction },
            ..along
        }
    });
    (aligned.collect(), length)
}

/// Fibres that wind around an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Helix {
    /// A point of the axis [m].
    pub point: DVec3,
    /// Along the axis, of any length above zero.
    pub axis: DVec3,
    /// From the circles around the axis towards it [radians], in [-pi/2, pi/2].
    pub pitch: f64,
}

impl Helix {
    /// Fibres at some points [m], at least one, whose shares count along the axis, and the length of the muscle [m]:
    /// of a turn, or of what its height leaves of one.
    pub fn at(&self, points: &[DVec3]) -> (Vec<FiberPoint>, f64) {
        let axis = self.axis.normalize();
        let (along, height) = straight(axis, points);
        let (sine, cosine) = (libm::sin(self.pitch), libm::cos(self.pitch));
        let mut radii = 0.0;
        let fibers = points.iter().zip(along).map(|(&x, along)| {
            let radius = (x - self.point).reject_from_normalized(axis);
            radii += radius.length();
            let around = axis
                .cross(radius)
                .normalize_or(axis.any_orthonormal_vector());
            FiberPoint {
                direction: around * cosine + axis * sine,
                ..along
            }
        });
        let fibers = fibers.collect();
        let turn = std::f64::consts::TAU * radii / points.len() as f64 / cosine.max(1e-9);
        (fibers, turn.min(height / sine.abs().max(1e-9)))
    }
}

/// Steps of the power iteration, of which each squares the matrix.
const SQUARINGS: usize = 12;

/// The axis that the squares of the components along it are greatest for, a unit vector.
fn common_axis(directions: &[DVec3]) -> DVec3 {
    let outer = |d: &DVec3| DMat3::from_cols(*d * d.x, *d * d.y, *d * d.z);
    let mut moment: DMat3 = directions.iter().map(outer).sum();
    for _ in 0..SQUARINGS {
        let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
        moment = (moment * (1.0 / trace)) * (moment * (1.0 / trace));
    }
    let columns = [moment.x_axis, moment.y_axis, moment.z_axis];
    let longest = columns
        .into_iter()
        .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    longest.unwrap_or(DVec3::X).normalize_or(DVec3::X)
}

/// Steps of conjugate gradients that a potential is solved with at most.
const MOST_STEPS: usize = 5000;
/// Residual over that at the start at which it is solved.
const TOLERANCE: f64 = 1e-9;

/// Along the gradient of a potential that is 0 at one end and 1 at the other and has no sources between them, for
/// each particle; `None` for those that no fibres reach. They go around what is in their way.
///
/// * `value` — of a particle that is in the muscle; `Some(Some(potential))` at ends, `Some(None)` between them
pub fn potential(
    shape: &RestShape,
    value: impl Fn(usize) -> Option<Option<f64>>,
) -> Vec<Option<FiberPoint>> {
    let values: Vec<_> = (0..shape.len()).map(value).collect();
    let start = values.iter().map(|v| v.flatten().unwrap_or(0.5));
    let potential = solved(shape, &values, start.collect());
    let point = |i: usize| {
        values[i]?;
        let gradient = gradient(shape, &values, &potential, i);
        (gradient.length() > 0.0).then(|| FiberPoint {
            direction: gradient.normalize(),
            share: potential[i].clamp(0.0, 1.0),
        })
    };
    (0..shape.len()).map(point).collect()
}

/// sum_j phi_ij (u_i - u_j) = 0 where the potential is free, by conjugate gradients.
fn solved(shape: &RestShape, values: &[Option<Option<f64>>], mut u: Vec<f64>) -> Vec<f64> {
    let is_free = |i: usize| values[i] == Some(None);
    let laplacian = |u: &[f64], i: usize| {
        if !is_free(i) {
            return 0.0;
        }
        let near = shape.neighbors_of(i).iter().map(|&j| j as usize);
        let near = near.filter(|&j| values[j].is_some());
        let x = shape.position[i];
        near.map(|j| weight(shape.position[j] - x, shape.support_radius) * (u[i] - u[j]))
            .sum()
    };
    let of_all = |u: &[f64]| -> Vec<f64> { (0..u.len()).map(|i| laplacian(u, i)).collect() };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut residual: Vec<f64> = of_all(&u).iter().map(|r| -r).collect();
    let mut direction = residual.clone();
    let mut rest = dot(&residual, &residual);
    let target = TOLERANCE * TOLERANCE * rest;
    for _ in 0..MOST_STEPS {
        if rest <= target {
            break;
        }
        let product = of_all(&direction);
        let resisted = dot(&direction, &product);
        if resisted <= 0.0 {
            break;
        }
        let step = rest / resisted;
        for i in 0..u.len() {
            u[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        let next = dot(&residual, &residual);
        for i in 0..u.len() {
            direction[i] = residual[i] + next / rest * direction[i];
        }
        rest = next;
    }
    u
}

fn gradient(
    shape: &RestShape,
    values: &[Option<Option<f64>>],
    potential: &[f64],
    particle: usize,
) -> DVec3 {
    let x = shape.position[particle];
    let (mut moment, mut sum) = (DMat3::ZERO, DVec3::ZERO);
    for &other in shape.neighbors_of(particle) {
        let other = other as usize;
        if values[other].is_none() {
            continue;
        }
        let offset = shape.position[other] - x;
        let g = offset * weight(offset, shape.support_radius);
        moment += DMat3::from_cols(offset * g.x, offset * g.y, offset * g.z);
        sum += g * (potential[other] - potential[particle]);
    }
    let correction = RestCorrection::of_moment(moment);
    match correction.rank {
        0 => sum,
        _ => correction.inverse * sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_through_points_of_a_circle_is_about_one() {
        let at = |k: u32| {
            let angle = f64::from(k) * 0.3;
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let curve = Curve::through(&(0..8).map(at).collect::<Vec<_>>());
        assert!((curve.length() / 2.1 - 1.0).abs() < 2e-3);
        let middle = curve.at(at(3) * 1.3);
        assert!((middle.share - 3.0 / 7.0).abs() < 1e-3);
        let tangent = DVec3::Z.cross(at(3));
        assert!(middle.direction.dot(tangent) > 0.999);
    }

    #[test]
    fn the_potential_between_the_ends_of_a_bar_is_linear() {
        let at = |k: u32| DVec3::new((k % 3).into(), (k / 3 % 3).into(), (k / 9).into());
        let shape = RestShape::new((0..90).map(at).collect(), 1.8);
        let fibers = potential(&shape, |i| {
            Some(match shape.position[i].z {
                0.0 => Some(0.0),
                9.0 => Some(1.0),
                _ => None,
            })
        });
        for (x, fiber) in shape.position.iter().zip(fibers) {
            let fiber = fiber.expect("fibres everywhere");
            assert!((fiber.share - x.z / 9.0).abs() < 1e-6, "{x} {fiber:?}");
            assert!(fiber.direction.distance(DVec3::Z) < 1e-6, "{fiber:?}");
        }
    }

    #[test]
    fn a_helix_winds_around_its_axis_at_its_pitch() {
        let helix = Helix {
            point: DVec3::new(1.0, 0.0, 2.0),
            axis: DVec3::Y * 3.0,
            pitch: 0.5,
        };
        let at = |k: u32| {
            let angle = f64::from(k) * 0.3;
            helix.point + DVec3::new(2.0 * angle.cos(), 0.1 * f64::from(k), 2.0 * angle.sin())
        };
        let points: Vec<DVec3> = (0..41).map(at).collect();
        let (fibers, length) = helix.at(&points);
        for (x, fiber) in points.iter().zip(&fibers) {
            let radius = (*x - helix.point).with_y(0.0);
            assert!(fiber.direction.dot(radius).abs() < 1e-12 && fiber.direction.is_normalized());
            assert!((fiber.direction.y - 0.5_f64.sin()).abs() < 1e-12);
            assert!((fiber.share - x.y / 4.0).abs() < 1e-9);
        }
        assert!((length - 4.0 / 0.5_f64.sin()).abs() < 1e-9, "{length}");
        let [circle] = [Helix {
            pitch: 0.0,
            ..helix
        }
        .at(&points)
        .1];
        assert!((circle - 4.0 * std::f64::consts::PI).abs() < 1e-9);
    }

    #[test]
    fn given_directions_are_aligned_with_what_they_have_in_common() {
        let axis = DVec3::new(2.0, -1.0, 0.5).normalize();
        let side = axis.any_orthonormal_vector();
        let sign = |k: i32| f64::from(1 - 2 * (k % 2));
        let directions: Vec<DVec3> = (0..40)
            .map(|k| (axis + side * (0.3 * sign(k / 2))).normalize() * sign(k))
            .collect();
        let points: Vec<DVec3> = (0..40).map(|k| axis * (0.1 * f64::from(k))).collect();
        let (fibers, length) = as_given(&directions, &points);
        assert!((length - 3.9).abs() < 1e-6, "{length}");
        let sense = fibers[0].direction.dot(axis).signum();
        for (k, (fiber, given)) in (0..).zip(fibers.iter().zip(&directions)) {
            assert!(fiber.direction.dot(axis) * sense > 0.9);
            assert!((fiber.direction.dot(*given).abs() - 1.0).abs() < 1e-12);
            let share = f64::from(k) / 39.0;
            let expected = if sense > 0.0 { share } else { 1.0 - share };
            let is_same = (fiber.share - expected).abs() < 1e-6;
            assert!(is_same || (fiber.share - 1.0 + expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_direction_has_its_length_between_the_farthest_points() {
        let points = [DVec3::ZERO, DVec3::X * 2.0, DVec3::X * 0.5 + DVec3::Y];
        let (fibers, length) = straight(DVec3::X * 7.0, &points);
        assert_eq!(length, 2.0);
        let shares = fibers.iter().map(|fiber| fiber.share);
        assert_eq!(shares.collect::<Vec<_>>(), [0.0, 1.0, 0.25]);
    }
}
