//! Forces of carried particles on the colliders that carry them, against closed forms.

use pliant_core::attachments::{Attachment, AttachmentKind, Rod};
use pliant_core::boundaries::Motion;
use pliant_core::methods::xpbi::{Multiplier, XpbiSettings};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Setup, World};
use pliant_geometry::shapes::Sphere;
use pliant_math::{DQuat, DVec3, Pose};

use crate::blocks::{block, collider, setup};
use crate::worlds::{carry, momentum};
use crate::{cloth, solids, springs};

const SPACING: f64 = 0.05;
const DT: f64 = 1e-3;
const G: f64 = 9.81;
/// Mass of a block of 4 x 4 x 4 particles [kg].
const MASS: f64 = 64.0 * 1000.0 * SPACING * SPACING * SPACING;

/// Mean force [N] on each collider over the last substeps, after others in which things settle.
fn forces(setup: Setup, settle: usize, measure: usize) -> Vec<DVec3> {
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let mut forces = vec![DVec3::ZERO; world.setup.colliders.len()];
    for k in 0..settle + measure {
        let report = stepper.substep(&mut world, DT).expect("a sound scene");
        if k >= settle {
            for (force, impulse) in forces.iter_mut().zip(&report.collider_impulse) {
                *force += *impulse / (DT * measure as f64);
            }
        }
    }
    forces
}

/// A block of so many layers along y, without a floor, and colliders far away that carry.
fn hung(layers: usize, motions: &[Motion]) -> Setup {
    let mut setup = setup(vec![block(
        0,
        [4, layers, 4],
        SPACING,
        DVec3::ZERO,
        DVec3::ZERO,
    )]);
    let ball = Sphere { radius: 0.01 };
    let handles = motions.iter().map(|motion| collider(ball, motion.clone()));
    setup.colliders = handles.collect();
    setup.solver.damping = 10.0;
    setup
}

/// The ids of a layer of a block of so many layers along y.
fn layer(number: u32, layers: u32) -> Vec<u32> {
    let is_in = |id: &u32| id / 4 % layers == number;
    (0..16 * layers).filter(is_in).collect()
}

fn at_rest() -> Motion {
    Motion::Rest(Pose {
        translation: DVec3::Y * 9.0,
        ..Pose::IDENTITY
    })
}

fn assert_force(force: DVec3, expected: DVec3, tolerance: f64) {
    let miss = (force - expected).length() / expected.length();
    assert!(miss < tolerance, "{force} N, not {expected} N");
}

#[test]
fn the_force_on_a_collider_is_the_weight_of_a_carried_body_for_every_solver_setting() {
    for (multiplier, warm_start, iterations) in [
        (Multiplier::Tensor, true, 2),
        (Multiplier::Tensor, false, 8),
        (Multiplier::Scalar, false, 8),
    ] {
        let mut setup = hung(4, &[at_rest()]);
        carry(&mut setup, 0, layer(3, 4));
        setup.solver.methods.of_mut::<XpbiSettings>().multiplier = multiplier;
        setup.solver.methods.of_mut::<XpbiSettings>().warm_start = warm_start;
        setup.solver.iterations = iterations;
        let force = forces(setup, 800, 1)[0];
        assert_force(force, DVec3::NEG_Y * MASS * G, 0.01);
    }
}

/// What hangs by its first row, and its weight [N].
fn hanging(mut setup: Setup, row: Vec<u32>) -> (Setup, f64) {
    let ball = Sphere { radius: 0.01 };
    setup.colliders = vec![collider(ball, at_rest())];
    setup.gravity = DVec3::NEG_Y * G;
    setup.solver.damping = 20.0;
    carry(&mut setup, 0, row);
    let particles = &setup.bodies[0].particles;
    let weight = particles.position.len() as f64 * particles.particle_mass * G;
    (setup, weight)
}

#[test]
fn the_force_on_a_collider_is_the_weight_hanging_on_it_for_every_method() {
    let upright = Pose {
        rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        translation: DVec3::ZERO,
    };
    // Layers of a lattice along z, hung by one of their sides.
    let bar = solids::solid(solids::lattice([3, 3, 5], 0.1));
    let law = cloth::sheets::LAW;
    let strip = cloth::sheets::sheet(law, [4, 6], 0.02, upright);
    let curve = springs::networks::cubic(100.0);
    let net = springs::networks::sheet([4, 6], 0.02, 0.01, upright);
    let cube = springs::networks::lattice([3; 3], 0.02, 0.03, DVec3::ZERO);
    let springs = |body| springs::networks::world_of(springs::networks::law(curve), vec![body]);
    for (what, setup, row) in [
        ("a bar", solids::world_of(solids::rubber(), vec![bar]), 9),
        ("a strip", cloth::sheets::world_of(law, vec![strip]), 4),
        ("a net", springs(net), 4),
        ("a lattice", springs(cube), 9),
    ] {
        let (setup, weight) = hanging(setup, (0..row).collect());
        let force = forces(setup, 1500, 10)[0];
        let miss = (force - DVec3::NEG_Y * weight).length() / weight;
        assert!(miss < 5e-3, "{what}: {force} N, not {weight} N");
    }
}

/// At long steps too, in which the forces of springs change much.
#[test]
fn the_force_on_a_collider_is_the_momentum_change_of_a_swinging_net() {
    let curve = springs::networks::cubic(100.0);
    let net = springs::networks::sheet([6, 8], 0.02, 0.01, Pose::IDENTITY);
    let setup = springs::networks::world_of(springs::networks::law(curve), vec![net]);
    let (mut setup, weight) = hanging(setup, (0..6).collect());
    setup.solver.damping = 0.0;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let (dt, count) = (5e-3, 60);
    let (mut pulled, mut felt) = (0.0, 0.0);
    for _ in 0..count {
        let before = momentum(&world).y;
        let report = stepper.substep(&mut world, dt).expect("a sound scene");
        pulled += -weight * dt - (momentum(&world).y - before);
        felt += report.collider_impulse[0].y;
    }
    let miss = (felt - pulled).abs() / (weight * dt * f64::from(count));
    assert!(miss < 2e-3, "{felt} of {pulled} N s");
}

#[test]
fn the_grips_of_a_stretched_bar_are_pulled_towards_each_other_by_its_stress() {
    // 1 % longer after a second, and at rest for another.
    let stretch = 0.01 * 9.0 * SPACING;
    let pull = Motion::Keyframes {
        keyframes: [(0.0, 9.0), (1.0, 9.0 + stretch)]
            .map(|(time, y)| pliant_core::boundaries::Keyframe {
                time,
                position: DVec3::Y * y,
                rotation: DVec3::ZERO,
            })
            .to_vec(),
        ease: pliant_core::boundaries::Ease::Smooth,
    };
    let mut setup = hung(10, &[at_rest(), pull]);
    setup.gravity = DVec3::ZERO;
    carry(&mut setup, 0, layer(0, 10));
    carry(&mut setup, 1, layer(9, 10));
    let forces = forces(setup, 1900, 100);
    assert_force(forces[0], -forces[1], 1e-3);
    // Young's modulus times strain times section; the ends cannot contract and the strain is not
    // uniform there.
    let expected = 2e5 * 0.01 * 16.0 * SPACING * SPACING;
    assert_force(forces[0], DVec3::Y * expected, 0.1);
}

#[test]
fn the_force_on_a_moving_collider_contains_the_inertia_of_what_it_carries() {
    let turn = Motion::Constant {
        start: Pose::IDENTITY,
        velocity: DVec3::ZERO,
        spin: DVec3::Y * 20.0,
    };
    let mut setup = hung(4, &[turn]);
    setup.gravity = DVec3::ZERO;
    carry(&mut setup, 0, (0..64).collect());
    // The centre of mass is 0.1 m from the axis along x and z; the first substep gets it going.
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(1).expect("threads");
    stepper.substep(&mut world, DT).expect("a sound scene");
    let report = stepper.substep(&mut world, DT).expect("a sound scene");
    let outward = DVec3::new(0.1, 0.0, 0.1) * MASS * 20.0 * 20.0;
    assert_force(report.collider_impulse[0] / DT, outward, 0.03);
}

#[test]
fn the_force_on_a_collider_contains_bodies_on_the_carried_one() {
    for hangs in [false, true] {
        let mut setup = hung(4, &[at_rest()]);
        let side = if hangs { -4.0 } else { 4.0 };
        let corner = DVec3::Y * side * SPACING;
        let mut other = block(0, [4; 3], SPACING, corner, DVec3::ZERO);
        other.shares_neighbors = false;
        setup.bodies.push(other);
        // Each particle is joined to the one below or above.
        let bond = |(&first, &second): (&u32, &u32)| Rod {
            first,
            second: 64 + second,
            length: SPACING,
        };
        carry(&mut setup, 0, (0..64).collect());
        if hangs {
            let rods = layer(0, 4).iter().zip(&layer(3, 4)).map(bond).collect();
            setup.attachments.push(Attachment {
                name: "glue".into(),
                particles: layer(0, 4),
                kind: AttachmentKind::Body { rods },
            });
        }
        let force = forces(setup, 1000, 100)[0];
        assert_force(force, DVec3::NEG_Y * 2.0 * MASS * G, 0.01);
    }
}
