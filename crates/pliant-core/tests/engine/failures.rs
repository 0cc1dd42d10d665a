//! Simulations that cannot go on.

use pliant_core::step::Trouble;
use pliant_core::world::World;
use pliant_math::{DVec3, Real};

use crate::worlds::{advance, block, setup};

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
    assert_eq!(error.body, "cube");
    assert_eq!(error.substep, world.state.substeps + 1);
    assert!((error.particle as usize) < world.state.particles.len());
    let message = error.to_string();
    for part in ["cube", "particle", "substep", "time_step"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn what_is_not_a_number_is_found_at_once_and_named() {
    let mut world = falling_block();
    advance(&mut world, 1e-3, 3, 2).expect("a sound start");
    let broken = world.state.particles.id[17];
    world.state.particles.velocity[17].x = Real::NAN;
    let error = advance(&mut world, 1e-3, 1, 2).expect_err("not a number");
    assert_eq!(error.trouble, Trouble::NotFinite);
    assert_eq!(error.substep, 4);
    // Neighbours may have caught it within the substep.
    let near = error.position.distance(DVec3::new(0.125, 0.145, 0.125)) < 0.3;
    assert!(near && (error.particle as usize) < 125, "{error} {broken}");
}
