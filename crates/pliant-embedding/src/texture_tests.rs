//! Texture coordinates of surfaces that are cut.

use std::sync::Arc;

use pliant_geometry::{TexturedMesh, UvMap};
use pliant_math::DVec3;

use super::EmbeddedMesh;
use super::RenderMesh;
use super::crack_tests::{HALF, SPACING, body, render, seams};

/// The side of the block that a triangle lies in, from 0 to 5.
fn side(corners: [DVec3; 3]) -> usize {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize().to_array();
    let axis = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs()));
    let axis = axis.unwrap_or_default();
    2 * axis + usize::from(normal[axis] > 0.0)
}

/// Each side has a place of its own in the picture.
fn expected(side: usize, x: DVec3) -> [f64; 2] {
    let x = x.to_array();
    let [across, up] = [(side / 2 + 1) % 3, (side / 2 + 2) % 3];
    [
        0.2 + side as f64 + 0.5 * x[across],
        0.4 * x[up] - 0.1 * x[across],
    ]
}

fn textured() -> RenderMesh {
    let render = render();
    let uv = (0..render.mesh.triangles.len()).map(|number| {
        let corners = render.mesh.corners(number);
        corners.map(|x| expected(side(corners), x).map(|c| c as f32))
    });
    let textured = TexturedMesh {
        uv: uv.collect(),
        mesh: render.mesh.clone(),
    };
    RenderMesh {
        uv_map: Some(Arc::new(UvMap::new(textured))),
        ..render
    }
}

#[test]
fn a_cut_keeps_the_texture_and_tells_its_faces() {
    let render = textured();
    for jitter in [0.0, 0.4] {
        let body = body(jitter);
        let slit = seams(&body, |x| x.x + 0.3 * x.z - 0.03, |x| x.y > 0.0);
        let piece = vec![0; body.len()];
        for seams in [&[][..], &slit] {
            let cut = EmbeddedMesh::new(&render, &body, &piece, seams);
            let (mut outside, mut inside) = (0.0, 0.0);
            assert_eq!(cut.uv.len(), cut.triangles.len());
            assert_eq!(cut.inside.len(), cut.triangles.len());
            for ((triangle, uv), &is_inside) in cut.triangles.iter().zip(&cut.uv).zip(&cut.inside) {
                let corners = triangle.map(|k| cut.rest[k as usize]);
                let [a, b, c] = corners;
                let area = 0.5 * (b - a).cross(c - a).length();
                if is_inside {
                    inside += area;
                    assert_eq!(*uv, [[0.0; 2]; 3]);
                    continue;
                }
                outside += area;
                for (found, x) in uv.iter().zip(corners) {
                    let expected = expected(side(corners), x);
                    let differs = (0..2).map(|k| (f64::from(found[k]) - expected[k]).abs());
                    assert!(
                        differs.fold(0.0, f64::max) < 1e-5,
                        "{x} {found:?} {expected:?}"
                    );
                }
            }
            let whole = 8.0 * (HALF.x * HALF.y + HALF.y * HALF.z + HALF.z * HALF.x);
            assert!((outside - whole).abs() < 0.02 * whole, "{outside} {whole}");
            let faces = if seams.is_empty() {
                0.0
            } else {
                2.0 * HALF.y * 2.0 * HALF.z * 1.09_f64.sqrt()
            };
            assert!(
                (inside - faces).abs() < 0.1 * faces + 1e-12 * SPACING,
                "{inside} {faces}"
            );
        }
    }
}

#[test]
fn a_surface_without_texture_coordinates_has_none() {
    let body = body(0.0);
    let piece = vec![0; body.len()];
    let whole = EmbeddedMesh::new(&render(), &body, &piece, &[]);
    assert!(whole.uv.is_empty() && !whole.triangles.is_empty());
}
