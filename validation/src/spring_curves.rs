//! Force and stiffness of single springs over their length: Vogiannou et al. 2010, figs. 1 and 2.

use std::sync::Arc;

use pliant_core::methods::springs::{Network, Spring, SpringClass};
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_materials::springs::{CubicSpring, SpringCurve};
use pliant_materials::{Law, SpringLaw, Springs};
use pliant_math::{DVec3, to_double};

use crate::{Case, Claim, Curve, Expected, Figure, Plot, run};

/// Forces on the free ends of springs of length 1 m and stiffness 1 N/m, as fig. 2 shows them.
pub const FORCES: Claim = Claim {
    statement: "springs have the published forces: cubic ones stiffen in tension and compression, two-term ones buckle in compression",
    measure: || {
        let lengths: Vec<f64> = (1..=80).map(|k| 0.025 * f64::from(k)).collect();
        let mut error = 0.0f64;
        let mut figures = Vec::new();
        for (name, curve) in laws() {
            let measured = forces(curve, &lengths)?;
            let points = || lengths.iter().copied();
            let drawn = points().zip(&measured).filter(|(_, f)| f.abs() < 2.0);
            let drawn = drawn.map(|(x, &f)| [x, f]).collect();
            let [a, b, c, d] = curve.coefficients(1.0);
            let printed = |r: f64| ((a * r + b) * r + c) * r + d;
            for (r, force) in points().zip(&measured) {
                error = error.max((force - printed(r)).abs() / printed(r).abs().max(1.0));
            }
            let weakest = measured.iter().fold(0.0f64, |m, &f| m.min(f));
            let expected = match name {
                "spring" => Expected::within(-0.975, 1e-3),
                "St. Venant-Kirchhoff" => Expected::within(-0.192_45, 1e-3),
                _ => Expected::AtMost(-2.0),
            };
            let figure = Figure::new(format!("strongest push [N], {name}"), weakest, expected);
            figures.push(figure.with(Curve::measured(FORCE, name, drawn)));
        }
        let what = "greatest difference from the cubic of eq. 2 [N, or share]";
        figures.push(Figure::new(what, error, Expected::AtMost(1e-4)));
        Ok(figures)
    },
};

/// Slopes of the same forces, as fig. 1 shows them.
pub const STIFFNESSES: Claim = Claim {
    statement: "cubic springs have the given stiffness at rest, stretched and compressed; two-term ones buckle in compression",
    measure: || {
        let step = 1e-3;
        let lengths: Vec<f64> = (0..=40).map(|k| 0.8 + 0.01 * f64::from(k)).collect();
        let mut figures = Vec::new();
        for (name, curve) in laws() {
            let shifted = |by: f64| lengths.iter().map(move |x| x + by).collect::<Vec<f64>>();
            let (low, high) = (
                forces(curve, &shifted(-step))?,
                forces(curve, &shifted(step))?,
            );
            let slopes = low.iter().zip(&high).map(|(a, b)| (b - a) / (2.0 * step));
            let slopes: Vec<f64> = slopes.collect();
            let drawn = lengths.iter().zip(&slopes).map(|(&x, &s)| [x, s]).collect();
            let mut drawn = Some(Curve::measured(STIFFNESS, name, drawn));
            // At 0.9, 1 and 1.1 rest lengths.
            for (place, at) in [(10, "0.9"), (20, "1"), (30, "1.1")] {
                let expected = curve.slope(lengths[place] - 1.0);
                let what = format!("stiffness at {at} m [N/m], {name}");
                let figure = Figure::new(what, slopes[place], Expected::Near(expected, 5e-3));
                figures.push(match drawn.take() {
                    Some(curve) => figure.with(curve),
                    None => figure,
                });
            }
        }
        Ok(figures)
    },
};

const FORCE: Plot = Plot {
    title: "Force of a spring: Vogiannou et al. 2010, fig. 2",
    unit: "N",
    across: "length",
    across_unit: "m",
    is_logarithmic: [false, false],
};

const STIFFNESS: Plot = Plot {
    title: "Stiffness of a spring: Vogiannou et al. 2010, fig. 1",
    unit: "N/m",
    ..FORCE
};

/// The curves of the figures, for K = 1 N/m and L = 1 m; K2 = 2 K at 0.9 L, and K1 at 1.1 L.
fn laws() -> [(&'static str, SpringCurve); 5] {
    let cubic = |stretched_stiffness: f64| {
        let spring = CubicSpring {
            stiffness: 1.0,
            stretched_stiffness,
            compressed_stiffness: 2.0,
            stretched_length: 1.1,
            compressed_length: 0.9,
        };
        spring.curve().unwrap_or(SpringCurve::linear(1.0))
    };
    [
        ("spring", SpringCurve::linear(1.0)),
        ("St. Venant-Kirchhoff", SpringCurve::two_term(1.0)),
        ("full cubic, K1 = 2 K", cubic(2.0)),
        ("full cubic, K1 = 4 K", cubic(4.0)),
        ("full cubic, K1 = 6 K", cubic(6.0)),
    ]
}

/// Tension [N] of springs of 1 m at lengths [m]: what a short step does to their free ends.
fn forces(curve: SpringCurve, lengths: &[f64]) -> Result<Vec<f64>, StepError> {
    let dt = 1e-4;
    let material = Material {
        name: "springs".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::Springs(Springs::new(SpringLaw::Curve(curve))),
    };
    let ends = |(k, &length): (usize, &f64)| {
        let start = DVec3::new(0.0, 0.0, k as f64);
        [start, start + DVec3::X * length]
    };
    let points: Vec<DVec3> = lengths.iter().enumerate().flat_map(ends).collect();
    let mut network = Network {
        rest_position: points.clone(),
        ..Network::default()
    };
    network.springs = (0..lengths.len() as u32)
        .map(|k| Spring {
            ends: [2 * k, 2 * k + 1],
            rest_length: 1.0,
            class: SpringClass::Structural,
        })
        .collect();
    let mut case = Case::new(material, points, 1e-3).pin(|x| x.x == 0.0);
    case.setup.gravity = DVec3::ZERO;
    let particles = &mut case.body().particles;
    particles.particle_mass = 1.0;
    particles.structure = Some(Arc::new(network));
    let mut world = World::new(case.setup);
    run(&mut world, dt, 1, |_, _| ())?;
    let p = &world.state.particles;
    let mut tensions = vec![0.0; lengths.len()];
    for (&id, &v) in p.id.iter().zip(&p.velocity) {
        if id % 2 == 1 {
            tensions[id as usize / 2] = -to_double(v).x / dt;
        }
    }
    Ok(tensions)
}
