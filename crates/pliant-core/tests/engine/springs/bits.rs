//! The same bits for any number of threads, every instruction set, and after a resume.

use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{State, World};
use pliant_materials::SpringLaw;
use pliant_materials::springs::Membrane;
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Pose};

use super::networks::{cubic, lattice, law, sheet, world_of};
use crate::worlds::advance;

/// A lattice that falls on a sheet that is held at two of its edges, particles of several tasks.
fn scene() -> World {
    let n = 40;
    let mut cloth = sheet([n, n], 0.02, 0.5, Pose::IDENTITY);
    for k in 0..n * n {
        cloth.particles.is_pinned[k] = k % n == 0 || k % n == n - 1;
    }
    let mut block = lattice([5, 5, 5], 0.02, 1.0, DVec3::new(-0.05, 0.02, -0.03));
    block.particles.velocity.fill(DVec3::Y * -1.0);
    World::new(world_of(law(cubic(500.0)), vec![cloth, block]))
}

fn bytes_after(substeps: usize, threads: usize) -> Vec<u8> {
    let mut world = scene();
    advance(&mut world, 2e-3, substeps, threads).expect("a sound scene");
    world.state.to_bytes()
}

#[test]
fn the_bits_depend_on_neither_threads_nor_instructions() {
    let one = bytes_after(30, 1);
    assert_ne!(one, scene().state.to_bytes());
    assert!(bytes_after(30, 2) == one);
    assert!(bytes_after(30, 4) == one);
    for instructions in Instructions::available() {
        let mut world = scene();
        let mut stepper = CpuStepper::new(2).expect("threads");
        stepper.set_instructions(instructions);
        for _ in 0..30 {
            stepper.substep(&mut world, 2e-3).expect("a sound scene");
        }
        assert!(world.state.to_bytes() == one, "{instructions}");
    }
}

#[test]
fn a_run_resumed_from_a_snapshot_has_the_same_bits() {
    let mut world = scene();
    advance(&mut world, 2e-3, 15, 2).expect("a sound scene");
    let saved = world.state.to_bytes();
    let mut resumed = scene();
    resumed.state = State::from_bytes(&saved, &resumed.setup).expect("its own bytes");
    advance(&mut resumed, 2e-3, 15, 1).expect("a sound scene");
    assert!(resumed.state.to_bytes() == bytes_after(30, 2));
}

#[test]
fn triangles_have_the_same_bits_for_any_number_of_threads() {
    let after = |threads: usize| {
        let n = 40;
        let mut cloth = sheet([n, n], 0.02, 0.5, Pose::IDENTITY);
        (0..n).for_each(|k| cloth.particles.is_pinned[k] = true);
        let mut springs = law(cubic(500.0));
        springs.law = SpringLaw::Triangles(Membrane::new(500.0, 0.3));
        springs.damping = 0.01;
        let mut world = World::new(world_of(springs, vec![cloth]));
        advance(&mut world, 2e-3, 20, threads).expect("a sound scene");
        world.state.to_bytes()
    };
    let one = after(1);
    assert!(after(2) == one && after(4) == one);
}
