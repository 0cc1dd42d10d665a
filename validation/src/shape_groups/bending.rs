//! A beam of hexahedra under its own weight.

use pliant_core::methods::shape_groups::{Filter, ShapeGroupsSettings};
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::DVec3;

use super::{DENSITY, SIDE, YOUNGS_MODULUS, hexahedra, neo_hookean, step, world_of};
use crate::{Claim, Curve, Expected, Figure, Plot, run};

/// With steps of all lengths.
pub const BENDING: Claim = Claim {
    statement: "a beam of shape groups bends by beam theory whatever the step",
    measure: || {
        let mut figures = Vec::new();
        for (rows, within) in [(2, 0.7), (4, 0.2), (8, 0.06)] {
            let what = format!("sag over theory, {rows} rows");
            let bound = Expected::Near(1.0, within);
            figures.push(Figure::new(
                what,
                sag_ratio(rows, 0.2, Filter::Compliant)?,
                bound,
            ));
        }
        let mut ratios = Vec::new();
        for crossed in STEPS {
            let ratio = sag_ratio(4, crossed, Filter::Compliant)?;
            let what = format!("sag over theory, 4 rows, steps that cross {crossed} sides");
            let figure = Figure::new(what, ratio, Expected::Near(1.0, 0.2));
            let curve = Curve::measured(SAGS, "compliant filter", vec![[crossed, ratio]]);
            figures.push(figure.with(curve));
            ratios.push(ratio);
        }
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = ratios.iter().copied().fold(0.0, f64::max);
        let what = "greatest sag over the least less 1";
        figures.push(Figure::new(
            what,
            greatest / least - 1.0,
            Expected::AtMost(0.02),
        ));
        Ok(figures)
    },
};

/// With the published filter, of which the prototype left as much with the same steps.
pub const BENDING_AS_PUBLISHED: Claim = Claim {
    statement: "with the published filter a beam of shape groups bends the less the shorter the step",
    measure: || {
        let mut figures = Vec::new();
        for (crossed, left) in STEPS.into_iter().zip([0.041, 0.064, 0.145, 0.5]) {
            let ratio = sag_ratio(4, crossed, Filter::Full)?;
            let what = format!("sag over theory, steps that cross {crossed} sides");
            let figure = Figure::new(what, ratio, Expected::within(left, 0.3));
            let curve = Curve::measured(SAGS, "published filter", vec![[crossed, ratio]]);
            figures.push(figure.with(curve));
        }
        Ok(figures)
    },
};

/// Sides that a wave crosses in a step.
const STEPS: [f64; 4] = [0.05, 0.1, 0.2, 0.5];

const SAGS: Plot = Plot {
    title: "Sag of a beam of shape groups over that of beam theory",
    unit: "",
    across: "sides that a wave crosses in a step",
    across_unit: "",
    is_logarithmic: [true, true],
};

/// Length over height.
const SLENDERNESS: i64 = 5;
const POISSONS_RATIO: f64 = 0.3;
/// Times rows: weak enough that the beam stays nearly straight [m/s2].
const GRAVITY: f64 = 0.08;

/// Of the end of a beam that is held at its other, over theory: bending and shear.
fn sag_ratio(rows: i64, crossed: f64, filter: Filter) -> Result<f64, StepError> {
    let groups = hexahedra([rows, rows, SLENDERNESS * rows]);
    let mut setup = world_of(neo_hookean(POISSONS_RATIO), groups);
    let settings: &mut ShapeGroupsSettings = setup.solver.methods.of_mut();
    settings.filter = filter;
    // Forces grow with the size.
    let gravity = GRAVITY / rows as f64;
    setup.gravity = DVec3::Y * -gravity;
    let particles = &mut setup.bodies[0].particles;
    for (pinned, x) in particles.is_pinned.iter_mut().zip(&particles.position) {
        *pinned = x.z < 0.5 * SIDE;
    }
    let rest = particles.position.clone();
    let height = rows as f64 * SIDE;
    let length = SLENDERNESS as f64 * height;
    // Of the first mode: 3.516 sqrt(E I / (rho A)) / L^2.
    let frequency = 3.516 * (YOUNGS_MODULUS / DENSITY / 12.0).sqrt() * height / (length * length);
    setup.solver.damping = 2.0 * frequency;
    let mut world = World::new(setup);
    let dt = step(crossed);
    run(&mut world, dt, (10.0 / frequency / dt) as usize, |_, _| ())?;
    let shear_modulus = YOUNGS_MODULUS / (2.0 * (1.0 + POISSONS_RATIO));
    // Per area of the section, with I/A = h^2/12 and 5/6 of the section in shear.
    let bending = 12.0 * length.powi(4) / (8.0 * YOUNGS_MODULUS * height * height);
    let shear = length * length / (2.0 * shear_modulus * 5.0 / 6.0);
    let theory = DENSITY * gravity * (bending + shear);
    Ok(sag_at_end(&world, &rest, length) / theory)
}

fn sag_at_end(world: &World, rest: &[DVec3], length: f64) -> f64 {
    let p = &world.state.particles;
    let at_end = (0..p.len()).filter(|&i| rest[p.id[i] as usize].z > length - 0.5 * SIDE);
    let sags: Vec<f64> = at_end
        .map(|i| rest[p.id[i] as usize].y - p.position[i].y)
        .collect();
    sags.iter().sum::<f64>() / sags.len() as f64
}
