use pliant_math::{DQuat, RandomStream};

use super::*;
use crate::shapes::Sphere;
use crate::topology;

const RATE: f64 = 10.0;

/// A sphere that turns by a tenth of a radian a frame about z, grows by a tenth, and goes along x.
fn place(x: DVec3, frame: usize) -> DVec3 {
    let turn = DQuat::from_rotation_z(0.1 * frame as f64);
    turn * x * (1.0 + 0.1 * frame as f64) + DVec3::X * frame as f64
}

fn moving(repeats: bool, is_smooth: bool) -> (TriangleMesh, MovingMesh) {
    let mesh = topology::closed(&Sphere { radius: 1.0 }.surface(1.0)).expect("closed");
    let places = |frame: usize| mesh.vertices.iter().map(|&x| place(x, frame)).collect();
    let course = Course {
        rate: RATE,
        start: 0.5,
        repeats,
        is_smooth,
    };
    let frames = Frames::new((0..4).map(places).collect(), course);
    let moving = MovingMesh::new(&mesh, true, frames);
    (mesh, moving)
}

fn velocity(moving: &MovingMesh, point: DVec3) -> DVec3 {
    moving.touch(point, u32::MAX).velocity
}

/// As far from the middle as a point of the unit sphere's mesh may be.
const FACETS: f64 = 0.02;

#[test]
fn its_distance_at_any_time_is_that_of_the_mesh_with_its_vertices_there() {
    for is_smooth in [false, true] {
        let (mesh, mut moving) = moving(false, is_smooth);
        let random = RandomStream::new(8, 0);
        for (k, frame) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)] {
            let times: &[f64] = if k == 0 {
                &[-1.0, 0.5]
            } else {
                &[0.5 + k as f64 / RATE]
            };
            for &time in times {
                moving.move_to(time, 0.0);
                let mut vertices = mesh.clone();
                for x in &mut vertices.vertices {
                    *x = place(*x, frame);
                }
                let exact = SignedNearest::new(&vertices);
                for i in 0..300 {
                    let at = |axis: u64| 4.0 * random.unit(3 * i + axis) - 1.0;
                    let point = DVec3::new(at(0), at(1) - 1.0, at(2) - 1.0);
                    let expected = exact.of(point);
                    assert!(
                        (moving.signed_distance(point) - expected.signed_distance()).abs() < 1e-12
                    );
                    assert!(moving.normal(point).distance(expected.normal()) < 1e-9);
                }
            }
        }
    }
}

#[test]
fn its_velocity_is_what_brings_the_surface_from_one_moment_to_the_next() {
    for is_smooth in [false, true] {
        let (mesh, mut moving) = moving(false, is_smooth);
        for (time, dt) in [
            (0.5, 0.03),
            (0.55, 0.1),
            (0.2, 0.35),
            (0.79, 0.5),
            (2.0, 0.1),
        ] {
            moving.move_to(time, dt);
            let mut later = moving.clone();
            later.move_to(time + dt, 0.0);
            for (number, x) in mesh.vertices.iter().enumerate().step_by(7) {
                let now = moving.surface.vertices()[number];
                let expected = (later.surface.vertices()[number] - now) / dt;
                assert!(
                    velocity(&moving, now).distance(expected) < 1e-9,
                    "{x} at {time}"
                );
                assert!(expected.length() <= moving.fastest() + 1e-12);
                assert!(expected.length() <= moving.fastest_between(time, time + dt) + 1e-9);
            }
            assert_eq!(velocity(&later, DVec3::X), DVec3::ZERO);
        }
        assert_eq!(moving.fastest_between(2.0, 3.0), 0.0);
        assert_eq!(moving.fastest_between(-2.0, 0.4), 0.0);
    }
}

#[test]
fn velocities_of_vertices_are_the_derivatives_of_their_places_after_a_moment() {
    const DT: f64 = 1e-6;
    for (repeats, is_smooth) in [(false, false), (false, true), (true, false), (true, true)] {
        let (_, mut moving) = moving(repeats, is_smooth);
        // Before, at and between frames, which are where the velocity of a straight course jumps, and after the last.
        for time in [-0.2, 0.3, 0.5, 0.53, 0.6, 0.7, 0.77, 0.8, 0.9, 1.7] {
            moving.move_to(time, 0.0);
            let mut later = moving.clone();
            later.move_to(time + DT, 0.0);
            let places = (later.surface.vertices().iter()).zip(moving.surface.vertices());
            for ((after, now), velocity) in places.zip(moving.velocities()) {
                let expected = (*after - *now) / DT;
                let error = velocity.distance(expected);
                assert!(error < 1e-3, "{error} of {expected} at {time}");
            }
        }
    }
}

#[test]
fn the_velocity_of_a_smooth_course_is_continuous_and_zero_at_its_ends() {
    let velocity_at = |time: f64, is_smooth: bool| {
        let (_, mut moving) = moving(false, is_smooth);
        moving.move_to(time, 1e-6);
        velocity(&moving, DVec3::new(time, 0.0, 1.0))
    };
    for frame in 0..4 {
        let time = 0.5 + f64::from(frame) / RATE;
        let jump =
            |is_smooth| velocity_at(time - 2e-6, is_smooth).distance(velocity_at(time, is_smooth));
        assert!(jump(true) < 1e-2, "{frame} {}", jump(true));
    }
    assert!(velocity_at(0.5, true).length() < 1e-2 && velocity_at(0.5, false).length() > 5.0);
}

#[test]
fn times_far_away_give_finite_places_at_once() {
    for (repeats, time) in [(true, 1e20), (false, 1e20), (true, -1e20), (true, 1e308)] {
        let (_, mut moving) = moving(repeats, true);
        moving.move_to(time, 0.1);
        assert!(moving.signed_distance(DVec3::ZERO).is_finite());
        assert!(moving.fastest_between(time, time + 0.1).is_finite());
    }
}

#[test]
fn a_sequence_that_repeats_goes_on_from_its_first_frame() {
    let (_, mut moving) = moving(true, false);
    let period = 4.0 / RATE;
    let mut later = moving.clone();
    for time in [-0.33, 0.0, 0.5, 0.58, 0.87] {
        moving.move_to(time, 0.01);
        later.move_to(time + 3.0 * period, 0.01);
        let pairs = moving
            .surface
            .vertices()
            .iter()
            .zip(later.surface.vertices());
        for (a, b) in pairs {
            assert!(a.distance(*b) < 1e-9);
        }
    }
    // Half way from the last to the first.
    moving.move_to(0.5 + 3.5 / RATE, 0.0);
    assert!((moving.signed_distance(DVec3::X * 1.5) + 1.15).abs() < 0.05);
    assert!(moving.fastest_between(0.5, 0.5 + period) >= 3.0 * RATE);
}

#[test]
fn anchors_move_and_turn_with_their_triangle() {
    let (_, mut moving) = moving(false, true);
    moving.move_to(0.5, 0.0);
    let points = [
        DVec3::new(0.3, 0.8, 0.6),
        DVec3::new(-1.2, 0.1, 0.0),
        DVec3::new(0.0, 0.5, -0.7),
    ];
    let anchors = points.map(|point| moving.anchor(point));
    for (point, anchor) in points.iter().zip(&anchors) {
        assert!(moving.place(anchor, 0.0).distance(*point) < 1e-12);
    }
    moving.move_to(0.6, 0.1);
    for (point, anchor) in points.iter().zip(&anchors) {
        // The way from the surface does not grow with it.
        let off = point.length() - 1.0;
        let expected =
            place(point.normalize(), 1) + (place(*point, 1) - DVec3::X).normalize() * off;
        assert!(moving.place(anchor, 0.0).distance(expected) < FACETS);
        let next =
            place(point.normalize(), 2) + (place(*point, 2) - DVec3::X * 2.0).normalize() * off;
        assert!(moving.place(anchor, 0.1).distance(next) < FACETS);
    }
}
