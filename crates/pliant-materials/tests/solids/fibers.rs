//! Fibres on top of any law.

use pliant_materials::strain_energy::{Fibers, GREATEST_FAMILIES, Response, response};
use pliant_materials::{SolidLaw, dispatch_solid_law};
use pliant_math::simd::Number;
use pliant_math::{DMat3, DVec3, Matrix3, Real, signed_singular_values};
use pliant_parameters::{Value, Values};
use proptest::prelude::*;

use crate::samples::{
    greatest, law, matrix, rotation, rounded, solid, stretched, tolerance, values,
};

const BETA: f64 = 4e6;

/// The value of the key `fibers`.
fn families(given: &[([f64; 3], f64)]) -> Value {
    let family = |&(direction, stiffness): &([f64; 3], f64)| {
        let mut values = Values::default();
        values.insert(
            "direction",
            Value::List(direction.map(Value::Number).to_vec()),
        );
        values.insert("stiffness", Value::Number(stiffness));
        Value::Table(values)
    };
    Value::List(given.iter().map(family).collect())
}

fn fibers(given: &[([f64; 3], f64)]) -> Fibers {
    let given = [("fibers", families(given))];
    solid("neo-hookean", (1e6, 0.3), &given).fibers
}

/// Fibres alone.
fn alone(fibers: &Fibers, h: Matrix3) -> Response<Real> {
    let mut response = Response {
        energy: 0.0,
        stress: Matrix3::ZERO,
        is_crushed: false,
    };
    fibers.add(&splat(fibers), h, &mut response);
    response
}

proptest! {
    #[test]
    fn stress_is_the_derivative_of_the_energy(h in matrix(0.5), direction in matrix(1.0)) {
        let [_, _, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least > 0.4 && greatest(direction) > 0.1);
        let [a, b, _] = direction.rows.map(|row| row.map(f64::from));
        prop_assume!(DVec3::from_array(a).length() > 0.1 && DVec3::from_array(b).length() > 0.1);
        let fibers = fibers(&[(a, BETA), (b, 0.3 * BETA)]);
        let stress = alone(&fibers, h).stress;
        let step = tolerance(0.03, 1e-3);
        for i in 0..3 {
            for j in 0..3 {
                let energy = |steps: Real| {
                    let mut moved = h;
                    moved.rows[i][j] += steps * step;
                    alone(&fibers, moved).energy
                };
                let derivative = (8.0 * (energy(1.0) - energy(-1.0)) - (energy(2.0) - energy(-2.0)))
                    / (12.0 * step);
                let error = (derivative - stress.rows[i][j]).abs() / BETA as Real;
                prop_assert!(error < tolerance(1e-3, 1e-9), "{error:e}");
            }
        }
    }

    #[test]
    fn rotations_have_no_energy_and_no_stress(q in rotation()) {
        let fibers = fibers(&[([1.0, 2.0, -1.0], BETA)]);
        let found = alone(&fibers, rounded(q - DMat3::IDENTITY));
        let strain = 16.0 * Real::EPSILON;
        prop_assert!(found.energy <= strain * strain * BETA as Real, "{:e}", found.energy);
        prop_assert!(greatest(found.stress) <= strain * BETA as Real);
    }

    #[test]
    fn energy_is_that_of_the_stretch(logarithm in -1.0..1.0_f64, power in -6..1) {
        let logarithm = logarithm * 10.0_f64.powi(power);
        let fibers = fibers(&[([0.0, 0.0, 3.0], BETA)]);
        let gradient = Matrix3::from_rows([[0.0; 3], [0.0; 3], [0.0, 0.0, logarithm.exp_m1() as Real]]);
        // (exp(2 l) - 1)/2 - l by its series
        let term = |n: i32| (1..=n).map(|k| 2.0 * logarithm / f64::from(k)).product::<f64>();
        let exact = 0.5 * BETA * (2..40).rev().map(term).sum::<f64>();
        let error = f64::from(alone(&fibers, gradient).energy) / exact - 1.0;
        prop_assert!(error.abs() < f64::from(tolerance(2e-6, 1e-14)), "{error:e}");
    }
}

#[test]
fn small_strains_along_a_family_see_twice_its_stiffness_more() {
    let diagonal = 0.5_f64.sqrt();
    let fibers = fibers(&[([1.0, 1.0, 0.0], BETA)]);
    let strain = 1e-6;
    let along = DVec3::new(diagonal, diagonal, 0.0);
    let across = DVec3::new(diagonal, -diagonal, 0.0);
    for (direction, factor) in [
        (along, 2.0),
        (across, 0.0),
        (DVec3::Z, 0.0),
        (DVec3::X, 0.5),
    ] {
        let d = direction.to_array();
        let outer = DMat3::from_cols(direction * d[0], direction * d[1], direction * d[2]);
        let stress = alone(&fibers, rounded(outer * strain)).stress;
        let pull = stress.times_vector(d.map(|x| x as Real));
        let pull: Real = pull.iter().zip(d).map(|(p, x)| p * x as Real).sum();
        let expected = factor * BETA * strain;
        assert!(
            (f64::from(pull) - expected).abs() < 1e-5 * BETA * strain,
            "{d:?} {pull}"
        );
    }
    assert_eq!(fibers.greatest_stiffness(), 8e6);
}

/// Young's modulus [Pa] of a small pull of a sheet in its plane at an angle to the fibres, and the
/// shear strain over the stress that goes with it [1/Pa].
fn pulled(solid: SolidLaw, fibers: &Fibers, angle: f64) -> [f64; 2] {
    let along = DVec3::new(angle.cos(), angle.sin(), 0.0);
    let across = DVec3::new(-angle.sin(), angle.cos(), 0.0);
    // Linear: the stresses of the six unit strains, solved for uniaxial stress.
    let frame = DMat3::from_cols(along, across, DVec3::Z);
    let size = 1e-5;
    let units: [DMat3; 4] = [
        DMat3::from_cols(DVec3::X, DVec3::ZERO, DVec3::ZERO),
        DMat3::from_cols(DVec3::ZERO, DVec3::Y, DVec3::ZERO),
        DMat3::from_cols(DVec3::ZERO, DVec3::ZERO, DVec3::Z),
        DMat3::from_cols(DVec3::Y * 0.5, DVec3::X * 0.5, DVec3::ZERO),
    ];
    let stiffness = units.map(|unit| {
        let h = rounded(frame * unit * frame.transpose() * size);
        let mut found = dispatch_solid_law!(solid, |law| response(&law, h));
        fibers.add(&splat(fibers), h, &mut found);
        let stress = DMat3::from_cols_array_2d(&found.stress.rows.map(|r| r.map(f64::from)));
        let turned = frame.transpose() * stress * frame * (1.0 / size);
        [
            turned.x_axis.x,
            turned.y_axis.y,
            turned.z_axis.z,
            turned.x_axis.y,
        ]
    });
    let strain = solve(stiffness, [1.0, 0.0, 0.0, 0.0]);
    [1.0 / strain[0], strain[3]]
}

/// Gauss elimination of `sum_k columns[k] x_k = right`.
fn solve(columns: [[f64; 4]; 4], right: [f64; 4]) -> [f64; 4] {
    let mut rows: [[f64; 5]; 4] = std::array::from_fn(|i| {
        std::array::from_fn(|k| if k < 4 { columns[k][i] } else { right[i] })
    });
    for p in 0..4 {
        let pivot = rows[p];
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != p) {
            let factor = row[p] / pivot[p];
            for k in 0..5 {
                row[k] -= factor * pivot[k];
            }
        }
    }
    std::array::from_fn(|i| rows[i][4] / rows[i][i])
}

#[test]
fn a_sheet_with_fibres_has_the_moduli_of_lamination_theory() {
    // beta = 4 E adds 8 E to one entry of the stiffness, whose inverse has, in units of 1/E,
    // 1/9 along, 1 - 8 0.3^2/9 across, -0.3/9 between, and 2.6 for shear.
    let sheet = law("neo-hookean", (1e6, 0.3));
    let fibers = fibers(&[([1.0, 0.0, 0.0], BETA)]);
    let near = |found: f64, expected: f64| {
        let error = (found / expected - 1.0).abs();
        assert!(error < 2e-4, "{found} is not {expected}");
    };
    let (along, across, between, shear) = (1.0 / 9.0, 0.92, -0.3 / 9.0, 2.6);
    near(pulled(sheet, &fibers, 0.0)[0], 1e6 / along);
    near(
        pulled(sheet, &fibers, 90.0_f64.to_radians())[0],
        1e6 / across,
    );
    let [modulus, slant] = pulled(sheet, &fibers, 45.0_f64.to_radians());
    near(modulus, 4e6 / (along + across + 2.0 * between + shear));
    near(slant, 0.5e-6 * (across - along));
}

#[test]
fn crushed_fibres_are_finite() {
    let fibers = fibers(&[([1.0, 0.0, 0.0], BETA), ([0.0, 1.0, 0.0], BETA)]);
    for stretch in [0.0, 1e-8, -1.0, 1e4] {
        let found = alone(&fibers, stretched([stretch, 1.0, 1.0]));
        assert!(
            found.energy.is_finite() && found.stress.is_finite(),
            "{stretch} {found:?}"
        );
    }
}

#[test]
fn directions_have_length_one_and_families_are_few() {
    let three = [
        ([3.0, 4.0, 0.0], 1.0),
        ([0.0, 0.0, -1e-30], 2.0),
        ([1e200, 0.0, 0.0], 3.0),
    ];
    let found = fibers(&three);
    assert_eq!(found.count, GREATEST_FAMILIES);
    assert_eq!(
        found.directions([5.0; 3]),
        [[0.6, 0.8, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]
    );
    assert_eq!(found.stiffness, [1.0, 2.0, 3.0]);

    let kind = pliant_materials::Solid::KINDS[0];
    for wrong in [vec![three[0]; 4], vec![([0.0; 3], 1.0)]] {
        let values = values(&kind, (1e6, 0.3), &[("fibers", families(&wrong))]);
        let problem = (kind.build)(&values).expect_err("it cannot be built");
        assert_eq!(problem.key.as_deref(), Some("fibers"));
    }
}

/// The directions of constant families as numbers of any kind.
fn splat<N: Number>(fibers: &Fibers) -> [[N; 3]; GREATEST_FAMILIES] {
    let directions = fibers.directions([0.0; 3]);
    directions.map(|direction| direction.map(|x| N::splat(x as Real)))
}

#[test]
fn fields_of_fibres_run_around_an_axis_or_away_from_a_point() {
    let kind = pliant_materials::Solid::KINDS[0];
    let built = |keys: &[(&str, [f64; 3])]| {
        let mut family = Values::default();
        family.insert("stiffness", Value::Number(1.0));
        for (key, vector) in keys {
            let vector = Value::List(vector.map(Value::Number).to_vec());
            family.insert(*key, vector);
        }
        let list = Value::List(vec![Value::Table(family)]);
        let values = values(&kind, (1e6, 0.3), &[("fibers", list)]);
        (kind.build)(&values).map(|law| law.fibers)
    };
    let near = |found: [f64; 3], expected: [f64; 3]| {
        let wrong = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(wrong.fold(0.0, f64::max) < 1e-15, "{found:?} {expected:?}");
    };
    let axis = [("around", [0.0, 0.0, 5.0]), ("point", [1.0, 0.0, 7.0])];
    let around = built(&axis).expect("circles");
    near(around.directions([3.0, 0.0, -9.0])[0], [0.0, 1.0, 0.0]);
    near(around.directions([1.0, -2.0, 0.0])[0], [1.0, 0.0, 0.0]);
    // On the axis any direction across it will do.
    let [x, y, z] = around.directions([1.0, 0.0, 2.0])[0];
    assert!(z == 0.0 && (x * x + y * y - 1.0).abs() < 1e-15);
    let from = built(&[("point", [1.0, 1.0, 1.0])]).expect("rays");
    near(from.directions([1.0, 4.0, -3.0])[0], [0.0, 0.6, -0.8]);
    for unclear in [
        &[][..],
        &[("direction", [1.0; 3]), ("around", [1.0; 3])][..],
    ] {
        assert!(built(unclear).is_err());
    }
}
