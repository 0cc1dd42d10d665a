//! Births, removals, bounds.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::Trouble;
use pliant_core::world::{Bounds, Emitter, OnExit, Setup, World};
use pliant_geometry::shapes::{Box, Sphere};
use pliant_math::{DVec3, Pose, RandomStream};

use crate::blocks::{block, body, collider, setup};
use crate::worlds::{advance, nearest_distance};

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
    let run = pliant_geometry::in_order;
    let seeds = pliant_geometry::sampling::fill(&shape, SPACING, grid, 0.0, random, run);
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
fn an_emitter_emits_at_its_rate_between_its_times() {
    let mut world = World::new(emission(Some(500.0)));
    advance(&mut world, 1e-3, 90, 1).expect("a sound emission");
    assert_eq!(world.state.particles.len(), 0);
    advance(&mut world, 1e-3, 410, 1).expect("a sound emission");
    // 500/s for 0.3 s.
    let count = world.state.particles.len();
    assert!((148..=151).contains(&count), "{count}");
}

#[test]
fn a_slow_emitter_fills_its_whole_shape() {
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
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
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

/// An emission from rest without gravity, so that births stay where they are.
fn quiet_emission() -> Setup {
    let mut setup = emission(None);
    setup.emitters[0].velocity = DVec3::ZERO;
    setup.gravity = DVec3::ZERO;
    setup
}

#[test]
fn nothing_is_born_inside_colliders() {
    let ball = Sphere { radius: 0.1 };
    let start = Pose {
        translation: DVec3::Y * 0.5,
        ..Pose::IDENTITY
    };
    // One rests in the middle of the mouth, one is on its way there when the emission starts.
    let away = Pose {
        translation: start.translation - DVec3::X * 0.11,
        ..start
    };
    let velocity = DVec3::X;
    let spin = DVec3::ZERO;
    let moving = Motion::Constant {
        start: away,
        velocity,
        spin,
    };
    for motion in [Motion::Rest(start), moving] {
        let mut setup = quiet_emission();
        let seeds = setup.emitters[0].seeds.len();
        setup.colliders.push(collider(ball, motion));
        let mut world = World::new(setup);
        advance(&mut world, 1e-3, 101, 1).expect("a sound emission");
        let born = &world.state.particles.position;
        let at_birth = &world.setup.colliders[1];
        let deepest = born.iter().map(|&x| at_birth.signed_distance(x, 0.1));
        assert!(deepest.fold(f64::INFINITY, f64::min) > -1e-3);
        assert!(
            born.len() < seeds && born.len() > seeds / 2,
            "{}",
            born.len()
        );
    }
}

#[test]
fn emitted_particles_do_not_overlap_coarser_ones() {
    let mut setup = quiet_emission();
    let corner = DVec3::new(-0.2, 0.4, -0.2);
    setup
        .bodies
        .push(block(2, [2; 3], 0.2, corner, DVec3::ZERO));
    let mut world = World::new(setup);
    advance(&mut world, 1e-3, 102, 1).expect("a sound emission");
    // Each coarse particle is as wide as four fine ones: the contact distance is 2.5 spacings.
    let particles = &world.state.particles;
    let (coarse, fine): (Vec<usize>, Vec<usize>) =
        (0..particles.len()).partition(|&i| particles.body[i] == 1);
    assert!(!fine.is_empty());
    for i in fine {
        for &j in &coarse {
            let distance = particles.position[i].distance(particles.position[j]);
            assert!(distance > 0.84 * 2.5 * SPACING, "{distance}");
        }
    }
}

#[test]
fn an_emitter_that_fills_the_memory_ends_the_run() {
    let mut setup = emission(None);
    setup.particle_limit = 200;
    let mut world = World::new(setup);
    let error = advance(&mut world, 1e-3, 1000, 1).expect_err("200 are soon born");
    assert_eq!(error.trouble, Trouble::TooManyParticles { limit: 200 });
    assert!(error.to_string().contains("200 particles"), "{error}");
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
fn bounds_stop_the_run_if_set_to() {
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
