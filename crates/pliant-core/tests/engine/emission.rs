//! Births, removals, bounds.

use std::sync::Arc;

use pliant_core::step::Trouble;
use pliant_core::world::{Bounds, Emitter, OnExit, Setup, World};
use pliant_geometry::shapes::Box;
use pliant_math::{DVec3, Pose, RandomStream};

use crate::worlds::{advance, body, nearest_distance, setup};

const SPACING: f64 = 0.05;

/// Sand from a box of eight by two by eight spacings, half a metre up.
fn emission(rate: Option<f64>) -> Setup {
    let mut setup = setup(vec![body(2, SPACING, vec![], DVec3::ZERO)]);
    let shape = Box {
        half_size: DVec3::new(4.0, 1.0, 4.0) * SPACING,
    };
    let pose = Pose {
        translation: DVec3::Y * 0.5,
        ..Pose::IDENTITY
    };
    let random = RandomStream::new(3, 1);
    let grid = pliant_geometry::sampling::Sampling::Grid;
    let seeds = pliant_geometry::sampling::fill(&shape, SPACING, grid, 0.0, random);
    setup.emitters.push(Emitter {
        name: "mouth".into(),
        body: 0,
        seeds: seeds.iter().map(|&x| pose.to_world(x)).collect(),
        shape: Arc::new(shape),
        pose,
        velocity: DVec3::Y * -1.0,
        rate,
        start: 0.1,
        stop: 0.4,
    });
    setup
}

#[test]
fn an_emitter_keeps_to_its_rate_and_its_times() {
    let mut world = World::new(emission(Some(500.0)));
    advance(&mut world, 1e-3, 90, 1).expect("a sound emission");
    assert_eq!(world.state.particles.len(), 0);
    advance(&mut world, 1e-3, 410, 1).expect("a sound emission");
    // 500/s for 0.3 s.
    let count = world.state.particles.len();
    assert!((148..=151).contains(&count), "{count}");
}

#[test]
fn a_slow_emitter_feeds_its_whole_shape() {
    let mut world = World::new(emission(Some(500.0)));
    advance(&mut world, 1e-3, 260, 1).expect("a sound emission");
    let position = &world.state.particles.position;
    let mean = position.iter().sum::<DVec3>() / position.len() as f64;
    // Uniform over 8 spacings: the mean of 80 draws scatters by 0.26 spacings.
    assert!(mean.x.abs().max(mean.z.abs()) < SPACING, "{mean}");
    let widest = position.iter().map(|x| x.x.abs().max(x.z.abs()));
    assert!(widest.fold(0.0, f64::max) > 3.0 * SPACING);
}

#[test]
fn an_emitter_without_a_rate_fills_what_leaves_and_never_overlaps() {
    let mut world = World::new(emission(None));
    let mut nearest = f64::INFINITY;
    for _ in 0..25 {
        advance(&mut world, 1e-3, 20, 1).expect("a sound emission");
        // Until the first grains hit the floor.
        if world.state.time < 0.27 {
            nearest = nearest.min(nearest_distance(&world));
        }
    }
    assert!(nearest > 0.8 * SPACING, "{}", nearest / SPACING);
    // The mouth of 64 cells and 1 m/s deliver 64/spacing particles a second, gravity some more.
    let count = world.state.particles.len();
    let steady = 64.0 / SPACING * 0.3;
    assert!(
        (steady..2.5 * steady).contains(&(count as f64)),
        "{count} {steady}"
    );
}

#[test]
fn a_blocked_emitter_stops_by_itself() {
    let mut setup = emission(None);
    setup.emitters[0].velocity = DVec3::ZERO;
    setup.gravity = DVec3::ZERO;
    let seeds = setup.emitters[0].seeds.len();
    let mut world = World::new(setup);
    advance(&mut world, 1e-3, 300, 1).expect("a sound emission");
    assert_eq!(world.state.particles.len(), seeds);
}

#[test]
fn bounds_remove_what_leaves_them() {
    let mut setup = emission(Some(500.0));
    setup.bounds = Some(Bounds {
        min: DVec3::new(-1.0, 0.3, -1.0),
        max: DVec3::splat(1.0),
        on_exit: OnExit::Remove,
    });
    let mut world = World::new(setup);
    advance(&mut world, 1e-3, 1000, 1).expect("a sound emission");
    let (removed, left) = (world.state.removed, world.state.particles.len());
    assert!(removed >= 148 && left == 0, "{removed} {left}");
}

#[test]
fn bounds_stop_the_run_when_told_so() {
    let mut setup = emission(Some(500.0));
    setup.bounds = Some(Bounds {
        min: DVec3::new(-1.0, 0.3, -1.0),
        max: DVec3::splat(1.0),
        on_exit: OnExit::Stop,
    });
    let mut world = World::new(setup);
    let error = advance(&mut world, 1e-3, 1000, 1).expect_err("it leaves");
    assert_eq!(error.trouble, Trouble::OutOfBounds);
    assert!(world.state.time > 0.1 && world.state.time < 0.5);
}
