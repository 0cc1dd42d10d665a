//! Bodies of different continua.

use pliant_core::world::World;
use pliant_math::DVec3;

use crate::worlds::{advance, block, momentum, setup};

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
