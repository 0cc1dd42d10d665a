//! What hangs, against the solution in one dimension.

use std::sync::Arc;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::methods::springs::SpringsSettings;
use pliant_core::schedule::Schedule;
use pliant_core::world::{Setup, World};
use pliant_materials::springs::{Membrane, SpringCurve};
use pliant_materials::{SpringLaw, Springs};
use pliant_math::{DQuat, DVec3, Pose};

use super::networks::{cubic, cubic_of, law, positions, sheet, world_of};
use crate::worlds::advance;

const GRAVITY: f64 = 9.81;

/// Upright, so that z of the sheet points down.
const UPRIGHT: fn() -> Pose = || Pose {
    rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
    translation: DVec3::ZERO,
};

/// The strain at which a spring of rest length L carries a force [N].
fn strain_under(curve: &SpringCurve, force: f64, rest_length: f64) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if rest_length * curve.tension(middle) < force {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// A sheet of springs hung by its first row, at rest.
fn hung(law: Springs, size: [usize; 2], spacing: f64, mass: f64) -> Setup {
    let mut body = sheet(size, spacing, mass, UPRIGHT());
    for k in 0..size[0] {
        body.particles.is_pinned[k] = true;
    }
    let mut setup = world_of(law, vec![body]);
    setup.solver.damping = 5.0;
    setup
}

#[test]
fn a_hanging_column_stretches_as_each_of_its_springs_does_alone() {
    let (count, spacing, mass) = (32, 0.02, 0.064);
    for curve in [
        cubic(100.0),
        SpringCurve::linear(100.0),
        SpringCurve::two_term(100.0),
        cubic_of(30.0, [10.0, 2.0], 0.02),
    ] {
        // Two columns that nothing joins: a sheet of two is as narrow as a sheet can be.
        let mut springs = law(curve);
        springs.shear = 0.0;
        let mut world = World::new(hung(springs, [2, count], spacing, mass));
        Arc::make_mut(&mut world.setup)
            .solver
            .methods
            .of_mut::<SpringsSettings>()
            .tolerance = 1e-5;
        advance(&mut world, 0.01, 1500, 1).expect("a sound scene");
        let x = positions(&world);
        let particle_mass = mass / (2 * count) as f64;
        for row in 1..count {
            let carried = (count - row) as f64 * particle_mass * GRAVITY;
            let expected = strain_under(&curve, carried, spacing);
            let length = x[2 * row].distance(x[2 * row - 2]);
            let strain = length / spacing - 1.0;
            assert!(
                (strain - expected).abs() < 1e-3 * expected + 1e-6,
                "{row}: {strain} {expected}"
            );
        }
    }
}

#[test]
fn a_column_carries_thirty_times_its_weight_with_the_default_tolerance() {
    let (count, spacing, mass) = (32, 0.02, 0.064);
    let force = 30.0 * mass * GRAVITY;
    for curve in [cubic(500.0), SpringCurve::linear(3000.0)] {
        let mut springs = law(curve);
        springs.shear = 0.0;
        let mut setup = hung(springs, [2, count], spacing, mass);
        setup.attachments.push(Attachment {
            name: "load".into(),
            particles: vec![2 * count as u32 - 2, 2 * count as u32 - 1],
            kind: AttachmentKind::Load {
                force: DVec3::NEG_Y * force,
                strength: Schedule::Constant(1.0),
            },
        });
        let mut world = World::new(setup);
        advance(&mut world, 0.01, 1500, 1).expect("a sound scene");
        let x = positions(&world);
        for row in 1..count {
            let weight = (count - row) as f64 * mass / count as f64 * GRAVITY;
            let expected = strain_under(&curve, 0.5 * (force + weight), spacing);
            let strain = x[2 * row].distance(x[2 * row - 2]) / spacing - 1.0;
            assert!(
                (strain - expected).abs() < 3e-3 * expected,
                "{row}: {strain} {expected}"
            );
        }
    }
}

#[test]
fn a_hanging_strip_of_triangles_stretches_as_its_material_does() {
    // e_ww = F/(E b) under the weight below, without a Poisson effect.
    let (size, spacing, mass, modulus) = ([4, 21], 0.02, 0.005, 200.0);
    let membrane = SpringLaw::Triangles(Membrane::new(modulus, 0.0));
    let mut world = World::new(hung(Springs::new(membrane), size, spacing, mass));
    Arc::make_mut(&mut world.setup)
        .solver
        .methods
        .of_mut::<SpringsSettings>()
        .tolerance = 1e-5;
    advance(&mut world, 0.01, 1000, 1).expect("a sound scene");
    let x = positions(&world);
    let width = 3.0 * spacing;
    // The mean over triangles, each of which has one side that hangs down: two within, one at the sides.
    let (mut length, mut expected) = (0.0, 0.0);
    for row in 1..size[1] {
        let carried = (size[1] - row) as f64 * mass / size[1] as f64 * GRAVITY;
        // First Piola stress: lambda e = F/(E b), e = (lambda^2 - 1)/2.
        let stress = carried / (modulus * width);
        let mut stretch: f64 = 1.0;
        for _ in 0..50 {
            let value = 0.5 * stretch * (stretch * stretch - 1.0) - stress;
            stretch -= value / (1.5 * stretch * stretch - 0.5);
        }
        expected += stretch * spacing;
        let sides = (0..4).map(|k| x[4 * row + k].distance(x[4 * row - 4 + k]));
        let weights = [0.5, 1.0, 1.0, 0.5];
        length += sides.zip(weights).map(|(s, w)| s * w).sum::<f64>() / 3.0;
    }
    let rest = 20.0 * spacing;
    let ratio = (length - rest) / (expected - rest);
    assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
}
