//! Cloth at the step that follows from the scene.

use pliant_core::measure::Energies;
use pliant_core::step::{CpuStepper, Stepper, longest_elastic_step};
use pliant_core::world::{Setup, World};
use pliant_materials::ClothLaw;
use pliant_math::{DQuat, DVec3, Pose};

use super::sheets::{DENSITY, LAW, at, sheet, world_of};
use crate::blocks::block;
use crate::worlds::{advance, advance_frames, greatest_speed};

const GRAVITY: f64 = 9.81;

/// A strip of so many cells, of this spacing [m], that hangs by its upper end and starts as its material
/// hangs.
fn hanging(law: ClothLaw, cells: u32, spacing: f64) -> Setup {
    let pose = Pose {
        rotation: DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_2),
        translation: DVec3::ZERO,
    };
    let mut strip = sheet(law, [cells as usize + 1, 3], spacing, pose);
    let (weight, length) = (
        DENSITY * law.thickness * GRAVITY,
        f64::from(cells) * spacing,
    );
    // Strain w (L - s)/k at a distance s from the top.
    for (x, is_pinned) in strip
        .particles
        .position
        .iter_mut()
        .zip(&mut strip.particles.is_pinned)
    {
        let s = 0.5 * length - x.y;
        *is_pinned = s < 1e-9;
        x.y -= weight * s * (length - 0.5 * s) / law.warp_stiffness;
    }
    let mut setup = world_of(law, vec![strip]);
    setup.colliders.clear();
    setup
}

/// Stretch and stored energy of such a strip, over what they are in balance: means over some time.
fn hung(law: ClothLaw, cells: u32, spacing: f64) -> [f64; 2] {
    let mut setup = hanging(law, cells, spacing);
    let (weight, length) = (
        DENSITY * law.thickness * GRAVITY,
        f64::from(cells) * spacing,
    );
    // A stretch runs up and down in eight frames.
    setup.frame_rate = 4.0 * (law.warp_stiffness / (DENSITY * law.thickness)).sqrt() / length;
    let mut world = World::new(setup);
    let mut means = [0.0; 2];
    let frames = 64;
    advance_frames(&mut world, frames, |world| {
        let heights = world.state.particles.position.iter().map(|x| x.y);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        means[0] += (-0.5 * length - lowest) / f64::from(frames);
        means[1] += Energies::of(world, |_| true).elastic / f64::from(frames);
    });
    let stretch = weight * length * length / (2.0 * law.warp_stiffness);
    let energy = weight * weight * length.powi(3) * 2.0 * spacing / (6.0 * law.warp_stiffness);
    [means[0] / stretch, means[1] / energy]
}

#[test]
fn a_hanging_strip_has_its_stretch_and_energy_at_the_default_step() {
    let cotton = ClothLaw {
        warp_stiffness: 4000.0,
        weft_stiffness: 2000.0,
        shear_stiffness: 50.0,
        ..LAW
    };
    let canvas = ClothLaw {
        warp_stiffness: 2e5,
        weft_stiffness: 5e4,
        shear_stiffness: 1e3,
        thickness: 2e-3,
        ..LAW
    };
    for (law, cells, spacing) in [(cotton, 20, 0.02), (LAW, 30, 0.01), (canvas, 12, 0.2)] {
        let [stretch, energy] = hung(law, cells, spacing);
        println!("{spacing}: {stretch} {energy}");
        assert!((stretch - 1.0).abs() < 0.02, "{spacing}: {stretch}");
        assert!((energy - 1.0).abs() < 0.05, "{spacing}: {energy}");
    }
}

#[test]
fn heavy_sand_laid_on_silk_gains_no_energy_at_the_default_step() {
    let silk = ClothLaw {
        thickness: 1.5e-4,
        warp_stiffness: 3000.0,
        weft_stiffness: 2000.0,
        shear_stiffness: 20.0,
        bending_stiffness: 2e-6,
        ..LAW
    };
    let mut cloth = sheet(silk, [9, 9], 0.03, at(0.0, 0.5, 0.0));
    let held = |x: &DVec3| x.x.abs().max(x.z.abs()) > 0.119;
    cloth.particles.is_pinned = cloth.particles.position.iter().map(held).collect();
    let corner = DVec3::new(-0.045, 0.535, -0.045);
    let mut sand = block(2, [4, 3, 4], 0.03, corner, DVec3::NEG_Y * 0.6);
    // Five hundred times as heavy as the sheet.
    sand.particles.particle_mass = 2.5 / 48.0;
    let mut setup = world_of(silk, vec![cloth, sand]);
    setup.colliders.clear();
    let mut world = World::new(setup);
    let start = Energies::of(&world, |_| true);
    advance_frames(&mut world, 4, |world| {
        let now = Energies::of(world, |_| true);
        let gained = now.total() - start.total();
        println!("{gained}");
        assert!(gained < 0.01 * start.kinetic, "{gained} J");
    });
}

/// Sweeps begin with the stress that there is: a strip that hangs in balance stays so.
#[test]
fn a_strip_in_balance_stays_in_balance_with_one_sweep() {
    let cells = 20;
    let mut setup = hanging(LAW, cells, 0.02);
    setup.solver.iterations = 1;
    let mut world = World::new(setup);
    let start = world.state.particles.position.clone();
    let stretch = DENSITY * LAW.thickness * GRAVITY * (f64::from(cells) * 0.02).powi(2)
        / (2.0 * LAW.warp_stiffness);
    let mut stepper = CpuStepper::new(1).expect("threads");
    let dt = longest_elastic_step(&world.setup);
    for _ in 0..200 {
        stepper.substep(&mut world, dt).expect("a good step");
    }
    let moved = start.iter().zip(&world.state.particles.position);
    let farthest = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(farthest < 0.01 * stretch, "{farthest} of {stretch} m");
}

/// At a step that its sweeps cannot resolve cloth is softer, but calm.
#[test]
fn a_sheet_hung_by_two_corners_comes_to_rest_at_a_step_far_too_long() {
    let side = 30;
    let mut cloth = sheet(LAW, [side, side], 0.02, Pose::IDENTITY);
    for corner in [0, side - 1] {
        cloth.particles.is_pinned[corner] = true;
    }
    let mut setup = world_of(LAW, vec![cloth]);
    setup.colliders.clear();
    setup.solver.damping = 3.0;
    let dt = 7.0 * longest_elastic_step(&setup);
    let mut world = World::new(setup);
    advance(&mut world, dt, (3.0 / dt) as usize, 2).expect("a sound scene");
    let fastest = greatest_speed(&world);
    assert!(fastest < 0.1, "{fastest} m/s");
}
