//! Bodies that leave the world as a whole, beside others that go on.

use pliant_core::methods::{muscle, strain_energy};
use pliant_core::rest::RestShape;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Bounds, OnExit, World};
use pliant_math::DVec3;

use crate::shape_groups::{self, rubber, world_of};

const SPACING: f64 = 0.05;

fn lattice([nx, ny, nz]: [usize; 3], corner: DVec3) -> Vec<DVec3> {
    let cell = |k: usize| DVec3::from_array([k % nx, k / nx % ny, k / (nx * ny)].map(|c| c as f64));
    (0..nx * ny * nz)
        .map(|k| corner + cell(k) * SPACING)
        .collect()
}

/// A block that falls on a slab that is held, and bodies before them.
fn world_with(before: Vec<Body>) -> World {
    let mut slab = strain_energy::body(0, 1000.0, SPACING, lattice([8, 2, 8], DVec3::ZERO));
    slab.particles.is_pinned.fill(true);
    let corner = DVec3::new(0.12, 2.6 * SPACING, 0.12);
    let block = strain_energy::body(0, 1000.0, SPACING, lattice([3, 3, 3], corner));
    let bodies = before.into_iter().chain([slab, block]).collect();
    let mut setup = world_of(rubber(0.3), bodies);
    setup.gravity = DVec3::NEG_Y * 9.81;
    setup.solver.iterations = 4;
    setup.bounds = Some(Bounds {
        min: DVec3::new(-1.0, -1.0, -1.0),
        max: DVec3::splat(1.0),
        on_exit: OnExit::Remove,
    });
    World::new(setup)
}

/// Where the block is after 0.3 s.
fn place_of_the_block(mut world: World) -> Vec<DVec3> {
    let mut stepper = CpuStepper::new(2).expect("threads");
    for _ in 0..600 {
        stepper.substep(&mut world, 5e-4).expect("a sound scene");
    }
    let p = &world.state.particles;
    assert_eq!(p.len(), 8 * 2 * 8 + 27);
    let mut rows: Vec<(u32, DVec3)> = p.id.iter().copied().zip(p.position.clone()).collect();
    rows.sort_by_key(|row| row.0);
    rows[128..].iter().map(|row| row.1).collect()
}

#[test]
fn what_has_left_is_met_by_nobody() {
    let thrown = |mut body: Body| {
        body.particles.velocity.fill(DVec3::X * 20.0);
        body
    };
    // Beside the block and the slab, and out after a tenth of a second.
    let corner = DVec3::new(0.0, 5.0 * SPACING, 0.6);
    let groups = thrown(shape_groups::block([3, 3, 3], corner - DVec3::X * 0.5));
    let shape = RestShape::new(
        lattice([4, 4, 4], corner - DVec3::X * 0.9),
        muscle::SUPPORT * SPACING,
    );
    let flesh = muscle::Flesh::passive(shape);
    let flesh = thrown(muscle::body(0, 1000.0, SPACING, flesh));
    let alone = place_of_the_block(world_with(Vec::new()));
    let beside = place_of_the_block(world_with(vec![groups, flesh]));
    let farthest = alone.iter().zip(&beside).map(|(a, b)| a.distance(*b));
    let farthest = farthest.fold(0.0, f64::max);
    assert!(farthest < 1e-4 * SPACING, "{farthest}");
}
