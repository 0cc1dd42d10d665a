//! Counts the memory that a substep asks for.
// A counting allocator hands everything on to the system's.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, World};
use pliant_math::DVec3;

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

/// Bytes that a substep asks for, when everything has found its size after some substeps.
pub fn bytes_a_substep(setup: Setup, warm: usize) -> usize {
    const SUBSTEPS: usize = 100;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("threads");
    let mut contacts = 0;
    for _ in 0..warm {
        let report = stepper.substep(&mut world, 1e-3).expect("a sound scene");
        contacts = report.contacts;
    }
    assert!(contacts > 0 || world.setup.gravity == DVec3::ZERO);
    let before = ASKED.load(Ordering::Relaxed);
    for _ in 0..SUBSTEPS {
        stepper.substep(&mut world, 1e-3).expect("a sound scene");
    }
    (ASKED.load(Ordering::Relaxed) - before) / SUBSTEPS
}
