//! Probes of stress and deformation, on material that is deformed alike everywhere.

use pliant_core::methods::fluid::FLUID;
use pliant_core::methods::xpbi::XpbiColumns;
use pliant_core::world::{Setup, World};
use pliant_materials::laws::SaintVenantKirchhoff;
use pliant_materials::{HenckyElasticity, LameModuli, Solid, SolidLaw};
use pliant_math::{DMat3, DVec3, Real, SymMat3};
use pliant_parameters::{Value, Values};

use crate::probes::{built, measured};
use crate::{blocks, muscle, shape_groups, solids};

const YOUNGS_MODULUS: f64 = 2e5;

/// What is lost to rounding in single and in double precision.
fn by_precision(double: f64, single: f64) -> f64 {
    if size_of::<Real>() == 8 {
        double
    } else {
        single
    }
}

/// Turned, sheared and stretched: unlike its transpose.
fn gradient() -> DMat3 {
    DMat3::from_rotation_y(0.7)
        * DMat3::from_cols(
            DVec3::new(1.1, 0.05, 0.0),
            DVec3::new(0.2, 0.9, -0.1),
            DVec3::new(0.0, 0.03, 1.05),
        )
}

fn moduli() -> LameModuli {
    LameModuli::from_youngs(YOUNGS_MODULUS, 0.3)
}

/// A block of each method that keeps its shape.
fn shapes() -> [(&'static str, Setup); 3] {
    let law = SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli: moduli() });
    let solid = solids::solid(solids::lattice([6, 4, 4], 0.1));
    let groups = shape_groups::block([4, 3, 3], DVec3::ZERO);
    let flesh = muscle::block([6, 4, 4]);
    [
        ("solid", solids::world_of(Solid::elastic(law), vec![solid])),
        (
            "groups",
            shape_groups::world_of(Solid::elastic(law), vec![groups]),
        ),
        ("flesh", muscle::world_of(law, vec![flesh])),
    ]
}

/// The same, deformed.
fn deformed(setup: Setup) -> World {
    let mut world = World::new(setup);
    for x in &mut world.state.particles.position {
        *x = gradient() * *x + DVec3::new(0.3, -2.0, 1.0);
    }
    world
}

/// sigma = F S F^T / J with S = lambda tr(G) I + 2 mu G.
fn cauchy() -> DMat3 {
    let f = gradient();
    let green = (f.transpose() * f - DMat3::IDENTITY) * 0.5;
    let trace = green.x_axis.x + green.y_axis.y + green.z_axis.z;
    let LameModuli {
        lame_lambda: lambda,
        shear_modulus: mu,
    } = moduli();
    let second = DMat3::IDENTITY * (f64::from(lambda) * trace) + green * (2.0 * f64::from(mu));
    f * second * f.transpose() * f.determinant().recip()
}

fn components(s: DMat3) -> [f64; 6] {
    let [x, y, z] = [s.x_axis, s.y_axis, s.z_axis];
    [x.x, y.y, z.z, x.y, y.z, z.x]
}

fn norm([xx, yy, zz, xy, yz, zx]: [f64; 6]) -> f64 {
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}

#[test]
fn stress_of_an_affine_deformation_is_that_of_the_law() {
    let expected = components(cauchy());
    for (name, setup) in shapes() {
        let world = deformed(setup);
        let stress = measured("stress", &[], &world);
        for (found, expected) in stress.iter().zip(expected) {
            let off = (found - expected).abs() / norm(components(cauchy()));
            assert!(off < by_precision(1e-9, 2e-5), "{name} {stress:?}");
        }
        for found in &stress[6..] {
            let off = found / norm(expected) - 1.0;
            assert!(off.abs() < by_precision(1e-9, 2e-5), "{name} {stress:?}");
        }
    }
}

#[test]
fn deformation_is_told_row_by_row() {
    let rows = gradient().transpose().to_cols_array();
    for (name, setup) in shapes() {
        let rest = measured("deformation", &[], &World::new(setup.clone()));
        assert!((rest[0] - 1.0).abs() < 1e-6 && rest[1].abs() < 1e-6);
        let told = measured("deformation", &[], &deformed(setup));
        let ratio = gradient().determinant();
        for (found, expected) in told.iter().zip(rows.into_iter().chain([ratio, ratio])) {
            let off = (found - expected).abs();
            assert!(off < by_precision(1e-9, 2e-5), "{name} {told:?}");
        }
    }
}

#[test]
fn stress_of_flowing_material_is_that_of_its_strain() {
    let cube = blocks::block(0, [3; 3], 0.1, DVec3::ZERO, DVec3::ZERO);
    let mut setup = blocks::setup(vec![cube]);
    setup.materials = blocks::materials();
    let elasticity = HenckyElasticity::from_youngs(YOUNGS_MODULUS, 0.3);
    let mut world = World::new(setup);
    let stretches: [f64; 3] = [1.1, 0.9, 1.02];
    let [x, y, z] = stretches.map(|s| (s * s) as Real);
    let strain = SymMat3::diagonal(x, y, z) - SymMat3::IDENTITY;
    world
        .state
        .methods
        .of_mut::<XpbiColumns>()
        .strain
        .fill(strain);
    let logs = stretches.map(f64::ln);
    let trace: f64 = logs.iter().sum();
    let ratio: f64 = stretches.iter().product();
    let tau = logs.map(|e| {
        f64::from(elasticity.lame_lambda) * trace + 2.0 * f64::from(elasticity.shear_modulus) * e
    });
    let stress = measured("stress", &[], &world);
    for (found, tau) in stress.iter().zip(tau) {
        let off = (found - tau / ratio) / YOUNGS_MODULUS;
        assert!(off.abs() < by_precision(1e-9, 1e-6), "{stress:?}");
    }
    assert!(
        stress[3..6].iter().all(|shear| shear.abs() < 1e-3),
        "{stress:?}"
    );
}

#[test]
fn probes_of_tensors_look_at_a_region_only() {
    let (_, setup) = shapes().into_iter().next().expect("one");
    let mut world = World::new(setup);
    // One half is stretched.
    for x in &mut world.state.particles.position {
        x.x = x.x.max(0.0) * if x.x > 0.15 { 1.2 } else { 1.0 };
    }
    let all = measured("deformation", &[], &world);
    assert!(all[0] > 1.01 && all[10] > 1.1, "{all:?}");
    let (mut sphere, mut shape) = (Values::default(), Values::default());
    sphere.insert("radius", Value::Number(1e-3));
    shape.insert("sphere", Value::Table(sphere));
    let nowhere = Value::Table(shape);
    let position = Value::List([9.0, 9.0, 9.0].map(Value::Number).to_vec());
    let none = measured(
        "stress",
        &[("shape", nowhere.clone()), ("position", position.clone())],
        &world,
    );
    assert_eq!(none, [0.0; 8]);
    let none = measured(
        "deformation",
        &[("shape", nowhere), ("position", position)],
        &world,
    );
    assert_eq!(none[..4], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(none[9..], [1.0, 1.0]);
}

#[test]
fn tensors_of_a_body_without_them_are_refused() {
    let mut setup = blocks::setup(vec![
        blocks::block(0, [2; 3], 0.1, DVec3::ZERO, DVec3::ZERO),
        blocks::block(0, [2; 3], 0.1, DVec3::X, DVec3::ZERO),
    ]);
    setup.bodies[0].name = "goo".into();
    setup.bodies[1].name = "water".into();
    setup.bodies[1].method = FLUID;
    let of = |name: &str| [("body", Value::Text(name.into()))];
    assert!(built("stress", &of("goo"), &setup).is_ok());
    let problem = built("stress", &of("water"), &setup)
        .err()
        .expect("a refusal");
    assert_eq!(problem.key.as_deref(), Some("body"));
    assert!(problem.message.contains("\"water\""), "{problem:?}");
    assert!(problem.remedy.expect("a remedy").contains("goo"));
    // Goo has stress, but forgets its shape.
    assert!(built("deformation", &of("goo"), &setup).is_err());
    assert!(built("deformation", &[], &setup).is_err());
}
