use std::f64::consts::PI;

use pliant_math::{DVec3, RandomStream};

use super::*;
use crate::shapes::{Box, Cylinder, Sphere};
use crate::work::tests::backwards_on_threads;
use crate::{Shape, in_order};

/// A ball of radius 1 about a place.
fn ball(center: DVec3) -> TriangleMesh {
    let mut mesh = Sphere { radius: 1.0 }.surface(1.0);
    for vertex in &mut mesh.vertices {
        *vertex += center;
    }
    mesh
}

/// The mesh with some triangles left out and others turned, each by chance.
fn damaged(mut mesh: TriangleMesh, left_out: f64, turned: f64) -> TriangleMesh {
    let random = RandomStream::new(8, 0);
    let mut number = 0;
    mesh.triangles.retain_mut(|triangle| {
        number += 2;
        if random.unit(number) < turned {
            triangle.swap(1, 2);
        }
        random.unit(number + 1) >= left_out
    });
    mesh
}

fn both(mut one: TriangleMesh, other: &TriangleMesh) -> TriangleMesh {
    let count = one.vertices.len() as u32;
    one.vertices.extend(&other.vertices);
    let numbered = other.triangles.iter().map(|t| t.map(|v| v + count));
    one.triangles.extend(numbered);
    one
}

fn close(mesh: &TriangleMesh, how: Repair) -> Repaired {
    repaired(mesh, how, 0.06, in_order).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn holes_are_filled_and_triangles_turned_alike_and_nothing_else_is_touched() {
    let whole = ball(DVec3::ZERO);
    let mut broken = whole.clone();
    let is_cut = |t: &[u32; 3]| {
        let middle = t.map(|v| whole.vertices[v as usize]).iter().sum::<DVec3>() / 3.0;
        middle.z > 0.98 || middle.x < -0.95
    };
    broken.triangles.retain(|t| !is_cut(t));
    let broken = damaged(broken, 0.0, 0.3);
    assert!(topology::closed(&broken).is_err());
    let closed = close(&broken, Repair::FillHoles);
    let done = closed.done.unwrap();
    let told = "triangles were turned to face as their neighbours do";
    assert!(
        done.starts_with("2 holes were filled") && done.ends_with(told),
        "{done}"
    );
    let nothing = close(&whole, Repair::FillHoles);
    assert_eq!(nothing.done, None);
    assert!((closed.mesh.volume() / whole.volume() - 1.0).abs() < 0.01);
    let sorted = |mesh: &TriangleMesh| {
        let corners = |t: usize| {
            let mut corners = mesh.corners(t).map(|x| x.to_array().map(f64::to_bits));
            corners.sort_unstable();
            corners
        };
        let mut all: Vec<_> = (0..mesh.triangles.len()).map(corners).collect();
        all.sort_unstable();
        all
    };
    let after = sorted(&closed.mesh);
    let is_kept = |t| after.binary_search(t).is_ok();
    assert!(sorted(&broken).iter().all(is_kept));
}

#[test]
fn a_flat_hole_gets_a_flat_lid_however_its_rim_runs() {
    // A prism over a star, open at its top.
    let tips = 9;
    let angle = |k: u32| PI * f64::from(k) / f64::from(tips);
    let rim = |y: f64| {
        (0..2 * tips).map(move |k| {
            let radius = if k % 2 == 0 { 1.0 } else { 0.35 };
            radius * DVec3::new(libm::cos(angle(k)), 0.0, libm::sin(angle(k))) + DVec3::Y * y
        })
    };
    let count = 2 * tips;
    let mut star = TriangleMesh {
        vertices: rim(0.0).chain(rim(1.0)).chain([DVec3::ZERO]).collect(),
        triangles: Vec::new(),
    };
    for k in 0..count {
        let next = (k + 1) % count;
        star.triangles.extend([
            [2 * count, k, next],
            [k, k + count, next],
            [next, k + count, next + count],
        ]);
    }
    let area = f64::from(tips) * 0.35 * libm::sin(PI / f64::from(tips));
    let closed = close(&star, Repair::FillHoles);
    assert!((closed.mesh.volume() - area).abs() < 1e-12);
}

#[test]
fn long_rims_and_rims_that_touch_are_filled() {
    let can = Cylinder {
        radius: 0.5,
        height: 1.0,
    };
    let mut can = can.surface(1.0);
    can = crate::refined(&can, 0.01);
    let whole = can.volume();
    let lid = |t: &[u32; 3], mesh: &TriangleMesh| {
        t.iter().all(|&v| mesh.vertices[v as usize].y > 0.5 - 1e-9)
    };
    let open = TriangleMesh {
        triangles: can
            .triangles
            .iter()
            .filter(|t| !lid(t, &can))
            .copied()
            .collect(),
        ..can
    };
    let closed = close(&open, Repair::FillHoles);
    assert!((closed.mesh.volume() / whole - 1.0).abs() < 1e-9);
    assert!(
        closed.mesh.vertices.len() > 500,
        "{}",
        closed.mesh.vertices.len()
    );

    // Two triangles of a cube that share a corner alone.
    let half_size = DVec3::splat(0.5);
    let mut cube = topology::closed(&Box { half_size }.surface(1.0)).unwrap();
    let first = cube.triangles.remove(0);
    let shares = |t: &[u32; 3]| t.iter().filter(|v| first.contains(v)).count() == 1;
    let other = cube.triangles.iter().position(shares).unwrap();
    cube.triangles.remove(other);
    let closed = close(&cube, Repair::FillHoles);
    assert!((closed.mesh.volume() - 1.0).abs() < 1e-12);
}

#[test]
fn what_triangles_go_around_is_a_union_even_where_a_tenth_of_them_is_missing() {
    // Two balls of radius 1 whose middles are 1 apart: a lens of 5 pi / 12 is in both.
    let union = 2.0 * 4.0 / 3.0 * PI - 5.0 / 12.0 * PI;
    for left_out in [0.0, 0.1] {
        let balls = both(ball(DVec3::ZERO), &ball(DVec3::X));
        let balls = damaged(balls, left_out, 0.0);
        let closed = close(&balls, Repair::Winding);
        let ratio = closed.mesh.volume() / union;
        assert!((ratio - 1.0).abs() < 0.02, "{left_out}: {ratio}");
        let farthest = closed.mesh.vertices.iter().map(|x| {
            let from = |center: DVec3| (x.distance(center) - 1.0).abs();
            from(DVec3::ZERO).min(from(DVec3::X))
        });
        let farthest = farthest.fold(0.0, f64::max);
        assert!(farthest < 0.08, "{left_out}: {farthest}");
        let exact = crate::signed_nearest::SignedNearest::new(&closed.mesh);
        assert!(exact.of(DVec3::new(0.5, 0.0, 0.0)).is_inside);
    }
}

#[test]
fn a_mesh_inside_out_with_a_hole_goes_around_the_same() {
    let mut hollow = damaged(ball(DVec3::ZERO), 0.03, 0.0);
    let expected = close(&hollow, Repair::Winding).mesh.volume();
    hollow.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let turned = close(&hollow, Repair::Winding).mesh.volume();
    let ratio = turned / expected;
    assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
}

#[test]
fn voxels_close_narrow_gaps_whichever_way_triangles_face() {
    let volume = 4.0 / 3.0 * PI;
    let broken = damaged(ball(DVec3::ZERO), 0.03, 0.5);
    let closed = close(&broken, Repair::Voxels(0.3));
    let ratio = closed.mesh.volume() / volume;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    // The whole ball to the accuracy of its triangles.
    let closed = close(&damaged(ball(DVec3::ZERO), 0.0, 0.5), Repair::Voxels(0.0));
    let ratio = closed.mesh.volume() / ball(DVec3::ZERO).volume();
    assert!((ratio - 1.0).abs() < 3e-3, "{ratio}");
}

#[test]
fn what_encloses_nothing_is_refused() {
    let sheet = TriangleMesh {
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Z, DVec3::X + DVec3::Z],
        triangles: vec![[0, 1, 2], [2, 1, 3]],
    };
    for how in [Repair::FillHoles, Repair::Winding, Repair::Voxels(0.0)] {
        let fault = repaired(&sheet, how, 0.01, in_order).err();
        assert_eq!(fault, Some(MeshFault::NoVolume), "{how:?}");
    }
    // Three triangles on an edge are a wall within: only a new surface does without.
    let cube = Box {
        half_size: DVec3::splat(0.5),
    };
    let mut cube = topology::closed(&cube.surface(1.0)).unwrap();
    let center = cube.vertices.len() as u32;
    cube.vertices.push(DVec3::ZERO);
    let [a, b, _] = cube.triangles[0];
    cube.triangles.push([a, b, center]);
    assert!(repaired(&cube, Repair::FillHoles, 0.01, in_order).is_err());
    for how in [Repair::Winding, Repair::Voxels(0.0)] {
        let volume = close(&cube, how).mesh.volume();
        assert!((volume - 1.0).abs() < 0.03, "{how:?}: {volume}");
    }
}

#[test]
fn new_surfaces_do_not_depend_on_the_threads() {
    let broken = damaged(ball(DVec3::ZERO), 0.1, 0.1);
    for how in [Repair::Winding, Repair::Voxels(0.2)] {
        let [one, many] = [in_order as Loop, backwards_on_threads]
            .map(|run| repaired(&broken, how, 0.05, run).unwrap().mesh);
        assert_eq!(one, many);
    }
}
