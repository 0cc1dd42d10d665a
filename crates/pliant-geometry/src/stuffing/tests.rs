//! Angles, surfaces and volumes of shapes filled with tetrahedra.

use super::*;
use crate::shapes::{Box, Sphere, Torus};
use crate::topology;

/// The least and the greatest dihedral angle [degrees].
fn angles(mesh: &TetrahedralMesh) -> (f64, f64) {
    let mut range = (180.0f64, 0.0f64);
    for corners in mesh.tetrahedra() {
        let x = corners.map(|c| mesh.vertices()[c as usize]);
        for [a, b, c, d] in [
            [0, 1, 2, 3],
            [0, 2, 1, 3],
            [0, 3, 1, 2],
            [1, 2, 0, 3],
            [1, 3, 0, 2],
            [2, 3, 0, 1],
        ] {
            let axis = (x[b] - x[a]).normalize();
            let [u, v] = [x[c] - x[a], x[d] - x[a]].map(|w| w - axis * w.dot(axis));
            let angle = u.angle_between(v).to_degrees();
            range = (range.0.min(angle), range.1.max(angle));
        }
    }
    range
}

fn volume(mesh: &TetrahedralMesh) -> f64 {
    mesh.vertex_volumes().iter().sum()
}

/// Checks what holds for every shape that the spacing resolves.
fn check(shape: &dyn Shape, spacing: f64) -> TetrahedralMesh {
    let mesh = stuffed(shape, spacing).expect("tetrahedra");
    let (least, greatest) = angles(&mesh);
    assert!(
        least > 10.78 && greatest < 164.75,
        "{least} to {greatest} degrees"
    );
    let surface = mesh.surface();
    for &vertex in &surface.vertices {
        let distance = shape.signed_distance(vertex).abs();
        assert!(distance < 1e-6 * spacing, "{distance}");
    }
    // As many triangles on each side of each edge, and no vertex twice.
    let closed = topology::closed(&surface).expect("a closed surface");
    assert_eq!(closed.triangles.len(), surface.triangles.len());
    let euler = surface.vertices.len() as i64 - surface.triangles.len() as i64 / 2;
    assert!(euler % 2 == 0);
    assert!((closed.volume() / volume(&mesh) - 1.0).abs() < 1e-12);
    mesh
}

#[test]
fn smooth_shapes_have_good_angles_and_their_surface() {
    let ball = Sphere { radius: 0.5 };
    let ring = Torus {
        radius: 0.4,
        tube_radius: 0.15,
    };
    for spacing in [0.31, 0.2, 0.13, 0.1, 0.071] {
        let mesh = check(&ball, spacing);
        let surface = mesh.surface();
        assert_eq!(
            2 * surface.vertices.len(),
            surface.triangles.len() + 4,
            "a sphere"
        );
    }
    for spacing in [0.1, 0.053] {
        let surface = check(&ring, spacing).surface();
        assert_eq!(
            2 * surface.vertices.len(),
            surface.triangles.len(),
            "a torus"
        );
    }
}

#[test]
fn boxes_wherever_the_lattice_meets_them_have_good_angles() {
    for k in 0..20 {
        let half_size = DVec3::new(0.3, 0.2 + 0.005 * f64::from(k), 0.25);
        check(&Box { half_size }, 0.1);
    }
}

#[test]
fn the_volume_of_a_ball_converges_by_the_square_of_the_spacing() {
    let ball = Sphere { radius: 0.5 };
    let exact = ball.volume().expect("finite");
    let error = |spacing: f64| (1.0 - volume(&check(&ball, spacing)) / exact).abs();
    let errors = [0.16, 0.08, 0.04].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.7..2.3).contains(&order), "{errors:?}");
    }
    assert!(errors[2] < 0.005, "{errors:?}");
}

#[test]
fn the_volume_of_a_box_converges() {
    let half_size = DVec3::new(0.5, 0.3, 0.2);
    let shape = Box { half_size };
    let exact = shape.volume().expect("finite");
    let error = |spacing: f64| (1.0 - volume(&check(&shape, spacing)) / exact).abs();
    let errors = [0.11, 0.055, 0.0275].map(error);
    assert!(errors[1] < errors[0] && errors[2] < errors[1], "{errors:?}");
    assert!(errors[2] < 0.01, "{errors:?}");
}

#[test]
fn the_same_shape_gives_the_same_bits() {
    let ring = Torus {
        radius: 0.4,
        tube_radius: 0.15,
    };
    let once = stuffed(&ring, 0.07).expect("tetrahedra");
    assert_eq!(once, stuffed(&ring, 0.07).expect("tetrahedra"));
}

#[test]
fn what_the_spacing_does_not_resolve_or_has_no_end_is_refused() {
    let thin = Box {
        half_size: DVec3::new(0.5, 0.01, 0.5),
    };
    let tiny = Sphere { radius: 1e-3 };
    assert_eq!(stuffed(&thin, 0.3), Err(TetrahedraFault::Empty));
    assert_eq!(stuffed(&tiny, 0.3), Err(TetrahedraFault::Empty));
    let plane = crate::shapes::Plane { normal: DVec3::Y };
    assert_eq!(stuffed(&plane, 0.3), Err(TetrahedraFault::Empty));
}
