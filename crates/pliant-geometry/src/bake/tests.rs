//! Errors, signs and bounds of baked distances.

use pliant_math::{DQuat, DVec3, RandomStream};

use super::DistanceGrid;
use crate::shapes::{Box, Sphere, Torus};
use crate::work::tests::backwards_on_threads;
use crate::{Shape, TriangleMesh, in_order};

fn probes(reach: f64, count: u64) -> impl Iterator<Item = DVec3> {
    let random = RandomStream::new(21, 0);
    (0..count).map(move |i| {
        let unit = |axis| 2.0 * random.unit(3 * i + axis) - 1.0;
        reach * DVec3::new(unit(0), unit(1), unit(2))
    })
}

fn bake(mesh: &TriangleMesh, cell: f64) -> DistanceGrid {
    DistanceGrid::bake(mesh, cell, in_order).unwrap()
}

fn moved(mut mesh: TriangleMesh, offset: DVec3) -> TriangleMesh {
    mesh.vertices.iter_mut().for_each(|v| *v += offset);
    mesh
}

fn joined(mut a: TriangleMesh, b: &TriangleMesh) -> TriangleMesh {
    let first = a.vertices.len() as u32;
    a.vertices.extend(&b.vertices);
    a.triangles
        .extend(b.triangles.iter().map(|t| t.map(|i| i + first)));
    a
}

#[test]
fn distances_in_the_band_are_those_of_the_box() {
    let cell = 0.02;
    let shape = Box {
        half_size: DVec3::new(0.5, 0.3, 0.4),
    };
    let grid = bake(&shape.surface(1.0), cell);
    for point in probes(0.6, 20_000) {
        let exact = shape.signed_distance(point);
        let baked = grid.signed_distance(point);
        if exact.abs() < 2.0 * cell {
            assert!((baked - exact).abs() < 0.5 * cell, "{baked} {exact}");
        }
        assert!(baked.abs() <= exact.abs() + 0.5 * cell, "{baked} {exact}");
        let is_clear = exact.abs() > 0.5 * cell;
        assert!(
            !is_clear || (baked < 0.0) == (exact < 0.0),
            "{baked} {exact}"
        );
    }
}

#[test]
fn the_error_is_of_second_order_in_the_cell_where_the_surface_is_smooth() {
    let shape = Sphere { radius: 0.5 };
    let mesh = shape.surface(1.0);
    let worst = |cell: f64| {
        let grid = bake(&mesh, cell);
        let near = probes(0.55, 20_000).filter(|p| shape.signed_distance(*p).abs() < cell);
        let triangles: Vec<_> = (0..mesh.triangles.len())
            .map(|t| crate::triangle::Triangle::new(mesh.corners(t)))
            .collect();
        near.take(300)
            .map(|p| {
                let squares = triangles.iter().map(|t| t.distance_squared(p));
                let brute = squares.fold(f64::INFINITY, f64::min).sqrt();
                (grid.signed_distance(p).abs() - brute).abs()
            })
            .fold(0.0, f64::max)
    };
    let (coarse, fine) = (worst(0.16), worst(0.08));
    assert!(coarse < 0.16 * 0.16 / 0.5, "{coarse}");
    assert!(fine < coarse / 3.0, "{coarse} {fine}");
}

#[test]
fn distances_beyond_the_band_are_bounds_with_the_right_sign_that_grow() {
    let shape = Torus {
        radius: 0.5,
        tube_radius: 0.2,
    };
    let grid = bake(&shape.surface(1.0), 0.005);
    for point in probes(1.5, 20_000) {
        let (exact, baked) = (shape.signed_distance(point), grid.signed_distance(point));
        if exact.abs() > 0.02 {
            assert!((baked < 0.0) == (exact < 0.0), "{baked} {exact}");
            assert!(baked.abs() < exact.abs() + 2e-3, "{baked} {exact}");
        }
    }
    let deepest = grid.signed_distance(DVec3::X * 0.5);
    assert!(deepest < -0.08, "{deepest}");
}

#[test]
fn normals_point_out_of_the_surface_near_and_far() {
    let shape = Sphere { radius: 0.5 };
    let grid = bake(&shape.surface(1.0), 0.01);
    for point in probes(0.9, 5000).filter(|p| p.length() > 0.1) {
        let normal = grid.normal(point);
        assert!((normal.length() - 1.0).abs() < 1e-12);
        let is_near = shape.signed_distance(point).abs() < 0.02;
        let alignment = normal.dot(point.normalize());
        let least = if is_near { 0.995 } else { 0.5 };
        assert!(alignment > least, "{alignment} at {point}");
    }
}

#[test]
fn normals_are_continuous_across_cells() {
    let shape = Sphere { radius: 0.5 };
    let cell = 0.02;
    let grid = bake(&shape.surface(1.0), cell);
    for point in probes(0.5, 3000).filter(|p| shape.signed_distance(*p).abs() < cell) {
        let step = DVec3::new(1e-6, -2e-6, 1e-6);
        let turn = grid.normal(point).distance(grid.normal(point + step));
        assert!(turn < 1e-3, "{turn} at {point}");
    }
}

#[test]
fn a_wall_thinner_than_a_cell_keeps_both_its_sides() {
    let plate = Box {
        half_size: DVec3::new(0.5, 0.004, 0.5),
    };
    let grid = bake(&plate.surface(1.0), 0.02);
    for x in -20..=20 {
        let point = |y: f64| DVec3::new(0.02 * f64::from(x), y, 0.013);
        assert!(grid.signed_distance(point(0.03)) > 0.0);
        assert!(grid.signed_distance(point(-0.03)) > 0.0);
    }
}

const TILT: DVec3 = DVec3::new(0.3, -0.7, 0.4);

/// A mesh turned about an axis by its length [rad].
fn turned(mut mesh: TriangleMesh, axis: DVec3) -> (TriangleMesh, DQuat) {
    let turn = DQuat::from_scaled_axis(axis);
    mesh.vertices.iter_mut().for_each(|v| *v = turn * *v);
    (mesh, turn)
}

#[test]
fn distances_and_normals_beside_thin_walls_are_exact() {
    let cell = 0.02;
    let cases =
        [1.5, 0.7, 0.2, 0.02, 0.01].map(|thickness| [(thickness, TILT), (thickness, DVec3::ZERO)]);
    for (thickness, axis) in cases.into_iter().flatten() {
        let half_size = DVec3::new(0.5, 0.5 * thickness * cell, 0.4);
        let plate = Box { half_size };
        let (mesh, turn) = turned(plate.surface(1.0), axis);
        let grid = bake(&mesh, cell);
        for point in probes(1.0, 20_000) {
            let point = point * DVec3::new(0.55, 2.5 * cell, 0.45);
            let expected = plate.signed_distance(point);
            if expected > 2.5 * cell {
                continue;
            }
            let found = grid.signed_distance(turn * point);
            assert!(
                (found - expected).abs() < 0.02 * cell,
                "{thickness}: {found} {expected}"
            );
            let is_beside =
                point.x.abs() < half_size.x - cell && point.z.abs() < half_size.z - cell;
            if is_beside && expected > 0.0 {
                let away = turn * DVec3::Y * point.y.signum();
                assert!(grid.normal(turn * point).distance(away) < 1e-3);
                let on_face = DVec3::new(point.x, half_size.y * point.y.signum(), point.z);
                assert!(grid.normal(turn * on_face).distance(away) < 1e-3);
            }
        }
    }
}

#[test]
fn a_thin_bowl_is_known_inside_and_out() {
    let (radius, wall, cell) = (0.5, 0.004, 0.02);
    let outer = Sphere { radius }.surface(0.02);
    let mut inner = Sphere {
        radius: radius - wall,
    }
    .surface(0.02);
    inner.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let grid = bake(&joined(outer, &inner), cell);
    for point in probes(0.6, 20_000) {
        let middle = point.length() - (radius - 0.5 * wall);
        let expected = middle.abs() - 0.5 * wall;
        if expected.abs() < 2.0 * cell {
            let found = grid.signed_distance(point);
            assert!((found - expected).abs() < 2e-3, "{found} {expected}");
        }
    }
}

#[test]
fn thick_shapes_are_read_off_the_grid_also_at_their_edges() {
    let cube = Box {
        half_size: DVec3::new(0.5, 0.3, 0.4),
    };
    let ring = Torus {
        radius: 0.4,
        tube_radius: 0.15,
    };
    let shapes: [&dyn Shape; 2] = [&cube, &ring];
    for shape in shapes {
        let (mesh, _) = turned(shape.surface(0.02), TILT);
        let grid = bake(&mesh, 0.02);
        assert!(grid.thin.is_none());
    }
}

#[test]
fn grid_lines_through_edges_and_corners_count_once() {
    // Cells of a quarter put grid lines on the edges and the diagonals of the cube's faces.
    let mesh = Box {
        half_size: DVec3::splat(1.0),
    }
    .surface(1.0);
    for cell in [0.25, 0.125, 0.0625] {
        let grid = bake(&mesh, cell);
        assert!(grid.is_simple());
        for point in probes(1.2, 3000) {
            let beyond = point.abs().max_element() - 1.0;
            if beyond.abs() > 0.5 * cell {
                assert!((grid.signed_distance(point) < 0.0) == (beyond < 0.0));
            }
        }
    }
}

#[test]
fn overlapping_shells_are_one_solid_and_known_not_to_be_simple() {
    let shape = Sphere { radius: 0.5 };
    let pair = joined(
        shape.surface(1.0),
        &moved(shape.surface(1.0), DVec3::X * 0.6),
    );
    let grid = bake(&pair, 0.02);
    assert!(!grid.is_simple());
    assert!(grid.signed_distance(DVec3::new(0.3, 0.0, 0.0)) < 0.0);
    let apart = joined(
        shape.surface(1.0),
        &moved(shape.surface(1.0), DVec3::X * 1.2),
    );
    assert!(bake(&apart, 0.02).is_simple());
}

#[test]
fn a_grid_too_large_for_memory_is_refused_before_it_is_allocated() {
    let mesh = Sphere { radius: 1000.0 }.surface(1.0);
    let fault = DistanceGrid::bake(&mesh, 1e-3, in_order).unwrap_err();
    assert_eq!(fault.cells, 2e6);
    let sheet = Box {
        half_size: DVec3::new(50.0, 0.01, 50.0),
    };
    assert!(DistanceGrid::bake(&sheet.surface(1.0), 5e-3, in_order).is_err());
}

#[test]
fn every_loop_bakes_the_same_bits() {
    let mesh = Torus {
        radius: 0.5,
        tube_radius: 0.2,
    }
    .surface(1.0);
    let other = DistanceGrid::bake(&mesh, 0.02, backwards_on_threads).unwrap();
    assert!(bake(&mesh, 0.02) == other);
}
