//! Passes over all constraints.

use pliant_materials::ClothLaw;
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream, Real, Vec3};

use super::{ClothStep, LAW, Sample};
use crate::parallel::Pool;
use crate::rest::samples::grid;

const STIFF: ClothLaw = ClothLaw {
    warp_stiffness: 4000.0,
    weft_stiffness: 2000.0,
    bending_stiffness: 1e-3,
    ..LAW
};

/// A sheet whose vertices move at random.
fn shaken(law: ClothLaw) -> Sample {
    let mut sample = Sample::new(grid([40, 30], 0.05), law, |_| false);
    let stream = RandomStream::new(3, 0);
    for (k, v) in sample.velocity.iter_mut().enumerate() {
        let unit = |axis: u64| (2.0 * stream.unit(3 * k as u64 + axis) - 1.0) as Real;
        *v = Vec3::new(unit(0), unit(1), unit(2));
    }
    sample
}

#[test]
fn a_free_sheet_keeps_its_momentum() {
    let mut sample = shaken(STIFF);
    let before = sample.momentum();
    sample.run(20, 2e-3);
    let scale: f64 = sample.mass.iter().sum();
    let tolerance = if size_of::<Real>() == 4 { 1e-6 } else { 1e-14 };
    assert!((sample.momentum() - before).length() < tolerance * scale);
}

#[test]
fn a_free_sheet_loses_energy_and_gains_none() {
    let mut sample = shaken(STIFF);
    let kinetic = |s: &Sample| -> f64 {
        let each = s.velocity.iter().zip(&s.mass);
        each.map(|(v, m)| 0.5 * m * f64::from(v.length_squared()))
            .sum()
    };
    let start = kinetic(&sample);
    for _ in 0..50 {
        sample.step(2e-3);
        assert!(kinetic(&sample) + sample.energy() < start);
    }
}

#[test]
fn bits_depend_on_neither_threads_nor_instructions() {
    let run = |threads: usize, instructions: Instructions| {
        let mut sample = shaken(STIFF);
        sample.cloth.set_instructions(instructions);
        Pool::new(threads).unwrap().run(|| sample.run(5, 2e-3));
        sample.velocity
    };
    let one = run(1, Instructions::BASELINE);
    for instructions in Instructions::available() {
        for threads in [1, 2, 4] {
            assert_eq!(run(threads, instructions), one);
        }
    }
}

#[test]
fn a_sheet_that_turns_about_its_middle_is_not_stretched() {
    let mut sample = Sample::new(grid([9, 9], 0.05), STIFF, |_| false);
    let middle = DVec3::new(0.2, 0.0, 0.2);
    let spin = DVec3::new(0.3, 1.0, -0.5);
    for (v, x) in sample.velocity.iter_mut().zip(&sample.position) {
        *v = pliant_math::to_real(spin.cross(*x - middle));
    }
    sample.run(200, 1e-3);
    // A quarter of a radian on, stretched by the centrifugal force alone: strains of
    // m w^2 r^2/(2 k) = 2e-6, which are 1e-9 J.
    assert!(sample.energy() < 1e-8, "{}", sample.energy());
}

#[test]
fn cloth_stretched_too_far_tears_and_stays_torn() {
    let law = ClothLaw {
        tear_strain: Some(0.5),
        ..LAW
    };
    let mut sample = Sample::new(grid([11, 5], 0.05), law, |x| x.x == 0.0);
    let ids: Vec<u32> = (0..sample.position.len() as u32).collect();
    // The middle column of cells is pulled to twice its width.
    for x in &mut sample.position {
        x.x += if x.x > 0.27 { 0.05 } else { 0.0 };
    }
    let vertices = super::Vertices {
        position: &sample.position,
        id: &ids,
    };
    let torn = sample.cloth.tear(vertices, &mut sample.columns);
    assert_eq!(torn, 8);
    sample.cloth.find(vertices, &sample.columns);
    assert_eq!(sample.cloth.triangles().len(), 80 - 8);
    // What is left on either side is not stretched: nothing draws it together.
    sample.run(5, 1e-3);
    assert!(sample.velocity.iter().all(|v| v.length() < 1e-5));
}

#[test]
fn removed_vertices_have_no_constraints() {
    let mut sample = Sample::new(grid([4, 4], 0.1), LAW, |_| false);
    let ids: Vec<u32> = (0..16).filter(|&id| id != 5).collect();
    let position: Vec<DVec3> = ids.iter().map(|&id| sample.position[id as usize]).collect();
    let vertices = super::Vertices {
        position: &position,
        id: &ids,
    };
    sample.cloth.find(vertices, &sample.columns);
    let around = sample.cloth.setup.sheets[0].fabric.triangles.iter();
    let lost = around.filter(|t| t.contains(&5)).count();
    assert_eq!(sample.cloth.triangles().len(), 18 - lost);
    let mut velocity = vec![Vec3::ZERO; 15];
    sample
        .cloth
        .project(&mut velocity, &[1.0; 15], ClothStep::new(1e-3, 1));
    assert!(velocity.iter().all(|v| v.length() < 1e-4));
}
