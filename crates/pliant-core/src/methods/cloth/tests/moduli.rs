//! Stiffnesses against closed forms.

use pliant_materials::ClothLaw;
use pliant_math::DVec3;

use super::{LAW, Sample};
use crate::rest::samples::grid;

const ORTHOTROPIC: ClothLaw = ClothLaw {
    warp_stiffness: 200.0,
    weft_stiffness: 80.0,
    shear_stiffness: 30.0,
    ..LAW
};

/// A square of 0.4 m held at one side and drawn at the other by a force per width [N/m].
fn drawn(force: DVec3, side: impl Fn(DVec3) -> f64, dt: f64, iterations: usize) -> (Sample, f64) {
    let fabric = grid([9, 9], 0.05);
    let mut sample = Sample::new(fabric, ORTHOTROPIC, |x| side(x) < 1e-9);
    for (f, x) in sample.force.iter_mut().zip(&sample.position) {
        if side(*x) > 0.4 - 1e-9 {
            let is_corner = side(DVec3::new(x.z, 0.0, x.x)) % 0.4 < 1e-9;
            *f = force * 0.05 * if is_corner { 0.5 } else { 1.0 };
        }
    }
    (sample.damping, sample.iterations) = (20.0, iterations);
    sample.run((2.0 / dt) as usize, dt);
    let before = grid([9, 9], 0.05).rest_position;
    let moved = before
        .iter()
        .zip(&sample.position)
        .filter(|(x, _)| side(**x) > 0.4 - 1e-9);
    let sum: f64 = moved.map(|(x, y)| (*y - *x).length()).sum();
    (sample, sum / 9.0)
}

#[test]
fn a_strip_drawn_along_warp_and_weft_has_their_stiffnesses() {
    let (_, warp) = drawn(DVec3::X * 4.0, |x| x.x, 2e-3, 20);
    let (_, weft) = drawn(DVec3::Z * 4.0, |x| x.z, 2e-3, 20);
    assert!((warp / 0.4 - 4.0 / 200.0).abs() < 1e-4, "{}", warp / 0.4);
    assert!((weft / 0.4 - 4.0 / 80.0).abs() < 1e-4, "{}", weft / 0.4);
}

#[test]
fn stiffness_depends_on_neither_iterations_nor_substeps() {
    let reference = drawn(DVec3::X * 4.0, |x| x.x, 1e-3, 40).1;
    for (dt, iterations) in [(1e-3, 4), (2e-3, 10), (4e-3, 20), (8e-3, 60)] {
        let stretch = drawn(DVec3::X * 4.0, |x| x.x, dt, iterations).1;
        assert!(
            (stretch / reference - 1.0).abs() < 0.03,
            "{dt} {iterations}: {stretch} {reference}"
        );
    }
}

/// A homogeneous shear: all vertices on the border held there, those inside find their place.
#[test]
fn a_sheared_sheet_has_the_energy_of_its_stiffness() {
    let is_border = |x: DVec3| x.x % 0.4 < 1e-9 || x.z % 0.4 < 1e-9 || x.x > 0.399 || x.z > 0.399;
    let mut sample = Sample::new(grid([9, 9], 0.05), ORTHOTROPIC, is_border);
    let angle = 0.02;
    for x in &mut sample.position {
        x.z += angle * x.x;
    }
    (sample.damping, sample.iterations) = (20.0, 20);
    sample.run(500, 2e-3);
    // k_s/2 g^2 a unit of area, and k_u/2 (g^2/2)^2 by the length that the warp gains.
    let expected =
        0.16 * (0.5 * 30.0 * angle * angle + 0.5 * 200.0 * (0.5 * angle * angle).powi(2));
    let energy = sample.energy();
    assert!(
        (energy / expected - 1.0).abs() < 0.005,
        "{energy} {expected}"
    );
}

fn cantilever_sag(dt: f64, iterations: usize) -> f64 {
    let (spacing, cells) = (0.02, 20);
    let law = ClothLaw {
        bending_stiffness: 2e-2,
        warp_stiffness: 1e3,
        weft_stiffness: 1e3,
        ..ORTHOTROPIC
    };
    let fabric = grid([cells + 2, 4], spacing);
    let mut sample = Sample::new(fabric, law, |x| x.x < 1.5 * spacing);
    sample.gravity = DVec3::NEG_Y * 0.5;
    (sample.damping, sample.iterations) = (10.0, iterations);
    sample.run((3.0 / dt) as usize, dt);
    // The bend at the clamp stands for half a cell before it: (1 + 2 h/L) in the linear theory.
    let length = spacing * f64::from(cells);
    let load = 0.5 * super::DENSITY * law.thickness;
    let linear = load * length.powi(4) / (8.0 * law.bending_stiffness);
    let tips = sample
        .position
        .iter()
        .filter(|x| x.x > length + 0.5 * spacing);
    let sag: f64 = tips.map(|x| -x.y).sum::<f64>() / 4.0;
    sag / (linear * (1.0 + 2.0 * spacing / length))
}

#[test]
fn a_bent_strip_sags_as_a_cantilever() {
    for (dt, iterations) in [(1e-3, 20), (2e-3, 60)] {
        let ratio = cantilever_sag(dt, iterations);
        assert!((ratio - 1.0).abs() < 0.03, "{dt} {iterations}: {ratio}");
    }
}

#[test]
fn a_sheet_folded_at_rest_stays_folded() {
    let mut fabric = grid([6, 6], 0.05);
    for x in &mut fabric.rest_position {
        // A right angle at x = 0.1.
        if x.x > 0.1 {
            (x.x, x.y) = (0.1, x.x - 0.1);
        }
    }
    let law = ClothLaw {
        bending_stiffness: 1e-2,
        ..LAW
    };
    let mut sample = Sample::new(fabric, law, |_| false);
    assert!(sample.energy() < 1e-20, "{:e}", sample.energy());
    sample.run(50, 2e-3);
    assert!(sample.velocity.iter().all(|v| v.length() < 1e-4));
    // Flattened, it springs back.
    for x in &mut sample.position {
        if x.y > 1e-6 {
            (x.x, x.y) = (0.1 + x.y, 0.0);
        }
    }
    sample.damping = 5.0;
    assert!(sample.energy() > 1e-3);
    sample.run(1000, 2e-3);
    assert!(sample.energy() < 1e-5, "{}", sample.energy());
}
