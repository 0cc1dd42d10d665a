//! Forces against the energy, and their sums.

use pliant_core::measure::Energies;
use pliant_core::methods::muscle::{Activation, Flesh, Muscle, MuscleColumns, MuscleSetup, read};
use pliant_core::schedule::Schedule;
use pliant_core::world::World;
use pliant_materials::LameModuli;
use pliant_materials::laws::{
    Corotated, NeoHookean, PolynomialNeoHookean, SaintVenantKirchhoff, SolidLaw, StableNeoHookean,
};
use pliant_math::{DMat3, DVec3, RandomStream, to_double};

use super::{SPACING, YOUNGS_MODULUS, block, by_precision, corotated, world_of};
use crate::worlds::advance;

fn laws() -> [SolidLaw; 5] {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, 0.35);
    [
        SolidLaw::Corotated(Corotated { moduli }),
        SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli }),
        SolidLaw::NeoHookean(NeoHookean { moduli }),
        SolidLaw::StableNeoHookean(StableNeoHookean { moduli }),
        SolidLaw::PolynomialNeoHookean(PolynomialNeoHookean { moduli }),
    ]
}

/// A block with two muscles across each other, both at work.
fn muscular() -> Flesh {
    let mut flesh = block([4, 5, 6]);
    let half = Activation::Scheduled(Schedule::Constant(0.5));
    let mut first = Muscle::new("first", 1e5, half.clone());
    first.peak_stress = 4e4;
    flesh.add(first, |_, x| {
        (x.z < 3.0 * SPACING).then_some((DVec3::new(1.0, 0.0, 0.3), 0.0))
    });
    flesh.add(Muscle::new("second", 5e4, half), |_, x| {
        (x.z > 4.0 * SPACING).then_some((DVec3::Y, 0.0))
    });
    flesh
}

/// Deformed at random, turned.
fn deformed(law: SolidLaw, flesh: Flesh) -> World {
    let mut world = World::new(world_of(law, vec![flesh]));
    let random = RandomStream::new(5, 0);
    let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let number = |k: u64| random.unit(3 * u64::from(p.id[i]) + k) - 0.5;
        let noise = DVec3::new(number(0), number(1), number(2)) * (0.1 * SPACING);
        p.position[i] = turn * (p.position[i] + noise);
    }
    world
}

/// Forces of particles at where they are [N], by a step so short that nothing moves.
fn forces(world: &World) -> Vec<DVec3> {
    let mut world = world.clone();
    let dt = 1e-7;
    advance(&mut world, dt, 1, 1).expect("sound flesh");
    let p = &world.state.particles;
    let mut forces = vec![DVec3::ZERO; p.len()];
    for (i, &id) in p.id.iter().enumerate() {
        forces[id as usize] = to_double(p.velocity[i]) * (f64::from(p.mass[i]) / dt);
    }
    forces
}

fn energy_at(world: &World, id: u32, shift: DVec3) -> f64 {
    let mut world = world.clone();
    let p = &mut world.state.particles;
    let place = p.id.iter().position(|&i| i == id).expect("a particle");
    p.position[place] += shift;
    Energies::of(&world, |_| true).elastic
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    for law in laws() {
        let world = deformed(law, muscular());
        let forces = forces(&world);
        let greatest = forces.iter().map(|f| f.length()).fold(0.0, f64::max);
        let way = by_precision(1e-6, 1e-2) * SPACING;
        for id in [0, 7, 31, 62, 88, 119] {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let at = |sign: f64| energy_at(&world, id, axis * (sign * way));
                let difference = (at(-1.0) - at(1.0)) / (2.0 * way);
                let error = (difference - forces[id as usize].dot(axis)).abs() / greatest;
                assert!(error < by_precision(1e-6, 2e-2), "{law:?} {id}: {error:e}");
            }
        }
    }
}

#[test]
fn forces_and_their_moments_cancel() {
    for law in laws() {
        let world = deformed(law, muscular());
        let forces = forces(&world);
        let p = &world.state.particles;
        let (mut sum, mut spin, mut whole) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for (i, &id) in p.id.iter().enumerate() {
            let force = forces[id as usize];
            sum += force;
            spin += p.position[i].cross(force) / SPACING;
            whole += force.length();
        }
        assert!(sum.length() < by_precision(1e-13, 1e-6) * whole, "{law:?}");
        let error = spin.length() / whole;
        assert!(error < by_precision(1e-12, 1e-5), "{law:?} {error:e}");
    }
}

#[test]
fn affine_deformations_are_exact() {
    let f = DMat3::from_cols(
        DVec3::new(1.2, 0.1, -0.3),
        DVec3::new(0.0, 0.8, 0.2),
        DVec3::new(0.1, 0.4, 1.1),
    );
    let mut world = World::new(world_of(corotated(0.3), vec![block([3, 4, 5])]));
    for x in &mut world.state.particles.position {
        *x = f * *x;
    }
    let columns: &MuscleColumns = world.state.methods.of();
    let setup = MuscleSetup::of(&world.setup);
    let mut count = 0;
    read(&setup, &world.state.particles, columns, |_, reading| {
        count += 1;
        let difference = reading.deformation_gradient - f;
        let errors = difference.to_cols_array().into_iter().map(f64::abs);
        let error = errors.fold(0.0, f64::max);
        assert!(error < 1e-12, "{error:e}");
    });
    assert_eq!(count, 60);
}

#[test]
fn nothing_moves_at_rest() {
    for law in laws() {
        let mut world = World::new(world_of(law, vec![block([4, 3, 3])]));
        let start = world.state.particles.position.clone();
        let ids = world.state.particles.id.clone();
        advance(&mut world, 5e-4, 200, 2).expect("sound flesh");
        let p = &world.state.particles;
        for (i, &id) in p.id.iter().enumerate() {
            let place = ids.iter().position(|&k| k == id).expect("it is there");
            let moved = p.position[i].distance(start[place]) / SPACING;
            assert!(moved < by_precision(1e-10, 1e-3), "{law:?} {moved:e}");
        }
    }
}
