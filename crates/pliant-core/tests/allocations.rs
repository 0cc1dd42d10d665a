//! A warm substep asks for no memory, whatever the number of particles.
//!
//! This file is a program of its own because it counts what the whole program asks for.
// A counting allocator hands everything on to the system's.
#![allow(unsafe_code)]

#[path = "engine/blocks.rs"]
mod blocks;
#[path = "engine/cloth/sheets.rs"]
mod sheets;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::methods::strain_energy::STRAIN_ENERGY;
use pliant_core::methods::xpbi::{PositionCorrection, XpbiSettings};
use pliant_core::rest::RestShape;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, World};
use pliant_materials::laws::{NeoHookean, Solid, SolidLaw};
use pliant_materials::{LameModuli, Law};
use pliant_math::DVec3;

use blocks::{block, setup};
use sheets::{LAW, at, sheet, world_of};

const SPACING: f64 = 0.05;

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

/// Sand, and a body of another continuum that touches it.
fn sand(side: usize, correction: PositionCorrection) -> Setup {
    let sand = block(2, [side; 3], 0.05, DVec3::ZERO, DVec3::ZERO);
    let top = DVec3::Y * (0.05 * side as f64);
    let elastic = block(0, [side, 2, side], 0.04, top, DVec3::ZERO);
    let mut setup = setup(vec![sand, elastic]);
    // At rest: particles that move find other neighbours, for which there may be no room yet.
    setup.gravity = DVec3::ZERO;
    setup.solver.methods.of_mut::<XpbiSettings>().correction = correction;
    setup
}

/// A block of rubber on another, soon at rest.
fn solids(side: usize) -> Setup {
    let solid = |corner: DVec3| {
        let mut body = block(0, [side, 4, side], SPACING, corner, DVec3::ZERO);
        body.method = STRAIN_ENERGY;
        body.support_radius = 1.8 * SPACING;
        let rest_shape = RestShape::new(body.particles.position.clone(), body.support_radius);
        body.particles.structure = Some(Arc::new(rest_shape));
        body
    };
    let top = DVec3::Y * (3.99 * SPACING);
    let mut setup = setup(vec![solid(DVec3::ZERO), solid(top)]);
    let moduli = LameModuli::from_youngs(1e5, 0.3);
    let rubber = Solid::elastic(SolidLaw::NeoHookean(NeoHookean { moduli }));
    setup.materials.truncate(1);
    setup.materials[0].law = Law::Solid(rubber);
    setup.solver.damping = 30.0;
    setup
}

/// Two sheets of cloth on a floor, one on the other, and a few grains on both: contacts of edges, of
/// triangles with vertices, and of triangles with other particles.
fn cloth(side: usize) -> Setup {
    let spacing = 0.02;
    let layer = |height: f64| sheet(LAW, [side; 2], spacing, at(0.0, height, 0.0));
    let corner = DVec3::new(-0.02, 2.0e-3, -0.02);
    let grains = block(2, [4, 2, 4], 0.01, corner, DVec3::ZERO);
    let mut setup = world_of(LAW, vec![layer(3.0e-4), layer(9.0e-4), grains]);
    setup.solver.damping = 30.0;
    setup
}

/// Bytes that a substep asks for, when everything has found its size after some substeps.
fn bytes_a_substep(setup: Setup, warm: usize) -> usize {
    const SUBSTEPS: usize = 100;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(&world.setup, 1).expect("threads");
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

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_substep_after_the_first_ones_allocates_nothing() {
    // The report lists the impulse on each collider (24 bytes), and the thread pool's queue grows by
    // a block now and then.
    let distance = [6, 14, 24].map(|side| (side, PositionCorrection::Distance));
    let of_sand = distance
        .into_iter()
        .chain([(14, PositionCorrection::Density)]);
    let of_sand = of_sand.map(|(side, correction)| sand(side, correction));
    let blocks = of_sand.chain([6, 24].map(solids));
    // Grains on cloth take longer to come to rest.
    let setups = blocks.map(|setup| (setup, 100));
    let setups = setups.chain([8, 30].map(|side| (cloth(side), 1500)));
    for (number, (setup, warm)) in setups.enumerate() {
        let bytes = bytes_a_substep(setup, warm);
        assert!(bytes <= 128, "number {number}: {bytes} bytes a substep");
    }
}
