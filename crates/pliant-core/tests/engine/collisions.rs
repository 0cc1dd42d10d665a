//! Contacts between bodies of different continua.

use std::sync::Arc;

use pliant_core::world::World;
use pliant_math::DVec3;

use crate::blocks::{block, setup};
use crate::worlds::{advance, momentum};

/// Two blocks of different spacing that fly towards each other.
fn collision() -> World {
    let fine = block(0, [8; 3], 0.05, DVec3::new(-0.45, 0.0, 0.0), DVec3::X);
    let coarse = block(0, [5; 3], 0.08, DVec3::new(0.05, 0.0, 0.0), -DVec3::X);
    let mut setup = setup(vec![fine, coarse]);
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    World::new(setup)
}

fn coordinates(world: &World, body: u32) -> Vec<f64> {
    let particles = &world.state.particles;
    let of_body = particles.position.iter().zip(&particles.body);
    of_body
        .filter(|&(_, &b)| b == body)
        .map(|(x, _)| x.x)
        .collect()
}

fn mean_speed(world: &World, body: u32) -> f64 {
    let particles = &world.state.particles;
    let of_body = particles.velocity.iter().zip(&particles.body);
    let speeds: Vec<f64> = of_body
        .filter(|&(_, &b)| b == body)
        .map(|(v, _)| f64::from(v.x))
        .collect();
    speeds.iter().sum::<f64>() / speeds.len() as f64
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn bodies_of_different_spacing_collide_and_do_not_pass() {
    let mut world = collision();
    for _ in 0..20 {
        advance(&mut world, 1e-3, 20, 2).expect("a sound collision");
        let (left, right) = (coordinates(&world, 0), coordinates(&world, 1));
        let front = left.iter().copied().fold(f64::MIN, f64::max);
        let back = right.iter().copied().fold(f64::MAX, f64::min);
        // Half a coarse spacing at most of one between the rows of the other.
        assert!(front < back + 0.04, "{front} {back}");
    }
    let (left, right) = (mean_speed(&world, 0), mean_speed(&world, 1));
    assert!(left < 0.0 && right > 0.0, "no rebound: {left} {right}");
}

#[test]
fn a_collision_keeps_the_momentum_of_the_pair() {
    let mut world = collision();
    let start = momentum(&world);
    // Each block has a mass of 64 kg and a speed of 1 m/s.
    let size = 128.0;
    advance(&mut world, 1e-3, 200, 2).expect("a sound collision");
    let drift = (momentum(&world) - start).length() / size;
    let bound = if cfg!(feature = "double") {
        1e-12
    } else {
        1e-5
    };
    assert!(drift < bound, "{drift:e}");
}

#[test]
fn particles_far_away_do_not_change_other_contacts_and_have_their_own() {
    let mut alone = collision();
    let mut with_flyers = collision();
    // One that only flies, and one that hits the left block's top row from above within a substep.
    let away = block(0, [1; 3], 0.05, DVec3::Y * 90.0, DVec3::Y * 3e3);
    let hits = block(
        0,
        [1; 3],
        0.04,
        DVec3::new(-0.24, 1.0, 0.2),
        DVec3::Y * -400.0,
    );
    for body in [away, hits] {
        Arc::make_mut(&mut with_flyers.setup).bodies.push(body);
    }
    with_flyers = World::new(with_flyers.setup);
    advance(&mut alone, 1e-3, 1, 2).expect("a sound collision");
    advance(&mut with_flyers, 1e-3, 1, 2).expect("a sound collision");
    let common = alone.state.particles.len();
    let place = |world: &World, id: u32| {
        let places = world.state.particles.id.iter().position(|&i| i == id);
        world.state.particles.position[places.expect("nothing is removed")]
    };
    assert!((0..common as u32).all(|id| place(&alone, id) == place(&with_flyers, id)));
    advance(&mut with_flyers, 1e-3, 3, 2).expect("a sound collision");
    let last = with_flyers.state.next_id - 1;
    // Unhindered it would be 0.6 m below the floor of the blocks by now.
    assert!(
        place(&with_flyers, last).y > 0.0,
        "{}",
        place(&with_flyers, last)
    );
}
