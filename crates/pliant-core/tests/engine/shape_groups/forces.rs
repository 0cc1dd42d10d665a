//! Forces of the constraints against the energy.

use pliant_core::measure::Energies;
use pliant_core::methods::shape_groups::{self, EnergySolve, ParticleGroups, ShapeGroupsSettings};
use pliant_core::world::{Body, World};
use pliant_geometry::shapes::Sphere;
use pliant_geometry::{CutGrid, Shape};
use pliant_materials::LameModuli;
use pliant_materials::laws::{SaintVenantKirchhoff, Solid, SolidLaw, StableNeoHookean};
use pliant_math::{DVec3, Pose, RandomStream, to_double};

use super::{DENSITY, SPACING, YOUNGS_MODULUS, by_precision, planar, rubber, step, world_of};
use crate::worlds::advance;

/// Which constraint with which law.
fn forms() -> [(EnergySolve, Solid); 7] {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, 0.35);
    let stable = Solid::elastic(SolidLaw::StableNeoHookean(StableNeoHookean { moduli }));
    let venant = SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli });
    [
        (EnergySolve::Block, rubber(0.35)),
        (EnergySolve::Energy, rubber(0.35)),
        (EnergySolve::Energy, stable),
        (EnergySolve::Stress, rubber(0.35)),
        (EnergySolve::Stress, rubber(0.49)),
        (EnergySolve::Stress, stable),
        (EnergySolve::Stress, Solid::elastic(venant)),
    ]
}

/// A weightless world without the filter, which has forces of its own.
fn unfiltered((solve, law): (EnergySolve, Solid), body: Body) -> World {
    let mut setup = world_of(law, vec![body]);
    let settings: &mut ShapeGroupsSettings = setup.solver.methods.of_mut();
    (settings.solve, settings.filter_stiffness) = (solve, 0.0);
    World::new(setup)
}

/// Hexahedra without a surface.
fn bare_block() -> Body {
    let cells: Vec<[i64; 3]> = (0..12).map(|k| [k % 3, k / 3 % 2, k / 6]).collect();
    let mut groups = ParticleGroups::hexahedra(&cells, DVec3::ZERO, DVec3::splat(SPACING));
    groups.triangles.clear();
    shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY)
}

/// Moves every particle that is free by up to a tenth of a spacing along each axis.
fn deform(world: &mut World) {
    let random = RandomStream::new(4, 0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let number = |k: u64| random.unit(3 * u64::from(p.id[i]) + k) - 0.5;
        p.position[i] += DVec3::new(number(0), number(1), number(2)) * (0.2 * SPACING);
    }
}

/// Forces by ids [N], by a step so short that nothing but those at the start counts.
fn forces(world: &World, crossed: f64) -> Vec<DVec3> {
    let mut world = world.clone();
    let dt = step(crossed);
    advance(&mut world, dt, 1, 1).expect("a sound body");
    let p = &world.state.particles;
    let mut forces = vec![DVec3::ZERO; p.len()];
    for (i, &id) in p.id.iter().enumerate() {
        forces[id as usize] = to_double(p.velocity[i]) * (f64::from(p.mass[i]) / dt);
    }
    forces
}

/// Elastic energy [J] with all particles shifted by a field of their ids.
fn energy_at(world: &World, shift: impl Fn(u32) -> DVec3) -> f64 {
    let mut world = world.clone();
    let p = &mut world.state.particles;
    for (x, &id) in p.position.iter_mut().zip(&p.id) {
        *x += shift(id);
    }
    Energies::of(&world, |_| true).elastic
}

/// Asserts that forces on particles are the gradient of the energy, and that none acts on those that are held.
fn assert_forces(world: &World, held: &[u32]) {
    let forces = forces(world, by_precision(1e-7, 1e-3));
    let greatest = forces.iter().map(|f| f.length()).fold(0.0, f64::max);
    assert!(greatest > 0.0);
    let way = by_precision(1e-6, 1e-2) * SPACING;
    let mut worst = 0.0_f64;
    for (id, force) in (0_u32..).zip(&forces) {
        if held.contains(&id) {
            assert_eq!(*force, DVec3::ZERO);
            continue;
        }
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let shifted = |sign: f64| {
                let shift = axis * (sign * way);
                energy_at(world, |k| if k == id { shift } else { DVec3::ZERO })
            };
            let difference = (shifted(-1.0) - shifted(1.0)) / (2.0 * way);
            worst = worst.max((difference - force.dot(axis)).abs() / greatest);
        }
    }
    assert!(worst < by_precision(1e-6, 2e-2), "{worst:e}");
}

#[test]
fn forces_of_hexahedra_are_the_gradient_of_the_energy() {
    for form in forms() {
        let mut world = unfiltered(form, bare_block());
        deform(&mut world);
        assert_forces(&world, &[]);
    }
}

#[test]
fn forces_on_what_is_free_are_the_gradient_of_the_energy_beside_what_is_held() {
    for form in forms() {
        let (mut body, held) = (bare_block(), [0_u32, 5, 17]);
        for id in held {
            body.particles.is_pinned[id as usize] = true;
        }
        let mut world = unfiltered(form, body);
        deform(&mut world);
        assert_forces(&world, &held);
    }
}

#[test]
fn forces_of_planar_groups_are_the_gradient_of_the_energy() {
    for form in forms() {
        let groups = planar::sheet([4, 3]);
        let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
        let mut world = unfiltered(form, body);
        deform(&mut world);
        assert_forces(&world, &[]);
    }
}

/// Affine fields and those in which hexahedra bend and twist.
fn fields(x: DVec3) -> [f64; 8] {
    [
        1.0,
        x.x,
        x.y,
        x.z,
        x.x * x.y,
        x.y * x.z,
        x.z * x.x,
        x.x * x.y * x.z,
    ]
}

/// Members of cut cells do not move on their own but in the modes of their group, so that only the work of forces
/// along these is that of the energy.
#[test]
fn forces_of_cut_cells_do_the_work_of_the_energy() {
    let grid = CutGrid {
        origin: DVec3::splat(-1.5 * SPACING),
        side: DVec3::splat(SPACING),
    };
    let surface = Sphere {
        radius: 1.5 * SPACING,
    }
    .surface(3.0 * SPACING);
    for form in forms() {
        let mut groups = ParticleGroups::cut_cells(&surface, grid);
        groups.triangles.clear();
        let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
        let mut world = unfiltered(form, body);
        let rest = world.state.particles.position.clone();
        let at = |id: u32| fields(rest[id as usize] / SPACING);
        let random = RandomStream::new(11, 0);
        let factor = |k: usize| {
            let number = |axis: u64| random.unit(3 * k as u64 + axis) - 0.5;
            DVec3::new(number(0), number(1), number(2)) * (0.2 * SPACING)
        };
        let p = &mut world.state.particles;
        for (x, &id) in p.position.iter_mut().zip(&p.id) {
            *x += (1..8).map(|k| factor(k) * at(id)[k]).sum::<DVec3>();
        }
        assert_work(&world, &at);
    }
}

/// Asserts that forces do the work of the energy along fields of displacements.
fn assert_work(world: &World, at: &dyn Fn(u32) -> [f64; 8]) {
    let forces = forces(world, by_precision(1e-4, 1e-2));
    let whole: f64 = forces.iter().map(|f| f.length()).sum();
    let way = by_precision(1e-5, 1e-2) * SPACING;
    let mut worst = 0.0_f64;
    for k in 0..8 {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let energy = |sign: f64| energy_at(world, |id| axis * (sign * way * at(id)[k]));
            let expected = (energy(-1.0) - energy(1.0)) / (2.0 * way);
            let work: f64 = (0..)
                .zip(&forces)
                .map(|(id, f)| f.dot(axis) * at(id)[k])
                .sum();
            let error = (work - expected).abs() / whole;
            worst = worst.max(error);
        }
    }
    assert!(worst < by_precision(1e-6, 2e-2), "{worst:e}");
}
