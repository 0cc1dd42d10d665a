//! Closed meshes are accepted and repaired, others refused with the place.

use pliant_math::{DVec3, RandomStream};
use proptest::prelude::*;

use super::{MeshFault, closed};
use crate::shapes::{Box, Sphere};
use crate::{Shape, TriangleMesh};

fn ball() -> TriangleMesh {
    Sphere { radius: 0.5 }.surface(1.0)
}

fn cube() -> TriangleMesh {
    let half_size = DVec3::splat(0.5);
    Box { half_size }.surface(1.0)
}

fn moved(mesh: &TriangleMesh, offset: DVec3) -> TriangleMesh {
    let vertices = mesh.vertices.iter().map(|v| *v + offset).collect();
    TriangleMesh {
        vertices,
        triangles: mesh.triangles.clone(),
    }
}

fn joined(a: &TriangleMesh, b: &TriangleMesh) -> TriangleMesh {
    let first = a.vertices.len() as u32;
    let mut mesh = a.clone();
    mesh.vertices.extend(&b.vertices);
    let others = b.triangles.iter().map(|t| t.map(|i| i + first));
    mesh.triangles.extend(others);
    mesh
}

fn inside_out(mesh: &TriangleMesh) -> TriangleMesh {
    let mut mesh = mesh.clone();
    mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    mesh
}

/// Every triangle with corners of its own, as in an STL file.
fn soup(mesh: &TriangleMesh) -> TriangleMesh {
    let triangles = 0..mesh.triangles.len();
    TriangleMesh {
        vertices: triangles.clone().flat_map(|t| mesh.corners(t)).collect(),
        triangles: triangles
            .map(|t| [0, 1, 2].map(|k| (3 * t + k) as u32))
            .collect(),
    }
}

#[test]
fn closed_cube_keeps_its_volume() {
    assert!((closed(&cube()).unwrap().volume() - 1.0).abs() < 1e-12);
}

#[test]
fn triangles_with_corners_of_their_own_are_welded() {
    let welded = closed(&soup(&ball())).unwrap();
    assert_eq!(welded.vertices.len(), ball().vertices.len());
    assert_eq!(welded.triangles.len(), ball().triangles.len());
}

#[test]
fn collapsed_and_repeated_triangles_are_dropped() {
    let mut mesh = cube();
    mesh.triangles.push([0, 0, 1]);
    let [a, b, c] = mesh.triangles[0];
    mesh.triangles.push([b, c, a]);
    assert_eq!(closed(&mesh).unwrap().triangles.len(), 12);
}

#[test]
fn a_mesh_inside_out_is_turned() {
    let repaired = closed(&inside_out(&ball())).unwrap();
    assert!((repaired.volume() - ball().volume()).abs() < 1e-12);
}

#[test]
fn several_shells_and_cavities_are_accepted() {
    let two = joined(&cube(), &moved(&ball(), DVec3::X * 3.0));
    let volume = closed(&two).unwrap().volume();
    assert!((volume - 1.0 - ball().volume()).abs() < 1e-9);
    let mut small = ball();
    small.vertices.iter_mut().for_each(|v| *v *= 0.5);
    let hollow = joined(&cube(), &inside_out(&small));
    let volume = closed(&hollow).unwrap().volume();
    assert!((volume - 1.0 + small.volume()).abs() < 1e-9);
}

#[test]
fn an_open_cube_is_refused_with_the_place_of_the_leak() {
    let mut mesh = cube();
    mesh.triangles.truncate(10);
    let fault = closed(&mesh).unwrap_err();
    let MeshFault::Open { edges, loops, at } = fault.clone() else {
        panic!("{fault}");
    };
    assert_eq!((edges, loops), (4, 1));
    assert!(at.iter().all(|p| p.x == 0.5), "{at:?}");
    let text = fault.problem("file", "cube.obj").to_string();
    assert!(text.contains("cube.obj: the mesh is not watertight: 4 open edges in 1 boundary loop"));
    assert!(text.contains("[0.5, -0.5, -0.5]") && text.contains("fill the hole"));
}

#[test]
fn holes_are_counted_one_by_one() {
    let mut mesh = ball();
    let count = mesh.triangles.len();
    for t in [count - 1, count / 2, 0] {
        mesh.triangles.remove(t);
    }
    let fault = closed(&mesh).unwrap_err();
    assert!(
        matches!(
            fault,
            MeshFault::Open {
                edges: 9,
                loops: 3,
                ..
            }
        ),
        "{fault}"
    );
}

#[test]
fn a_fin_shared_by_three_solids_is_not_manifold() {
    let wedge = |a: f64, b: f64| {
        let side = |angle: f64| DVec3::new(libm::cos(angle), 0.0, libm::sin(angle));
        TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::Y, side(a), side(b)],
            triangles: vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
        }
    };
    let mut mesh = joined(&wedge(0.0, 1.0), &wedge(2.0, 3.0));
    let turned = mesh.triangles.len() - 4;
    mesh.triangles[turned].swap(0, 1);
    let fault = closed(&mesh).unwrap_err();
    assert!(
        matches!(fault, MeshFault::NotManifold { triangles: 4, .. }),
        "{fault}"
    );
    assert!(fault.to_string().contains("not manifold"));
}

#[test]
fn solids_that_touch_along_an_edge_are_accepted() {
    let mesh = joined(&cube(), &moved(&cube(), DVec3::new(1.0, 1.0, 0.0)));
    assert!((closed(&mesh).unwrap().volume() - 2.0).abs() < 1e-12);
}

#[test]
fn a_single_turned_triangle_is_refused() {
    let mut mesh = ball();
    mesh.triangles[100].swap(0, 1);
    let fault = closed(&mesh).unwrap_err();
    assert!(
        matches!(fault, MeshFault::Inconsistent { edges: 3, .. }),
        "{fault}"
    );
    assert!(fault.remedy().contains("normals"));
}

#[test]
fn broken_numbers_are_refused() {
    assert_eq!(closed(&TriangleMesh::default()), Err(MeshFault::Empty));
    let mut mesh = cube();
    mesh.vertices[3].y = f64::NAN;
    assert_eq!(closed(&mesh), Err(MeshFault::NotFinite { vertex: 3 }));
    let mut mesh = cube();
    mesh.triangles[2][1] = 99;
    let fault = MeshFault::UnknownVertex {
        triangle: 2,
        count: 8,
    };
    assert_eq!(closed(&mesh), Err(fault));
}

#[test]
fn a_flat_mesh_encloses_no_volume() {
    let mut mesh = cube();
    mesh.vertices.iter_mut().for_each(|v| v.y = 0.0);
    assert_eq!(closed(&mesh), Err(MeshFault::NoVolume));
    mesh.vertices.iter_mut().for_each(|v| *v = DVec3::ONE);
    assert_eq!(closed(&mesh), Err(MeshFault::NoVolume));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn a_mesh_with_missing_triangles_always_leaks(missing in prop::collection::btree_set(0..3000usize, 1..20)) {
        let mut mesh = ball();
        for t in missing.iter().rev() {
            mesh.triangles.remove(*t);
        }
        let fault = closed(&mesh).unwrap_err();
        let MeshFault::Open { edges, loops, .. } = fault else {
            return Err(TestCaseError::fail(fault.to_string()));
        };
        prop_assert!(edges >= 3 && edges <= 3 * missing.len());
        prop_assert!(loops >= 1 && loops <= missing.len());
    }

    #[test]
    fn meshes_of_random_indices_never_panic(seed in 0..u64::MAX, count in 1..40usize) {
        let random = RandomStream::new(seed, 0);
        let corner = |i: usize| (random.bits(i as u64) % 8) as u32;
        let mesh = TriangleMesh {
            vertices: cube().vertices,
            triangles: (0..count).map(|t| [0, 1, 2].map(|k| corner(3 * t + k))).collect(),
        };
        if let Err(fault) = closed(&mesh) {
            prop_assert!(!fault.to_string().is_empty() && !fault.remedy().is_empty());
        }
    }
}
