//! Paths whose stress is known.

use super::*;
use pliant_math::symmetric_eigen;
use pliant_parameters::Value;

fn build(angle: f64, more: &[(&str, Value)]) -> DruckerPrager {
    let mut values = Values::default();
    values.insert("youngs_modulus", Value::Number(1e6));
    values.insert("poissons_ratio", Value::Number(0.3));
    values.insert("friction_angle", Value::Number(angle));
    values.insert("volume_correction", Value::Flag(true));
    for (key, value) in more {
        values.insert(*key, value.clone());
    }
    match (DruckerPrager::KIND.build)(&values) {
        Ok(HenckyLaw::DruckerPrager(law)) => law,
        other => panic!("{other:?}"),
    }
}

#[test]
fn squeezed_cylinder_fails_at_the_mohr_coulomb_ratio() {
    for (angle, ratio) in [
        (0.0, 1.0),
        (20.0, 2.039_607),
        (30.0, 3.0),
        (45.0, 5.828_427),
    ] {
        let law = build(angle, &[]);
        // Pressed along x, bulging along y and z.
        let trial = SymMat3::diagonal(-0.1, 0.03, 0.03);
        let (strain, _) = law.project(trial, 0.0, 1.0);
        let stress = law.elasticity.kirchhoff_stress(strain);
        let found = stress.xx / stress.yy;
        assert!(
            (found / ratio - 1.0).abs() < 1e-3,
            "{angle} degrees: {found}"
        );
    }
}

#[test]
fn without_friction_only_pressure_is_carried() {
    let law = build(0.0, &[]);
    let trial = SymMat3::new(-0.1, -0.2, -0.05, 0.03, 0.02, 0.01);
    let (strain, _) = law.project(trial, 0.0, 1.0);
    assert!(strain.deviator().norm() < Real::EPSILON);
    assert!((strain.trace() - trial.trace()).abs() < 1e-6);
}

#[test]
fn cohesive_material_breaks_at_its_cohesion() {
    let law = build(30.0, &[("cohesion", Value::Number(500.0))]);
    let (strain, _) = law.project(SymMat3::diagonal(0.1, 0.2, 0.1), 0.0, 1.0);
    let stress = law.elasticity.kirchhoff_stress(strain);
    for tension in [stress.xx, stress.yy, stress.zz] {
        assert!((tension - 500.0).abs() < 1e-2, "{tension}");
    }
}

#[test]
fn cohesion_and_cohesion_strain_are_equivalent() {
    let law = build(30.0, &[("cohesion_strain", Value::Number(2e-4))]);
    let pascal = 3.0 * 2e-4 * 1e6 / (3.0 * (1.0 - 0.6));
    let same = build(30.0, &[("cohesion", Value::Number(pascal))]);
    assert!((same.cohesion_strain / law.cohesion_strain - 1.0).abs() < 1e-5);
}

#[test]
fn volume_gain_is_removed_before_pressure_returns() {
    let law = build(30.0, &[]);
    let press = |trace: Real, state: Real| {
        let (strain, state) = law.project(SymMat3::isotropic(trace / 3.0), state, 1.0);
        (strain.trace(), state)
    };
    let (trace, gain) = press(0.05, law.initial_state());
    assert!(trace == 0.0 && (gain - 0.05).abs() < 1e-6, "{trace} {gain}");
    let (trace, gain) = press(-0.02, gain);
    assert!(trace == 0.0 && (gain - 0.03).abs() < 1e-6, "{trace} {gain}");
    let (trace, _) = law.project(SymMat3::diagonal(-0.07, 0.0, 0.0), gain, 1.0);
    assert!((trace.trace() + 0.04).abs() < 1e-6, "{trace:?}");
}

#[test]
fn remembered_gain_is_capped_and_can_be_switched_off() {
    let flight = SymMat3::isotropic(1.0);
    assert_eq!(
        build(30.0, &[]).project(flight, 0.1, 1.0).1,
        VOLUME_GAIN_CAP
    );
    let forgetful = build(30.0, &[("volume_correction", Value::Flag(false))]);
    assert_eq!(forgetful.project(flight, 0.0, 1.0).1, 0.0);
}

#[test]
fn friction_angle_is_accepted_from_zero_to_below_89_degrees() {
    let Kind::Number(range) = FRICTION_ANGLE.kind else {
        panic!("not a number");
    };
    assert!(range.contains(0.0) && range.contains(88.9));
    assert!(!range.contains(-0.1) && !range.contains(89.0) && !range.contains(90.0));
}

fn surface(name: &str) -> [(&'static str, Value); 1] {
    [("yield_surface", Value::Text(name.into()))]
}

/// The mobilised friction angle [degrees] of a strain.
fn mobilised_angle(law: &DruckerPrager, strain: SymMat3) -> f64 {
    let stress = law.elasticity.kirchhoff_stress(strain);
    let values = symmetric_eigen(stress).values.map(f64::from);
    let [least, greatest] = [Real::min, Real::max].map(|pick| {
        let picked = |a: f64, b: f64| f64::from(pick(a as Real, b as Real));
        values.into_iter().reduce(picked).expect("there are three")
    });
    // Compression is negative.
    ((greatest - least) / -(greatest + least))
        .asin()
        .to_degrees()
}

/// The strain of a sample under pressure after small strains without volume change, again and again: the
/// stress no longer changes.
fn flowing(law: &DruckerPrager, increment: SymMat3) -> SymMat3 {
    let mut strain = SymMat3::isotropic(-1e-3);
    for _ in 0..2000 {
        (strain, _) = law.project(strain + increment, 0.0, 1.0);
    }
    strain
}

/// Pressed along x, bulging along y and z; pulled along x; and in simple shear, in which z stays.
fn paths() -> [SymMat3; 3] {
    let size = 2e-5;
    [
        SymMat3::diagonal(-2.0 * size, size, size),
        SymMat3::diagonal(2.0 * size, -size, -size),
        SymMat3::new(0.0, 0.0, 0.0, size, 0.0, 0.0),
    ]
}

#[test]
fn mohr_coulomb_flows_at_the_typed_angle_in_triaxial_tests_and_in_plane_strain() {
    for angle in [10.0, 20.0, 30.0, 40.0] {
        let law = build(angle, &surface("mohr-coulomb"));
        for increment in paths() {
            let found = mobilised_angle(&law, flowing(&law, increment));
            assert!((found - angle).abs() < 1.0, "{angle} degrees: {found}");
        }
    }
}

#[test]
fn matsuoka_nakai_flows_at_the_typed_angle_in_triaxial_tests_and_above_in_plane_strain() {
    // In plane strain the middle stress is the mean of the others: the sine is 2 S/sqrt(3 + S^2).
    for angle in [10.0_f64, 20.0, 30.0, 40.0] {
        let law = build(angle, &surface("matsuoka-nakai"));
        let sine = angle.to_radians().sin();
        let plane = (2.0 * sine / (3.0 + sine * sine).sqrt())
            .asin()
            .to_degrees();
        for (increment, exact) in paths().into_iter().zip([angle, angle, plane]) {
            let found = mobilised_angle(&law, flowing(&law, increment));
            assert!((found - exact).abs() < 0.1, "{exact} degrees: {found}");
        }
    }
}

#[test]
fn round_cone_is_stronger_in_plane_strain_and_strongest_in_extension() {
    // What the radius sqrt(2/3) 6 S/(3 - S) of the circle promises at 30 degrees.
    let law = build(30.0, &surface("drucker-prager"));
    for (increment, exact) in paths().into_iter().zip([30.0, 48.59, 43.85]) {
        let found = mobilised_angle(&law, flowing(&law, increment));
        assert!((found - exact).abs() < 0.1, "{exact} degrees: {found}");
    }
}
