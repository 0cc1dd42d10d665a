//! What the method promises, in worlds with others.

use std::sync::Arc;

use pliant_anchored_particles::{ANCHORED, Anchors};
use pliant_core::boundaries::{Collider, Grip, Motion};
use pliant_core::measure::Energies;
use pliant_core::methods::xpbi::XPBI;
use pliant_core::step::{CpuStepper, Stepper, advance_frame};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::Elastic;
use pliant_materials::{HenckyElasticity, HenckyLaw, Law};
use pliant_math::{DVec3, Pose};

const SPACING: f64 = 0.1;
const DENSITY: f64 = 1000.0;

/// Mass of a particle [kg].
const MASS: f64 = DENSITY * SPACING * SPACING * SPACING;

fn materials() -> Vec<Material> {
    let elastic = HenckyLaw::Elastic(Elastic {
        elasticity: HenckyElasticity::from_youngs(2e5, 0.3),
    });
    let material = |name: &str, law, youngs_modulus| Material {
        name: name.into(),
        density: DENSITY,
        youngs_modulus,
        law,
    };
    vec![
        material("anchored", Law::External, 0.0),
        material("rubber", elastic.into(), 2e5),
    ]
}

/// Anchored particles in a square in the plane of a height [m], `count` a side.
fn anchored(count: u32, height: f64, anchors: Anchors) -> Body {
    let place = |k: u32| DVec3::new((k % count).into(), 0.0, (k / count).into()) * SPACING;
    let places = (0..count * count).map(|k| place(k) + DVec3::Y * height);
    let mut body = Body::new(ANCHORED, 0, DENSITY, SPACING, places.collect());
    body.particles.structure = Some(Arc::new(anchors));
    body
}

fn run(setup: Setup, frames: u32, threads: usize) -> World {
    let mut stepper = CpuStepper::new(threads).expect("threads");
    let mut world = World::new(setup);
    for _ in 0..frames {
        advance_frame(&mut world, &mut stepper, &mut |_| {}).expect("a frame");
    }
    world
}

#[test]
fn a_plucked_particle_swings_as_a_damped_oscillator() {
    let anchors = Anchors {
        stiffness: 400.0,
        damping: 1.0,
    };
    // x(t) = v/w exp(-c t/2m) sin w t, w^2 = k/m - (c/2m)^2.
    let decay = 0.5 * anchors.damping / MASS;
    let frequency = (anchors.stiffness / MASS - decay * decay).sqrt();
    let error = |dt: f64| {
        let mut body = anchored(1, 0.0, anchors);
        body.particles.velocity[0] = DVec3::X;
        let mut setup = Setup::new(materials(), vec![body]);
        setup.gravity = DVec3::ZERO;
        let mut stepper = CpuStepper::new(1).expect("a thread");
        let mut world = World::new(setup);
        let mut worst = 0.0_f64;
        for _ in 0..(0.3 / dt) as u32 {
            stepper.substep(&mut world, dt).expect("a substep");
            let t = world.state.time;
            let exact = (-decay * t).exp() * (frequency * t).sin() / frequency;
            worst = worst.max((world.state.particles.position[0].x - exact).abs());
        }
        worst * frequency
    };
    let [coarse, fine] = [1e-3, 2.5e-4].map(error);
    // Implicit Euler: an error of first order.
    assert!(fine < 0.02, "{fine}");
    assert!(fine < 0.3 * coarse, "{coarse} {fine}");
}

#[test]
fn a_rubber_block_rests_on_anchored_particles_that_carry_its_weight() {
    let anchors = Anchors {
        stiffness: 2000.0,
        damping: 40.0,
    };
    let bed = anchored(6, 0.0, anchors);
    let corner = DVec3::new(1.0, 1.0, 1.0) * SPACING;
    let place = |k: u32| DVec3::new((k % 4).into(), (k / 16).into(), (k / 4 % 4).into()) * SPACING;
    let block = (0..64).map(|k| corner + place(k)).collect();
    let rubber = Body::new(XPBI, 1, DENSITY, SPACING, block);
    let world = run(Setup::new(materials(), vec![bed, rubber]), 60, 1);
    let p = &world.state.particles;
    let stretch = |i: usize| -p.position[i].y * anchors.stiffness;
    let carried: f64 = (0..p.len()).filter(|&i| p.body[i] == 0).map(stretch).sum();
    let weight = (36 + 64) as f64 * MASS * 9.81;
    assert!(
        (carried / weight - 1.0).abs() < 2e-3,
        "{carried} of {weight}"
    );
    assert!(world.state.account.gained < 1e-3 * weight * SPACING);
}

#[test]
fn energies_are_those_of_the_springs() {
    let anchors = Anchors {
        stiffness: 300.0,
        damping: 0.0,
    };
    let mut world = World::new(Setup::new(materials(), vec![anchored(3, 0.0, anchors)]));
    for x in &mut world.state.particles.position {
        *x += DVec3::new(0.03, 0.0, 0.04);
    }
    let elastic = Energies::of(&world, |_| true).elastic;
    assert!(
        (elastic - 9.0 * 0.5 * 300.0 * 0.05 * 0.05).abs() < 1e-12,
        "{elastic}"
    );
}

#[test]
fn threads_and_saving_change_no_bits() {
    let anchors = Anchors {
        stiffness: 500.0,
        damping: 1.0,
    };
    let floor = Collider {
        name: "floor".into(),
        shape: Arc::new(Plane { normal: DVec3::Y }),
        motion: Motion::Rest(Pose::IDENTITY),
        two_sided: false,
        grip: Grip::Separate,
        friction: 0.5,
        restitution: 0.0,
        color: [0.5; 3],
        opacity: 1.0,
        gloss: 0.0,
    };
    let setup = Setup {
        colliders: vec![floor],
        ..Setup::new(materials(), vec![anchored(8, 0.1, anchors)])
    };
    let [one, two] = [1, 2].map(|threads| run(setup.clone(), 4, threads).state.to_bytes());
    assert_eq!(one, two);
    let half = run(setup.clone(), 2, 1).state.to_bytes();
    let mut resumed = World::new(setup.clone());
    resumed.state = pliant_core::world::State::from_bytes(&half, &setup).expect("its own bytes");
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..2 {
        advance_frame(&mut resumed, &mut stepper, &mut |_| {}).expect("a frame");
    }
    assert_eq!(resumed.state.to_bytes(), one);
}
