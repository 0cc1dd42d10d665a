//! How far columns of sand run out over their height, beside the experiments of Lube et al. 2004
//! (round columns) and Lube et al. 2005 (between plates), at two resolutions.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::{Box as Cuboid, Plane};
use pliant_math::{DQuat, DVec3, Pose, RandomStream};

use crate::column::{Column, RADIUS};
use crate::{Case, Claim, Curve, Expected, Figure, Plot, quantile, run, sand};

/// Round columns.
pub const ROUND: Claim = Claim {
    statement: "round columns of sand run out 0.4 to 1.0 times as far as in experiments, farther at finer spacing",
    measure: || figures(&ROUND_PLOT, [10.0, 16.0], [0.4, 1.0], lube_2004, round),
};

/// Columns between plates.
pub const BETWEEN_PLATES: Claim = Claim {
    statement: "columns of sand between plates run out 0.4 to 0.9 times as far as in experiments, farther at finer spacing",
    measure: || {
        figures(
            &PLATES_PLOT,
            [14.0, 24.0],
            [0.4, 0.9],
            lube_2005,
            between_plates,
        )
    },
};

/// Heights over radii, or over widths.
const ASPECTS: [f64; 6] = [0.5, 1.0, 2.0, 3.0, 4.0, 6.0];

const ROUND_PLOT: Plot = Plot {
    title: "Run-out of round columns",
    unit: "radii",
    across: "height over radius",
    across_unit: "",
    is_logarithmic: [true, true],
};

const PLATES_PLOT: Plot = Plot {
    title: "Run-out of columns between plates",
    unit: "widths",
    across: "height over width",
    ..ROUND_PLOT
};

/// (r - r0)/r0 of dry grains: 1.24 a for a < 1.7, 1.6 a^(1/2) above (Lube et al. 2004).
fn lube_2004(a: f64) -> f64 {
    if a < 1.7 { 1.24 * a } else { 1.6 * a.sqrt() }
}

/// (d - d0)/d0: 1.2 a for a < 1.8, 1.9 a^(2/3) for a > 2.8; a straight line between
/// (Lube et al. 2005).
fn lube_2005(a: f64) -> f64 {
    let (low, high) = (1.2 * 1.8, 1.9 * 2.8_f64.powf(2.0 / 3.0));
    if a < 1.8 {
        1.2 * a
    } else if a > 2.8 {
        1.9 * a.powf(2.0 / 3.0)
    } else {
        low + (high - low) * (a - 1.8)
    }
}

/// Run-outs at two resolutions, all between two shares of the experiment's, on average nearer to the experiment at the finer one. Experiments measure
/// the outermost grains; here it is the distance that 99 of 100 particles keep below.
fn figures(
    plot: &Plot,
    resolutions: [f64; 2],
    [low, high]: [f64; 2],
    experiment: fn(f64) -> f64,
    run_out: impl Fn(f64, f64) -> Result<f64, StepError>,
) -> Result<Vec<Figure>, StepError> {
    let mut figures = Vec::new();
    let mut shares = Vec::new();
    for resolution in resolutions {
        let name = format!("{resolution} particles across");
        let mut points = Vec::new();
        for a in ASPECTS {
            let measured = run_out(a, resolution)?;
            points.push([a, measured]);
            figures.push(Figure::new(
                format!("run-out over the experiment's, a = {a}, {name}"),
                measured / experiment(a),
                Expected::Near(0.5 * (low + high), 0.5 * (high - low)),
            ));
        }
        let ratios = points.iter().map(|[a, r]| r / experiment(*a));
        shares.push(ratios.sum::<f64>() / points.len() as f64);
        let last = figures.len() - 1;
        let figure = figures.remove(last);
        figures.push(figure.with(Curve::measured(*plot, name, points)));
    }
    let law = (0..=20).map(|k| 0.5 * 12f64.powf(f64::from(k) / 20.0));
    let law = law.map(|a| [a, experiment(a)]).collect();
    let nearer = (1.0 - shares[0]).abs() - (1.0 - shares[1]).abs();
    let what = "mean share of the experiment's run-out at the finer spacing";
    figures.push(
        Figure::new(what, shares[1], Expected::Near(0.8, 0.3)).with(Curve::reference(
            *plot,
            "experiment",
            law,
        )),
    );
    figures.push(Figure::new(
        "how much nearer to 1 the mean share is than at the coarser spacing",
        nearer,
        Expected::AtLeast(0.0),
    ));
    Ok(figures)
}

/// Sand of 30 degrees, stiff enough for a column so high: about 1 % of strain under its weight.
fn material_of(height: f64) -> (Material, f64) {
    let (density, youngs_modulus) = (1600.0, 1e6 * (height / RADIUS).max(1.0));
    let sound = (youngs_modulus / density).sqrt();
    (sand(density, youngs_modulus, 0.3, 30.0), sound)
}

/// Time [s] until a column comes to rest, with a margin: 3.3 sqrt(h/g) (Lube et al. 2004).
fn time_to_rest(height: f64) -> f64 {
    3.3 * (height / 9.81).sqrt() + 0.3
}

fn collapse(world: &mut World, height: f64, dt: f64) -> Result<(), StepError> {
    let substeps = (time_to_rest(height) / dt).round() as usize;
    run(world, dt, substeps, |_, _| ())
}

/// Run-out [radii] of a round column with so many particles across its radius.
fn round(aspect: f64, resolution: f64) -> Result<f64, StepError> {
    let column = Column {
        aspect,
        resolution,
        ..Column::warm(30.0)
    };
    let height = aspect * RADIUS;
    let (material, sound) = material_of(height);
    let mut world = column.case_of(material).world();
    collapse(&mut world, height, 0.6 * RADIUS / resolution / sound)?;
    Ok(column.deposit(&world).run_out)
}

/// Run-out [widths] of a column that leans on a smooth wall, between smooth plates eight particles
/// apart, with so many particles across its width.
fn between_plates(aspect: f64, resolution: f64) -> Result<f64, StepError> {
    let (width, height) = (RADIUS, aspect * RADIUS);
    let spacing = width / resolution;
    let depth = 8.0 * spacing;
    let block = Cuboid {
        half_size: 0.5 * DVec3::new(width, height, depth),
    };
    let random = RandomStream::new(1, 1);
    let points = fill(&block, spacing, Sampling::Poisson, 0.0, random, in_order);
    let points = points.into_iter().map(|x| x + block.half_size);
    let (material, sound) = material_of(height);
    let mut case =
        Case::new(material, points.collect(), spacing).floor(0.0, 0.0, 30f64.to_radians().tan());
    case.setup.solver.iterations = 5;
    case.setup.solver.xsph_rate = 10.0;
    let walls = [
        (DVec3::X, DVec3::ZERO),
        (DVec3::Z, DVec3::ZERO),
        (DVec3::NEG_Z, DVec3::Z * depth),
    ];
    for (normal, translation) in walls {
        let pose = Pose {
            rotation: DQuat::IDENTITY,
            translation,
        };
        case = case.collider(Arc::new(Plane { normal }), Motion::Rest(pose), 0.0);
    }
    let mut world = case.world();
    collapse(&mut world, height, 0.6 * spacing / sound)?;
    Ok(quantile(&world, 0.99, |x| x.x) / width - 1.0)
}
