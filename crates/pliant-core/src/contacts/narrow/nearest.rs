//! Nearest points of a point and a triangle, and of two segments.

use pliant_math::DVec3;

/// Nearest points of two simplices of four corners together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Weights of the four corners: those of the first simplex sum to 1, those of the second to -1, so
    /// that the sum over the corners is the difference of the nearest points.
    pub weights: [f64; 4],
    /// From the nearest point of the second to that of the first [m].
    pub between: DVec3,
}

impl Nearest {
    fn new(weights: [f64; 4], corners: &[DVec3; 4]) -> Self {
        let terms = weights.iter().zip(corners);
        Self {
            weights,
            between: terms.map(|(&w, &x)| x * w).sum(),
        }
    }
}

/// Of a point and a triangle (Ericson 2004, sec. 5.1.5): corners are the point and those of the triangle.
pub fn point_triangle(corners: &[DVec3; 4]) -> Nearest {
    let [p, a, b, c] = *corners;
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let of = |wa: f64, wb: f64, wc: f64| Nearest::new([1.0, -wa, -wb, -wc], corners);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return of(1.0, 0.0, 0.0);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return of(0.0, 1.0, 0.0);
    }
    let vc = d1 * d4 - d3 * d2;
    // Corners in one place make a side without a length, on which nothing is nearest.
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        let t = d1 / (d1 - d3);
        return of(1.0 - t, t, 0.0);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return of(0.0, 0.0, 1.0);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        let t = d2 / (d2 - d6);
        return of(1.0 - t, 0.0, t);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return of(0.0, 1.0 - t, t);
    }
    let sum = va + vb + vc;
    // The square of twice the area: rounding alone puts a point inside of a triangle that has none.
    if sum <= PARALLEL * ab.length_squared() * ac.length_squared() {
        return of_sides(corners);
    }
    let (v, w) = (vb / sum, vc / sum);
    of(1.0 - v - w, v, w)
}

/// Of a point and the sides of a triangle.
#[cold]
fn of_sides(&[p, a, b, c]: &[DVec3; 4]) -> Nearest {
    let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| {
        let side = to - from;
        let square = side.length_squared();
        let along = if square > 0.0 {
            side.dot(p - from) / square
        } else {
            0.0
        };
        let along = along.clamp(0.0, 1.0);
        (along, (from + side * along - p).length_squared())
    });
    let nearest = (0..3).fold(
        0,
        |best, k| if sides[k].1 < sides[best].1 { k } else { best },
    );
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    weights[1 + nearest] -= 1.0 - sides[nearest].0;
    weights[1 + (nearest + 1) % 3] -= sides[nearest].0;
    Nearest::new(weights, &[p, a, b, c])
}

/// Of two segments (Ericson 2004, sec. 5.1.9): corners are the ends of the first and of the second.
pub fn segments(corners: &[DVec3; 4]) -> Nearest {
    let [a, b, c, d] = *corners;
    let (one, other, between) = (b - a, d - c, a - c);
    let (aa, bb) = (one.length_squared(), other.length_squared());
    let (ab, ac, bc) = (one.dot(other), one.dot(between), other.dot(between));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let divided = |x: f64, by: f64| if by > 0.0 { x / by } else { 0.0 };
    let determinant = aa * bb - ab * ab;
    let mut s = if determinant > PARALLEL * aa * bb {
        clamp((ab * bc - ac * bb) / determinant)
    } else {
        0.0
    };
    let mut t = divided(ab * s + bc, bb);
    if t < 0.0 {
        (s, t) = (clamp(divided(-ac, aa)), 0.0);
    } else if t > 1.0 {
        (s, t) = (clamp(divided(ab - ac, aa)), 1.0);
    }
    Nearest::new([1.0 - s, s, t - 1.0, -t], corners)
}

/// Segments, and sides of a triangle, whose directions have a sine with less than this square are parallel.
const PARALLEL: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    #[test]
    fn triangles_without_an_area_have_nearest_points_too() {
        for key in 0..200 {
            let [p, a, b, c] = corners(key);
            let between = a + (b - a) * 0.3;
            let beyond = a + (b - a) * 1.7;
            let flat = [
                [p, a, a, b],
                [p, a, b, a],
                [p, b, a, a],
                [p, a, b, between],
                [p, between, a, b],
                [p, a, b, beyond],
                [p, a, a, a],
                [a, a, a, a],
                [c, c, c, b],
            ];
            for corners in flat {
                let found = point_triangle(&corners);
                let inside = |u: f64, v: f64| {
                    let weights = [1.0, u + v - 1.0, -u, -v];
                    (u + v <= 1.0).then_some(weights)
                };
                let sampled = sampled(&corners, inside);
                let distance = found.between.length();
                assert!(distance <= sampled + 1e-12, "{key} {corners:?}");
                let [one, rest @ ..] = found.weights;
                assert!(one == 1.0 && rest.iter().all(|w| (-1.0 - 1e-9..=1e-9).contains(w)));
                assert!((rest.iter().sum::<f64>() + 1.0).abs() < 1e-9);
            }
        }
    }

    fn corners(key: u64) -> [DVec3; 4] {
        let random = RandomStream::new(11, key);
        let unit = |k: u64| 2.0 * random.unit(k) - 1.0;
        [0, 1, 2, 3].map(|k| DVec3::new(unit(3 * k), unit(3 * k + 1), unit(3 * k + 2)))
    }

    /// The least distance over a grid of weights.
    fn sampled(corners: &[DVec3; 4], weights: impl Fn(f64, f64) -> Option<[f64; 4]>) -> f64 {
        let steps = 60;
        let part = |k: i32| f64::from(k) / f64::from(steps);
        let pairs = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (part(i), part(j))));
        pairs
            .filter_map(|(u, v)| weights(u, v))
            .map(|w| Nearest::new(w, corners).between.length())
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_other_points_are_nearer() {
        for key in 0..300 {
            let corners = corners(key);
            let found = point_triangle(&corners).between.length();
            let best = sampled(&corners, |u, v| {
                (u + v <= 1.0 + 1e-12).then_some([1.0, u + v - 1.0, -u, -v])
            });
            assert!(
                found <= best + 1e-12 && found > best - 0.05,
                "{found} {best}"
            );
            let found = segments(&corners).between.length();
            let best = sampled(&corners, |u, v| Some([1.0 - u, u, v - 1.0, -v]));
            assert!(
                found <= best + 1e-12 && found > best - 0.05,
                "{found} {best}"
            );
        }
    }

    #[test]
    fn degenerate_simplices_have_nearest_points_too() {
        let [a, b] = [DVec3::ZERO, DVec3::X];
        let parallel = segments(&[a, b, DVec3::Y, DVec3::Y + b]);
        assert!((parallel.between.length() - 1.0).abs() < 1e-12);
        let points = segments(&[a, a, b, b]);
        assert_eq!(points.between, -DVec3::X);
        let line = point_triangle(&[DVec3::new(0.25, 2.0, 0.0), a, b, b]);
        assert!((line.between.length() - 2.0).abs() < 1e-12);
    }
}
