//! A hanging cloth of springs over the parameters of their law: Vogiannou et al. 2010, fig. 8.

use std::sync::Arc;

use pliant_core::methods::springs::Network;
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_materials::springs::{CubicSpring, NotMonotone, SpringCurve};
use pliant_materials::{Law, SpringLaw, Springs};
use pliant_math::{DVec3, to_double};

use crate::{Case, Claim, Expected, Figure, run};

/// Mean stretch of the threads that hang down, over the grid of the figure.
pub const HANGING: Claim = Claim {
    statement: "a hanging cloth of cubic springs stretches at most as much as single threads, and less for stiffer and nearer second points",
    measure: || {
        let mut all = Vec::new();
        for offset in OFFSETS {
            let mut row = Vec::new();
            for factor in FACTORS {
                let curve = curve(factor, offset).unwrap_or(SpringCurve::linear(STIFFNESS));
                row.push((mean_stretch(curve)?, alone(&curve)));
            }
            all.push(row);
        }
        let ratios = all
            .iter()
            .flatten()
            .map(|(measured, alone)| measured / alone);
        let least = ratios.clone().fold(f64::INFINITY, f64::min);
        let greatest = ratios.fold(0.0, f64::max);
        let falls = |row: &Vec<(f64, f64)>| row.windows(2).all(|pair| pair[0].0 > pair[1].0);
        let rises = all.windows(2).all(|rows| {
            let mut pairs = rows[0].iter().zip(&rows[1]);
            pairs.all(|(near, far)| near.0 < far.0)
        });
        let ordered = all.iter().all(falls) && rises;
        Ok(vec![
            Figure::new(
                "least stretch over that alone",
                least,
                Expected::AtLeast(0.75),
            ),
            Figure::new(
                "greatest stretch over that alone",
                greatest,
                Expected::AtMost(1.0),
            ),
            Figure::new(
                "ordered as printed (1 yes)",
                f64::from(u8::from(ordered)),
                Expected::AtLeast(1.0),
            ),
            Figure::new("softest", all[4][0].0, Expected::within(0.0498, 0.1)),
            Figure::new("stiffest", all[0][4].0, Expected::within(0.0161, 0.1)),
        ])
    },
};

/// K [N/m], which the figure does not print: stretches then fill its axis.
const STIFFNESS: f64 = 100.0;
/// Lengths of the second point less the rest length, in rest lengths.
const OFFSETS: [f64; 5] = [0.02, 0.04, 0.06, 0.08, 0.1];
/// K1 over K; K2 is 2 K.
const FACTORS: [f64; 5] = [2.0, 4.0, 6.0, 8.0, 10.0];
const COUNT: usize = 32;
const SPACING: f64 = 0.02;
/// Of the whole cloth [kg].
const MASS: f64 = 1.0;
const GRAVITY: f64 = 9.81;

fn curve(factor: f64, offset: f64) -> Result<SpringCurve, NotMonotone> {
    let spring = CubicSpring {
        stiffness: STIFFNESS,
        stretched_stiffness: factor * STIFFNESS,
        compressed_stiffness: 2.0 * STIFFNESS,
        stretched_length: 1.0 + offset,
        compressed_length: 1.0 - offset,
    };
    spring.curve()
}

/// The mean strain of a thread alone, each spring of which carries the particles below.
fn alone(curve: &SpringCurve) -> f64 {
    let particle_mass = MASS / (COUNT * COUNT) as f64;
    let strain = |below: usize| {
        let force = below as f64 * particle_mass * GRAVITY;
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let is_short = SPACING * curve.tension(middle) < force;
            *(if is_short { &mut low } else { &mut high }) = middle;
        }
        low
    };
    (1..COUNT).map(strain).sum::<f64>() / (COUNT - 1) as f64
}

/// The mean strain of the springs along the threads that hang down, at rest.
fn mean_stretch(curve: SpringCurve) -> Result<f64, StepError> {
    let mut law = Springs::new(SpringLaw::Curve(curve));
    law.damping = 0.02;
    let material = Material {
        name: "cloth".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::Springs(law),
    };
    let at = |k: usize| DVec3::new((k % COUNT) as f64, -((k / COUNT) as f64), 0.0) * SPACING;
    let points: Vec<DVec3> = (0..COUNT * COUNT).map(at).collect();
    let mut case = Case::new(material, points.clone(), SPACING).pin(|x| x.y == 0.0);
    let particles = &mut case.body().particles;
    particles.particle_mass = MASS / (COUNT * COUNT) as f64;
    let network = Network::grid([COUNT, COUNT], points, triangles());
    particles.structure = Some(Arc::new(network));
    case.setup.solver.damping = 2.0;
    let mut world = World::new(case.setup);
    // Two decades after the slowest motion has died away.
    run(&mut world, 1e-2, 400, |_, _| ())?;
    let p = &world.state.particles;
    debug_assert!(p.velocity.iter().all(|&v| to_double(v).length() < 0.05));
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_unstable_by_key(|&i| p.id[i]);
    let position = |k: usize| p.position[order[k]];
    let strain = |k: usize| position(k).distance(position(k - COUNT)) / SPACING - 1.0;
    let strains = (COUNT..COUNT * COUNT).map(strain);
    Ok(strains.sum::<f64>() / (COUNT * (COUNT - 1)) as f64)
}

/// Cells of the cloth as two triangles each.
fn triangles() -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for k in 0..COUNT * (COUNT - 1) {
        if k % COUNT + 1 < COUNT {
            let [a, b] = [k as u32, k as u32 + 1];
            let [c, d] = [a + COUNT as u32, b + COUNT as u32];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    triangles
}
