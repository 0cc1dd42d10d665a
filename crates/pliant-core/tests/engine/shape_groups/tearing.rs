//! Groups that are stretched too far.

use pliant_core::methods::shape_groups::{
    self, ParticleGroups, ShapeGroupsColumns, ShapeGroupsSetup,
};
use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::{Body, MethodKind, World};
use pliant_geometry::shapes::Box;
use pliant_geometry::{CutGrid, Shape, TriangleMesh};
use pliant_math::{DVec3, Pose, Real};

use super::{DENSITY, SPACING, block, by_precision, rubber, world_of};
use crate::worlds::momentum;

const CELLS: [i64; 3] = [2, 3, 12];

/// A bar whose ends fly apart, and that tears at a strain.
fn bar(strain: Real, speed: f64) -> World {
    pulled(block(CELLS, DVec3::ZERO), strain, speed)
}

/// The same cut from a surface by planes that are not along it.
fn cut_bar(strain: Real, speed: f64) -> World {
    let size = 0.5 * DVec3::from_array(CELLS.map(|n| n as f64 * SPACING));
    let mut mesh = Box { half_size: size }.surface(1.0);
    mesh.vertices.iter_mut().for_each(|x| *x += size);
    let grid = CutGrid {
        origin: DVec3::new(-0.3, -0.7, -0.4) * SPACING,
        side: DVec3::splat(SPACING),
    };
    let groups = ParticleGroups::cut_cells_that_tear(&mesh, grid);
    let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
    pulled(body, strain, speed)
}

/// A body as long as the bar, whose ends fly apart.
fn pulled(mut body: Body, strain: Real, speed: f64) -> World {
    let mut law = rubber(0.4);
    law.tear_strain = Some(strain);
    let middle = 0.5 * CELLS[2] as f64 * SPACING;
    let velocity = |x: &DVec3| DVec3::Z * (speed * (x.z - middle) / middle) + DVec3::X;
    body.particles.velocity = body.particles.position.iter().map(velocity).collect();
    World::new(world_of(law, vec![body]))
}

fn torn(world: &World) -> usize {
    let columns: &ShapeGroupsColumns = world.state.methods.of();
    columns.is_torn.iter().filter(|torn| **torn).count()
}

fn run(world: &mut World, threads: usize, frames: usize) {
    let mut stepper = CpuStepper::new(threads).expect("threads");
    for _ in 0..frames {
        advance_frame(world, &mut stepper, &mut |_| ()).expect("a sound frame");
    }
}

#[test]
fn a_bar_tears_where_it_is_stretched_beyond_its_strain_and_keeps_its_momentum() {
    for mut world in [bar(0.5, 10.0), cut_bar(0.5, 10.0)] {
        let start = momentum(&world);
        run(&mut world, 2, 12);
        let count = torn(&world);
        let setup = ShapeGroupsSetup::of(&world.setup);
        let all = setup.group_count();
        assert!(count > 0 && count < all / 2, "{count} of {all}");
        let error = momentum(&world).distance(start) / start.length();
        assert!(error < by_precision(1e-12, 1e-5), "{error:e}");
        let account = world.state.account;
        assert!(
            account.gained <= 1e-6 * account.greatest_motion,
            "{account:?}"
        );
        // What is left is closed, and encloses what is left.
        let columns: &ShapeGroupsColumns = world.state.methods.of();
        let groups = &setup.bodies[0].groups;
        let left = groups.volume.iter().zip(&columns.is_torn);
        let left: f64 = left.map(|(v, torn)| if *torn { 0.0 } else { *v }).sum();
        let surface = setup.bodies[0].surface(&columns.is_torn);
        assert!(is_closed(&surface));
        let mesh = TriangleMesh {
            vertices: groups.rest_position.clone(),
            triangles: surface,
        };
        assert!((mesh.volume() / left - 1.0).abs() < 1e-9);
    }
}

/// Whether each side of triangles is there the other way round too.
fn is_closed(surface: &[[u32; 3]]) -> bool {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: Vec<[u32; 2]> = surface.iter().flat_map(sides).collect();
    let mut reversed: Vec<[u32; 2]> = sides.iter().map(|&[a, b]| [b, a]).collect();
    sides.sort_unstable();
    reversed.sort_unstable();
    sides == reversed
}

#[test]
fn nothing_tears_below_the_strain() {
    let mut world = bar(3.0, 1.0);
    run(&mut world, 2, 12);
    assert_eq!(torn(&world), 0);
}

#[test]
fn a_torn_bar_leads_to_the_same_bits_on_any_threads_and_after_a_resume() {
    for made in [bar, cut_bar] {
        let bytes = |threads: usize| {
            let mut world = made(0.5, 10.0);
            run(&mut world, threads, 6);
            world.state.to_bytes()
        };
        let one = bytes(1);
        assert!(bytes(2) == one && bytes(4) == one);
        let mut world = made(0.5, 10.0);
        for _ in 0..6 {
            run(&mut world, 1, 1);
        }
        assert!(torn(&world) > 0 && world.state.to_bytes() == one);
    }
}

#[test]
fn a_state_with_another_number_of_groups_is_refused() {
    let mut world = bar(0.5, 1.0);
    let kind: &dyn MethodKind = world.setup.bodies[0].method;
    assert!(kind.check_state(&world.setup, &world.state.methods).is_ok());
    world
        .state
        .methods
        .of_mut::<ShapeGroupsColumns>()
        .is_torn
        .pop();
    let error = kind.check_state(&world.setup, &world.state.methods);
    assert!(error.is_err_and(|error| error.contains("71")));
}
