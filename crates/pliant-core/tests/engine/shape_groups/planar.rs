//! Groups whose members lie in a plane or on a line.

use pliant_core::measure::Energies;
use pliant_core::methods::shape_groups::{self, ParticleGroups, ShapeGroupsSettings};
use pliant_core::world::World;
use pliant_math::{DVec3, Pose, RandomStream, to_double, to_real};

use super::{DENSITY, SPACING, angular_momentum, by_precision, rubber, step, world_of};
use crate::worlds::{advance, momentum};

/// Thickness of a sheet over its spacing.
const THICKNESS: f64 = 0.1;

/// A sheet of so many squares, four corners each, askew in space.
pub fn sheet([nx, ny]: [u32; 2]) -> ParticleGroups {
    let at = |k: u32| DVec3::new(f64::from(k % (nx + 1)), f64::from(k / (nx + 1)), 0.0) * SPACING;
    let corners = (0..(nx + 1) * (ny + 1)).map(at).collect();
    let square = |k: u32| {
        let first = k / nx * (nx + 1) + k % nx;
        vec![first, first + 1, first + nx + 1, first + nx + 2]
    };
    let squares: Vec<Vec<u32>> = (0..nx * ny).map(square).collect();
    let volume = vec![THICKNESS * SPACING.powi(3); squares.len()];
    ParticleGroups::new(corners, &squares, volume, Vec::new())
}

/// A chain of rods of so many particles each, each rod beginning where the one before ends.
fn chain(rods: u32, of: u32) -> ParticleGroups {
    let at = |k: u32| DVec3::X * (SPACING * f64::from(k));
    let particles = (0..rods * (of - 1) + 1).map(at).collect();
    let rod = |k: u32| (k * (of - 1)..(k + 1) * (of - 1) + 1).collect();
    let groups: Vec<Vec<u32>> = (0..rods).map(rod).collect();
    let volume = vec![THICKNESS * SPACING.powi(3); groups.len()];
    ParticleGroups::new(particles, &groups, volume, Vec::new())
}

fn turned() -> Pose {
    Pose::from_euler(DVec3::new(0.3, 0.1, 0.2), DVec3::new(0.4, -0.3, 0.8))
}

fn weightless(groups: ParticleGroups, damping: f64) -> World {
    let body = shape_groups::body(0, DENSITY, SPACING, groups, turned());
    let mut setup = world_of(rubber(0.3), vec![body]);
    let settings: &mut ShapeGroupsSettings = setup.solver.methods.of_mut();
    settings.damping = damping;
    World::new(setup)
}

/// Greatest distance of a particle from where it was [spacings] after so many substeps at rest.
fn moved(world: &mut World, substeps: usize) -> f64 {
    let start = world.state.particles.position.clone();
    advance(world, step(0.2), substeps, 2).expect("a sound body");
    let p = &world.state.particles;
    let moved = (0..p.len()).map(|i| p.position[i].distance(start[p.id[i] as usize]));
    moved.fold(0.0, f64::max) / SPACING
}

#[test]
fn sheets_and_rods_stay_at_rest() {
    for groups in [sheet([5, 4]), chain(4, 2), chain(4, 3)] {
        for damping in [0.0, 5.0] {
            let far = moved(&mut weightless(groups.clone(), damping), 1000);
            assert!(far < by_precision(1e-10, 2e-3), "{damping} {far:e}");
        }
    }
}

#[test]
fn a_stretched_sheet_contracts_to_its_size() {
    let mut world = weightless(sheet([6, 4]), 300.0);
    let rest = world.state.particles.position.clone();
    let way = turned().to_world(DVec3::X) - turned().to_world(DVec3::ZERO);
    let first = rest[0];
    for x in &mut world.state.particles.position {
        *x += way * (0.2 * (*x - first).dot(way));
    }
    let stretched = Energies::of(&world, |_| true).elastic;
    let mut least = f64::INFINITY;
    let mut now = 0.0;
    let dt = step(0.1);
    for _ in 0..30 {
        advance(&mut world, dt, 20, 2).expect("a sound sheet");
        let p = &world.state.particles;
        let along = p.position.iter().map(|x| (*x - first).dot(way));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        now = (high - low) / (6.0 * SPACING);
        least = least.min(now);
        let energies = Energies::of(&world, |_| true);
        let whole = energies.elastic + energies.kinetic;
        assert!(whole.is_finite() && whole < stretched, "{energies:?}");
    }
    assert!((now - 1.0).abs() < 5e-3 && least > 0.85, "{now} {least}");
    assert!(stretched > 0.0, "{stretched}");
}

#[test]
fn a_sheet_resists_as_a_plate_that_keeps_its_thickness() {
    // Psi = mu/2 (|F|^2 - 3) + l/2 (J - 1 - mu/l)^2 less that at rest, F being the stretch along x.
    let mut world = weightless(sheet([6, 4]), 0.0);
    let way = turned().to_world(DVec3::X) - turned().to_world(DVec3::ZERO);
    for x in &mut world.state.particles.position {
        *x += way * (0.2 * x.dot(way));
    }
    let mu = super::YOUNGS_MODULUS / 2.6;
    let volume = 2.0 * mu * 0.3 / 0.4 + mu;
    let density = |s: f64| {
        let change = s - 1.0 - mu / volume;
        0.5 * mu * (s * s + 2.0) + 0.5 * volume * change * change
    };
    let expected = (density(1.2) - density(1.0)) * 24.0 * THICKNESS * SPACING.powi(3);
    let found = Energies::of(&world, |_| true).elastic;
    assert!(
        (found / expected - 1.0).abs() < by_precision(1e-9, 1e-4),
        "{found} {expected}"
    );
}

#[test]
fn stirred_rods_stay_finite_and_keep_their_momentum() {
    for groups in [chain(1, 3), chain(4, 3), chain(4, 2)] {
        for damping in [0.0, 20.0] {
            let mut world = weightless(groups.clone(), damping);
            let random = RandomStream::new(8, 0);
            let p = &mut world.state.particles;
            for i in 0..p.len() {
                let number = |k: u64| random.unit(3 * u64::from(p.id[i]) + k) - 0.5;
                let velocity = DVec3::new(number(0), number(1), number(2)) + DVec3::X;
                p.velocity[i] = to_real(velocity);
            }
            let (start, spin) = (momentum(&world), angular_momentum(&world));
            let before = Energies::of(&world, |_| true);
            advance(&mut world, step(0.2), 200, 1).expect("finite velocities");
            let error = momentum(&world).distance(start) / start.length();
            assert!(error < by_precision(1e-12, 1e-5), "{damping} {error:e}");
            let turned = angular_momentum(&world).distance(spin) / spin.length();
            assert!(turned < 0.02, "{damping} {turned:e}");
            let p = &world.state.particles;
            assert!(p.position.iter().all(|x| x.is_finite()));
            assert!(p.velocity.iter().all(|&v| to_double(v).length() < 3.0));
            let after = Energies::of(&world, |_| true);
            let whole = |e: &Energies| e.kinetic + e.elastic;
            assert!(whole(&after) <= whole(&before), "{before:?} {after:?}");
        }
    }
}
