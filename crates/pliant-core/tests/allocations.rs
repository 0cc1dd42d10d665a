//! A warm substep asks for no memory, whatever the number of particles.
//!
//! This file is a program of its own because it counts what the whole program asks for.
// A counting allocator hands everything on to the system's.
#![allow(unsafe_code)]

#[path = "engine/blocks.rs"]
mod blocks;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Correction, World};
use pliant_math::DVec3;

use blocks::{block, setup};

/// Counts the bytes that are asked for.
struct Counting;

static ASKED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a substep asks for, when everything has found its size.
fn bytes_a_substep(side: usize, correction: Correction) -> usize {
    const SUBSTEPS: usize = 100;
    let sand = block(2, [side; 3], 0.05, DVec3::ZERO, DVec3::ZERO);
    // A body of another continuum that touches it.
    let top = DVec3::Y * (0.05 * side as f64);
    let elastic = block(0, [side, 2, side], 0.04, top, DVec3::ZERO);
    let mut setup = setup(vec![sand, elastic]);
    // At rest: particles that move find other neighbours, for which there may be no room yet.
    setup.gravity = DVec3::ZERO;
    setup.solver.xpbi.correction = correction;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(&world.setup, 1).expect("threads");
    for _ in 0..20 {
        stepper.substep(&mut world, 1e-3).expect("a sound scene");
    }
    let before = ASKED.load(Ordering::Relaxed);
    for _ in 0..SUBSTEPS {
        stepper.substep(&mut world, 1e-3).expect("a sound scene");
    }
    (ASKED.load(Ordering::Relaxed) - before) / SUBSTEPS
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_warm_substep_asks_for_no_memory() {
    // The report lists the impulse on each collider (24 bytes), and the thread pool's queue grows by
    // a block now and then.
    let distance = [6, 14, 24].map(|side| (side, Correction::Distance));
    for (side, correction) in distance.into_iter().chain([(14, Correction::Density)]) {
        let bytes = bytes_a_substep(side, correction);
        assert!(
            bytes <= 128,
            "{side}, {correction:?}: {bytes} bytes a substep"
        );
    }
}
