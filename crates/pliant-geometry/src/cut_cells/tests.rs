//! Volumes of cells, whatever the mesh and wherever the planes are.

use super::*;
use crate::Shape;
use crate::shapes::{Sphere, Torus};

fn grid(side: f64) -> CutGrid {
    CutGrid {
        origin: DVec3::new(0.013, -0.021, 0.007) - 0.5 * side,
        side: DVec3::splat(side),
    }
}

/// The volume of all cells, summed with compensation (Kahan): a hundred thousand equal volumes added one after the
/// other would be off by 1e-12.
fn total(cells: &CutCells) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for cell in &cells.cells {
        let next: f64 = sum + cell.volume;
        lost += (sum - next) + cell.volume;
        sum = next;
    }
    sum + lost
}

fn check(mesh: &TriangleMesh, side: f64) -> CutCells {
    let cells = CutCells::new(mesh, grid(side));
    let error = (total(&cells) / mesh.volume() - 1.0).abs();
    assert!(error < 1e-12, "{error:e}");
    let largest = side * side * side * (1.0 + 1e-9);
    assert!(
        cells
            .cells
            .iter()
            .all(|c| c.volume > 0.0 && c.volume <= largest)
    );
    for cell in &cells.cells {
        let places = cell.vertices.iter().map(|&v| cells.vertices[v as usize]);
        let (min, max) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        assert!((max - min).max_element() <= side * (1.0 + 1e-12));
    }
    cells
}

#[test]
fn volumes_of_all_cells_are_those_of_the_mesh() {
    let ball = Sphere { radius: 0.5 }.surface(1.0);
    let ring = Torus {
        radius: 0.4,
        tube_radius: 0.07,
    };
    for side in [0.13, 0.31, 2.0] {
        check(&ball, side);
        check(&ring.surface(1.0), side);
    }
}

#[test]
fn a_cavity_is_part_of_the_cells_around_it() {
    let mut mesh = Sphere { radius: 0.5 }.surface(1.0);
    let inner = Sphere { radius: 0.3 }.surface(1.0);
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(inner.vertices);
    let turned = inner
        .triangles
        .iter()
        .map(|t| [t[0], t[2], t[1]].map(|v| v + first));
    mesh.triangles.extend(turned);
    check(&mesh, 0.17);
    let whole = check(&mesh, 3.0);
    assert_eq!(whole.cells.len(), 1);
}

#[test]
fn pieces_in_one_cell_are_cells_of_their_own() {
    let mut mesh = Sphere { radius: 0.1 }.surface(0.2);
    let first = mesh.vertices.len() as u32;
    let moved: Vec<DVec3> = mesh.vertices.iter().map(|&x| x + DVec3::X * 0.4).collect();
    mesh.vertices.extend(moved);
    let other: Vec<[u32; 3]> = mesh
        .triangles
        .iter()
        .map(|t| t.map(|v| v + first))
        .collect();
    mesh.triangles.extend(other);
    assert_eq!(check(&mesh, 5.0).cells.len(), 2);
}

#[test]
fn pieces_that_the_same_plane_cuts_are_cells_of_their_own() {
    let bar = |half: [f64; 3]| {
        let half_size = DVec3::from_array(half);
        crate::shapes::Box { half_size }.surface(1.0)
    };
    let prongs = with(
        bar([0.05, 0.05, 0.5]),
        &bar([0.05, 0.05, 0.5]),
        DVec3::X * 0.3,
        false,
    );
    let grid = CutGrid {
        origin: DVec3::new(-0.4, -0.5, -0.51),
        side: DVec3::new(1.0, 1.0, 0.255),
    };
    let cells = CutCells::new(&prongs, grid);
    assert_eq!(cells.cells.len(), 8);
    for cell in &cells.cells {
        let x = cell.vertices.iter().map(|&v| cells.vertices[v as usize].x);
        let (min, max) = x.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        assert!(max - min < 0.11);
    }
    // A tube is one piece: the hole in its caps joins its walls.
    let tube = with(
        bar([0.2, 0.2, 0.5]),
        &bar([0.1, 0.1, 0.4]),
        DVec3::ZERO,
        true,
    );
    let both = with(tube, &bar([0.05, 0.05, 0.3]), DVec3::ZERO, false);
    assert_eq!(CutCells::new(&both, grid).cells.len(), 8);
}

#[test]
fn slivers_join_a_neighbour_and_no_volume_is_lost() {
    let ball = Sphere { radius: 0.5 }.surface(1.0);
    let cells = check(&ball, 0.2);
    let least = 0.05 * 0.008;
    assert!(cells.cells.iter().any(|cell| cell.volume < least));
    let merged = cells.clone().merged(least);
    assert!(merged.cells.iter().all(|cell| cell.volume >= least));
    let sum = |cells: &CutCells| cells.cells.iter().map(|cell| cell.volume).sum::<f64>();
    assert!((sum(&merged) / sum(&cells) - 1.0).abs() < 1e-12);
    // Whole cells inside are hexahedra.
    assert!(merged.cells.iter().any(|cell| cell.vertices.len() == 8));
}

#[test]
fn planes_through_vertices_and_faces_leave_whole_cells() {
    let cube = crate::shapes::Box {
        half_size: DVec3::splat(0.5),
    };
    let mesh = cube.surface(1.0);
    let grid = CutGrid {
        origin: DVec3::splat(-0.5),
        side: DVec3::splat(0.25),
    };
    let cells = CutCells::new(&mesh, grid);
    assert_eq!(cells.cells.len(), 64);
    for cell in &cells.cells {
        assert!((cell.volume * 64.0 - 1.0).abs() < 1e-12);
    }
}

/// A mesh beside another, its triangles turned if it is a cavity.
fn with(
    mut mesh: TriangleMesh,
    other: &TriangleMesh,
    offset: DVec3,
    is_cavity: bool,
) -> TriangleMesh {
    let first = mesh.vertices.len() as u32;
    mesh.vertices
        .extend(other.vertices.iter().map(|&x| x + offset));
    let turned = |&[a, b, c]: &[u32; 3]| if is_cavity { [a, c, b] } else { [a, b, c] };
    let added = other.triangles.iter().map(turned);
    mesh.triangles.extend(added.map(|t| t.map(|v| v + first)));
    mesh
}

fn cube(half: f64) -> TriangleMesh {
    let half_size = DVec3::splat(half);
    crate::shapes::Box { half_size }.surface(1.0)
}

#[test]
fn hollow_meshes_of_many_shells_keep_their_volume() {
    let ball = |radius: f64| Sphere { radius }.surface(1.0);
    let mut shells = ball(0.5);
    for (k, radius) in [0.45, 0.4, 0.3, 0.29, 0.1].into_iter().enumerate() {
        shells = with(shells, &ball(radius), DVec3::ZERO, k % 2 == 0);
    }
    for side in [0.05, 0.11, 0.37, 3.0] {
        check(&shells, side);
    }
    // A shell, the shell in its cavity and the kernel in that.
    assert_eq!(check(&shells, 3.0).cells.len(), 3);
    let mut many = TriangleMesh::default();
    for k in 0..60 {
        let place = DVec3::new((k % 4) as f64, (k / 4 % 4) as f64, (k / 16) as f64);
        many = with(many, &cube(0.07), place * 0.2, false);
    }
    check(&many, 0.09);
    assert_eq!(check(&many, 7.0).cells.len(), 60);
}

#[test]
fn thin_meshes_keep_their_volume() {
    let half_size = DVec3::new(0.5, 1e-6, 0.4);
    let plate = crate::shapes::Box { half_size }.surface(1.0);
    let half_size = DVec3::new(1e-6, 0.5, 1e-6);
    let needle = crate::shapes::Box { half_size }.surface(1.0);
    let wall = with(cube(0.5), &cube(0.499), DVec3::ZERO, true);
    for mesh in [plate, needle, wall] {
        for side in [0.07, 0.4] {
            check(&mesh, side);
        }
    }
}

#[test]
fn a_wall_of_a_millionth_has_its_volume_as_far_as_coordinates_tell() {
    let (outer, inner) = (0.5, 0.499_999);
    let wall = with(cube(outer), &cube(inner), DVec3::ZERO, true);
    // The difference of two cubes, of which nothing cancels but the thickness, which is exact. The volume of the mesh
    // is the difference of 1 and 1 - 6e-6, which rounding leaves ten digits of; so it is of cells of that size.
    let thickness: f64 = outer - inner;
    let exact = 8.0 * thickness * (outer * outer + outer * inner + inner * inner);
    for (side, accuracy) in [(0.021, 1e-12), (0.07, 1e-12), (0.4, 1e-11), (9.0, 1e-10)] {
        let cells = CutCells::new(&wall, grid(side));
        let error = (total(&cells) / exact - 1.0).abs();
        assert!(error < accuracy, "{error:e} with cells of {side}");
    }
}

#[test]
fn coincident_vertices_neither_lose_nor_gain_volume() {
    // Two cubes with a face at the same place, and two with a corner, each with vertices of their own.
    for offset in [DVec3::X * 0.6, DVec3::splat(0.6)] {
        let both = with(cube(0.3), &cube(0.3), offset, false);
        for side in [0.1, 0.17, 0.6, 9.0] {
            check(&both, side);
        }
    }
}

#[test]
fn vertices_on_planes_of_the_grid_keep_their_volume() {
    let steps = with(cube(0.25), &cube(0.25), DVec3::new(0.5, 0.25, 0.0), false);
    let hollow = with(cube(0.5), &cube(0.25), DVec3::ZERO, true);
    for mesh in [steps, hollow] {
        for side in [0.0625, 0.125, 0.25, 0.5] {
            let (origin, side) = (DVec3::splat(-0.5), DVec3::splat(side));
            let cells = CutCells::new(&mesh, CutGrid { origin, side });
            let volume: f64 = cells.cells.iter().map(|cell| cell.volume).sum();
            assert!((volume / mesh.volume() - 1.0).abs() < 1e-12, "{volume}");
            assert!(cells.cells.iter().all(|c| c.volume > 1e-9));
        }
    }
}

#[test]
fn grids_far_finer_and_far_coarser_than_the_mesh_keep_its_volume() {
    let cells = check(&cube(0.5), 0.021);
    assert!(cells.cells.len() > 100_000);
    for side in [1e3, 1e6, 1e9] {
        assert_eq!(check(&cube(0.5), side).cells.len(), 1);
    }
}

/// The volume that triangles enclose [m3], and whether each of their edges is there the other way round.
fn enclosed(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (f64, bool) {
    let origin = triangles
        .first()
        .map_or(DVec3::ZERO, |t| vertices[t[0] as usize]);
    let volume = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize] - origin);
        a.dot(b.cross(c)) / 6.0
    };
    let edges = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(edges).collect();
    let mut reversed: Vec<[u32; 2]> = edges.iter().map(|&[a, b]| [b, a]).collect();
    edges.sort_unstable();
    reversed.sort_unstable();
    (triangles.iter().map(volume).sum(), edges == reversed)
}

#[test]
fn what_is_left_of_a_mesh_is_closed_and_encloses_the_cells_that_are_left() {
    let ball = Sphere { radius: 0.5 }.surface(1.0);
    let hole = Torus {
        radius: 0.3,
        tube_radius: 0.1,
    };
    let hollow = with(ball.clone(), &hole.surface(1.0), DVec3::ZERO, true);
    let wall = with(cube(0.5), &cube(0.499), DVec3::ZERO, true);
    let all = [
        (&ball, 0.2),
        (&ball, 0.07),
        (&hollow, 0.13),
        (&hollow, 0.31),
        (&wall, 0.4),
    ];
    for (mesh, side) in all {
        let cells = CutCells::new(mesh, grid(side)).merged(0.05 * side.powi(3));
        let surface = CutSurface::new(mesh, &cells);
        let count = cells.cells.len();
        assert_eq!(
            surface.of_rest(&cells.vertices, &vec![false; count]),
            mesh.triangles
        );
        assert!(
            surface
                .of_rest(&cells.vertices, &vec![true; count])
                .is_empty()
        );
        for pattern in [2, 3, 5, 11, count] {
            // Some are gone; then all others.
            for is_turned in [false, true] {
                let is_gone: Vec<bool> = (0..count)
                    .map(|k| (k % pattern == 0) != is_turned)
                    .collect();
                let left = cells.cells.iter().zip(&is_gone);
                let left: f64 = left
                    .map(|(cell, gone)| if *gone { 0.0 } else { cell.volume })
                    .sum();
                let triangles = surface.of_rest(&cells.vertices, &is_gone);
                let (volume, is_closed) = enclosed(&cells.vertices, &triangles);
                assert!(is_closed, "{side} {pattern}");
                let error = (volume - left).abs() / mesh.volume();
                assert!(error < 1e-9, "{volume} in place of {left}");
            }
        }
    }
}

#[test]
fn triangles_far_from_what_is_gone_stay_whole() {
    let ball = Sphere { radius: 0.5 }.surface(1.0);
    let cells = CutCells::new(&ball, grid(0.2)).merged(0.05 * 0.008);
    let surface = CutSurface::new(&ball, &cells);
    let mut is_gone = vec![false; cells.cells.len()];
    is_gone[0] = true;
    let left = surface.of_rest(&cells.vertices, &is_gone);
    let whole = ball.triangles.iter().filter(|t| left.contains(t)).count();
    assert!(
        whole > ball.triangles.len() * 8 / 10,
        "{whole} of {}",
        ball.triangles.len()
    );
}
