//! Surfaces of balls and boxes of particles.

use std::collections::HashMap;

use pliant_geometry::topology::DisjointSets;
use pliant_geometry::{TriangleMesh, in_order, self_intersections};
use pliant_math::{DVec3, RandomStream};

use super::*;

const SPACING: f64 = 0.02;

/// Points of a lattice for which something holds, in spacings, up to so many of them from the origin.
fn lattice(reach: i32, holds: impl Fn(DVec3) -> bool) -> Vec<DVec3> {
    let along = || (-reach..reach).map(|i| f64::from(i) + 0.5);
    let mut points = Vec::new();
    for x in along() {
        for y in along() {
            points.extend(along().map(|z| DVec3::new(x, y, z)).filter(|p| holds(*p)));
        }
    }
    points.iter().map(|p| *p * SPACING).collect()
}

fn ball() -> Vec<DVec3> {
    lattice(10, |p| p.length() < 9.5)
}

fn cube() -> Vec<DVec3> {
    lattice(8, |_| true)
}

fn settings() -> SurfaceSettings {
    SurfaceSettings::of_spacing(SPACING)
}

fn surface(points: &[DVec3]) -> Surface {
    reconstruct(points, &settings()).unwrap()
}

/// Every edge is in two triangles, once in each direction.
fn assert_closed(mesh: &TriangleMesh) {
    let mut edges = HashMap::new();
    for &[a, b, c] in &mesh.triangles {
        assert!(a != b && b != c && c != a);
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    for (&(a, b), &count) in &edges {
        assert_eq!((count, edges.get(&(b, a))), (1, Some(&1)), "edge {a} {b}");
    }
}

fn pieces(mesh: &TriangleMesh) -> usize {
    let mut sets = DisjointSets::new(mesh.vertices.len());
    for &[a, b, c] in &mesh.triangles {
        sets.join(a, b);
        sets.join(b, c);
    }
    sets.members().count()
}

/// Relative difference of the volume from that of the particles.
fn volume_error(points: &[DVec3]) -> f64 {
    let volume = points.len() as f64 * SPACING.powi(3);
    surface(points).mesh.volume() / volume - 1.0
}

#[test]
fn surfaces_are_closed_and_in_one_piece() {
    for points in [ball(), cube()] {
        let surface = surface(&points);
        assert_closed(&surface.mesh);
        assert_eq!(pieces(&surface.mesh), 1);
    }
}

#[test]
fn volume_is_that_of_the_particles() {
    for points in [ball(), cube()] {
        let error = volume_error(&points);
        assert!(error.abs() < 0.02, "{error}");
    }
}

#[test]
fn smoothing_keeps_the_volume_and_makes_a_ball_rounder() {
    let points = ball();
    let of_passes = |smoothing_passes| {
        let settings = SurfaceSettings {
            smoothing_passes,
            ..settings()
        };
        reconstruct(&points, &settings).unwrap()
    };
    let (rough, smooth) = (of_passes(0), of_passes(20));
    let (before, after) = (rough.mesh.volume(), smooth.mesh.volume());
    assert!((after / before - 1.0).abs() < 1e-4, "{before} {after}");
    // How far normals are from those of a ball.
    let roughness = |surface: &Surface| {
        let vertices = surface.mesh.vertices.iter();
        let of_vertex = |(vertex, normal): (&DVec3, &[f32; 3])| {
            1.0 - DVec3::from_array(normal.map(f64::from)).dot(vertex.normalize())
        };
        let sum: f64 = vertices.zip(&surface.normals).map(of_vertex).sum();
        sum / surface.normals.len() as f64
    };
    let (before, after) = (roughness(&rough), roughness(&smooth));
    assert!(after < 0.5 * before, "{before} {after}");
}

#[test]
fn normals_point_outwards_and_have_length_one() {
    let surface = surface(&ball());
    for (vertex, normal) in surface.mesh.vertices.iter().zip(&surface.normals) {
        let normal = DVec3::from_array(normal.map(f64::from));
        assert!((normal.length() - 1.0).abs() < 1e-6);
        assert!(normal.dot(vertex.normalize()) > 0.8);
    }
}

#[test]
fn two_drops_are_two_closed_pieces() {
    let drop = lattice(4, |p| p.length() < 3.5);
    let apart = drop.iter().map(|p| *p + DVec3::X * 12.0 * SPACING);
    let both: Vec<DVec3> = drop.iter().copied().chain(apart).collect();
    let surface = surface(&both);
    assert_closed(&surface.mesh);
    assert_eq!(pieces(&surface.mesh), 2);
}

#[test]
fn a_drop_far_away_and_a_single_particle_are_closed() {
    let mut points = lattice(4, |p| p.length() < 3.5);
    points.push(DVec3::new(900.0, -300.0, 50.0));
    let surface = surface(&points);
    assert_closed(&surface.mesh);
    assert_eq!(pieces(&surface.mesh), 2);
}

#[test]
fn disorder_is_closed_too() {
    let random = RandomStream::new(7, 0);
    let mut points = ball();
    for (i, point) in (0..).zip(&mut points) {
        let offset = [0, 1, 2].map(|axis| random.unit(3 * i + axis) - 0.5);
        *point += SPACING * DVec3::from_array(offset);
    }
    assert_closed(&surface(&points).mesh);
}

/// Particles moved by a share of a spacing in directions of their own.
fn shaken(points: &[DVec3], share: f64, seed: u64) -> Vec<DVec3> {
    let random = RandomStream::new(seed, 0);
    let moved = points.iter().zip(0..).map(|(point, i)| {
        let offset = [0, 1, 2].map(|axis| 2.0 * random.unit(3 * i + axis) - 1.0);
        *point + DVec3::from_array(offset) * (share * SPACING)
    });
    moved.collect()
}

#[test]
fn no_triangle_crosses_another() {
    for points in [ball(), cube()] {
        for share in [0.0, 0.1, 0.3] {
            let mesh = surface(&shaken(&points, share, 5)).mesh;
            let crossing = self_intersections(&mesh, in_order);
            assert!(crossing.is_empty(), "{share}: {} pairs", crossing.len());
        }
    }
}

/// Root mean square of the angles [degrees] between the normals of two surfaces, at the vertices of the first and those
/// nearest to them of the second.
fn flicker(one: &Surface, other: &Surface) -> f64 {
    let side = SPACING;
    let cell = |x: DVec3| (x / side).floor().as_i64vec3().to_array();
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (k, &x) in other.mesh.vertices.iter().enumerate() {
        cells.entry(cell(x)).or_default().push(k);
    }
    let nearest = |x: DVec3| {
        let [i, j, k] = cell(x);
        let around = (0..27).map(|n| [i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1]);
        let near = around.filter_map(|cell| cells.get(&cell)).flatten();
        near.copied().min_by(|&a, &b| {
            let distance = |k: usize| other.mesh.vertices[k].distance_squared(x);
            distance(a).total_cmp(&distance(b))
        })
    };
    let normal = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
    let columns = one.mesh.vertices.iter().zip(&one.normals);
    let squares = columns.map(|(&x, &n)| {
        let other = normal(other.normals[nearest(x).expect("a surface nearby")]);
        normal(n).angle_between(other).to_degrees().powi(2)
    });
    (squares.sum::<f64>() / one.mesh.vertices.len() as f64).sqrt()
}

#[test]
fn surfaces_of_what_is_nearly_at_rest_do_not_flicker() {
    // A thousandth of a spacing from frame to frame: 0.6 mm/s at 30 frames a second.
    for points in [ball(), cube()] {
        let disordered = shaken(&points, 0.2, 6);
        let frames = [7, 8].map(|seed| surface(&shaken(&disordered, 1e-3, seed)));
        let degrees = flicker(&frames[0], &frames[1]);
        println!("{degrees} degrees");
        assert!(degrees < 1.0, "{degrees} degrees");
    }
}

#[test]
fn bits_do_not_depend_on_the_threads() {
    let points = lattice(24, |p| p.length() < 23.0 && (p - 3.0).length() > 8.0);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let surface = surface(&points);
            let values: Vec<[f32; 3]> = points.iter().map(|p| p.as_vec3().to_array()).collect();
            let carrier = Carrier::new(&points, &settings());
            let carried = carrier.carry(&values, &surface.mesh.vertices);
            (surface, carried)
        })
    };
    let one = on(1);
    assert_eq!(pieces(&one.0.mesh), 2);
    assert!(one == on(2), "two threads");
    assert!(one == on(4), "four threads");
}

#[test]
fn uniform_values_stay_and_linear_ones_are_reproduced() {
    let points = ball();
    let vertices = surface(&points).mesh.vertices;
    let carrier = Carrier::new(&points, &settings());
    let spin = |p: &DVec3| [p.z as f32, 1.0, -p.x as f32];
    let values: Vec<[f32; 3]> = points.iter().map(spin).collect();
    let most = 9.5 * SPACING as f32;
    for (vertex, carried) in vertices.iter().zip(carrier.carry(&values, &vertices)) {
        let exact = spin(vertex);
        assert!(
            (carried[0] - exact[0]).abs() < 0.03 * most,
            "{carried:?} {exact:?}"
        );
        assert!((carried[1] - 1.0).abs() < 1e-6);
        assert!(
            (carried[2] - exact[2]).abs() < 0.03 * most,
            "{carried:?} {exact:?}"
        );
    }
}

#[test]
fn a_single_particle_gives_its_value_to_all_vertices() {
    let points = [DVec3::ONE];
    let vertices = surface(&points).mesh.vertices;
    assert!(!vertices.is_empty());
    let carrier = Carrier::new(&points, &settings());
    let carried = carrier.carry(&[[3.0]], &vertices);
    assert!(carried.iter().all(|[value]| (value - 3.0).abs() < 1e-5));
    assert_eq!(carrier.carry(&[[3.0]], &[DVec3::ONE * 1.5]), [[3.0]]);
}

#[test]
fn bad_input_is_refused() {
    let mut points = cube();
    points[17].y = f64::NAN;
    let refused = reconstruct(&points, &settings()).unwrap_err();
    assert!(matches!(refused, SurfaceError::NotFinite { particle: 17 }));
    points[17].y = 1e9;
    let refused = reconstruct(&points, &settings()).unwrap_err();
    assert!(matches!(refused, SurfaceError::TooFar { particle: 17, .. }));
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = reconstruct(&[DVec3::ZERO], &SurfaceSettings::of_spacing(spacing));
        assert!(matches!(
            refused,
            Err(SurfaceError::Setting {
                name: "spacing",
                ..
            })
        ));
    }
}

#[test]
fn no_particles_have_no_surface() {
    assert_eq!(surface(&[]), Surface::default());
}
