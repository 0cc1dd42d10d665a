//! The creature of cut cells: its surface at rest, in cells of two sizes.

use std::path::Path;

use pliant_core::methods::shape_groups::ShapeGroupsSetup;
use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::World;
use pliant_geometry::TriangleMesh;
use pliant_math::{DVec3, Real};
use pliant_scene::{BuildWith, Overrides, Scene};

use crate::NoMeshes;

/// The bundled scene without weight, at a level of detail, for an eighth of a second.
fn creature(detail: Option<&str>) -> World {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenes/shape-groups/creature.toml"
    );
    let overrides = Overrides {
        detail: detail.map(String::from),
        set: vec!["scene.gravity=[0, 0, 0]".into()],
        ..Overrides::default()
    };
    let scene = Scene::read(Path::new(path), &overrides);
    let built = scene.and_then(|scene| {
        scene.build(BuildWith {
            meshes: &NoMeshes,
            memory: 1 << 30,
        })
    });
    World::new(built.unwrap_or_else(|errors| panic!("{errors}")).setup)
}

/// The triangles that a body of shape groups shows at rest, with their vertices alone.
fn surface(world: &World) -> TriangleMesh {
    let groups = &ShapeGroupsSetup::of(&world.setup).bodies[0].groups;
    let count = groups
        .triangles
        .iter()
        .flatten()
        .max()
        .map_or(0, |&k| k + 1);
    TriangleMesh {
        vertices: groups.rest_position[..count as usize].to_vec(),
        triangles: groups.triangles.clone(),
    }
}

/// How many cells there are, and their volume [m3].
fn cells(world: &World) -> (usize, f64) {
    let groups = &ShapeGroupsSetup::of(&world.setup).bodies[0].groups;
    (groups.len(), groups.volume.iter().sum())
}

/// How far the particle that has moved most is from where it was [m].
fn moved(world: &World, from: &[DVec3]) -> f64 {
    let p = &world.state.particles;
    let moved = (0..p.len()).map(|i| p.position[i].distance(from[p.id[i] as usize]));
    moved.fold(0.0, f64::max)
}

#[test]
fn the_surface_of_the_creature_is_the_same_in_cells_of_two_sizes_and_stays_as_it_is() {
    let mut surfaces = Vec::new();
    for (detail, about) in [(None, 195), (Some("fine"), 840)] {
        let mut world = creature(detail);
        let (count, volume) = cells(&world);
        assert!(count.abs_diff(about) * 20 < about, "{count} cells");
        let surface = surface(&world);
        let lost = (volume / surface.volume() - 1.0).abs();
        assert!(lost < 1e-12, "{lost:e} of the volume is in no cell");
        surfaces.push(surface);
        let start = world.state.particles.position.clone();
        let mut stepper = CpuStepper::new(2).expect("threads");
        for _ in 0..3 {
            advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("it is at rest");
        }
        let most = if size_of::<Real>() == 8 { 1e-12 } else { 1e-6 };
        let far = moved(&world, &start);
        assert!(far < most, "{count} cells: {far:e} m");
    }
    assert_eq!(surfaces[0].vertices, surfaces[1].vertices);
    assert_eq!(surfaces[0].triangles, surfaces[1].triangles);
}
