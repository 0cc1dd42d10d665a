use std::sync::Arc;

use pliant_geometry::{Shape, shapes};
use pliant_math::{DQuat, Pose};

use super::crack_tests::{assert_closed, carriers};
use super::test_body::TestBody;
use super::*;

const SPACING: f64 = 0.1;

/// A ball of half a metre on a lattice.
fn body() -> TestBody {
    let line = -5..=5;
    let square = line.clone().flat_map(|x| line.clone().map(move |y| [x, y]));
    let cube = square.flat_map(|[x, y]| (-5..=5).map(move |z| [x, y, z]));
    let points = cube.map(|cell: [i32; 3]| DVec3::from(cell.map(f64::from)) * SPACING);
    let inside = points.filter(|x| x.length() < 0.46);
    TestBody::new(inside.collect(), SPACING)
}

fn render() -> RenderMesh {
    let ball = shapes::Sphere { radius: 0.5 };
    RenderMesh {
        mesh: ball.surface(1.0),
        uv_map: None,
        shape: Arc::new(ball),
        pose: Pose::IDENTITY,
    }
}

fn as_mesh(embedded_mesh: &EmbeddedMesh, vertices: Vec<Carried>) -> TriangleMesh {
    TriangleMesh {
        vertices: vertices.iter().map(|v| v.position).collect(),
        triangles: embedded_mesh.triangles.clone(),
    }
}

/// Ways between two pieces, parted where they cross x = 0.03, or in the middle.
fn seams(body: &TestBody, piece: &[u32]) -> Vec<CutBond> {
    let mut seams = Vec::new();
    for one in 0..body.len() as u32 {
        for &other in body.neighbors_of(one as usize) {
            let ends = [one, other];
            if one < other && piece[one as usize] != piece[other as usize] {
                let [from, to] = ends.map(|k| body.position[k as usize].x);
                let at = (0.03 - from) / (to - from);
                let is_there = (0.0..=1.0).contains(&at);
                let at = if is_there { at as f32 } else { 0.5 };
                seams.push(CutBond { ends, at });
            }
        }
    }
    seams
}

/// Each half of a ball, cut at x = 0.03, as a mesh.
fn halves(map: impl Fn(DVec3) -> (DVec3, DMat3)) -> TriangleMesh {
    let body = body();
    let rest = &body.position;
    let piece: Vec<u32> = rest.iter().map(|x| u32::from(x.x > 0.03)).collect();
    let embedded_mesh = EmbeddedMesh::new(&render(), &body, &piece, &seams(&body, &piece));
    let carriers = carriers(rest, map);
    as_mesh(&embedded_mesh, embedded_mesh.carried(rest, &carriers))
}

#[test]
fn a_surface_follows_any_affine_map_exactly() {
    let (body, render) = (body(), render());
    let piece = vec![0; body.len()];
    let embedded_mesh = EmbeddedMesh::new(&render, &body, &piece, &[]);
    let map = DMat3::from_quat(DQuat::from_rotation_y(1.0))
        * DMat3::from_cols(
            DVec3::new(1.4, 0.1, 0.0),
            DVec3::new(0.3, 0.7, 0.2),
            DVec3::new(0.0, 0.1, 1.2),
        );
    let carrier = |&x: &DVec3| {
        Some(Carrier {
            position: map * x + DVec3::X,
            velocity: DVec3::Y,
            deformation_gradient: map,
        })
    };
    let carriers: Vec<Option<Carrier>> = body.position.iter().map(carrier).collect();
    let carried = embedded_mesh.carried(&body.position, &carriers);
    assert_eq!(embedded_mesh.triangles, render.mesh.triangles);
    for (vertex, x) in carried.iter().zip(&render.mesh.vertices) {
        assert!((vertex.position - (map * *x + DVec3::X)).length() < 1e-12);
        assert!((vertex.velocity - DVec3::Y).length() < 1e-12);
    }
}

#[test]
fn halves_have_the_volume_of_the_whole_and_inner_faces_that_fit() {
    // Apart by a metre, so that each closes by itself: the volumes of closed halves add up.
    let whole = render().mesh.volume();
    let together = halves(|x| (x, DMat3::IDENTITY));
    let gap = 2.0 * GAP * SPACING * std::f64::consts::PI * 0.25;
    let ratio = (together.volume() + gap) / whole;
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    let apart = halves(|x| {
        let way = if x.x > 0.03 { 1.0 } else { 0.0 };
        (x + DVec3::X * way, DMat3::IDENTITY)
    });
    assert_closed(&apart);
    assert!((apart.volume() / together.volume() - 1.0).abs() < 1e-9);
    let inner = (0..apart.triangles.len())
        .map(|t| apart.corners(t))
        .filter(|corners| {
            let middle = corners.iter().sum::<DVec3>() / 3.0;
            let in_place = if middle.x > 0.7 {
                middle - DVec3::X
            } else {
                middle
            };
            in_place.length() < 0.45
        });
    let mut areas = [0.0, 0.0];
    for [a, b, c] in inner {
        let way = if a.x > 0.7 { 1.0 } else { 0.0 };
        assert!(
            [a, b, c]
                .iter()
                .all(|x| ((x.x - way - 0.03).abs() / (GAP * SPACING) - 1.0).abs() < 0.05)
        );
        let area = 0.5 * (b - a).cross(c - a);
        areas[usize::from(a.x > 0.7)] += area.x;
    }
    // The one faces right, the other left; a triangle at the border may count or not.
    let area = std::f64::consts::PI * 0.45f64.powi(2);
    assert!((areas[0] / area - 1.0).abs() < 0.12, "{areas:?}");
    assert!((areas[1] / area + 1.0).abs() < 0.12, "{areas:?}");
}

#[test]
fn a_particle_that_is_alone_carries_what_is_around_it() {
    let body = body();
    let alone = (0..body.len()).max_by(|&a, &b| {
        let x = |k: usize| body.position[k].x;
        x(a).total_cmp(&x(b))
    });
    let alone = alone.expect("particles");
    let piece: Vec<u32> = (0..body.len()).map(|k| u32::from(k == alone)).collect();
    let embedded_mesh = EmbeddedMesh::new(&render(), &body, &piece, &seams(&body, &piece));
    let carrier = |k: usize| {
        Some(Carrier {
            position: body.position[k] + DVec3::X * f64::from(piece[k]),
            velocity: DVec3::ZERO,
            deformation_gradient: DMat3::IDENTITY,
        })
    };
    let carriers: Vec<Option<Carrier>> = (0..body.len()).map(carrier).collect();
    let mesh = as_mesh(
        &embedded_mesh,
        embedded_mesh.carried(&body.position, &carriers),
    );
    assert!(mesh.vertices.iter().all(|x| x.is_finite()));
    assert_closed(&mesh);
    let crumb = mesh.vertices.iter().filter(|x| x.x > 1.2).count();
    assert!(crumb > 3, "{crumb}");
    let whole = render().mesh.volume();
    assert!((mesh.volume() - whole).abs() < 5e-3 * whole);
}
