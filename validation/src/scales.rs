//! One body at several resolutions (Yu et al. 2024, Fig. 16): its shape at rest, and what a
//! particle costs.

use std::time::Instant;

use pliant_core::step::StepError;
use pliant_core::world::Material;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Sphere;
use pliant_materials::laws::HerschelBulkley;
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DVec3, RandomStream};

use crate::{Case, Claim, Curve, Expected, Figure, Plot, material, quantile, run};

/// 8 and 56 thousand particles.
pub const GOO: Claim = Claim {
    statement: "the shape of a fallen ball of goo is the same with 8 and 56 thousand particles",
    measure: || {
        let coarse = fallen(8e3)?;
        let fine = fallen(56e3)?;
        let cost = [&coarse, &fine].map(|ball| [ball.count, ball.cost]);
        Ok(vec![
            Figure::new(
                "radius in 56 over that in 8 thousand",
                fine.radius / coarse.radius,
                Expected::Near(1.0, 0.05),
            ),
            Figure::new(
                "height in 56 over that in 8 thousand",
                fine.height / coarse.height,
                Expected::Near(1.0, 0.08),
            ),
            Figure::new(
                "wall time a particle and sweep, 56 over 8 thousand",
                fine.cost / coarse.cost,
                Expected::Finite,
            )
            .with(Curve::measured(COST, "goo", cost.to_vec())),
        ])
    },
};

const COST: Plot = Plot {
    title: "Wall time of a substep by particles and sweeps",
    unit: "s",
    across: "particles",
    across_unit: "",
    is_logarithmic: [true, true],
};

const RADIUS: f64 = 0.1;
const SWEEPS: u32 = 10;

/// A ball that has fallen.
struct Ball {
    count: f64,
    /// Distance from the middle that 98 of 100 particles keep below [m].
    radius: f64,
    /// Height that as many keep below [m].
    height: f64,
    /// Wall time a substep, particle and sweep [s].
    cost: f64,
}

/// A ball of so many particles hits the ground at 3 m/s and lies there 0.3 s later; the step and the
/// sweeps are those of the paper.
fn fallen(count: f64) -> Result<Ball, StepError> {
    let sphere = Sphere { radius: RADIUS };
    let volume = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let spacing = (volume / count).cbrt();
    let random = RandomStream::new(1, 1);
    let points = fill(&sphere, spacing, Sampling::Poisson, 0.0, random, in_order);
    let lifted = points.into_iter().map(|x| x + DVec3::Y * 0.11);
    let mut case = Case::new(goo(), lifted.collect(), spacing)
        .moving(|_| DVec3::Y * -3.0)
        .floor(0.0, 0.0, 0.5);
    case.setup.solver.iterations = SWEEPS;
    let mut world = case.world();
    let begin = Instant::now();
    let substeps = 3000;
    run(&mut world, 1e-4, substeps, |_, _| ())?;
    let seconds = begin.elapsed().as_secs_f64();
    let particles = world.state.particles.len() as f64;
    Ok(Ball {
        count: particles,
        radius: quantile(&world, 0.98, |x| x.x.hypot(x.z)),
        height: quantile(&world, 0.98, |x| x.y),
        cost: seconds / substeps as f64 / particles / f64::from(SWEEPS),
    })
}

/// The paint of Table 2: 50 Pa as a deviator, Bingham.
fn goo() -> Material {
    let youngs_modulus = 14754.0;
    let law = HerschelBulkley {
        elasticity: HenckyElasticity::from_youngs(youngs_modulus, 0.475),
        yield_deviator: 50.0,
        consistency_deviator: 10.0,
        flow_index: 1.0,
    };
    material(100.0, youngs_modulus, HenckyLaw::HerschelBulkley(law))
}
