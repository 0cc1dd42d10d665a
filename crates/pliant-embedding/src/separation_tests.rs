use pliant_geometry::{in_order, self_intersections};
use pliant_parallel::Pool;

use super::crack_tests::{SPACING, area, assert_closed, body, carriers, render, seams};
use super::test_body::TestBody;
use super::*;

/// Where a point of the rest shape [m] is pressed to, and F.
type Map<'a> = &'a dyn Fn(DVec3) -> (DVec3, DMat3);

/// A surface as particles carry it, and so that it does not meet itself.
struct Pressed {
    carried: TriangleMesh,
    separated: TriangleMesh,
}

impl Pressed {
    /// A block that is cut and pressed.
    fn new(piece: impl Fn(DVec3) -> u32, seams: &[CutBond], body: &TestBody, map: Map<'_>) -> Self {
        let rest = &body.position;
        let piece: Vec<u32> = rest.iter().map(|&x| piece(x)).collect();
        let embedded_mesh = EmbeddedMesh::new(&render(), body, &piece, seams);
        let carriers = carriers(rest, map);
        let mesh = |vertices: Vec<Carried>| TriangleMesh {
            vertices: vertices.iter().map(|vertex| vertex.position).collect(),
            triangles: embedded_mesh.triangles.clone(),
        };
        Self {
            carried: mesh(embedded_mesh.placed(rest, &carriers)),
            separated: mesh(embedded_mesh.carried(rest, &carriers)),
        }
    }

    /// Checks that the surface is closed, does not meet itself, and is about what it was. Returns how many pairs of
    /// triangles crossed.
    fn check(&self) -> usize {
        let Self { carried, separated } = self;
        let crossing = self_intersections(carried, in_order).len();
        assert_closed(separated);
        assert_eq!(self_intersections(separated, in_order), [] as [[u32; 2]; 0]);
        let volume = separated.volume() / carried.volume() - 1.0;
        let area = area(separated) / area(carried) - 1.0;
        assert!(volume.abs() < 5e-3 && area.abs() < 5e-3, "{volume} {area}");
        assert!(self.farthest() < 0.25 * SPACING, "{}", self.farthest());
        crossing
    }

    /// How far a vertex was moved at most [m].
    fn farthest(&self) -> f64 {
        let moved = self.carried.vertices.iter().zip(&self.separated.vertices);
        moved.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    }
}

/// Both sides of a slit from above to a height, each pressed into the other by a part of a spacing where it is open.
fn slit(body: &TestBody, tip: f64, depth: f64) -> Pressed {
    let seams = seams(body, |x| x.x - 0.03, |x| x.y > tip);
    let press = |x: DVec3| {
        let side = if x.x > 0.03 { -1.0 } else { 1.0 };
        let above = ((x.y - tip) / 0.3).clamp(0.0, 1.0);
        let slope = if above < 1.0 { 2.0 * above / 0.3 } else { 0.0 };
        let [shift, rate] = [above * above, slope].map(|of| of * side * depth * SPACING);
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(rate, 1.0, 0.0), DVec3::Z);
        (x + DVec3::X * shift, shear)
    };
    Pressed::new(|_| 0, &seams, body, &press)
}

#[test]
fn faces_of_a_slit_that_are_pressed_together_do_not_cross() {
    let body = body(0.3);
    let mut crossing = 0;
    for step in 0..5 {
        let tip = 0.5 - 0.2 * f64::from(step);
        for depth in [0.022, 0.05] {
            crossing += slit(&body, tip, depth).check();
        }
    }
    assert!(crossing > 1000, "{crossing}");
}

/// The upper part of a block that was cut askew, which slides on the lower one and is pressed into it.
fn slide(body: &TestBody, way: f64, depth: f64) -> Pressed {
    let normal = DVec3::new(0.3, 1.0, 0.2).normalize();
    let above = |x: DVec3| x.dot(normal) - 0.02;
    let seams = seams(body, above, |_| true);
    let along = DVec3::new(1.0, -0.3, 0.0).normalize();
    let press = |x: DVec3| {
        if above(x) < 0.0 {
            return (x, DMat3::IDENTITY);
        }
        let turn = DMat3::from_axis_angle(normal, 0.4 * way);
        // Bent a little, so that it is pressed in here more than there.
        let uneven = 0.02 * SPACING * (6.0 * x.x).sin();
        let bent = 0.12 * SPACING * (6.0 * x.x).cos();
        let bend = DMat3::from_cols(DVec3::X + normal * bent, DVec3::Y, DVec3::Z);
        let shift = along * way + normal * (uneven - depth * SPACING);
        (turn * x + shift, bend * turn)
    };
    Pressed::new(|x| u32::from(above(x) > 0.0), &seams, body, &press)
}

#[test]
fn faces_that_slid_along_each_other_do_not_cross() {
    let body = body(0.3);
    let mut crossing = 0;
    for step in 0..4 {
        crossing += slide(&body, 0.1 * f64::from(step), 0.05).check();
    }
    assert!(crossing > 500, "{crossing}");
}

#[test]
fn faces_that_are_not_pressed_stay_where_they_are() {
    let body = body(0.3);
    for of in [slit(&body, 0.0, 0.0), slide(&body, 0.2, -0.1)] {
        assert_eq!(of.check(), 0);
        assert!(of.carried.vertices == of.separated.vertices);
    }
    // And so do those that are far from where others are.
    let pressed = slit(&body, 0.0, 0.05);
    assert!(pressed.check() > 0 && pressed.farthest() > 0.0);
    let both = pressed
        .carried
        .vertices
        .iter()
        .zip(&pressed.separated.vertices);
    let far = both.filter(|(x, _)| (x.x - 0.03).abs() > 2.5 * SPACING);
    assert!(far.clone().count() > 100);
    for (x, moved) in far {
        assert_eq!(x, moved);
    }
}

#[test]
fn surfaces_are_separated_to_the_same_bits_by_any_number_of_threads() {
    let body = body(0.3);
    let of = |threads| {
        let pool = Pool::new(threads).unwrap();
        pool.run(|| slide(&body, 0.2, 0.05).separated)
    };
    let one = of(1);
    assert!([2, 3].iter().all(|&threads| of(threads) == one));
}

#[test]
fn faces_do_not_jump_while_they_are_pressed_more() {
    let body = body(0.3);
    let step = 8e-3;
    let of = |k: i32| {
        slide(&body, 0.15, 0.01 + step * f64::from(k))
            .separated
            .vertices
    };
    let mut last = of(0);
    for k in 1..5 {
        let next = of(k);
        let ways = next.iter().zip(&last).map(|(a, b)| a.distance(*b));
        let farthest = ways.fold(0.0, f64::max);
        assert!(farthest < 0.25 * SPACING, "{k}: {}", farthest / SPACING);
        last = next;
    }
}
