use super::*;
use crate::topology;

/// A box of 1 x 2 x 3 cells of unit size, each cut into six along its diagonal.
fn cells() -> (Vec<DVec3>, Vec<[u32; 4]>) {
    let number = |[x, y, z]: [usize; 3]| (x + 2 * (y + 3 * z)) as u32;
    let mut vertices = vec![DVec3::ZERO; 24];
    let mut tetrahedra = Vec::new();
    for z in 0..4 {
        for y in 0..3 {
            for x in 0..2 {
                vertices[number([x, y, z]) as usize] = DVec3::new(x as f64, y as f64, z as f64);
            }
        }
    }
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for z in 0..3 {
        for y in 0..2 {
            for order in orders {
                let mut at = [0, y, z];
                let mut corners = [number(at); 4];
                for (corner, axis) in corners[1..].iter_mut().zip(order) {
                    at[axis] += 1;
                    *corner = number(at);
                }
                tetrahedra.push(corners);
            }
        }
    }
    (vertices, tetrahedra)
}

#[test]
fn a_box_of_cells_is_a_closed_solid_of_its_volume() {
    let (vertices, tetrahedra) = cells();
    let mesh = TetrahedralMesh::new(&vertices, tetrahedra).expect("a solid");
    let total: f64 = mesh.vertex_volumes().iter().sum();
    assert!((total - 6.0).abs() < 1e-12, "{total}");
    let surface = topology::closed(&mesh.surface()).expect("a closed surface");
    assert!((surface.volume() - 6.0).abs() < 1e-12);
    // Two triangles a square: 2 (1 x 2 + 2 x 3 + 1 x 3) squares.
    assert_eq!(surface.triangles.len(), 44);
    // Euler: V - E + F - T = 1 for a ball.
    let faces = (4 * 36 + 44) / 2;
    let characteristic = 24 - mesh.edges().len() as i64 + faces - 36;
    assert_eq!(characteristic, 1);
    assert_eq!(
        mesh.clone().scaled(2.0).vertex_volumes()[0],
        8.0 * mesh.vertex_volumes()[0]
    );
}

#[test]
fn two_tetrahedra_are_joined_across_the_face_they_share() {
    let vertices = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::ONE,
        DVec3::NAN,
    ];
    let mesh = TetrahedralMesh::new(&vertices, vec![[0, 1, 2, 3], [1, 2, 3, 4]]).expect("a solid");
    // The last point belongs to none.
    assert_eq!(mesh.vertices().len(), 5);
    assert_eq!(mesh.across_faces(), [[0, 4]]);
    assert_eq!(mesh.edges().len(), 9);
    assert_eq!(mesh.boundary().len(), 6);
}

#[test]
fn meshes_that_are_not_solid_are_refused() {
    let points = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::ONE * 0.3,
        DVec3::NAN,
    ];
    let fault = |tetrahedra: &[[u32; 4]]| TetrahedralMesh::new(&points, tetrahedra.to_vec());
    assert_eq!(fault(&[]), Err(TetrahedraFault::Empty));
    assert_eq!(
        fault(&[[0, 1, 2, 5]]),
        Err(TetrahedraFault::NotFinite { vertex: 5 })
    );
    let unknown = fault(&[[0, 1, 2, 6]])
        .expect_err("no such point")
        .to_string();
    assert!(
        unknown.contains("point 6") && unknown.contains("there are 6"),
        "{unknown}"
    );
    let flat = fault(&[[0, 1, 2, 2]]);
    assert!(matches!(
        flat,
        Err(TetrahedraFault::Flat { tetrahedron: 0, .. })
    ));
    let overlap = fault(&[[0, 1, 2, 3], [0, 1, 2, 4]]);
    let tetrahedra = [0, 1];
    assert_eq!(overlap, Err(TetrahedraFault::Overlap { tetrahedra }));
    let huge = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|x| x * 1e200);
    assert!(TetrahedralMesh::new(&huge, vec![[0, 1, 2, 3]]).is_err());
}

#[test]
fn tetrahedra_inside_out_are_turned_and_remembered() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
    let turned = |tetrahedra: [[u32; 4]; 2]| {
        let mesh = TetrahedralMesh::new(&points, tetrahedra.to_vec()).expect("a solid");
        let total: f64 = mesh.vertex_volumes().iter().sum();
        assert!((total - 0.5).abs() < 1e-12);
        mesh.turned()
    };
    assert_eq!(turned([[0, 1, 2, 3], [1, 2, 3, 4]]), Turned::default());
    let (count, first) = (1, Some(1));
    assert_eq!(
        turned([[0, 1, 2, 3], [1, 3, 2, 4]]),
        Turned { count, first }
    );
    let (count, first) = (2, Some(0));
    assert_eq!(
        turned([[1, 0, 2, 3], [1, 3, 2, 4]]),
        Turned { count, first }
    );
    // What is folded over its neighbour is no solid, whichever way its corners are counted.
    for folded in [[1, 2, 3, 4], [1, 3, 2, 4]] {
        let mut points = points;
        points[4] = DVec3::splat(0.1);
        let fault = TetrahedralMesh::new(&points, vec![[0, 1, 2, 3], folded]);
        let tetrahedra = [0, 1];
        assert_eq!(fault, Err(TetrahedraFault::Overlap { tetrahedra }));
    }
}
