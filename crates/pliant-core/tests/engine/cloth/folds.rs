//! A sheet that falls in folds meets itself, and no two of its triangles intersect.

use pliant_core::rest::Fabric;
use pliant_core::world::World;
use pliant_math::DVec3;

use super::passing::{ball, floor};
use super::sheets::{LAW, at, sheet, world_of};
use crate::worlds::advance;

/// Triangles of the first body that intersect others they share no corner with: an edge of one passes
/// through the inside of the other.
fn intersections(world: &World) -> usize {
    let p = &world.state.particles;
    let mut place = vec![0; p.len()];
    for (i, &id) in p.id.iter().enumerate() {
        place[id as usize] = i;
    }
    let fabric = world.setup.bodies[0]
        .particles
        .structure_of::<Fabric>()
        .expect("cloth");
    let corners = |t: &[u32; 3]| t.map(|k| p.position[place[k as usize]]);
    let mut count = 0;
    for (k, one) in fabric.triangles.iter().enumerate() {
        for other in &fabric.triangles[k + 1..] {
            if !one.iter().any(|c| other.contains(c)) && intersect(corners(one), corners(other)) {
                count += 1;
            }
        }
    }
    count
}

fn intersect(one: [DVec3; 3], other: [DVec3; 3]) -> bool {
    let box_of = |t: [DVec3; 3]| (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
    let ((a, b), (c, d)) = (box_of(one), box_of(other));
    if a.cmpgt(d).any() || c.cmpgt(b).any() {
        return false;
    }
    let edges = |t: [DVec3; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let pierces = |(p, q): (DVec3, DVec3), t: [DVec3; 3]| {
        let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
        let [a, b, c] = t;
        let crosses = volume(a, b, c, p) * volume(a, b, c, q) < 0.0;
        let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        crosses && (sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0))
    };
    edges(one).into_iter().any(|e| pierces(e, other))
        || edges(other).into_iter().any(|e| pierces(e, one))
}

#[test]
fn intersecting_triangles_are_reported() {
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Z];
    let upright = [
        DVec3::new(0.2, -0.5, 0.2),
        DVec3::new(0.2, 0.5, 0.2),
        DVec3::new(2.0, 0.5, 2.0),
    ];
    assert!(intersect(flat, upright));
    assert!(!intersect(flat, upright.map(|x| x + DVec3::Y)));
}

#[test]
fn a_sheet_over_a_ball_folds_without_intersecting_itself() {
    let cloth = sheet(LAW, [29, 29], 0.025, at(0.0, 0.25, 0.0));
    let mut setup = world_of(LAW, vec![cloth]);
    setup.colliders = vec![floor(), ball(0.15, DVec3::Y * 0.08)];
    setup.solver.iterations = 6;
    setup.solver.damping = 0.5;
    let mut world = World::new(setup);
    for second in 0..7 {
        advance(&mut world, 2e-3, 50, 2).expect("a sound scene");
        assert_eq!(
            intersections(&world),
            0,
            "after {} s",
            0.1 * f64::from(second + 1)
        );
    }
}

#[test]
fn a_sheet_that_falls_on_its_edge_crumples_without_intersecting_itself() {
    let upright = pliant_math::Pose {
        rotation: pliant_math::DQuat::from_rotation_x(1.45),
        translation: DVec3::Y * 0.32,
    };
    let cloth = sheet(LAW, [19, 25], 0.025, upright);
    let mut setup = world_of(LAW, vec![cloth]);
    setup.colliders = vec![floor()];
    setup.solver.iterations = 6;
    let mut world = World::new(setup);
    for second in 0..7 {
        advance(&mut world, 2e-3, 50, 2).expect("a sound scene");
        assert_eq!(
            intersections(&world),
            0,
            "after {} s",
            0.1 * f64::from(second + 1)
        );
    }
}

#[test]
fn sheets_that_start_interlaced_separate() {
    // In the same place to the last bit: what lies between them has no direction.
    let turned = pliant_math::Pose {
        rotation: pliant_math::DQuat::from_rotation_x(0.3),
        translation: DVec3::Y * 0.06,
    };
    let [one, other] = [0, 1].map(|_| sheet(LAW, [9, 9], 0.025, turned));
    let mut setup = world_of(LAW, vec![one, other]);
    setup.colliders = vec![floor()];
    setup.solver.iterations = 6;
    let mut world = World::new(setup);
    advance(&mut world, 2e-3, 100, 2).expect("a sound scene");
    assert_eq!(intersections(&world), 0);
    let p = &world.state.particles;
    let middle = |body: u32| {
        let of_body = (0..p.len()).filter(|&i| p.body[i] == body);
        of_body.map(|i| p.position[i].y).sum::<f64>() / 81.0
    };
    // Surfaces keep the thickness of contacts apart, a quarter of the spacing.
    let gap = middle(1) - middle(0);
    assert!((4e-3..9e-3).contains(&gap), "{gap}");
}
