//! What stands on each other, in the steps that a world chooses itself.

use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_math::{DVec3, Pose};

use crate::worlds::{Scene, Solid, pose, run_frames};

/// A box: its edges [m], density [kg/m3], and where its middle is [m].
type Block = ([f64; 3], f64, [f64; 3]);

/// Asserts that boxes stay where they are for three seconds, and that the floor carries them all.
fn stands(name: &str, blocks: &[Block]) {
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let shape = |&(size, ..): &Block| -> Arc<dyn Shape> {
        let half_size = 0.5 * DVec3::from_array(size);
        Arc::new(Box { half_size })
    };
    let shapes: Vec<_> = blocks.iter().map(shape).collect();
    let mut scene = Scene::new().on(floor, Pose::IDENTITY, 0.5);
    let mut weight = 0.0;
    for ((size, density, position), shape) in blocks.iter().zip(&shapes) {
        let mass = density * size.iter().product::<f64>();
        weight += 9.81 * mass;
        scene = scene.with(&Solid::new(shape, mass, DVec3::from_array(*position)));
    }
    let mut world = scene.world(vec![]);
    run_frames(&mut world, 3.0, |world, report, dt| {
        for (k, (_, _, position)) in blocks.iter().enumerate() {
            let off = pose(world, k).translation - DVec3::from_array(*position);
            assert!(off.length() < 2e-5, "{name}: box {k} is off by {off}");
        }
        if world.state.time > 0.1 {
            let carried = -report.collider_impulse[0].y / dt / weight;
            assert!((carried - 1.0).abs() < 2e-3, "{name}: carries {carried}");
        }
    });
}

/// Cubes on each other: edges [m] and densities [kg/m3], from the floor up.
fn tower(cubes: &[(f64, f64)]) -> Vec<Block> {
    let mut top = 0.0;
    let block = |&(edge, density): &(f64, f64)| {
        top += edge;
        ([edge; 3], density, [0.0, top - 0.5 * edge, 0.0])
    };
    cubes.iter().map(block).collect()
}

#[test]
fn a_stack_of_ten_boxes_stands() {
    stands("ten", &tower(&[(0.1, 1000.0); 10]));
}

#[test]
fn boxes_that_get_larger_and_denser_upwards_stand() {
    let cube = |k: i32| (0.06 + 0.02 * f64::from(k), 700.0 * 1.25f64.powi(k));
    stands("six", &tower(&(0..6).map(cube).collect::<Vec<_>>()));
}

#[test]
fn a_box_stands_on_one_a_hundred_times_lighter() {
    stands("two", &tower(&[(0.1, 100.0), (0.1, 1e4)]));
    stands(
        "small",
        &tower(&[(0.01, 30.0), (0.01, 3e3), (0.01, 30.0), (0.01, 3e3)]),
    );
    let mut five = vec![(0.1, 50.0); 5];
    five.push((0.1, 5e3));
    stands("on five", &tower(&five));
}

#[test]
fn the_densest_box_stands_off_centre_on_the_lightest() {
    stands("middle", &tower(&[(0.1, 1.0), (0.1, 2e4)]));
    let light = ([0.1; 3], 1.0, [0.0, 0.05, 0.0]);
    stands("aside", &[light, ([0.1; 3], 2e4, [0.02, 0.15, 0.01])]);
    // The lever is as long as it may be but for 5 mm.
    stands("edge", &[light, ([0.3; 3], 1e3, [0.045, 0.25, 0.0])]);
    let tiny = ([0.02; 3], 100.0, [0.0, 0.01, 0.0]);
    stands("tiny", &[tiny, ([0.3; 3], 2e3, [0.002, 0.17, 0.003])]);
}

#[test]
fn a_plank_over_two_light_ones_carries_a_heavy_one() {
    let support = |x: f64| ([0.05; 3], 100.0, [x, 0.025, 0.0]);
    let plank = ([0.5, 0.02, 0.05], 500.0, [0.0, 0.06, 0.0]);
    let load = ([0.1; 3], 1e4, [0.17, 0.12, 0.0]);
    stands("plank", &[support(-0.2), support(0.2), plank, load]);
}

#[test]
fn an_overhanging_box_falls() {
    // The middle of the upper box is 5 mm beyond the edge.
    let shape: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::splat(0.05),
    });
    let floor: Arc<dyn Shape> = Arc::new(Plane { normal: DVec3::Y });
    let scene = Scene::new().on(floor, Pose::IDENTITY, 0.5);
    let scene = scene.with(&Solid::new(&shape, 1.0, DVec3::new(0.0, 0.05, 0.0)));
    let upper = Solid::new(&shape, 1.0, DVec3::new(0.055, 0.15, 0.0));
    let mut world = scene.with(&upper).world(vec![]);
    run_frames(&mut world, 1.5, |_, _, _| ());
    assert!(pose(&world, 1).translation.y < 0.12);
}
