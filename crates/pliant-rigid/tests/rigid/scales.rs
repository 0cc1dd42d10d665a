//! Bodies whose friction is another along an axis of their own.

use std::f64::consts::TAU;
use std::sync::Arc;

use pliant_core::methods::rigid::RigidColumns;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{BodyGrain, World};
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_math::{DQuat, DVec3, Pose, Real, to_double};

use crate::particles::{total_momentum, with_grains};
use crate::worlds::{Scene, Solid, angular_momentum, energy, place, run, run_frames};

const GRAVITY: f64 = 9.81;

/// Coefficients of friction across the grain, and what is left of it along.
const ACROSS: f64 = 0.7;
const FACTOR: f64 = 0.2;

fn cuboid(x: f64, y: f64, z: f64) -> Arc<dyn Shape> {
    Arc::new(Box {
        half_size: 0.5 * DVec3::new(x, y, z),
    })
}

fn grain(axis: DVec3, factor: f64) -> Option<BodyGrain> {
    Some(BodyGrain { axis, factor })
}

/// A slope about z, the way down it, its normal, and the way across it.
fn slope(degrees: f64) -> (Pose, [DVec3; 3]) {
    let pose = Pose::from_euler(DVec3::ZERO, DVec3::Z * -degrees.to_radians());
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotation * axis);
    (pose, axes)
}

/// Acceleration [m/s2] along and across the grain of what slides on a slope from rest, its grain turned out of the way
/// down by `turn` [rad].
///
/// The direction of sliding does not change, and friction loses as much work as can be (Michałowski and Mróz 1978): so
/// what it takes of gravity along the slope is the nearest that it can, m g cos(slope) E, E being the ellipse of both
/// coefficients. Found by trying its points.
fn theory(degrees: f64, turn: f64, factor: f64, friction: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let pull = [turn.cos(), turn.sin()].map(|share| GRAVITY * sin * share);
    let axes = [factor, 1.0].map(|factor| friction * factor * GRAVITY * cos);
    if (pull[0] / axes[0]).hypot(pull[1] / axes[1]) <= 1.0 {
        return [0.0; 2];
    }
    let left = (0..100_000).map(|k| {
        let (sin, cos) = (TAU * f64::from(k) / 1e5).sin_cos();
        [pull[0] - axes[0] * cos, pull[1] - axes[1] * sin]
    });
    let size = |a: &[f64; 2]| a[0].hypot(a[1]);
    let nearest = left.min_by(|a, b| size(a).total_cmp(&size(b)));
    nearest.expect("there are points")
}

/// Velocity [m/s] of the rigid body with a number.
fn velocity(world: &World, number: usize) -> DVec3 {
    to_double(world.state.particles.velocity[place(world, number)])
}

fn assert_goes(world: &World, number: usize, ways: [DVec3; 2], expected: [f64; 2], what: &str) {
    let v = velocity(world, number);
    for (way, expected) in ways.into_iter().zip(expected) {
        let found = v.dot(way) / 0.5;
        let off = (found - expected).abs();
        assert!(off < 1e-3 * GRAVITY, "{what}: {found} of {expected}");
    }
}

#[test]
fn a_block_on_a_slope_goes_where_the_ellipse_of_friction_lets_it() {
    let shape = cuboid(0.1, 0.06, 0.1);
    for factor in [FACTOR, 2.5] {
        for turn in [0.0, 90.0, 45.0, -20.0, 70.0, 160.0].map(f64::to_radians) {
            let degrees = if factor < 1.0 { 30.0 } else { 40.0 };
            let (slope, [down, up, aside]) = slope(degrees);
            // The block lies along its grain, so that its pose at the start is turned too.
            let turned = DQuat::from_axis_angle(up, turn);
            let [axis, across] = [down, aside].map(|way| turned * way);
            let mut solid = Solid::new(&shape, 1.0, up * 0.03);
            solid.pose.rotation = turned * slope.rotation;
            // A collider's own coefficient counts.
            solid.friction = 0.1;
            solid.grain = grain(axis, factor);
            let friction = if factor < 1.0 { ACROSS } else { 0.3 };
            let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
            let scene = Scene::new().on(floor, slope, friction).with(&solid);
            let mut world = scene.world(vec![]);
            run_frames(&mut world, 0.5, |_, _, _| ());
            let expected = theory(degrees, turn, factor, friction);
            let what = format!("{factor} at {:.0} degrees", turn.to_degrees());
            assert_goes(&world, 0, [axis, across], expected, &what);
        }
    }
}

#[test]
fn the_axis_turns_with_the_body() {
    let (shape, floor) = (cuboid(0.1, 0.06, 0.1), Arc::new(Plane { normal: DVec3::Y }));
    for (first, expected) in [(false, 0.0), (true, theory(30.0, 0.0, FACTOR, ACROSS)[0])] {
        let (slope, [down, up, aside]) = slope(30.0);
        let mut solid = Solid::new(&shape, 1.0, up * 0.03);
        solid.pose.rotation = slope.rotation;
        solid.grain = grain(if first { aside } else { down }, FACTOR);
        let scene = Scene::new().on(floor.clone(), slope, ACROSS).with(&solid);
        let mut world = scene.world(vec![]);
        let columns = world.state.methods.find_mut::<RigidColumns>();
        let rotation = &mut columns.expect("there is a rigid body").rotation[0];
        *rotation = DQuat::from_axis_angle(up, 0.25 * TAU) * *rotation;
        run_frames(&mut world, 0.5, |_, _, _| ());
        assert_goes(&world, 0, [down, aside], [expected, 0.0], "turned");
    }
}

#[test]
fn friction_around_an_upright_axis_is_the_same_in_all_directions() {
    let (shape, floor) = (cuboid(0.1, 0.06, 0.1), Arc::new(Plane { normal: DVec3::Y }));
    let (slope, [down, up, aside]) = slope(30.0);
    let mut solid = Solid::new(&shape, 1.0, up * 0.03);
    solid.pose.rotation = slope.rotation;
    solid.grain = grain(up, FACTOR);
    let scene = Scene::new().on(floor, slope, 0.3).with(&solid);
    let mut world = scene.world(vec![]);
    run_frames(&mut world, 0.5, |_, _, _| ());
    let expected = theory(30.0, 0.0, 1.0, 0.3);
    assert_goes(&world, 0, [down, aside], expected, "upright");
}

/// A block on a heavy slab that lies on the ground, under a slanting gravity.
fn on_a_slab(of_block: Option<BodyGrain>, of_slab: Option<BodyGrain>) -> World {
    let (block, slab) = (cuboid(0.1, 0.06, 0.1), cuboid(3.0, 0.1, 3.0));
    let mut under = Solid::new(&slab, 1e4, DVec3::Y * 0.05);
    (under.friction, under.grain) = (0.5, of_slab);
    let mut above = Solid::new(&block, 1.0, DVec3::Y * 0.13);
    (above.friction, above.grain) = (ACROSS * ACROSS / 0.5, of_block);
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let scene = Scene::new().on(floor, Pose::IDENTITY, 50.0);
    let mut scene = scene.with(&under).with(&above);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    scene.setup.gravity = DVec3::new(sin, -cos, 0.0) * GRAVITY;
    scene.world(vec![])
}

#[test]
fn of_two_bodies_that_axis_counts_along_which_friction_differs_more() {
    let turned = |turn: f64| DVec3::new(turn.cos(), 0.0, -turn.sin());
    let quarter = 0.25 * TAU;
    // The axes of the block and of the slab; the factor along that which counts, and how far that is turned out of the
    // way down.
    let cases = [
        (grain(DVec3::X, FACTOR), None, FACTOR, 0.0),
        (None, grain(DVec3::X, FACTOR), FACTOR, 0.0),
        (grain(DVec3::Z, FACTOR), None, FACTOR, quarter),
        (grain(turned(0.8), FACTOR), None, FACTOR, 0.8),
        (None, grain(turned(-0.8), FACTOR), FACTOR, -0.8),
        (grain(DVec3::X, FACTOR), grain(DVec3::X, 0.9), FACTOR, 0.0),
        (
            grain(DVec3::Z, 0.5),
            grain(turned(0.3), FACTOR),
            FACTOR,
            0.3,
        ),
        (grain(DVec3::X, FACTOR), grain(DVec3::X, 6.0), 6.0, 0.0),
    ];
    for (of_block, of_slab, factor, turn) in cases {
        let mut world = on_a_slab(of_block, of_slab);
        run_frames(&mut world, 0.5, |_, _, _| ());
        let expected = theory(30.0, turn, factor, ACROSS);
        let ways = [turned(turn), turned(turn - quarter)];
        let what = format!("{of_block:?} on {of_slab:?}");
        assert_goes(&world, 1, ways, expected, &what);
    }
}

#[test]
fn a_light_plate_with_scales_carries_a_heavy_block_down_a_slope() {
    let (plate, block) = (cuboid(0.1, 0.02, 0.1), cuboid(0.06, 0.06, 0.06));
    for turn in [0.0, 0.7] {
        let (slope, [down, up, aside]) = slope(30.0);
        let turned = DQuat::from_axis_angle(up, turn);
        let [axis, across] = [down, aside].map(|way| turned * way);
        let mut under = Solid::new(&plate, 0.01, up * 0.01);
        under.pose.rotation = turned * slope.rotation;
        under.grain = grain(axis, FACTOR);
        under.friction = 100.0;
        let mut above = Solid::new(&block, 10.0, up * 0.05 + axis * 0.04);
        above.pose.rotation = turned * slope.rotation;
        above.friction = 100.0;
        let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
        let scene = Scene::new().on(floor, slope, ACROSS);
        let mut world = scene.with(&under).with(&above).world(vec![]);
        run_frames(&mut world, 0.5, |_, _, _| ());
        let expected = theory(30.0, turn, FACTOR, ACROSS);
        for number in [0, 1] {
            let what = format!("body {number}, turned by {turn}");
            assert_goes(&world, number, [axis, across], expected, &what);
        }
    }
}

#[test]
fn what_slides_and_spins_on_scales_gains_no_energy() {
    let shape = cuboid(0.1, 0.04, 0.06);
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    for factor in [0.05, 0.5, 4.0] {
        let mut solid = Solid::new(&shape, 1.0, DVec3::Y * 0.02);
        solid.grain = grain(DVec3::new(0.6, 0.0, 0.8), factor);
        (solid.velocity, solid.spin) = (DVec3::new(1.0, 0.0, 0.7), DVec3::Y * 9.0);
        let scene = Scene::new().on(floor.clone(), Pose::IDENTITY, 0.2);
        let mut world = scene.with(&solid).world(vec![]);
        let mut before = energy(&world);
        let start = before;
        run(&mut world, 0.4, 1e-3, |world| {
            let now = energy(world);
            let off = now - before;
            assert!(off < 1e-6 * start, "{factor}: {off:e} J of {start} J");
            before = now;
        });
        assert!(before < 0.7 * start, "{factor}: {before} J of {start} J");
    }
}

#[test]
fn bodies_with_scales_that_collide_keep_momentum_and_gain_no_energy() {
    let shape = cuboid(0.1, 0.1, 0.1);
    let mut one = Solid::new(&shape, 1.0, DVec3::new(-0.1, -0.02, -0.05));
    (one.velocity, one.spin) = (DVec3::new(2.0, 0.5, 1.0), DVec3::new(3.0, -2.0, 1.0));
    one.grain = grain(DVec3::Y, 0.1);
    let mut other = Solid::new(&shape, 3.0, DVec3::new(0.1, 0.0, 0.0));
    other.grain = grain(DVec3::new(0.0, 0.6, 0.8), 3.0);
    let scene = Scene::new().weightless();
    let mut world = scene.with(&one).with(&other).world(vec![]);
    let sums = |world: &World| {
        let p = &world.state.particles;
        let orbit = |i: usize| p.position[i].cross(to_double(p.velocity[i]) * f64::from(p.mass[i]));
        let spins = angular_momentum(world, 0) + angular_momentum(world, 1);
        [total_momentum(world), orbit(0) + orbit(1) + spins]
    };
    let (before, mut most) = (sums(&world), energy(&world));
    let bound = if size_of::<Real>() == 8 { 1e-12 } else { 1e-5 };
    run(&mut world, 0.4, 1e-3, |world| {
        let now = energy(world);
        assert!(now < most * (1.0 + bound), "{now} J after {most} J");
        most = now;
    });
    for (after, before) in sums(&world).into_iter().zip(before) {
        let lost = (after - before).length() / before.length();
        assert!(lost < bound, "{lost:e}");
    }
    assert!(velocity(&world, 1).length() > 0.1);
}

/// A box with scales that grains hit, and one with others that falls upon it.
fn hit_by_grains() -> World {
    let shape = cuboid(0.1, 0.2, 0.1);
    let mut solid = Solid::new(&shape, 0.4, DVec3::ZERO);
    solid.grain = grain(DVec3::new(0.0, 0.8, 0.6), 0.1);
    let mut other = Solid::new(&shape, 0.4, DVec3::new(0.06, 0.22, 0.03));
    (other.velocity, other.grain) = (DVec3::NEG_Y, grain(DVec3::X, 5.0));
    let scene = Scene::new().weightless().with(&solid).with(&other);
    let (corner, velocity) = (DVec3::new(-0.3, 0.0, -0.03), DVec3::new(2.0, 0.5, 0.3));
    let mut scene = with_grains(scene, 0.4, [5, 5, 5], corner, velocity);
    let grains = scene.setup.bodies.last_mut().expect("the grains");
    grains.grain = grain(DVec3::Z, 0.4);
    scene.world(vec![])
}

#[test]
fn grains_that_hit_scales_keep_momentum_and_give_the_same_bits_on_any_threads() {
    let after = |threads: usize| {
        let mut world = hit_by_grains();
        let mut stepper = CpuStepper::new(threads).expect("threads");
        let mut most = energy(&world);
        for _ in 0..200 {
            stepper.substep(&mut world, 1e-3).expect("a step");
            let now = energy(&world);
            assert!(now < 1.00001 * most, "{now} J after {most} J");
            most = now;
        }
        world
    };
    let (start, end) = (hit_by_grains(), after(1));
    let before = total_momentum(&start);
    let lost = (total_momentum(&end) - before).length() / before.length();
    let bound = if size_of::<Real>() == 8 { 1e-12 } else { 1e-5 };
    assert!(lost < bound, "{lost:e}");
    assert!(velocity(&end, 0).length() > 0.1);
    let bytes = end.state.to_bytes();
    for threads in [2, 4] {
        assert!(after(threads).state.to_bytes() == bytes, "{threads}");
    }
}
