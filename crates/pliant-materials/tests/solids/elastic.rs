//! The laws where material is not crushed.

use pliant_materials::strain_energy::{Deformation, ElasticEnergy};
use pliant_materials::{LameModuli, SolidLaw, dispatch_solid_law};
use pliant_math::{DMat3, Matrix3, Real, signed_singular_values};
use proptest::prelude::*;

use crate::samples::{
    energy_and_stress, greatest, law, laws, matrix, rotation, rounded, stretched, tolerance,
};

/// A stress of the size that strains of order one have.
fn stiffness(law: SolidLaw) -> Real {
    let moduli: LameModuli = dispatch_solid_law!(law, |law| law.moduli());
    moduli.compression_wave_modulus()
}

/// The derivative of the energy by a component, by differences of fourth order.
fn derivative(law: SolidLaw, h: Matrix3, i: usize, j: usize) -> Real {
    let step = tolerance(0.03, 1e-3);
    let energy = |steps: Real| {
        let mut moved = h;
        moved.rows[i][j] += steps * step;
        energy_and_stress(law, moved).0
    };
    (8.0 * (energy(1.0) - energy(-1.0)) - (energy(2.0) - energy(-2.0))) / (12.0 * step)
}

proptest! {
    #[test]
    fn stress_is_the_derivative_of_the_energy(h in matrix(0.5)) {
        let [_, _, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least > 0.4);
        for (law, _) in laws() {
            let (_, stress) = energy_and_stress(law, h);
            let size = stiffness(law).max(greatest(stress));
            for i in 0..3 {
                for j in 0..3 {
                    let error = (derivative(law, h, i, j) - stress.rows[i][j]).abs();
                    prop_assert!(error < tolerance(1e-3, 1e-9) * size, "{law:?} {error:e} {size:e}");
                }
            }
        }
    }

    #[test]
    fn stress_of_inverted_material_is_the_derivative_where_the_law_is_defined(h in matrix(1.5)) {
        let [_, middle, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least < -0.1 && middle + least > 0.3);
        for name in ["corotated", "stable-neo-hookean", "polynomial-neo-hookean"] {
            let law = law(name, (1e6, 0.3));
            let (_, stress) = energy_and_stress(law, h);
            let size = stiffness(law).max(greatest(stress));
            for (i, j) in [(0, 0), (1, 2), (2, 0)] {
                let error = (derivative(law, h, i, j) - stress.rows[i][j]).abs();
                prop_assert!(error < tolerance(1e-3, 1e-7) * size, "{law:?} {error:e} {size:e}");
            }
        }
    }

    #[test]
    fn a_rotation_after_turns_the_stress_and_keeps_the_energy(h in matrix(0.5), q in rotation()) {
        let [_, _, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least > 0.3);
        let rotation = rounded(q);
        // R F - I = R H + (R - I)
        let turned = rotation * h + rounded(q - DMat3::IDENTITY);
        for (law, _) in laws() {
            let (energy, stress) = energy_and_stress(law, h);
            let (energy_turned, stress_turned) = energy_and_stress(law, turned);
            let size = stiffness(law).max(greatest(stress));
            let bound = tolerance(1e-5, 1e-13) * size;
            prop_assert!((energy - energy_turned).abs() < bound, "{law:?} {energy} {energy_turned}");
            prop_assert!(greatest(rotation * stress - stress_turned) < bound, "{law:?}");
        }
    }

    #[test]
    fn an_isotropic_law_sees_no_rotation_before(h in matrix(0.5), q in rotation()) {
        let [_, _, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least > 0.3);
        let turned = h * rounded(q) + rounded(q - DMat3::IDENTITY);
        for (law, _) in laws() {
            let (energy, energy_turned) = (energy_and_stress(law, h).0, energy_and_stress(law, turned).0);
            let bound = tolerance(1e-5, 1e-13) * stiffness(law).max(energy);
            prop_assert!((energy - energy_turned).abs() < bound, "{law:?} {energy} {energy_turned}");
        }
    }

    #[test]
    fn rotations_have_no_energy_and_no_stress(q in rotation()) {
        for (law, _) in laws() {
            let (energy, stress) = energy_and_stress(law, rounded(q - DMat3::IDENTITY));
            let strain = 16.0 * Real::EPSILON;
            prop_assert!(energy <= strain * strain * stiffness(law), "{law:?} {energy:e}");
            prop_assert!(greatest(stress) <= strain * stiffness(law), "{law:?} {stress:?}");
        }
    }

    #[test]
    fn small_strains_show_hookes_law(h in matrix(1.0), power in 3..9_i32) {
        let size = (0.1 as Real).powi(power);
        let h = h * size;
        let strain = h.symmetric_part();
        for (law, (youngs, poissons)) in laws() {
            let moduli = LameModuli::from_youngs(youngs, poissons);
            let (mu, lambda) = (moduli.shear_modulus, moduli.lame_lambda);
            let (energy, stress) = energy_and_stress(law, h);
            let trace = strain.trace();
            let hooke = mu * strain.dot(strain) + 0.5 * lambda * trace * trace;
            let expected = Matrix3::from(strain) * (2.0 * mu) + Matrix3::isotropic(lambda * trace);
            // What is of higher order in the strain, and roundings of it.
            let relative = 30.0 * size + 16.0 * Real::EPSILON;
            let scale = stiffness(law) * size;
            prop_assert!((energy - hooke).abs() < relative * scale * size, "{law:?} {energy:e} {hooke:e}");
            prop_assert!(greatest(stress - expected) < relative * scale, "{law:?} {stress:?} {expected:?}");
        }
    }

    #[test]
    fn neo_hookean_energy_is_that_of_the_stretches(
        logarithms in prop::array::uniform3(-1.0..1.0_f64), power in -6..1, q in rotation(),
    ) {
        let (mu, lambda) = (1e6 / 2.6, 3e5 / (1.3 * 0.4));
        let logarithms = logarithms.map(|l| l * 10.0_f64.powi(power));
        let h = logarithms.map(f64::exp_m1);
        let h = DMat3::from_diagonal(h.into());
        let volume: f64 = logarithms.iter().sum();
        // mu/2 sum (exp(2 l) - 1 - 2 l) + lambda/2 (sum l)^2, the bracket by its series if small.
        let shape = |l: f64| (2..40).rev().map(|n| term(2.0 * l, n)).sum::<f64>();
        let exact = 0.5 * mu * logarithms.map(shape).iter().sum::<f64>() + 0.5 * lambda * volume * volume;
        let (energy, _) = energy_and_stress(law("neo-hookean", (1e6, 0.3)), rounded(q * h * q.transpose()));
        let error = f64::from(energy) / exact - 1.0;
        prop_assert!(error.abs() < f64::from(tolerance(4e-5, 1e-12)), "{error:e}");
    }
}

/// `x^n / n!`
fn term(x: f64, n: i32) -> f64 {
    (1..=n).map(|k| x / f64::from(k)).product()
}

/// The stretch of a bar under a nominal stress, its sides free, and their stretch.
fn bar(law: SolidLaw, nominal: f64) -> [f64; 2] {
    let residual = |[along, across]: [f64; 2]| {
        let (_, stress) = energy_and_stress(law, stretched([along, across, across]));
        [
            f64::from(stress.rows[0][0]) - nominal,
            f64::from(stress.rows[1][1]),
        ]
    };
    let mut stretch = [1.0, 1.0];
    for _ in 0..200 {
        let step = 1e-3;
        let [a, b] = stretch;
        let r = residual(stretch);
        let (ra, rb) = (residual([a + step, b]), residual([a, b + step]));
        let j = |r1: f64, r0: f64| (r1 - r0) / step;
        let (aa, ab) = (j(ra[0], r[0]), j(rb[0], r[0]));
        let (ba, bb) = (j(ra[1], r[1]), j(rb[1], r[1]));
        let determinant = aa * bb - ab * ba;
        // Half a step of Newton: residuals are far from linear at first.
        stretch[0] -= 0.5 * (bb * r[0] - ab * r[1]) / determinant;
        stretch[1] -= 0.5 * (aa * r[1] - ba * r[0]) / determinant;
    }
    stretch
}

#[test]
fn neo_hookean_bar_has_the_stretches_of_the_closed_form() {
    // mu (s - 1/s) + lambda ln(s c^2)/s = sigma, mu (c - 1/c) + lambda ln(s c^2)/c = 0
    let law = law("neo-hookean", (1e6, 0.3));
    for (nominal, along, across) in [
        (-0.25, 0.793, 1.070),
        (0.25, 1.302, 0.9215),
        (0.5, 1.714, 0.842),
        (1.0, 2.780, 0.708),
    ] {
        let [a, c] = bar(law, nominal * 1e6);
        assert!((a - along).abs() < 6e-4, "{nominal}: {a} is not {along}");
        assert!((c - across).abs() < 6e-4, "{nominal}: {c} is not {across}");
    }
}

#[test]
fn force_against_compression_of_stvk_is_greatest_at_a_stretch_of_one_over_the_root_of_three() {
    for poissons in [0.0, 0.3, 0.45] {
        let law = law("stvk", (1e6, poissons));
        let force = |s: f64| -energy_and_stress(law, stretched([s, 1.0, 1.0])).1.rows[0][0];
        let stretches = (0..400).map(|k| 0.3 + 1e-3 * f64::from(k));
        let (_, greatest) = stretches.fold((0.0, 0.0), |(most, at), s| {
            if force(s) > most {
                (force(s), s)
            } else {
                (most, at)
            }
        });
        assert!(
            (greatest - 1.0 / 3.0_f64.sqrt()).abs() < 1.1e-3,
            "{greatest}"
        );
    }
}

#[test]
fn bars_crushed_with_their_sides_fixed_have_the_stresses_measured_before() {
    // Nominal stress over Young's modulus, Poisson's ratio 0.4.
    for (name, stretch, expected) in [
        ("neo-hookean", 0.3, -6.8),
        ("neo-hookean", 0.577, -1.77),
        ("neo-hookean", 0.8, -0.559),
        ("corotated", 0.3, -1.50),
        ("corotated", 0.577, -0.906),
        ("corotated", 0.8, -0.429),
        ("stvk", 0.577, -0.412),
    ] {
        let (_, stress) = energy_and_stress(law(name, (1.0, 0.4)), stretched([stretch, 1.0, 1.0]));
        let found = f64::from(stress.rows[0][0]);
        assert!(
            (found / expected - 1.0).abs() < 6e-3,
            "{name} {stretch}: {found}"
        );
    }
}

#[test]
fn energy_and_stress_are_finite_whatever_the_deformation() {
    let full = |x: Real| Matrix3::from_rows([[x; 3]; 3]);
    let mut gradients = vec![Matrix3::isotropic(-1.0), Matrix3::isotropic(-2.0)];
    for size in [1e-30, 1.0, 100.0, 1e4] {
        gradients.extend([full(size), full(-size), Matrix3::isotropic(-size)]);
        let [a, b] = [
            stretched([f64::from(size), 1.0, 0.0]),
            stretched([1.0, 1.0, -f64::from(size)]),
        ];
        gradients.extend([a, b]);
    }
    for h in gradients {
        for (law, _) in laws() {
            let (energy, stress) = energy_and_stress(law, h);
            assert!(
                energy.is_finite() && energy >= 0.0,
                "{law:?} {h:?} {energy}"
            );
            assert!(stress.is_finite(), "{law:?} {h:?} {stress:?}");
        }
    }
}

#[test]
fn every_law_states_its_least_stretch() {
    for (law, _) in laws() {
        let least = dispatch_solid_law!(law, |law| least_stretch(&law));
        let deformation = Deformation::from_displacement_gradient(stretched([1.0, 1.0, -0.5]));
        assert!(!deformation.is_stretched_beyond(least.unwrap_or(0.0)));
        match law {
            SolidLaw::NeoHookean(_) => assert_eq!(least, Some(0.3)),
            SolidLaw::SaintVenantKirchhoff(_) => assert_eq!(least, Some(0.58)),
            SolidLaw::StableNeoHookean(_)
            | SolidLaw::PolynomialNeoHookean(_)
            | SolidLaw::Corotated(_) => assert_eq!(least, None),
        }
    }
}

fn least_stretch<L: ElasticEnergy>(_: &L) -> Option<Real> {
    L::LEAST_STRETCH
}
