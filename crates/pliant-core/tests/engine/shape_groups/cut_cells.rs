//! Cut cells at rest.

use pliant_core::methods::shape_groups::{self, ParticleGroups};
use pliant_core::world::World;
use pliant_geometry::shapes::Sphere;
use pliant_geometry::{CutGrid, Shape, TriangleMesh};
use pliant_math::{DVec3, Pose};

use super::{DENSITY, SPACING, by_precision, rubber, step, world_of};
use crate::worlds::advance;

const RADIUS: f64 = 3.0 * SPACING;

fn weightless(mesh: &TriangleMesh) -> World {
    let grid = CutGrid {
        origin: DVec3::splat(-RADIUS),
        side: DVec3::splat(SPACING),
    };
    let groups = ParticleGroups::cut_cells(mesh, grid);
    let pose = Pose::from_euler(DVec3::new(0.3, 0.1, 0.2), DVec3::new(0.4, -0.3, 0.8));
    let body = shape_groups::body(0, DENSITY, SPACING, groups, pose);
    World::new(world_of(rubber(0.45), vec![body]))
}

/// How far the particle that moves most goes in so many substeps [m].
fn moved(world: &mut World, substeps: usize) -> f64 {
    let start = world.state.particles.position.clone();
    advance(world, step(0.2), substeps, 2).expect("a sound body");
    let p = &world.state.particles;
    let moved = (0..p.len()).map(|i| p.position[i].distance(start[p.id[i] as usize]));
    moved.fold(0.0, f64::max)
}

#[test]
fn cut_cells_stay_at_rest_for_long() {
    let mesh = Sphere { radius: RADIUS }.surface(2.0 * RADIUS);
    let far = moved(&mut weightless(&mesh), 1000) / SPACING;
    assert!(far < by_precision(1e-10, 2e-3), "{far:e}");
}

/// A ball, one of whose vertices is so near [spacings] to the opposite side of one of its triangles.
fn with_thin_triangle(height: f64) -> TriangleMesh {
    let mut mesh = Sphere { radius: RADIUS }.surface(2.0 * RADIUS);
    let triangle = mesh.triangles[mesh.triangles.len() / 3];
    let [a, b, c] = triangle.map(|k| mesh.vertices[k as usize]);
    let along = (c - b).normalize();
    let foot = b + along * (a - b).dot(along);
    let away = (a - foot).normalize();
    mesh.vertices[triangle[0] as usize] = foot + away * (height * SPACING);
    mesh
}

#[test]
fn cut_cells_with_thin_triangles_stay_at_rest() {
    for height in [1e-2, 1e-4] {
        let far = moved(&mut weightless(&with_thin_triangle(height)), 100) / (2.0 * RADIUS);
        assert!(far < 1e-6, "{height}: {far:e}");
    }
}

#[test]
fn cut_cells_with_vertices_that_nearly_meet_stay_at_rest() {
    let mut mesh = Sphere { radius: RADIUS }.surface(2.0 * RADIUS);
    let [a, b, _] = mesh.triangles[mesh.triangles.len() / 2];
    let (from, to) = (mesh.vertices[a as usize], mesh.vertices[b as usize]);
    mesh.vertices[a as usize] = to + (from - to).normalize() * (1e-4 * SPACING);
    let far = moved(&mut weightless(&mesh), 100) / (2.0 * RADIUS);
    assert!(far < 1e-6, "{far:e}");
}
