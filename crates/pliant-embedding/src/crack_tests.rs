use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::Arc;

use pliant_geometry::{Shape, refined, shapes, topology};
use pliant_math::{DQuat, Pose, RandomStream};

use super::test_body::TestBody;
use super::*;

pub const SPACING: f64 = 0.1;

/// A block of 1.6 m, 1.2 m and 0.8 m.
pub const HALF: DVec3 = DVec3::new(0.8, 0.6, 0.4);

pub fn body(jitter: f64) -> TestBody {
    let random = RandomStream::new(5, 0);
    let count = [16, 12, 8];
    let cells = (0..count[0] * count[1] * count[2]).map(|k| {
        let cell = [k % 16, k / 16 % 12, k / 192];
        let noise = |c: u64| jitter * (random.unit(3 * k as u64 + c) - 0.5);
        let place = DVec3::from(cell.map(f64::from)) + DVec3::new(noise(0), noise(1), noise(2));
        (place + 0.5) * SPACING - HALF
    });
    TestBody::new(cells.collect(), SPACING)
}

pub fn render() -> RenderMesh {
    let block = shapes::Box { half_size: HALF };
    RenderMesh {
        mesh: refined(&block.surface(1.0), 1.5 * SPACING),
        uv_map: None,
        shape: Arc::new(block),
        pose: Pose::IDENTITY,
    }
}

/// Ways parted where they cross the zero of a function of points, if it is swept there.
pub fn seams(
    body: &TestBody,
    zero: impl Fn(DVec3) -> f64,
    is_swept: impl Fn(DVec3) -> bool,
) -> Vec<CutBond> {
    let mut seams = Vec::new();
    for one in 0..body.len() as u32 {
        for &other in body.neighbors_of(one as usize) {
            let ends = [one, other].map(|k| body.position[k as usize]);
            let [from, to] = ends.map(&zero);
            let at = from / (from - to);
            let is_crossed = one < other && (from < 0.0) != (to < 0.0);
            if is_crossed && is_swept(ends[0] + (ends[1] - ends[0]) * at) {
                seams.push(CutBond {
                    ends: [one, other],
                    at: at as f32,
                });
            }
        }
    }
    seams
}

/// The surface of a body with such seams, its particles moved by a map, which tells F too.
fn carried_by(
    body: &TestBody,
    seams: &[CutBond],
    map: impl Fn(DVec3) -> (DVec3, DMat3),
) -> TriangleMesh {
    carried_in_pieces(body, |_| 0, seams, map)
}

fn carried_in_pieces(
    body: &TestBody,
    piece: impl Fn(DVec3) -> u32,
    seams: &[CutBond],
    map: impl Fn(DVec3) -> (DVec3, DMat3),
) -> TriangleMesh {
    carried_mesh(&render(), body, piece, seams, map)
}

/// Particles at rest [m] as a map of places to places and F moves them.
pub fn carriers(rest: &[DVec3], map: impl Fn(DVec3) -> (DVec3, DMat3)) -> Vec<Option<Carrier>> {
    let carrier = |&x: &DVec3| {
        let (position, deformation_gradient) = map(x);
        Some(Carrier {
            position,
            velocity: DVec3::ZERO,
            deformation_gradient,
        })
    };
    rest.iter().map(carrier).collect()
}

/// Another surface of the body.
fn carried_mesh(
    render: &RenderMesh,
    body: &TestBody,
    piece: impl Fn(DVec3) -> u32,
    seams: &[CutBond],
    map: impl Fn(DVec3) -> (DVec3, DMat3),
) -> TriangleMesh {
    let rest = &body.position;
    let piece: Vec<u32> = rest.iter().map(|&x| piece(x)).collect();
    let embedded_mesh = EmbeddedMesh::new(render, body, &piece, seams);
    let carriers = carriers(rest, map);
    TriangleMesh {
        vertices: embedded_mesh
            .carried(rest, &carriers)
            .iter()
            .map(|v| v.position)
            .collect(),
        triangles: embedded_mesh.triangles,
    }
}

pub fn area(mesh: &TriangleMesh) -> f64 {
    let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
    corners
        .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
        .sum()
}

fn longest_edge(mesh: &TriangleMesh) -> f64 {
    let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
    let lengths = corners.flat_map(|[a, b, c]| [a.distance(b), b.distance(c), c.distance(a)]);
    lengths.fold(0.0, f64::max)
}

/// Checks that each edge of a mesh has two triangles, one from each side.
pub fn assert_closed(mesh: &TriangleMesh) {
    let mut edges: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    for [a, b, c] in &mesh.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let edge = edges.entry([*from.min(to), *from.max(to)]).or_default();
            edge[usize::from(from < to)] += 1;
        }
    }
    let open = edges.values().filter(|count| **count != [1, 1]).count();
    assert_eq!(open, 0, "of {} edges", edges.len());
}

/// A crack from above to the middle, opened as a wedge of this slope on both sides.
fn opened(jitter: f64, slope: f64) -> TriangleMesh {
    opened_mesh(&render(), jitter, slope)
}

fn opened_mesh(render: &RenderMesh, jitter: f64, slope: f64) -> TriangleMesh {
    let body = body(jitter);
    let seams = seams(&body, |x| x.x - 0.03, |x| x.y > 0.0);
    let wedge = |x: DVec3| {
        let side = if x.x > 0.03 { slope } else { -slope };
        let rate = if x.y > 0.0 { side } else { 0.0 };
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(rate, 1.0, 0.0), DVec3::Z);
        (x + DVec3::X * (rate * x.y), shear)
    };
    carried_mesh(render, &body, |_| 0, &seams, wedge)
}

#[test]
fn a_slit_that_is_opened_is_not_covered_and_has_two_faces() {
    let (volume, face) = (8.0 * HALF.element_product(), HALF.y * 2.0 * HALF.z);
    for jitter in [0.0, 0.4] {
        let closed = opened(jitter, 0.0);
        let slope = 0.5;
        let open = opened(jitter, slope);
        assert!(open.vertices.iter().all(|x| x.is_finite()));
        let wedge = slope * HALF.y * HALF.y * 2.0 * HALF.z;
        let grown = (area(&closed) - area(&render().mesh)) / face;
        assert!((grown - 2.0).abs() < 0.1, "{grown}");
        let gap = 2.0 * GAP * SPACING * face;
        assert!((closed.volume() + gap - volume).abs() < 0.1 * gap);
        let covered = (open.volume() - volume) / wedge;
        assert!(covered.abs() < 0.05, "{covered}");
        assert_closed(&open);
        let longest = longest_edge(&open) / SPACING;
        assert!(longest < 2.5, "{longest}");
    }
}

#[test]
fn a_slit_inside_is_a_closed_bubble() {
    // Two faces of a disc that are one along its rim.
    let body = body(0.3);
    let radius = 0.3;
    let seams = seams(&body, |x| x.x - 0.03, |x| x.y.hypot(x.z) < radius);
    let outer = render().mesh;
    let blown = |height: f64| {
        carried_by(&body, &seams, |x| {
            let side = if x.x > 0.03 { height } else { -height };
            let inside = (1.0 - (x.y * x.y + x.z * x.z) / (radius * radius)).max(0.0);
            (x + DVec3::X * (side * inside), DMat3::IDENTITY)
        })
    };
    let closed = blown(0.0);
    let disc = PI * radius * radius;
    let grown = (area(&closed) - area(&outer)) / disc;
    assert!((1.5..2.1).contains(&grown), "{grown}");
    let gap = outer.volume() - closed.volume();
    assert!((0.0..2.0 * GAP * SPACING * disc).contains(&gap), "{gap}");
    assert_closed(&blown(0.2));
}

#[test]
fn a_slit_through_two_halves_opens_in_both() {
    let body = body(0.4);
    let crack = seams(&body, |x| x.x - 0.03, |x| x.y > 0.0);
    let mut all = seams(&body, |x| x.z - 0.01, |_| true);
    all.extend(crack);
    all.sort_by_key(|seam| seam.ends);
    all.dedup_by_key(|seam| seam.ends);
    let piece = |x: DVec3| u32::from(x.z > 0.01);
    let moved = |slope: f64| {
        carried_in_pieces(&body, piece, &all, |x| {
            let side = if x.x > 0.03 { slope } else { -slope };
            let rate = if x.y > 0.0 { side } else { 0.0 };
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(rate, 1.0, 0.0), DVec3::Z);
            let apart = DVec3::Z * f64::from(piece(x));
            (x + DVec3::X * (rate * x.y) + apart, shear)
        })
    };
    let volume = 8.0 * HALF.element_product();
    let (closed, open) = (moved(0.0), moved(0.5));
    assert_closed(&open);
    let faces = 2.0 * (HALF.y * 2.0 * HALF.z + 4.0 * HALF.x * HALF.y);
    let gap = GAP * SPACING * faces;
    assert!((closed.volume() + gap - volume).abs() < 0.1 * gap);
    let wedge = 0.5 * HALF.y * HALF.y * 2.0 * HALF.z;
    let covered = (open.volume() - closed.volume()) / wedge;
    assert!(covered.abs() < 0.05, "{covered}");
    let grown = (area(&closed) - area(&render().mesh)) / faces;
    assert!((grown - 1.0).abs() < 0.06, "{grown}");
}

#[test]
fn a_few_ways_that_are_parted_add_next_to_no_faces() {
    let body = body(0.3);
    let all = seams(&body, |x| x.x - 0.03, |_| true);
    let few: Vec<CutBond> = all.into_iter().step_by(20).collect();
    let mesh = carried_by(&body, &few, |x| (x, DMat3::IDENTITY));
    assert_closed(&mesh);
    let face = 4.0 * HALF.y * HALF.z;
    let grown = (area(&mesh) - area(&render().mesh)) / face;
    // Whole cuts have 2.
    assert!(grown.abs() < 0.05, "{grown}");
}

#[test]
fn a_body_without_slits_keeps_each_vertex_and_a_slit_keeps_those_far_away() {
    let body = body(0.3);
    let bend = |x: DVec3| {
        let turn = DMat3::from_rotation_z(0.4 * x.x);
        (turn * x, turn)
    };
    let whole = carried_by(&body, &[], bend);
    assert_eq!(whole.triangles, render().mesh.triangles);
    let crack = seams(&body, |x| x.x - 0.53, |x| x.y > 0.0);
    let cut = carried_by(&body, &crack, bend);
    let rest = render().mesh.vertices;
    for ((x, y), rest) in whole.vertices.iter().zip(&cut.vertices).zip(&rest) {
        assert!(x == y || rest.x > 0.1, "{rest}");
    }
    assert_ne!(whole.vertices, cut.vertices[..rest.len()]);
}

#[test]
fn slits_that_cross_open_four_ways() {
    for jitter in [0.0, 0.4] {
        let body = body(jitter);
        let is_swept = |x: DVec3| x.y > 0.0;
        let mut both = seams(&body, |x| x.x - 0.03, is_swept);
        both.extend(seams(&body, |x| x.z - 0.01, is_swept));
        both.sort_by_key(|seam| seam.ends);
        both.dedup_by_key(|seam| seam.ends);
        let slope = 0.4;
        let open = carried_by(&body, &both, |x| {
            let rate = |from: f64| match x.y > 0.0 {
                true if from > 0.0 => slope,
                true => -slope,
                false => 0.0,
            };
            let rate = DVec3::new(rate(x.x - 0.03), 0.0, rate(x.z - 0.01));
            let shear = DMat3::from_cols(DVec3::X, rate + DVec3::Y, DVec3::Z);
            (x + rate * x.y, shear)
        });
        let volume = 8.0 * HALF.element_product();
        let wedges = slope * HALF.y * HALF.y * 2.0 * (HALF.x + HALF.z);
        let covered = (open.volume() - volume) / wedges;
        assert!(open.vertices.iter().all(|x| x.is_finite()));
        assert_closed(&open);
        assert!(covered.abs() < 0.05, "{covered}");
        assert!(longest_edge(&open) < 3.0 * SPACING);
    }
}

#[test]
fn bonds_cut_at_random_leave_closed_surfaces() {
    for round in 0..6 {
        let body = body(0.4);
        let random = RandomStream::new(round, 7);
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(
            DVec3::new(random.unit(1), random.unit(2), random.unit(3)) * 3.0,
        ));
        let offset = 0.4 * (random.unit(4) - 0.5);
        // From single bonds over cuts with holes to a plane through all.
        let share = [0.02, 0.3, 0.7, 0.95, 1.0, 1.0][round as usize];
        let bent = |x: DVec3| (turn * x).x - offset + 0.2 * x.y * x.z;
        let mut number = 100;
        let mut all = seams(&body, bent, |_| true);
        all.retain(|_| {
            number += 1;
            random.unit(number) < share
        });
        let single = seams(&body, |x| x.z - 0.1, |_| true);
        let single = single
            .into_iter()
            .filter(|seam| random.unit(90_000 + u64::from(seam.ends[0])) < 0.1);
        all.extend(single);
        all.sort_by_key(|seam| seam.ends);
        all.dedup_by_key(|seam| seam.ends);
        let piece = |x: DVec3| u32::from(round == 5 && bent(x) > 0.0);
        let mesh = carried_in_pieces(&body, piece, &all, |x| (x, DMat3::IDENTITY));
        assert_closed(&mesh);
        assert!(mesh.vertices.iter().all(|x| x.is_finite()));
        let ratio = mesh.volume() / render().mesh.volume();
        assert!((ratio - 1.0).abs() < 0.01, "{round}: {ratio}");
        let apart = carried_in_pieces(&body, piece, &all, |x| {
            (x + DVec3::X * f64::from(piece(x)) * 3.0, DMat3::IDENTITY)
        });
        assert!(longest_edge(&apart) < 2.5 * SPACING, "{round}");
    }
}

#[test]
fn a_mesh_whose_vertices_stand_twice_is_cut_as_one() {
    let mut soup = render();
    let corners = (0..soup.mesh.triangles.len()).flat_map(|t| soup.mesh.corners(t));
    let vertices: Vec<DVec3> = corners.collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    soup.mesh = TriangleMesh {
        triangles: triangles.collect(),
        vertices,
    };
    let open = opened_mesh(&soup, 0.3, 0.5);
    let given = soup.mesh.vertices.len();
    assert!(
        open.triangles
            .as_flattened()
            .iter()
            .filter(|v| (**v as usize) < given)
            .count()
            > 1000
    );
    assert_closed(&topology::surface(&open).unwrap());
    let of_welded = opened(0.3, 0.5);
    assert!((open.volume() / of_welded.volume() - 1.0).abs() < 1e-3);
}

#[test]
fn an_open_mesh_stays_open_where_it_was() {
    let mut open = render();
    let is_below = |x: DVec3| x.y < 1e-9 - HALF.y;
    let vertices = open.mesh.vertices.clone();
    let is_kept = |t: &[u32; 3]| !t.iter().all(|&k| is_below(vertices[k as usize]));
    open.mesh.triangles.retain(is_kept);
    let rim = topology::rim(&open.mesh).len();
    assert!(rim > 10);
    let cut = opened_mesh(&open, 0.3, 0.5);
    assert_eq!(topology::rim(&cut).len(), rim);
    assert!(cut.triangles.len() > open.mesh.triangles.len() + 500);
}

#[test]
fn what_has_left_takes_its_surface_along() {
    let body = body(0.3);
    let all = seams(&body, |x| x.x - 0.03, |_| true);
    let piece = |x: DVec3| if x.x > 0.03 { GONE } else { 0 };
    let mesh = carried_in_pieces(&body, piece, &all, |x| (x, DMat3::IDENTITY));
    assert_closed(&mesh);
    let share = mesh.volume() / render().mesh.volume();
    assert!((share - 0.83 / 1.6).abs() < 0.01, "{share}");
}
