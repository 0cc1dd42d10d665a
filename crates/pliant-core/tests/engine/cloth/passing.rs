//! Nothing passes cloth, and cloth passes nothing.

use pliant_core::boundaries::{Collider, Motion};
use pliant_core::world::{Setup, State, World};
use pliant_geometry::shapes::{Box, Plane, Sphere};
use pliant_math::{DVec3, Pose, Real};

use super::sheets::{LAW, at, sheet, world_of};
use crate::blocks::{block, body, collider};
use crate::worlds::{advance, momentum};

/// Holds the corners of a sheet.
fn held(world: Setup) -> Setup {
    pinned(world, |x, reach| x.x.abs().min(x.z.abs()) > reach)
}

/// Holds all of the rim of a sheet, so that nothing slips off it.
fn held_all_around(world: Setup) -> Setup {
    pinned(world, |x, reach| x.x.abs().max(x.z.abs()) > reach)
}

fn pinned(mut world: Setup, is_pinned: impl Fn(DVec3, f64) -> bool) -> Setup {
    let particles = &mut world.bodies[0].particles;
    let reach = particles
        .position
        .iter()
        .map(|x| x.x.abs())
        .fold(0.0, f64::max);
    for (pin, x) in particles.is_pinned.iter_mut().zip(&particles.position) {
        *pin = is_pinned(*x, reach - 1e-9);
    }
    world
}

/// Sand on a sheet held at its corners.
fn sand_on_cloth() -> World {
    let cloth = sheet(LAW, [15, 15], 0.02, at(0.0, 0.5, 0.0));
    let sand = block(
        2,
        [8, 6, 8],
        0.01,
        DVec3::new(-0.04, 0.53, -0.04),
        DVec3::ZERO,
    );
    let mut setup = held(world_of(LAW, vec![cloth, sand]));
    setup.colliders.clear();
    World::new(setup)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn sand_stays_on_a_held_sheet() {
    let mut world = sand_on_cloth();
    advance(&mut world, 1e-3, 400, 2).expect("a sound scene");
    let p = &world.state.particles;
    let lowest_cloth = (0..p.len())
        .filter(|&i| p.body[i] == 0)
        .map(|i| p.position[i].y)
        .fold(f64::MAX, f64::min);
    assert!(lowest_cloth < 0.485, "it sags: {lowest_cloth}");
    let sand = (0..p.len()).filter(|&i| p.body[i] == 1);
    let below = sand
        .clone()
        .filter(|&i| p.position[i].y < lowest_cloth)
        .count();
    assert_eq!((sand.count(), below), (384, 0));
}

#[test]
fn bits_depend_on_neither_threads_nor_a_resume() {
    let run = |threads: usize, substeps: usize| {
        let mut world = sand_on_cloth();
        advance(&mut world, 1e-3, substeps, threads).expect("a sound scene");
        world.state.to_bytes()
    };
    let one = run(1, 40);
    assert!(run(2, 40) == one && run(4, 40) == one);
    let mut resumed = sand_on_cloth();
    resumed.state = State::from_bytes(&run(2, 25), &resumed.setup).expect("its own bytes");
    advance(&mut resumed, 1e-3, 15, 2).expect("a sound scene");
    assert!(resumed.state.to_bytes() == one);
}

#[test]
fn a_sheet_and_what_hits_it_keep_their_momentum() {
    let cloth = sheet(LAW, [13, 13], 0.03, at(0.0, 0.0, 0.0));
    let ball = block(
        0,
        [4, 4, 4],
        0.03,
        DVec3::new(-0.05, 0.05, -0.06),
        DVec3::new(1.0, -6.0, 0.5),
    );
    let mut setup = world_of(LAW, vec![cloth, ball]);
    setup.colliders.clear();
    setup.gravity = DVec3::ZERO;
    let mut world = World::new(setup);
    let before = momentum(&world);
    advance(&mut world, 1e-3, 60, 2).expect("a sound scene");
    let p = &world.state.particles;
    let pushed = (0..p.len()).filter(|&i| p.body[i] == 0 && p.velocity[i].y < -1.0);
    assert!(pushed.count() > 20);
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    let error = (momentum(&world) - before).length() / before.length();
    assert!(error < tolerance, "{error:e}");
}

#[test]
fn a_fast_sheet_does_not_pass_a_thin_plate() {
    for speed in [5.0, 50.0] {
        let mut cloth = sheet(LAW, [17, 17], 0.02, at(0.0, 0.05, 0.0));
        cloth.particles.velocity.fill(DVec3::new(0.5, -speed, 0.2));
        let mut setup = world_of(LAW, vec![cloth]);
        let half_size = DVec3::new(1.0, 1e-4, 1.0);
        setup.colliders = vec![collider(Box { half_size }, Motion::Rest(Pose::IDENTITY))];
        let mut world = World::new(setup);
        for _ in 0..20 {
            advance(&mut world, 2e-3, 5, 2).expect("a sound scene");
            let lowest = world
                .state
                .particles
                .position
                .iter()
                .map(|x| x.y)
                .fold(f64::MAX, f64::min);
            assert!(lowest > 0.0, "{lowest} at {speed}");
        }
    }
}

#[test]
fn fast_drops_do_not_pass_a_sheet_held_all_around() {
    let cloth = sheet(LAW, [17, 17], 0.03, at(0.0, 0.5, 0.0));
    // Far finer than the triangles, and many triangles a substep fast.
    let drops = (0..400).map(|k| {
        let place = |n: i32| 0.018 * f64::from(n - 10);
        DVec3::new(
            place(k % 20),
            0.52 + 0.004 * f64::from(k % 7),
            place(k / 20),
        )
    });
    let drops = body(2, 0.004, drops.collect(), DVec3::new(1.0, -40.0, 0.0));
    let mut setup = held_all_around(world_of(LAW, vec![cloth, drops]));
    setup.colliders.clear();
    let mut world = World::new(setup);
    advance(&mut world, 2e-3, 100, 2).expect("a sound scene");
    let p = &world.state.particles;
    // What is still within the outline of the sheet is above it.
    let vertices: Vec<DVec3> = (0..p.len())
        .filter(|&i| p.body[i] == 0)
        .map(|i| p.position[i])
        .collect();
    let below = (0..p.len()).filter(|&i| p.body[i] == 1).filter(|&i| {
        let x = p.position[i];
        let flat = |v: &DVec3| DVec3::new(v.x - x.x, 0.0, v.z - x.z).length();
        let near = vertices.iter().min_by(|a, b| flat(a).total_cmp(&flat(b)));
        x.x.abs().max(x.z.abs()) < 0.2 && near.is_some_and(|v| x.y < v.y - 0.03)
    });
    assert_eq!(below.count(), 0);
}

/// Shapes that cloth may fall on.
pub fn ball(radius: f64, center: DVec3) -> Collider {
    let pose = Pose {
        translation: center,
        ..Pose::IDENTITY
    };
    collider(Sphere { radius }, Motion::Rest(pose))
}

/// A rough floor.
pub fn floor() -> Collider {
    collider(Plane { normal: DVec3::Y }, Motion::Rest(Pose::IDENTITY))
}
