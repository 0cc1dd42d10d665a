//! What stirred bodies keep.

use pliant_core::measure::Energies;
use pliant_core::methods::shape_groups::{
    self, EnergySolve, Filter, ParticleGroups, ShapeGroupsSettings,
};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, World};
use pliant_geometry::shapes::Sphere;
use pliant_geometry::{CutGrid, Shape};
use pliant_materials::laws::Solid;
use pliant_math::{DVec3, Pose, RandomStream};

use super::{DENSITY, SPACING, angular_momentum, block, by_precision, rubber, step, world_of};
use crate::worlds::{advance, momentum};

/// Particles of a body displaced and pushed at random.
///
/// * `noise` — range of displacements along an axis [spacings]
fn stirred_body(body: Body, law: Solid, settings: ShapeGroupsSettings, noise: f64) -> World {
    let mut setup = world_of(law, vec![body]);
    *setup.solver.methods.of_mut::<ShapeGroupsSettings>() = settings;
    let mut world = World::new(setup);
    let random = RandomStream::new(9, 0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let number = |k: u64| random.unit(6 * u64::from(p.id[i]) + k) - 0.5;
        p.position[i] += DVec3::new(number(0), number(1), number(2)) * (noise * SPACING);
        let velocity = DVec3::new(number(3), number(4), number(5)) + DVec3::X;
        p.velocity[i] = pliant_math::to_real(velocity);
    }
    world
}

/// A block of hexahedra displaced and pushed at random.
pub fn stirred(law: Solid, settings: ShapeGroupsSettings) -> World {
    stirred_body(block([5, 3, 4], DVec3::ZERO), law, settings, 0.3)
}

/// Cut cells of a ball.
fn ball() -> Body {
    let radius = 2.5 * SPACING;
    let grid = CutGrid {
        origin: DVec3::splat(-radius),
        side: DVec3::splat(SPACING),
    };
    let groups = ParticleGroups::cut_cells(&Sphere { radius }.surface(2.0 * radius), grid);
    shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY)
}

/// Constraints and filters, with damping and without.
fn forms() -> [ShapeGroupsSettings; 4] {
    let usual = ShapeGroupsSettings::default();
    [
        usual,
        ShapeGroupsSettings {
            solve: EnergySolve::Energy,
            damping: 20.0,
            ..usual
        },
        ShapeGroupsSettings {
            solve: EnergySolve::Stress,
            ..usual
        },
        ShapeGroupsSettings {
            solve: EnergySolve::Sequential,
            filter: Filter::Full,
            ..usual
        },
    ]
}

#[test]
fn momentum_is_kept_by_all_forms_of_the_method() {
    for settings in forms() {
        let hexahedra = stirred(rubber(0.4), settings);
        let cut = stirred_body(ball(), rubber(0.4), settings, 0.02);
        for mut world in [hexahedra, cut] {
            let start = momentum(&world);
            let before = Energies::of(&world, |_| true);
            advance(&mut world, step(0.2), 200, 2).expect("a sound body");
            let error = momentum(&world).distance(start) / start.length();
            // The full filter puts what is displaced back within a substep, at some ten times these speeds.
            let single = match settings.filter {
                Filter::Full => 1e-4,
                Filter::Compliant => 1e-5,
            };
            assert!(
                error < by_precision(1e-12, single),
                "{settings:?} {error:e}"
            );
            let after = Energies::of(&world, |_| true);
            let total = |e: &Energies| e.kinetic + e.elastic;
            assert!(total(&after) <= total(&before), "{settings:?}");
        }
    }
}

/// A hexahedron whose corners are out of place, in the modes in which it bends and twists, on its way.
fn twisted(filter: Filter) -> World {
    let settings = ShapeGroupsSettings {
        filter,
        ..ShapeGroupsSettings::default()
    };
    let mut groups = ParticleGroups::hexahedra(&[[0; 3]], DVec3::ZERO, DVec3::splat(SPACING));
    groups.triangles.clear();
    let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
    let mut setup = world_of(rubber(0.4), vec![body]);
    *setup.solver.methods.of_mut::<ShapeGroupsSettings>() = settings;
    let mut world = World::new(setup);
    let center = DVec3::splat(0.5 * SPACING);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let DVec3 { x, y, z } = (p.position[i] - center) / (0.5 * SPACING);
        let out = DVec3::new(0.1, 0.05, -0.2) * (x * y * z)
            + DVec3::new(-0.05, 0.1, 0.0) * (x * y)
            + DVec3::new(0.02, 0.1, 0.1) * (y * z)
            + DVec3::new(0.1, -0.1, 0.1) * (z * x);
        p.position[i] += out * SPACING;
        p.velocity[i] = pliant_math::to_real(DVec3::new(0.3, -0.2, 0.1));
    }
    world
}

#[test]
fn the_filter_turns_nothing() {
    for filter in [Filter::Compliant, Filter::Full] {
        let mut world = twisted(filter);
        let start = angular_momentum(&world);
        let mut stepper = CpuStepper::new(1).expect("a thread");
        let mut worst = 0.0_f64;
        for _ in 0..100 {
            stepper
                .substep(&mut world, step(0.2))
                .expect("sound groups");
            let turned = angular_momentum(&world).distance(start);
            worst = worst.max(turned / spin_size(&world));
        }
        assert!(worst < by_precision(1e-12, 1e-5), "{filter:?} {worst:e}");
    }
}

/// The sum of m |v| [kg m/s] times the size of a cell.
fn spin_size(world: &World) -> f64 {
    let p = &world.state.particles;
    let of = |i: usize| f64::from(p.mass[i] * p.velocity[i].length());
    (0..p.len()).map(of).sum::<f64>() * SPACING
}

#[test]
fn stirred_bodies_keep_their_spin() {
    for settings in forms() {
        for crossed in [0.2, 0.05] {
            let mut world = stirred(rubber(0.4), settings);
            let start = angular_momentum(&world);
            advance(&mut world, step(crossed), 100, 2).expect("a sound body");
            let lost = angular_momentum(&world).distance(start) / start.length();
            assert!(lost < by_precision(1e-12, 1e-4), "{settings:?} {lost:e}");
        }
    }
}
