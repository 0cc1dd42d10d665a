//! Grains that meet as contacts only.

use std::sync::Arc;

use pliant_core::methods::granules::GRANULES;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, State, World};
use pliant_materials::Law;
use pliant_materials::laws::ContactFriction;
use pliant_math::{DVec3, RandomStream, Real, to_double};

use crate::blocks::{block, body, setup};
use crate::worlds::{advance, momentum, nearest_distance};

const SPACING: f64 = 0.05;
const DT: f64 = 1e-3;

fn grains(body: Body) -> Body {
    Body {
        method: GRANULES,
        material: 6,
        ..body
    }
}

fn world(bodies: Vec<Body>, friction: Real) -> World {
    let mut setup = setup(bodies);
    let law = ContactFriction { friction };
    setup.materials.push(Material {
        youngs_modulus: 0.0,
        law: Law::ContactFriction(law),
        ..setup.materials[0].clone()
    });
    World::new(setup)
}

/// A column as high as wide on the floor, in disorder.
fn column(friction: Real) -> World {
    let mut column = block(0, [8, 8, 8], SPACING, DVec3::ZERO, DVec3::ZERO);
    let random = RandomStream::new(2, 1);
    for (k, x) in (0u64..).zip(&mut column.particles.position) {
        let noise = |axis: u64| random.unit(3 * k + axis) - 0.5;
        *x += DVec3::new(noise(0), noise(1), noise(2)) * (0.5 * SPACING);
    }
    world(vec![grains(column)], friction)
}

/// Mean distance [m] of the particles from the column's axis.
fn spread(world: &World) -> f64 {
    let axis = DVec3::new(4.0 * SPACING, 0.0, 4.0 * SPACING);
    let position = &world.state.particles.position;
    let distance = |x: &DVec3| (x.x - axis.x).hypot(x.z - axis.z);
    position.iter().map(distance).sum::<f64>() / position.len() as f64
}

fn rms_speed(world: &World) -> f64 {
    let velocity = &world.state.particles.velocity;
    let squares = velocity.iter().map(|v| to_double(*v).length_squared());
    (squares.sum::<f64>() / velocity.len() as f64).sqrt()
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_column_collapses_and_comes_to_rest_and_spreads_further_without_friction() {
    let mut rough = column(0.2);
    let mut smooth = column(0.0);
    let start = spread(&rough);
    for world in [&mut rough, &mut smooth] {
        Arc::make_mut(&mut world.setup).solver.iterations = 20;
        advance(world, DT, 1500, 2).expect("a sound column");
    }
    assert!(spread(&rough) > 1.3 * start, "{}", spread(&rough) / start);
    assert!(rms_speed(&rough) < 0.01, "{}", rms_speed(&rough));
    assert!(spread(&smooth) > 1.15 * spread(&rough));
    // Balls of one spacing, pressed by little more than a tenth of a metre of themselves.
    assert!(nearest_distance(&rough) > 0.9 * SPACING);
}

#[test]
fn two_grains_stop_at_one_spacing_and_share_their_momentum() {
    let first = body(0, SPACING, vec![DVec3::ZERO], DVec3::X);
    let second = body(0, SPACING, vec![DVec3::X * 0.1], DVec3::ZERO);
    let mut world = world(vec![grains(first), grains(second)], 0.5);
    Arc::make_mut(&mut world.setup).gravity = DVec3::ZERO;
    Arc::make_mut(&mut world.setup).colliders.clear();
    advance(&mut world, DT, 100, 1).expect("two grains");
    let distance = nearest_distance(&world);
    assert!((distance / SPACING - 1.0).abs() < 1e-3, "{distance}");
    let speeds: Vec<_> = world.state.particles.velocity.iter().map(|v| v.x).collect();
    assert!(speeds.iter().all(|v| (v - 0.5).abs() < 1e-5), "{speeds:?}");
}

#[test]
fn blocks_of_grains_that_collide_keep_their_momentum_for_any_number_of_threads() {
    let collide = |threads: usize| {
        let left = block(0, [10; 3], SPACING, DVec3::new(-0.51, 0.0, 0.0), DVec3::X);
        let right = block(0, [10; 3], SPACING, DVec3::new(0.01, 0.1, 0.0), -DVec3::X);
        let mut world = world(vec![grains(left), grains(right)], 0.5);
        Arc::make_mut(&mut world.setup).gravity = DVec3::ZERO;
        Arc::make_mut(&mut world.setup).colliders.clear();
        let start = momentum(&world);
        let mut stepper = CpuStepper::new(threads).expect("threads");
        for _ in 0..100 {
            stepper.substep(&mut world, DT).expect("grains");
        }
        // Each block has a mass of 125 kg and a speed of 1 m/s.
        let bound = if cfg!(feature = "double") {
            1e-12
        } else {
            1e-6
        };
        assert!((momentum(&world) - start).length() < 250.0 * bound);
        world.state.to_bytes()
    };
    let one = collide(1);
    assert!(collide(2) == one && collide(4) == one);
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn grains_rest_on_sand_and_sand_on_grains() {
    let sand = block(2, [8, 4, 8], SPACING, DVec3::ZERO, DVec3::ZERO);
    let above = block(0, [8, 4, 8], SPACING, DVec3::Y * 0.2, DVec3::ZERO);
    for (lower, upper) in [
        (sand.clone(), grains(above.clone())),
        (
            grains(sand),
            Body {
                material: 2,
                ..above
            },
        ),
    ] {
        let mut world = world(vec![lower, upper], 0.6);
        advance(&mut world, DT, 500, 2).expect("a heap");
        let particles = &world.state.particles;
        let mean = |number: u32| {
            let of_body = particles.position.iter().zip(&particles.body);
            let heights = of_body.filter(|(_, body)| **body == number);
            heights.map(|(x, _)| x.y).sum::<f64>() / 256.0
        };
        assert!(mean(1) > mean(0) + 0.5 * SPACING, "{} {}", mean(0), mean(1));
        assert!(particles.position.iter().all(|x| x.y > 0.0));
    }
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_heap_has_the_same_bits_on_all_threads_and_after_a_resume() {
    let after = |mut world: World, substeps, threads| {
        advance(&mut world, DT, substeps, threads).expect("a sound column");
        world.state.to_bytes()
    };
    let all = after(column(0.3), 200, 1);
    for threads in [2, 4] {
        assert!(after(column(0.3), 200, threads) == all, "{threads} threads");
    }
    let mut resumed = column(0.3);
    let saved = after(column(0.3), 120, 2);
    resumed.state = State::from_bytes(&saved, &resumed.setup).expect("its own bytes");
    assert!(after(resumed, 80, 1) == all);
}
