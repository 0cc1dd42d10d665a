use pliant_materials::springs::{CubicSpring, NotMonotone, SpringCurve};
use pliant_math::{DMat3, DVec3, RandomStream};
use proptest::prelude::*;

/// Cubic springs with stiffnesses and lengths of any kind.
fn random_spring(random: &mut impl FnMut() -> f64) -> CubicSpring {
    let stiffness = 10f64.powf(4.0 * random());
    CubicSpring {
        stiffness,
        stretched_stiffness: stiffness * 20f64.powf(1.5 * random() - 0.5),
        compressed_stiffness: stiffness * 20f64.powf(1.5 * random() - 0.5),
        stretched_length: 1.0 + 0.01 + 0.5 * random(),
        compressed_length: 1.0 - 0.01 - 0.6 * random(),
    }
}

fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let stream = RandomStream::new(seed, 0);
    let mut index = 0;
    move || {
        index += 1;
        stream.unit(index)
    }
}

/// The solution of a linear system of four equations, by elimination with pivots.
fn solved(mut m: [[f64; 5]; 4]) -> [f64; 4] {
    for k in 0..4 {
        let pivot = (k..4)
            .max_by(|&a, &b| m[a][k].abs().total_cmp(&m[b][k].abs()))
            .expect("rows");
        m.swap(k, pivot);
        for row in k + 1..4 {
            let factor = m[row][k] / m[k][k];
            for column in k..5 {
                m[row][column] -= factor * m[k][column];
            }
        }
    }
    let mut x = [0.0; 4];
    for k in (0..4).rev() {
        let known: f64 = (k + 1..4).map(|c| m[k][c] * x[c]).sum();
        x[k] = (m[k][4] - known) / m[k][k];
    }
    x
}

/// The solution with its residual taken in twice the precision and solved for again, until only the
/// rounding of the solution itself is left.
fn refined(m: [[f64; 5]; 4]) -> [f64; 4] {
    let mut x = solved(m);
    for _ in 0..3 {
        let mut rest = m;
        for row in &mut rest {
            row[4] = residual(row, &x);
        }
        let more = solved(rest);
        x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
    }
    x
}

/// The right side of a row less the row times x, as if computed in twice the precision (Ogita et al. 2005).
fn residual(row: &[f64; 5], x: &[f64; 4]) -> f64 {
    let (mut sum, mut lost) = (row[4], 0.0);
    for (&entry, &x) in row.iter().zip(x) {
        let product = -entry * x;
        let next = sum + product;
        let part = next - sum;
        lost += (-entry).mul_add(x, -product) + ((sum - (next - part)) + (product - part));
        sum = next;
    }
    sum + lost
}

#[test]
fn the_closed_form_solves_the_four_equations() {
    let mut random = numbers(1);
    for _ in 0..20_000 {
        let spring = random_spring(&mut random);
        // Lengths of so few digits that their squares are exact: rounded entries alone would move the
        // solution by their rounding times the matrix's condition, which is up to 1e6.
        let short = |length: f64| (length * 1048576.0).round() / 1048576.0;
        let spring = CubicSpring {
            stretched_length: short(spring.stretched_length),
            compressed_length: short(spring.compressed_length),
            ..spring
        };
        let curve = spring.curve_through().expect("in range");
        let slope = |r: f64, k: f64| [3.0 * r * r, 2.0 * r, 1.0, 0.0, k];
        let system = refined([
            [1.0, 1.0, 1.0, 1.0, 0.0],
            slope(1.0, spring.stiffness),
            slope(spring.stretched_length, spring.stretched_stiffness),
            slope(spring.compressed_length, spring.compressed_stiffness),
        ]);
        let coefficients = curve.coefficients(1.0);
        let size = coefficients.iter().fold(0.0f64, |m, c| m.max(c.abs()));
        for (ours, theirs) in coefficients.iter().zip(system) {
            assert!((ours - theirs).abs() < 1e-12 * size, "{ours} {theirs}");
        }
        // What was asked of it holds to rounding, for any rest length.
        for (strain, stiffness) in [
            (0.0, spring.stiffness),
            (spring.stretched_length - 1.0, spring.stretched_stiffness),
            (spring.compressed_length - 1.0, spring.compressed_stiffness),
        ] {
            let scale = curve.half_slope.abs() + curve.third_curvature.abs() + stiffness;
            assert!((curve.slope(strain) - stiffness).abs() < 1e-14 * scale);
        }
    }
}

#[test]
fn coefficients_give_the_tension_at_any_rest_length() {
    let mut random = numbers(2);
    for _ in 0..1000 {
        let curve = random_spring(&mut random)
            .curve_through()
            .expect("in range");
        let (rest, strain) = (0.001 + random(), 2.0 * random() - 0.9);
        let [a, b, c, d] = curve.coefficients(rest);
        let r = rest * (1.0 + strain);
        let terms = [a * r * r * r, b * r * r, c * r, d];
        let size: f64 = terms.iter().map(|t| t.abs()).sum();
        let tension = rest * curve.tension(strain);
        assert!((terms.iter().sum::<f64>() - tension).abs() < 1e-12 * size);
    }
}

#[test]
fn published_examples_are_reproduced() {
    let curve = |k1: f64, k2: f64, a1: f64| {
        let spring = CubicSpring {
            stiffness: 1.0,
            stretched_stiffness: k1,
            compressed_stiffness: k2,
            stretched_length: a1,
            compressed_length: 2.0 - a1,
        };
        spring.curve().expect("monotone")
    };
    let close = |curve: SpringCurve, wanted: [f64; 4]| {
        let found = curve.coefficients(1.0);
        (0..4).all(|k| (found[k] - wanted[k]).abs() < 0.005)
    };
    assert!(close(curve(6.0, 2.0, 1.1), [100.0, -290.0, 281.0, -91.0]));
    assert!(close(
        curve(6.0, 2.0, 1.04),
        [625.0, -1850.0, 1826.0, -601.0]
    ));
    assert!(close(
        curve(6.0, 10.0, 1.1),
        [233.33, -710.0, 721.0, -244.33]
    ));
    assert!(close(SpringCurve::two_term(3.0), [1.5, 0.0, -1.5, 0.0]));
    assert!(close(SpringCurve::linear(3.0), [0.0, 0.0, 3.0, -3.0]));
}

#[test]
fn two_term_springs_are_the_cubic_ones_with_their_own_stiffnesses() {
    let (k, a1, a2) = (7.0, 1.2, 0.85);
    let spring = CubicSpring {
        stiffness: k,
        stretched_stiffness: 0.5 * k * (3.0 * a1 * a1 - 1.0),
        compressed_stiffness: 0.5 * k * (3.0 * a2 * a2 - 1.0),
        stretched_length: a1,
        compressed_length: a2,
    };
    let (cubic, stvk) = (
        spring.curve_through().expect("in range"),
        SpringCurve::two_term(k),
    );
    assert!((cubic.half_slope - stvk.half_slope).abs() < 1e-12 * k);
    assert!((cubic.third_curvature - stvk.third_curvature).abs() < 1e-12 * k);
}

#[test]
fn springs_are_refused_exactly_if_tension_falls_somewhere() {
    let mut random = numbers(3);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..100_000 {
        let spring = random_spring(&mut random);
        let curve = spring.curve_through().expect("in range");
        // Brute force: the least slope at lengths r = t/(1 - t), and what happens without end.
        let steps = 1000;
        let mut least = f64::INFINITY;
        let mut unresolved = 0.0;
        for k in 0..steps {
            let t = f64::from(k) / f64::from(steps);
            let length = t / (1.0 - t);
            let slope = curve.slope(length - 1.0);
            if slope < least {
                // Between two lengths a parabola dips by its curvature times their squared distance.
                let apart = (1.0 + length).powi(2) / f64::from(steps);
                (least, unresolved) = (slope, 3.0 * curve.third_curvature.abs() * apart * apart);
            }
        }
        let falls = least <= 0.0 || curve.third_curvature < 0.0;
        if !falls && least <= unresolved {
            continue;
        }
        assert_eq!(spring.curve().is_err(), falls, "{spring:?}");
        *if falls { &mut refused } else { &mut accepted } += 1;
    }
    assert!(
        accepted > 10_000 && refused > 10_000,
        "{accepted} {refused}"
    );
}

#[test]
fn refusals_name_the_violated_inequality() {
    let spring = CubicSpring {
        stiffness: 1.0,
        stretched_stiffness: 20.0,
        compressed_stiffness: 2.0,
        stretched_length: 1.1,
        compressed_length: 0.9,
    };
    assert!(
        matches!(spring.curve(), Err(NotMonotone::Softening { stiffness, .. }) if stiffness < 0.0)
    );
    let soft = CubicSpring {
        stretched_stiffness: 0.5,
        compressed_stiffness: 0.5,
        ..spring
    };
    assert!(matches!(soft.curve(), Err(NotMonotone::Falling(a)) if a < 0.0));
    let reversed = CubicSpring {
        stretched_length: 0.9,
        ..spring
    };
    assert_eq!(reversed.curve(), Err(NotMonotone::OutOfRange));
}

/// Force on the first end of a spring of rest length 1 m [N].
fn force(curve: &SpringCurve, x: DVec3) -> DVec3 {
    -x.normalize() * curve.tension(x.length() - 1.0)
}

/// Energy [J].
fn energy(curve: &SpringCurve, x: DVec3) -> f64 {
    curve.energy(x.length() - 1.0)
}

/// Minus the derivative of the force by the position it acts at, from its eigenvalues.
fn stiffness(curve: &SpringCurve, x: DVec3) -> DMat3 {
    let [axial, transverse] = curve.moduli(x.length() - 1.0);
    let n = x.normalize();
    let along = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
    DMat3::from_diagonal(DVec3::splat(transverse)) + along * (axial - transverse)
}

proptest! {
    #[test]
    fn forces_and_stiffnesses_are_derivatives_of_the_energy(
        seed in 0u64..10_000,
        x in prop::array::uniform3(-1.0f64..1.0),
    ) {
        let mut random = numbers(seed);
        let x = DVec3::from_array(x);
        prop_assume!(x.length() > 0.3);
        let curves = [
            random_spring(&mut random).curve_through().expect("in range"),
            SpringCurve::linear(3.0),
            SpringCurve::two_term(200.0),
        ];
        for curve in curves {
            let h = 1e-5;
            let exact = stiffness(&curve, x);
            let scale = curve.stiffness + curve.half_slope.abs() + curve.third_curvature.abs();
            for axis in 0..3 {
                let step = DVec3::from_array(std::array::from_fn(|k| if k == axis { h } else { 0.0 }));
                let slope = (energy(&curve, x + step) - energy(&curve, x - step)) / (2.0 * h);
                prop_assert!((slope + force(&curve, x)[axis]).abs() < 1e-8 * scale);
                let change = (force(&curve, x + step) - force(&curve, x - step)) / (2.0 * h);
                prop_assert!((change + exact.col(axis)).length() < 1e-6 * scale);
            }
        }
    }
}

#[test]
fn the_jacobian_is_the_published_one_with_its_sign_restored() {
    // I (a r^2 + b r + c + d/r) + x x^T (2 a + b/r - d/r^3), Vogiannou et al. 2010, eq. 3.
    let mut random = numbers(5);
    for _ in 0..1000 {
        let curve = random_spring(&mut random)
            .curve_through()
            .expect("in range");
        let x = DVec3::new(random() - 0.5, random() - 0.5, random() + 0.2);
        let (r, [a, b, c, d]) = (x.length(), curve.coefficients(1.0));
        let xx = DMat3::from_cols(x * x.x, x * x.y, x * x.z);
        let printed = DMat3::from_diagonal(DVec3::splat(a * r * r + b * r + c + d / r))
            + xx * (2.0 * a + b / r - d / (r * r * r));
        let difference = (printed - stiffness(&curve, x)).to_cols_array();
        let size = a.abs() + b.abs() + c.abs() + d.abs();
        assert!(difference.iter().all(|e| e.abs() < 1e-11 * size / r));
        // Scaling b and d: the difference of the two Jacobians, along and across.
        let lack = 0.3;
        let [along, across] = curve.scaling(r, 1.0 / r, lack);
        assert!((along + lack * 2.0 * b * r).abs() < 1e-11 * size);
        assert!((across + lack * (b * r + d / r)).abs() < 1e-11 * size / r);
    }
}
