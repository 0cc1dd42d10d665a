//! Balls that hit the floor faster and faster.

use pliant_core::step::{StepError, advance_frame};
use pliant_math::{DVec3, to_double};

use super::recovery::distance_error;
use crate::backend::stepper;
use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, rubber};

/// Up to sixteen times the speed of its waves.
pub const IMPACTS: Claim = Claim {
    statement: "a ball of a solid survives any impact: it stays finite, rebounds and recovers its shape",
    measure: || {
        let mut figures = Vec::new();
        for speed in [5.0, 10.0, 20.0, 40.0, 80.0, 160.0] {
            figures.extend(hit(speed)?);
        }
        Ok(figures)
    },
};

const HEIGHTS: Plot = Plot {
    title: "Height of a ball that hits the floor, over its diameter (Cao et al. 2023, Fig. 13)",
    unit: "",
    across: "time since it touched in times that it takes to cross its diameter",
    across_unit: "",
    is_logarithmic: [false, false],
};

const SPACING: f64 = 0.05;
const RADIUS: f64 = 0.25;
const FRAME_RATE: f64 = 1000.0;

/// Lets a ball without weight fly against the floor at a speed [m/s], with the steps that scenes choose.
fn hit(speed: f64) -> Result<[Figure; 3], StepError> {
    let middle = DVec3::splat(RADIUS);
    let points = box_lattice([10; 3], SPACING, 0.0).into_iter();
    let points = points.filter(|x| x.distance(middle) < RADIUS).collect();
    let mut case = Case::new(rubber(1000.0, 1e5, 0.4), points, SPACING)
        .weightless()
        .floor(0.0, 0.0, 0.5)
        .moving(|_| DVec3::NEG_Y * speed);
    case.setup.solver.damping = 2.0;
    case.setup.solver.iterations = 2;
    case.setup.frame_rate = FRAME_RATE;
    let mut world = case.world();
    let mut stepper = stepper();
    let (mut lowest, mut heights) = (f64::INFINITY, Vec::new());
    for _ in 0..(2.0 * FRAME_RATE) as usize {
        advance_frame(&mut world, stepper.as_mut(), &mut |_| ())?;
        let y = world.state.particles.position.iter().map(|x| x.y);
        let (low, high) = y.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let height = (high - low + SPACING) / (2.0 * RADIUS);
        lowest = lowest.min(low / SPACING);
        heights.push([world.state.time * speed / (2.0 * RADIUS), height]);
    }
    let p = &world.state.particles;
    let rise = p.velocity.iter().map(|&v| to_double(v).y).sum::<f64>() / p.len() as f64;
    heights.retain(|h| h[0] < 10.0);
    let name = format!("{speed} m/s");
    Ok([
        Figure::new(
            format!("lowest particle of all times in spacings, {name}"),
            lowest,
            Expected::AtLeast(0.4),
        )
        .with(Curve::measured(HEIGHTS, name.clone(), heights)),
        Figure::new(
            format!("speed upwards 2 s later in m/s, {name}"),
            rise,
            Expected::AtLeast(0.02),
        ),
        Figure::new(
            format!("error of distances in spacings 2 s later, {name}"),
            distance_error(&world),
            Expected::AtMost(0.01),
        ),
    ])
}
