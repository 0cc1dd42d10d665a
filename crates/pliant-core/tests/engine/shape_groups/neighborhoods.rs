//! Groups of each particle with those around it.

use pliant_core::measure::Energies;
use pliant_core::methods::shape_groups::{self, ParticleGroups, ShapeGroupsSetup, read};
use pliant_core::world::World;
use pliant_math::{DMat3, DVec3, Pose, RandomStream, to_real};

use super::{DENSITY, SPACING, by_precision, rubber, step, world_of};
use crate::worlds::{advance, momentum};

/// A weightless block of 5 x 4 x 6 particles.
fn overlapping() -> World {
    let at = |k: u32| {
        let cell = [k % 5, k / 5 % 4, k / 20].map(f64::from);
        DVec3::from_array(cell) * SPACING
    };
    let position = (0..120).map(at).collect();
    let groups = ParticleGroups::neighborhoods(position, 1.5 * SPACING, SPACING.powi(3));
    let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
    World::new(world_of(rubber(0.4), vec![body]))
}

#[test]
fn neighborhoods_stay_at_rest() {
    let mut world = overlapping();
    let start = world.state.particles.position.clone();
    advance(&mut world, step(0.2), 1000, 2).expect("a sound body");
    let p = &world.state.particles;
    let moved = (0..p.len()).map(|i| p.position[i].distance(start[p.id[i] as usize]));
    let moved = moved.fold(0.0, f64::max) / SPACING;
    assert!(moved < by_precision(1e-10, 2e-3), "{moved:e}");
}

#[test]
fn neighborhoods_read_affine_deformations_exactly() {
    let f = DMat3::from_cols(
        DVec3::new(1.2, 0.1, -0.3),
        DVec3::new(0.0, 0.8, 0.2),
        DVec3::new(0.1, 0.4, 1.1),
    );
    let mut world = overlapping();
    for x in &mut world.state.particles.position {
        *x = f * *x;
    }
    let (mut count, mut worst) = (0, 0.0_f64);
    let setup = ShapeGroupsSetup::of(&world.setup);
    read(&setup, &world.state, |_, reading| {
        count += 1;
        let difference = reading.deformation_gradient - f;
        let errors = difference.to_cols_array().into_iter().map(f64::abs);
        worst = errors.fold(worst, f64::max);
    });
    assert_eq!(count, 120);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn neighborhoods_that_are_stirred_keep_their_momentum() {
    let mut world = overlapping();
    let random = RandomStream::new(6, 0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let number = |k: u64| random.unit(3 * u64::from(p.id[i]) + k) - 0.5;
        p.velocity[i] = to_real(DVec3::new(number(0), number(1), number(2)) + DVec3::X);
    }
    let (start, before) = (momentum(&world), Energies::of(&world, |_| true));
    advance(&mut world, step(0.2), 200, 2).expect("a sound body");
    let error = momentum(&world).distance(start) / start.length();
    assert!(error < by_precision(1e-12, 1e-5), "{error:e}");
    let after = Energies::of(&world, |_| true);
    let whole = |e: &Energies| e.kinetic + e.elastic;
    assert!(whole(&after) <= whole(&before), "{before:?} {after:?}");
}
