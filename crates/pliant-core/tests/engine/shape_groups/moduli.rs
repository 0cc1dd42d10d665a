//! Stiffness of bars and beams against closed forms.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::schedule::Schedule;
use pliant_core::step::longest_elastic_step;
use pliant_core::world::World;
use pliant_math::DVec3;

use super::{DENSITY, SPACING, YOUNGS_MODULUS, block, rubber, step, world_of};
use crate::worlds::advance;

/// Positions by their ids [m].
fn by_id(world: &World) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut position = vec![DVec3::ZERO; p.len()];
    for (&id, &x) in p.id.iter().zip(&p.position) {
        position[id as usize] = x;
    }
    position
}

/// A bar of 4 x 4 x 8 cells, along the axis where sweeps are least exact, that is pulled at both ends by 1 % of its Young's
/// modulus, at rest after automatic steps: its modulus and its Poisson's ratio in the middle.
fn pulled(poissons_ratio: f64, sweeps: u32) -> (f64, f64) {
    let body = block([4, 4, 8], DVec3::ZERO);
    let rest = body.particles.position.clone();
    let area = (4.0 * SPACING).powi(2);
    let stress = 0.01 * YOUNGS_MODULUS;
    let mut setup = world_of(rubber(poissons_ratio), vec![body]);
    setup.solver.iterations = sweeps;
    for (z, sign) in [(0.0, -1.0), (8.0 * SPACING, 1.0)] {
        let ids = (0_u32..).zip(&rest);
        let particles = ids.filter(|(_, x)| (x.z - z).abs() < 1e-9);
        let particles = particles.map(|(id, _)| id).collect();
        // Shared by the masses, and so by the areas.
        let force = DVec3::Z * (sign * stress * area);
        let strength = Schedule::Constant(1.0);
        setup.attachments.push(Attachment {
            name: "load".into(),
            particles,
            kind: AttachmentKind::Load { force, strength },
        });
    }
    let dt = longest_elastic_step(&setup);
    let period = 8.0 * SPACING / (YOUNGS_MODULUS / DENSITY).sqrt() * 4.0;
    setup.solver.damping = 4.0 / period;
    let mut world = World::new(setup);
    let substeps = (8.0 * period / dt) as usize;
    advance(&mut world, dt, substeps, 2).expect("a sound bar");
    let now = by_id(&world);
    let mean = |of: &dyn Fn(&DVec3) -> bool, axis: usize| {
        let chosen = rest.iter().zip(&now).filter(|(x, _)| of(x));
        let (sum, count) = chosen.fold((0.0, 0), |(sum, count), (_, y)| (sum + y[axis], count + 1));
        sum / f64::from(count)
    };
    let plane = |z: f64| move |x: &DVec3| (x.z - z * SPACING).abs() < 1e-9;
    let stretch = (mean(&plane(6.0), 2) - mean(&plane(2.0), 2)) / (4.0 * SPACING);
    let side = |c: f64| move |x: &DVec3| (x.x - c * SPACING).abs() < 1e-9 && plane(4.0)(x);
    let width = (mean(&side(4.0), 0) - mean(&side(0.0), 0)) / (4.0 * SPACING);
    // The law at these stretches, to first order beyond Hooke's.
    let strain = stretch - 1.0;
    (0.01 / strain, (1.0 - width) / strain)
}

#[test]
fn a_bar_has_its_modulus_and_its_poissons_ratio() {
    for nu in [0.3, 0.45] {
        for sweeps in 1..=4 {
            let (modulus, ratio) = pulled(nu, sweeps);
            let told = format!("{nu}, {sweeps} sweeps: {modulus}, {ratio}");
            assert!((modulus - 1.0).abs() < 0.03, "{told}");
            assert!((ratio - nu).abs() < 0.02, "{told}");
        }
    }
}

#[test]
fn automatic_steps_grow_with_the_sweeps_up_to_four() {
    let crossed = |sweeps: u32| {
        let mut setup = world_of(rubber(0.3), vec![block([4, 4, 8], DVec3::ZERO)]);
        setup.solver.iterations = sweeps;
        longest_elastic_step(&setup) / step(1.0)
    };
    for (sweeps, expected) in [(1, 0.2), (2, 0.4), (3, 0.45), (4, 0.6), (5, 0.6), (50, 0.6)] {
        let crossed = crossed(sweeps);
        assert!(
            (crossed / expected - 1.0).abs() < 1e-6,
            "{sweeps}: {crossed}"
        );
    }
}
