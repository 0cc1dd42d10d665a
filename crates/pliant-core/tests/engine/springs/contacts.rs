//! Networks that meet other bodies.

use pliant_core::measure::Energies;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Setup, World};
use pliant_materials::springs::SpringCurve;
use pliant_math::{DVec3, Pose};

use super::networks::{kinetic_energy, lattice, law, positions, sheet, world_of};
use crate::worlds::{advance, momentum};

/// A square of 1 kg of linear springs held at all its edges, and a block of a mass [kg] above its middle.
fn block_on_sheet(stiffness: f64, mass: f64, height: f64, velocity: f64) -> Setup {
    block_on_fine_sheet(17, SpringCurve::linear(stiffness), mass, height, velocity)
}

/// The same of other springs, with so many particles a side.
pub fn block_on_fine_sheet(
    n: usize,
    curve: SpringCurve,
    mass: f64,
    height: f64,
    velocity: f64,
) -> Setup {
    let sheet_spacing = 0.6 / (n - 1) as f64;
    let mut cloth = sheet([n, n], sheet_spacing, 1.0, Pose::IDENTITY);
    for k in 0..n * n {
        let (x, z) = (k % n, k / n);
        cloth.particles.is_pinned[k] = x == 0 || z == 0 || x == n - 1 || z == n - 1;
    }
    let spacing = 0.03;
    // Just not touching: half a spacing, and an eighth of the sheet's.
    let above = 0.5 * spacing + 0.125 * sheet_spacing + height;
    let corner = DVec3::new(-3.0 * spacing, above, -3.0 * spacing);
    let mut block = lattice([7, 3, 7], spacing, mass, corner);
    block.material += 1;
    block.particles.velocity.fill(DVec3::Y * velocity);
    let mut setup = world_of(law(curve), vec![cloth, block]);
    let mut stiff = setup.materials[6].clone();
    stiff.law = pliant_materials::Law::Springs(law(SpringCurve::linear(5e4)));
    setup.materials.push(stiff);
    setup.solver.iterations = 10;
    setup
}

/// Height of the middle of the block above that at its start [m].
fn sag(world: &World) -> f64 {
    let x = positions(world);
    let block = &x[17 * 17..];
    block.iter().map(|x| x.y).sum::<f64>() / block.len() as f64
}

fn settled(dt: f64, iterations: u32) -> World {
    let mut setup = block_on_sheet(1e3, 10.0, 0.0, 0.0);
    setup.solver.damping = 4.0;
    setup.solver.iterations = iterations;
    let mut world = World::new(setup);
    advance(&mut world, dt, (4.0 / dt) as usize, 2).expect("a sound scene");
    world
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn the_depth_of_a_block_in_a_sheet_does_not_depend_on_the_step() {
    let reference = sag(&settled(1e-3, 10));
    for (dt, iterations, bound, most) in [
        (2e-3, 10, 0.01, 1e-4),
        (5e-3, 10, 0.02, 5e-4),
        (5e-3, 40, 0.02, 1e-4),
    ] {
        let world = settled(dt, iterations);
        let error = sag(&world) / reference - 1.0;
        // Of 10 kg and 1 kg, as one speed.
        let speed = (2.0 * kinetic_energy(&world) / 11.0).sqrt();
        println!("{dt}, {iterations}: {error:.2e}, {speed:.1e} m/s");
        assert!(error.abs() < bound, "{dt}: {error:.2e}");
        assert!(speed < most, "{dt}, {iterations}: {speed:.1e} m/s");
    }
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_block_comes_to_rest_on_a_fine_sheet_in_long_steps() {
    // Springs outweigh particles five hundred times: what answers a contact is far away.
    let mut setup = block_on_fine_sheet(65, SpringCurve::linear(5e3), 10.0, 0.02, 0.0);
    setup.solver.damping = 2.0;
    let mut world = World::new(setup);
    advance(&mut world, 5e-3, 600, 2).expect("a sound scene");
    let (energy, fallen) = (kinetic_energy(&world), sag(&world));
    println!("{energy:e} J, {fallen}");
    assert!(energy < 1e-3 && fallen < -0.01, "{energy:e} J, {fallen}");
}

#[test]
fn a_heavy_block_dropped_on_a_stiff_sheet_makes_no_energy() {
    let mut bad = false;
    for (stiffness, mass, dt) in [
        (1e4, 10.0, 1e-3),
        (1e4, 10.0, 2e-3),
        (1e4, 10.0, 5e-3),
        (1e4, 100.0, 2e-3),
    ] {
        let mut world = World::new(block_on_sheet(stiffness, mass, 0.05, 0.0));
        let start = Energies::of(&world, |_| true).total();
        let mut stepper = CpuStepper::new(2).expect("threads");
        let mut greatest = f64::NEG_INFINITY;
        for _ in 0..(0.6 / dt) as usize {
            stepper.substep(&mut world, dt).expect("a sound scene");
            greatest = greatest.max(Energies::of(&world, |_| true).total() - start);
        }
        println!("{stiffness} {mass} {dt}: {greatest:e}");
        // A thousandth of the energy of the fall.
        bad |= greatest > 1e-3 * mass * 9.81 * 0.05;
    }
    assert!(!bad);
}

#[test]
fn a_free_sheet_and_a_block_that_hits_it_keep_momentum() {
    let mut setup = block_on_sheet(1e3, 10.0, 0.01, -2.0);
    setup.gravity = DVec3::ZERO;
    let body: &mut Body = &mut setup.bodies[0];
    body.particles.is_pinned.fill(false);
    let mut world = World::new(setup);
    let start = momentum(&world);
    advance(&mut world, 2e-3, 200, 2).expect("a sound scene");
    let drift = (momentum(&world) - start).length() / start.length();
    let bound = if cfg!(feature = "double") {
        1e-12
    } else {
        1e-5
    };
    assert!(drift < bound, "{drift:e}");
    // The sheet has been hit.
    let x = positions(&world);
    assert!(x[17 * 8 + 8].y < -0.1, "{}", x[17 * 8 + 8]);
}

#[test]
fn nothing_falls_through_a_sheet() {
    let mut setup = block_on_sheet(1e3, 100.0, 0.05, -3.0);
    setup.solver.damping = 1.0;
    let mut world = World::new(setup);
    advance(&mut world, 2e-3, 500, 2).expect("a sound scene");
    let x = positions(&world);
    let lowest = |x: &[DVec3]| x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let (cloth, block) = (lowest(&x[..17 * 17]), lowest(&x[17 * 17..]));
    assert!(block > cloth, "{block} {cloth}");
}
