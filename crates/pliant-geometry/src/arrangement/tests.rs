use pliant_math::{DMat3, DQuat, RandomStream};

use super::*;
use crate::shapes::{Box as Block, Sphere, Torus};
use crate::{Shape, refined};

/// A square sheet across z = height, moved by a map.
fn sheet(half: f64, count: u32, map: impl Fn(DVec3) -> DVec3) -> TriangleMesh {
    let step = 2.0 * half / f64::from(count);
    let place = |k: u32| {
        let (i, j) = (k % (count + 1), k / (count + 1));
        map(DVec3::new(
            f64::from(i) * step - half,
            f64::from(j) * step - half,
            0.0,
        ))
    };
    let cells = (0..count * count).map(|k| k / count * (count + 1) + k % count);
    TriangleMesh {
        vertices: (0..(count + 1) * (count + 1)).map(place).collect(),
        triangles: cells
            .flat_map(|a| {
                let [b, c, d] = [a + 1, a + count + 2, a + count + 1];
                [[a, b, c], [a, c, d]]
            })
            .collect(),
    }
}

fn vector_area(arrangement: &Arrangement, part: &Part) -> DVec3 {
    let [a, b, c] = part
        .corners
        .map(|corner| arrangement.points[corner as usize]);
    0.5 * (b - a).cross(c - a)
}

/// Edges of parts, each as often as they have it.
fn edges(parts: &[Part]) -> BTreeMap<[u32; 2], u32> {
    let mut edges = BTreeMap::new();
    for part in parts {
        let [a, b, c] = part.corners;
        for [a, b] in [[a, b], [b, c], [c, a]] {
            *edges.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
        }
    }
    edges
}

/// Checks what holds for every arrangement of a closed mesh with a sheet; the area of the sheet inside.
fn checked(first: &TriangleMesh, second: &TriangleMesh, shape: &dyn Shape) -> f64 {
    let arrangement = Arrangement::new(first, second).unwrap();
    for (which, mesh) in [first, second].into_iter().enumerate() {
        let mut areas = vec![DVec3::ZERO; mesh.triangles.len()];
        for part in &arrangement.parts[which] {
            areas[part.triangle as usize] += vector_area(&arrangement, part);
        }
        for (triangle, area) in areas.into_iter().enumerate() {
            let [a, b, c] = mesh.corners(triangle);
            let whole = 0.5 * (b - a).cross(c - a);
            assert!(
                area.distance(whole) < 1e-9 * whole.length() + 1e-14,
                "{area} {whole}"
            );
        }
    }
    assert!(
        edges(&arrangement.parts[0])
            .values()
            .all(|count| *count == 2)
    );
    let of_sheet = edges(&arrangement.parts[1]);
    let of_first = edges(&arrangement.parts[0]);
    for segment in &arrangement.curves {
        let [a, b] = segment.ends;
        let edge = [a.min(b), a.max(b)];
        assert!(of_first.contains_key(&edge) && of_sheet.contains_key(&edge));
    }
    let inside = arrangement.inside_first(first, |x| shape.signed_distance(x) < 0.0);
    let parts = arrangement.parts[1].iter().zip(inside);
    let inside = parts.filter(|(_, is)| *is);
    inside
        .map(|(part, _)| vector_area(&arrangement, part).length())
        .sum()
}

#[test]
fn a_sheet_through_a_ball_is_cut_along_its_circle() {
    let ball = Sphere { radius: 0.5 };
    let mesh = ball.surface(1.0);
    for (height, turn) in [(0.031, 0.0), (0.2, 0.7), (-0.33, 2.1)] {
        let turn = DMat3::from_quat(DQuat::from_rotation_x(turn) * DQuat::from_rotation_y(turn));
        let second = sheet(0.7, 13, |x| turn * (x + DVec3::Z * height));
        let area = checked(&mesh, &second, &ball);
        let disc = std::f64::consts::PI * (0.25 - height * height);
        assert!((area / disc - 1.0).abs() < 0.01, "{area} {disc}");
    }
}

#[test]
fn a_sheet_that_ends_inside_is_cut_where_it_leaves() {
    let block = Block {
        half_size: DVec3::new(0.5, 0.4, 0.3),
    };
    let mesh = refined(&block.surface(1.0), 0.11);
    // Bent, so that its edges are in no face; it reaches from outside to the middle.
    let second = sheet(0.6, 17, |x| {
        DVec3::new(0.6134 + x.x, x.y, 0.0123 + 0.1 * x.x * x.y)
    });
    let area = checked(&mesh, &second, &block);
    assert!((area / (0.4866 * 0.8) - 1.0).abs() < 0.03, "{area}");
}

#[test]
fn random_sheets_are_cut_along_whatever_they_meet() {
    let torus = Torus {
        radius: 0.4,
        tube_radius: 0.15,
    };
    let mesh = torus.surface(1.0);
    let random = RandomStream::new(3, 0);
    for round in 0..20 {
        let number = |k: u64| random.unit(1000 * round + k) - 0.5;
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(
            DVec3::new(number(0), number(1), number(2)) * 6.0,
        ));
        let middle = DVec3::new(number(3), number(4), number(5)) * 0.4;
        let count = 5 + round as u32;
        let mut second = sheet(0.5, count, |x| x);
        for (k, x) in (0..).zip(&mut second.vertices) {
            let noise = DVec3::new(number(10 + k), number(200 + k), number(500 + k));
            *x = turn * (*x + noise * (0.4 / f64::from(count))) + middle;
        }
        checked(&mesh, &second, &torus);
    }
}

#[test]
fn meshes_that_do_not_meet_are_whole_and_a_sheet_inside_is_found() {
    let ball = Sphere { radius: 0.5 };
    let mesh = ball.surface(1.0);
    let small = sheet(0.1, 3, |x| x);
    assert!((checked(&mesh, &small, &ball) - 0.04).abs() < 1e-12);
    let away = sheet(0.1, 3, |x| x + DVec3::X * 2.0);
    assert_eq!(checked(&mesh, &away, &ball), 0.0);
}

#[test]
fn a_vertex_in_a_face_is_told() {
    let block = Block {
        half_size: DVec3::splat(0.5),
    };
    let mesh = block.surface(1.0);
    let second = sheet(0.3, 2, |x| DVec3::new(x.x, x.y, 0.5 + x.x * x.y));
    assert_eq!(Arrangement::new(&mesh, &second), Err(NotGeneric));
}
