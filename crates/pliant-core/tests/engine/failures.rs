//! Simulations that cannot go on.

use std::sync::Arc;

use pliant_core::boundaries::{Ease, Keyframe, Motion};
use pliant_core::methods::strain_energy::StrainEnergyColumns;
use pliant_core::methods::xpbi::XpbiColumns;
use pliant_core::step::{CpuStepper, Trouble, advance_frame, first_frame_substeps, frame_substeps};
use pliant_core::world::{Setup, World};
use pliant_geometry::shapes::{Plane, Sphere};
use pliant_math::{DVec3, Real, SymMat3};

use crate::blocks::{block, collider, setup};
use crate::solids;
use crate::worlds::advance;

fn falling_block() -> World {
    let mut setup = setup(vec![block(0, [5; 3], 0.05, DVec3::Y * 0.02, DVec3::ZERO)]);
    setup.bodies[0].name = "cube".into();
    World::new(setup)
}

#[test]
fn a_step_far_too_long_stops_the_run_with_place_and_advice() {
    let mut world = falling_block();
    // c dt/r = 141: four sweeps resolve nothing of it.
    let error = advance(&mut world, 0.5, 200, 2).expect_err("nothing holds this");
    let culprit = error.culprit.as_ref().expect("a particle is to blame");
    assert_eq!(culprit.body, "cube");
    assert_eq!(error.substep, world.state.substeps + 1);
    assert!((culprit.particle as usize) < world.state.particles.len());
    let message = error.to_string();
    for part in ["cube", "particle", "substep", "time_step"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn nan_is_found_in_the_same_substep_and_named() {
    let mut world = falling_block();
    advance(&mut world, 1e-3, 3, 2).expect("a sound start");
    let broken = world.state.particles.id[17];
    world.state.particles.velocity[17].x = Real::NAN;
    let error = advance(&mut world, 1e-3, 1, 2).expect_err("not a number");
    assert_eq!(error.trouble, Trouble::NotFinite);
    assert_eq!(error.substep, 4);
    // Neighbours may have caught it within the substep.
    let culprit = error.culprit.as_ref().expect("a particle is to blame");
    let near = culprit.position.distance(DVec3::new(0.125, 0.145, 0.125)) < 0.3;
    assert!(
        near && (culprit.particle as usize) < 125,
        "{error} {broken}"
    );
}

#[test]
fn infinite_and_absurd_strains_stop_the_substep() {
    for broken in [Real::NAN, Real::INFINITY, 1e12] {
        let mut world = falling_block();
        world.state.methods.of_mut::<XpbiColumns>().strain[17] = SymMat3::IDENTITY * broken;
        let error = advance(&mut world, 1e-3, 1, 2).expect_err("no such strain");
        assert!(error.to_string().contains("blew up"), "{error}");
    }
}

#[test]
fn absurd_plastic_strains_and_stretches_of_solids_stop_the_substep() {
    let metal = || {
        let body = solids::solid(solids::lattice([4; 3], 0.0));
        World::new(solids::world_of(solids::metal(), vec![body]))
    };
    advance(&mut metal(), 1e-3, 2, 2).expect("a sound start");
    for broken in [Real::NAN, Real::INFINITY] {
        let mut world = metal();
        world.state.methods.of_mut::<StrainEnergyColumns>().plastic[17] =
            SymMat3::IDENTITY * broken;
        let error = advance(&mut world, 1e-3, 1, 2).expect_err("no such strain");
        assert!(error.to_string().contains("blew up"), "{error}");
    }
    let mut world = metal();
    for x in &mut world.state.particles.position {
        *x *= 2e4;
    }
    let error = advance(&mut world, 1e-9, 1, 2).expect_err("no such stretch");
    assert!(error.to_string().contains("blew up"), "{error}");
}

#[test]
fn a_frame_that_would_never_end_is_refused_with_the_speed() {
    let mut world = falling_block();
    Arc::make_mut(&mut world.setup).gravity *= 1e12;
    let mut stepper = CpuStepper::new(1).expect("threads");
    let error = advance_frame(&mut world, &mut stepper, &mut |_| ()).expect_err("no end");
    assert!(
        matches!(error.trouble, Trouble::TooManySubsteps { .. }),
        "{error}"
    );
}

#[test]
fn a_collider_that_shakes_within_a_frame_shortens_the_step() {
    let still = falling_block().setup;
    let shaken = |position: DVec3, rotation: DVec3| {
        let frame = 1.0 / 24.0;
        // Back where it began at the end of the frame.
        let keyframe = |k: u32| Keyframe {
            time: f64::from(k) * 0.125 * frame,
            position: if k % 2 == 1 { position } else { DVec3::ZERO },
            rotation: if k % 2 == 1 { rotation } else { DVec3::ZERO },
        };
        let mut setup = Setup::clone(&still);
        let motion = Motion::Keyframes {
            keyframes: (0..=8).map(keyframe).collect(),
            ease: Ease::Linear,
        };
        setup
            .colliders
            .push(collider(Sphere { radius: 0.5 }, motion.clone()));
        setup
            .colliders
            .push(collider(Plane { normal: DVec3::Y }, motion));
        setup
    };
    let count = first_frame_substeps(&still);
    for (position, rotation) in [(DVec3::X, DVec3::ZERO), (DVec3::ZERO, DVec3::Z)] {
        let setup = shaken(position, rotation);
        // Some 190 m/s or 160 m/s where the sphere's corner is; r is 0.05 m.
        let shaken = first_frame_substeps(&setup);
        assert!(shaken > 150.0 && shaken > 2.0 * count, "{shaken} {count}");
        assert_eq!(
            shaken,
            frame_substeps(&setup, &World::new(setup.clone()).state)
        );
    }
}
