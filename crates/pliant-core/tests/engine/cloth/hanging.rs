//! Heavy strips against closed forms.

use pliant_core::world::World;
use pliant_materials::ClothLaw;
use pliant_math::{DVec3, Pose};

use super::sheets::{LAW, at, sheet, world_of};
use crate::worlds::advance;

const GRAVITY: f64 = 9.81;

/// Places of the particles in order of their ids.
fn positions(world: &World) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_unstable_by_key(|&i| p.id[i]);
    order.into_iter().map(|i| p.position[i]).collect()
}

/// An elastic catenary (Irvine 1981, sec. 1.3) of length L and weight w a length, with stiffness EA,
/// between two points of equal height a span apart: the sag of its middle.
fn catenary_sag(length: f64, span: f64, weight: f64, stiffness: f64) -> f64 {
    // x(s) = H s/EA + H/w (asinh((V0 + w (s - L/2))/H) ...) at its ends, V = w (s - L/2).
    let spanned =
        |h: f64| h * length / stiffness + 2.0 * h / weight * libm::asinh(0.5 * weight * length / h);
    let (mut low, mut high) = (1e-9 * weight * length, 1e3 * weight * length);
    for _ in 0..200 {
        let middle = libm::sqrt(low * high);
        if spanned(middle) < span {
            low = middle;
        } else {
            high = middle;
        }
    }
    let h = low;
    let end = 0.5 * weight * length;
    weight * length * length / (8.0 * stiffness) + (h.hypot(end) - h) / weight
}

#[test]
fn a_heavy_strip_between_two_points_hangs_as_an_elastic_catenary() {
    let law = ClothLaw {
        bending_stiffness: 1e-9,
        ..LAW
    };
    let (spacing, cells) = (0.02, 50);
    let mut strip = sheet(law, [cells + 1, 3], spacing, at(0.0, 1.0, 0.0));
    // Held at both ends, which stand nearer by a fifth: the strip starts as a slack zigzag of its own.
    let (length, span) = (1.0, 0.8);
    for (k, x) in strip.particles.position.iter_mut().enumerate() {
        let column = k % (cells + 1);
        x.x *= span / length;
        x.y -= 0.3 * (1.0 - (x.x / (0.5 * span)).powi(2));
        strip.particles.is_pinned[k] = column == 0 || column == cells;
    }
    let mut setup = world_of(law, vec![strip]);
    setup.colliders.clear();
    setup.solver.damping = 4.0;
    setup.solver.iterations = 20;
    let mut world = World::new(setup);
    advance(&mut world, 1e-3, 3000, 1).expect("a sound scene");
    let weight = super::sheets::DENSITY * law.thickness * GRAVITY;
    let expected = catenary_sag(length, span, weight, law.warp_stiffness);
    let middle = positions(&world)[cells + 1 + cells / 2];
    let sag = 1.0 - middle.y;
    assert!((sag / expected - 1.0).abs() < 0.01, "{sag} {expected}");
}

#[test]
fn a_strip_hung_by_one_end_stretches_under_its_weight() {
    let (spacing, cells) = (0.02, 50);
    let law = ClothLaw {
        weft_stiffness: 50.0,
        ..LAW
    };
    let upright = Pose {
        rotation: pliant_math::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        translation: DVec3::Y * 2.0,
    };
    let mut strip = sheet(law, [3, cells + 1], spacing, upright);
    let top = strip
        .particles
        .position
        .iter()
        .map(|x| x.y)
        .fold(f64::MIN, f64::max);
    for k in 0..strip.particles.position.len() {
        strip.particles.is_pinned[k] = strip.particles.position[k].y > top - 1e-9;
    }
    let mut setup = world_of(law, vec![strip]);
    setup.colliders.clear();
    (setup.solver.damping, setup.solver.iterations) = (4.0, 20);
    let mut world = World::new(setup);
    advance(&mut world, 1e-3, 2000, 1).expect("a sound scene");
    let lowest = positions(&world)
        .iter()
        .map(|x| x.y)
        .fold(f64::MAX, f64::min);
    // Strain w (L - s)/k.
    let weight = super::sheets::DENSITY * law.thickness * GRAVITY;
    let expected = 1.0 + weight / (2.0 * law.weft_stiffness);
    let length = top - lowest;
    assert!(
        ((length - 1.0) / (expected - 1.0) - 1.0).abs() < 0.01,
        "{length} {expected}"
    );
}
