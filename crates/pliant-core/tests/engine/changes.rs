//! Constants that change between substeps.

use pliant_core::methods::xpbi::XpbiSettings;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{ChangeError, Setup, World};
use pliant_materials::laws::Elastic;
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DVec3, to_double};

use crate::blocks::{block, setup};

const DT: f64 = 1e-3;

fn scene() -> World {
    let sand = block(2, [6, 4, 6], 0.05, DVec3::ZERO, DVec3::ZERO);
    let rubber = block(0, [3, 3, 3], 0.06, DVec3::Y * 0.19, DVec3::X);
    World::new(setup(vec![sand, rubber]))
}

fn advance(stepper: &mut CpuStepper, world: &mut World, substeps: usize) {
    for _ in 0..substeps {
        stepper.substep(world, DT).expect("a sound scene");
    }
}

type Change = fn(&mut Setup);

/// Changes of constants that are read in different places.
fn changes() -> Vec<(&'static str, Change)> {
    vec![
        ("gravity", |setup| setup.gravity = DVec3::X * 3.0),
        ("iterations", |setup| setup.solver.iterations = 9),
        ("friction", |setup| setup.bodies[1].friction = 0.0),
        ("floor", |setup| setup.colliders[0].friction = 0.0),
        ("warm start", |setup| {
            let settings = setup.solver.methods.of_mut::<XpbiSettings>();
            settings.warm_start = !settings.warm_start;
        }),
        ("modulus", |setup| {
            let elasticity = HenckyElasticity::from_youngs(5e4, 0.2);
            setup.materials[0].youngs_modulus = 5e4;
            setup.materials[0].law = HenckyLaw::Elastic(Elastic { elasticity }).into();
        }),
    ]
}

#[test]
fn a_stepper_follows_a_change_as_a_new_one_does() {
    for (name, change) in changes() {
        let mut world = scene();
        let mut stepper = CpuStepper::new(2).expect("threads");
        advance(&mut stepper, &mut world, 20);
        let mut unchanged = world.clone();
        world.change(change).expect("what may change");
        let mut anew = world.clone();
        advance(&mut stepper, &mut world, 20);
        advance(&mut CpuStepper::new(1).expect("a thread"), &mut anew, 20);
        advance(
            &mut CpuStepper::new(1).expect("a thread"),
            &mut unchanged,
            20,
        );
        let bytes = |world: &World| world.state.to_bytes();
        assert!(bytes(&world) == bytes(&anew), "{name}");
        assert!(bytes(&world) != bytes(&unchanged), "{name}");
    }
}

#[test]
fn without_gravity_what_falls_goes_on_as_fast_as_it_fell() {
    let mut world = World::new(setup(vec![block(
        0,
        [2; 3],
        0.05,
        DVec3::Y * 5.0,
        DVec3::ZERO,
    )]));
    let mut stepper = CpuStepper::new(1).expect("a thread");
    advance(&mut stepper, &mut world, 100);
    world
        .change(|setup| setup.gravity = DVec3::ZERO)
        .expect("gravity");
    advance(&mut stepper, &mut world, 100);
    for &v in &world.state.particles.velocity {
        assert!((to_double(v).y / -0.981 - 1.0).abs() < 1e-4, "{v}");
    }
}

#[test]
fn what_particles_were_made_with_is_refused_and_nothing_changes() {
    let mut world = scene();
    let before = world.setup.clone();
    let refused = |world: &mut World, change: Change| {
        world.change(change).expect_err("made with the particles")
    };
    let density = refused(&mut world, |setup| setup.materials[2].density = 1.0);
    assert!(density.to_string().contains("density of \"material\""));
    let spacing = refused(&mut world, |setup| setup.bodies[0].spacing *= 0.5);
    assert!(matches!(
        spacing,
        ChangeError::MadeWith {
            what: "spacing",
            ..
        }
    ));
    let bodies = refused(&mut world, |setup| {
        setup.bodies.pop();
    });
    let text = "a world that has started keeps its bodies: there are 2, not 1";
    assert_eq!(bodies.to_string(), text);
    let particles = refused(&mut world, |setup| {
        setup.gravity = DVec3::ZERO;
        setup.bodies[1].particles.position[0].x += 1.0;
    });
    assert!(matches!(
        particles,
        ChangeError::MadeWith {
            what: "particles",
            ..
        }
    ));
    assert!(std::sync::Arc::ptr_eq(&before, &world.setup));
}
