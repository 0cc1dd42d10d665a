//! Bars with fibres: moduli, pull, volume.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::{Keyframe, Motion};
use pliant_core::measure::Energies;
use pliant_core::method::MuscleReading;
use pliant_core::methods::muscle::{
    Activation, Flesh, Incompressibility, Integration, Muscle, MuscleColumns, MuscleSetup, read,
    read_muscles,
};
use pliant_core::schedule::{Ease, Schedule};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{ActivationError, Setup, World};
use pliant_geometry::shapes::Sphere;
use pliant_math::DVec3;

use super::{DENSITY, SPACING, YOUNGS_MODULUS, block, corotated, settings, world_of};
use crate::blocks::collider;
use crate::worlds::{advance, carry};

/// A bar along z of so many particles with fibres of a stiffness along a direction.
fn bar(count: [usize; 3], stiffness: f64, direction: DVec3, activation: Activation) -> Flesh {
    let mut flesh = block(count);
    if stiffness > 0.0 {
        let muscle = Muscle::new("bundle", stiffness, activation);
        flesh.add(muscle, |_, _| Some((direction, 0.0)));
    }
    flesh
}

/// Positions by ids [m].
pub fn by_id(world: &World) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut position = vec![DVec3::ZERO; p.len()];
    for (&id, &x) in p.id.iter().zip(&p.position) {
        position[id as usize] = x;
    }
    position
}

/// The particles of layers from one on.
fn layers(flesh: &Flesh, from: usize, to: usize) -> Vec<u32> {
    let ids = (0..).zip(&flesh.shape.position);
    let layer = |x: &DVec3| (x.z / SPACING - 0.5).round() as usize;
    let chosen = ids.filter(|(_, x)| (from..to).contains(&layer(x)));
    chosen.map(|(id, _)| id).collect()
}

/// A bar whose first and last layers are carried by colliders that part until it is so long, with damping, for a
/// time; the force on the second [N] and the world.
pub fn clamped(
    law: pliant_materials::laws::SolidLaw,
    flesh: Flesh,
    stretch: f64,
    dt: f64,
    change: impl Fn(&mut Setup),
) -> (f64, World) {
    let count = flesh.shape.position.iter().map(|x| x.z).fold(0.0, f64::max) / SPACING + 0.5;
    let length = (count - 1.0) * SPACING;
    let ends = [
        layers(&flesh, 0, 1),
        layers(&flesh, count as usize - 1, count as usize),
    ];
    let mut setup = world_of(law, vec![flesh]);
    setup.solver.damping = 8.0;
    let way = DVec3::Z * (length * (stretch - 1.0));
    for (held, to) in ends.into_iter().zip([DVec3::ZERO, way]) {
        let mut collider = collider(
            Sphere { radius: 0.01 },
            Motion::Keyframes {
                keyframes: vec![
                    Keyframe {
                        time: 0.0,
                        position: DVec3::Y * 10.0,
                        rotation: DVec3::ZERO,
                    },
                    Keyframe {
                        time: 0.3,
                        position: DVec3::Y * 10.0 + to,
                        rotation: DVec3::ZERO,
                    },
                ],
                ease: Ease::Smooth,
            },
        );
        collider.name = format!("end {}", setup.colliders.len());
        setup.colliders.push(collider);
        let number = setup.colliders.len() as u32 - 1;
        carry(&mut setup, number, held);
    }
    change(&mut setup);
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let mut force = 0.0;
    let substeps = (1.2 / dt) as usize;
    for k in 0..substeps {
        let report = stepper.substep(&mut world, dt).expect("a sound bar");
        // The mean of the last tenth.
        if 10 * k >= 9 * substeps {
            force += report.collider_impulse[1].z / dt / (substeps / 10) as f64;
        }
    }
    (force, world)
}

#[test]
fn fibers_stiffen_a_bar_along_them_and_hardly_across() {
    let (count, fiber) = ([5, 5, 16], 1.5e5);
    let area = (5.0 * SPACING).powi(2);
    // Fibres across resist that the bar gets thinner: E/(1 - nu^2 mu_f/(E + mu_f)).
    let across = YOUNGS_MODULUS / (1.0 - 0.09 * fiber / (YOUNGS_MODULUS + fiber));
    for (direction, expected, error) in [
        (DVec3::Z, YOUNGS_MODULUS + fiber, 0.05),
        (DVec3::X, across, 0.08),
    ] {
        let flesh = bar(count, fiber, direction, Activation::NONE);
        let (force, _) = clamped(corotated(0.3), flesh, 1.05, 4e-4, |_| ());
        let modulus = -force / area / 0.05;
        let off = (modulus / expected - 1.0).abs();
        assert!(off < error, "{direction}: {modulus} {expected}");
    }
}

#[test]
fn a_muscle_that_is_held_pulls_as_its_law_says() {
    let fiber = 3e5;
    let activation = Activation::Scheduled(Schedule::Constant(1.0));
    let mut flesh = bar([6, 6, 20], fiber, DVec3::Z, activation);
    flesh.muscles[0].length = 20.0 * SPACING;
    let (force, world) = clamped(corotated(0.3), flesh, 1.0, 3e-4, |_| ());
    let stress = -force / (6.0 * SPACING).powi(2);
    let off = stress / (fiber * 0.3) - 1.0;
    assert!(off.abs() < 0.03, "{stress} {off}");
    let read = reading(&world);
    let off = [read.tension / stress - 1.0, read.force / -force - 1.0];
    // The mean of the whole bar, whose ends are held.
    assert!(off.iter().all(|off| off.abs() < 0.06), "{read:?} {off:?}");
    assert!(read.power.abs() < 0.05 * read.force, "{read:?}");
}

/// What the first muscle does.
fn reading(world: &World) -> MuscleReading {
    let (setup, state) = (MuscleSetup::of(&world.setup), &world.state);
    read_muscles(&setup, &state.particles, state.methods.of()).remove(0)
}

/// Volume of a body over that at rest: the mean of det F.
pub fn volume(world: &World) -> f64 {
    let columns: &MuscleColumns = world.state.methods.of();
    let (mut sum, mut count) = (0.0, 0.0);
    let setup = MuscleSetup::of(&world.setup);
    read(&setup, &world.state.particles, columns, |_, reading| {
        sum += reading.volume_ratio();
        count += 1.0;
    });
    sum / count
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn volume_is_kept_where_a_bar_is_squashed_and_stretched() {
    for (integration, dt) in [(Integration::Explicit, 8e-4), (Integration::Implicit, 4e-3)] {
        for stretch in [0.7, 1.3] {
            let flesh = block([7, 7, 10]);
            let (_, world) = clamped(corotated(0.3), flesh, stretch, dt, |setup| {
                let chosen = settings(setup);
                chosen.integration = integration;
                chosen.incompressibility = Incompressibility::Velocity;
            });
            let off = volume(&world) - 1.0;
            assert!(off.abs() < 5e-3, "{integration:?} {stretch}: {off}");
        }
    }
}

/// A bar of so many layers that hangs from its first with a weight at its end [kg]: its length in spacings.
fn hanging(
    layer_count: usize,
    stiffness: f64,
    load: f64,
    activation: f64,
    change: impl Fn(&mut Setup),
) -> (f64, World) {
    let activation = Activation::Scheduled(Schedule::Constant(activation));
    let flesh = bar([5, 5, layer_count], stiffness, DVec3::Z, activation);
    let rest = flesh.shape.position.clone();
    let (top, bottom) = (
        layers(&flesh, 0, 1),
        layers(&flesh, layer_count - 1, layer_count),
    );
    let mut setup = world_of(corotated(0.3), vec![flesh]);
    setup.gravity = DVec3::Z * 9.81;
    setup.solver.damping = 6.0;
    for &id in &top {
        setup.bodies[0].particles.is_pinned[id as usize] = true;
    }
    setup.attachments.push(Attachment {
        name: "load".into(),
        particles: bottom,
        kind: AttachmentKind::Load {
            force: DVec3::Z * (9.81 * load),
            strength: Schedule::Constant(1.0),
        },
    });
    settings(&mut setup).integration = Integration::Automatic;
    change(&mut setup);
    let mut world = World::new(setup);
    advance(&mut world, 4e-3, 500, 2).expect("a sound bar");
    let now = by_id(&world);
    let mean = |layer: f64| {
        let of_layer = rest.iter().zip(&now);
        let chosen = of_layer.filter(|(x, _)| (x.z / SPACING - 0.5 - layer).abs() < 0.1);
        let (sum, count) = chosen.fold((0.0, 0.0), |(s, n), (_, y)| (s + y.z, n + 1.0));
        sum / count
    };
    let last = (layer_count - 1) as f64;
    ((mean(last) - mean(0.0)) / SPACING, world)
}

/// The length in one dimension over that at rest of a bar of 21 layers, of which half of the own weight counts.
fn one_dimensional(stiffness: f64, load: f64, activation: f64) -> f64 {
    let area = (5.0 * SPACING).powi(2);
    let own = DENSITY * area * 20.5 * SPACING;
    let weight = (load + 0.5 * own) * 9.81;
    let rest = 1.0 - 0.3 * activation;
    (weight / area + YOUNGS_MODULUS + stiffness * rest) / (YOUNGS_MODULUS + stiffness)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_muscle_lifts_a_weight_as_far_as_in_one_dimension() {
    for activation in [0.0, 1.0] {
        let (length, _) = hanging(21, 5e5, 2.0, activation, |_| ());
        let (length, expected) = (length / 20.0, one_dimensional(5e5, 2.0, activation));
        assert!(
            (length / expected - 1.0).abs() < 0.01,
            "{activation}: {length} {expected}"
        );
    }
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn volume_is_kept_through_full_contraction() {
    let of_layers = |count: usize| {
        let (length, world) = hanging(count, 5e5, 2.0, 1.0, |setup| {
            settings(setup).incompressibility = Incompressibility::Velocity;
        });
        let off = volume(&world) - 1.0;
        assert!(off.abs() < 5e-3, "{off}");
        length
    };
    // Where it is held a bar cannot widen, and so not shorten: what eight layers more add is free of that.
    let length = (of_layers(21) - of_layers(13)) / 8.0;
    let expected = incompressible_length(5e5, 2.0);
    assert!(
        (length / expected - 1.0).abs() < 0.01,
        "{length} {expected}"
    );
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_long_thin_body_keeps_its_volume_while_one_side_contracts() {
    for (integration, dt) in [(Integration::Explicit, 3e-4), (Integration::Implicit, 4e-3)] {
        let mut flesh = block([6, 4, 50]);
        let activation = Activation::Scheduled(Schedule::Constant(1.0));
        let muscle = Muscle::new("side", 3e5, activation);
        let side = |_: usize, x: DVec3| (x.x < 2.0 * SPACING).then_some((DVec3::Z, 0.0));
        flesh.add(muscle, side);
        let mut setup = world_of(corotated(0.4), vec![flesh]);
        setup.solver.damping = 4.0;
        let chosen = settings(&mut setup);
        chosen.integration = integration;
        chosen.incompressibility = Incompressibility::Velocity;
        let mut world = World::new(setup);
        for part in 0..5 {
            advance(&mut world, dt, (0.1 / dt) as usize, 2).expect("a sound body");
            let off = volume(&world) - 1.0;
            assert!(off.abs() < 0.01, "{integration:?} {part}: {off}");
        }
    }
}

/// Stretch of a fully activated bar of corotated flesh that keeps its volume, half of the own weight of 17 layers
/// counting.
fn incompressible_length(stiffness: f64, load: f64) -> f64 {
    let area = (5.0 * SPACING).powi(2);
    let own = DENSITY * area * 17.0 * SPACING;
    let pulled = (load + 0.5 * own) * 9.81 / area;
    let moduli = pliant_materials::LameModuli::from_youngs(YOUNGS_MODULUS, 0.3);
    let (shear, lambda) = (
        f64::from(moduli.shear_modulus),
        f64::from(moduli.lame_lambda),
    );
    let tension = |stretch: f64| {
        let across = stretch.powf(-0.5);
        let dilation = lambda * (stretch + 2.0 * across - 3.0);
        // The pressure that leaves the sides without a load acts along the bar by J/stretch.
        let pressure = (2.0 * shear * (across - 1.0) + dilation) * across;
        let of_law = 2.0 * shear * (stretch - 1.0) + dilation - pressure / stretch;
        of_law + stiffness * (stretch - 0.7)
    };
    let (mut low, mut high) = (0.5, 1.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if tension(middle) < pulled {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn muscles_are_driven_from_outside() {
    let flesh = bar([3, 3, 8], 2e5, DVec3::Z, Activation::Driven(0.0));
    let mut world = World::new(world_of(corotated(0.3), vec![flesh]));
    let missing = world.activate(0, "biceps", 1.0, 0.1);
    assert!(matches!(missing, Err(ActivationError::NotDriven { .. })));
    assert!(matches!(
        world.activate(0, "bundle", 1.5, 0.1),
        Err(ActivationError::Invalid(_))
    ));
    world
        .activate(0, "bundle", 1.0, 0.2)
        .expect("a driven muscle");
    let dt = 4e-4;
    advance(&mut world, dt, 251, 1).expect("sound flesh");
    assert!((reading(&world).activation - 0.5).abs() < 1e-6);
    advance(&mut world, dt, 500, 1).expect("sound flesh");
    assert_eq!(reading(&world).activation, 1.0);
    assert!(reading(&world).stretch < 0.95);
}

#[test]
fn the_work_of_a_muscle_is_the_energy_that_its_body_gains() {
    let ramp = Schedule::Keyframes {
        keyframes: vec![(0.0, 0.0), (0.3, 1.0)],
        ease: Ease::Smooth,
    };
    let mut flesh = bar([4, 4, 10], 2e5, DVec3::Z, Activation::Scheduled(ramp));
    flesh.muscles[0].peak_stress = 3e4;
    let mut world = World::new(world_of(corotated(0.3), vec![flesh]));
    let energy = |world: &World| {
        let energies = Energies::of(world, |_| true);
        energies.elastic + energies.kinetic
    };
    let (start, dt) = (energy(&world), 3e-4);
    let mut stepper = CpuStepper::new(2).expect("threads");
    let (mut work, mut peak) = (0.0, 0.0_f64);
    for _ in 0..1500 {
        let report = stepper.substep(&mut world, dt).expect("sound flesh");
        work += report.work.motors;
        peak = peak.max(work.abs());
    }
    let off = (energy(&world) - start - work) / peak;
    assert!(off.abs() < 0.02, "{off} of {peak}");
}
