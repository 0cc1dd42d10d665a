//! A ball of snow that hits the ground, in two steps (Yu et al. 2024, Fig. 19).

use pliant_core::methods::xpbi::{PlasticityScheme, XpbiSettings};
use pliant_core::step::StepError;
use pliant_core::world::Material;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Sphere;
use pliant_materials::laws::Snow;
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DVec3, RandomStream};

use crate::{Case, Claim, Curve, Expected, Figure, Plot, material, quantile, run};

/// Implicit and semi-implicit plasticity at 1 ms and at 0.1 ms.
pub const TWO_STEPS: Claim = Claim {
    statement: "a ball of snow breaks to the same shape at steps of 1 and 0.1 ms, unlike with semi-implicit plasticity",
    measure: || {
        let implicit = [1e-3, 1e-4].map(|dt| ball(PlasticityScheme::Implicit, dt));
        let semi = [1e-3, 1e-4].map(|dt| ball(PlasticityScheme::SemiImplicit, dt));
        let [long, short] = both(implicit)?;
        let [semi_long, semi_short] = both(semi)?;
        Ok(vec![
            Figure::new(
                "radius at 1 ms over that at 0.1 ms, implicit",
                long.radius / short.radius,
                Expected::Near(1.0, 0.08),
            ),
            Figure::new(
                "height at 1 ms over that at 0.1 ms, implicit",
                long.height / short.height,
                Expected::Near(1.0, 0.08),
            ),
            Figure::new(
                "radius at 1 ms over that at 0.1 ms, semi-implicit",
                semi_long.radius / semi_short.radius,
                Expected::AtMost(0.95),
            ),
            Figure::new("radius, implicit, 0.1 ms", short.radius, Expected::Finite)
                .with(drawn("implicit", [&short, &long]))
                .with(drawn("semi-implicit", [&semi_short, &semi_long])),
        ])
    },
};

const RADIUS: f64 = 0.5;
const SPACING: f64 = 0.05;

const OVER_STEP: Plot = Plot {
    title: "Radius of a broken ball of snow",
    unit: "radii",
    across: "step",
    across_unit: "s",
    is_logarithmic: [true, false],
};

/// What is left of a ball, in its radii.
struct Heap {
    dt: f64,
    radius: f64,
    height: f64,
}

fn both([a, b]: [Result<Heap, StepError>; 2]) -> Result<[Heap; 2], StepError> {
    Ok([a?, b?])
}

fn drawn(name: &str, heaps: [&Heap; 2]) -> Curve {
    let points = heaps.map(|heap| [heap.dt, heap.radius]);
    Curve::measured(OVER_STEP, name, points.to_vec())
}

/// A ball that falls onto the ground at 5 m/s and lies there half a second later.
fn ball(plasticity: PlasticityScheme, dt: f64) -> Result<Heap, StepError> {
    let sphere = Sphere { radius: RADIUS };
    let random = RandomStream::new(1, 1);
    let points = fill(&sphere, SPACING, Sampling::Poisson, 0.0, random, in_order);
    let lifted = points.into_iter().map(|x| x + DVec3::Y * 0.53).collect();
    let mut case = Case::new(snow(), lifted, SPACING)
        .moving(|_| DVec3::Y * -5.0)
        .floor(0.0, 0.0, 0.5);
    case.setup.solver.iterations = 10;
    case.setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .plasticity = plasticity;
    let mut world = case.world();
    run(&mut world, dt, (0.6 / dt).round() as usize, |_, _| ())?;
    Ok(Heap {
        dt,
        radius: quantile(&world, 0.98, |x| x.x.hypot(x.z)) / RADIUS,
        height: quantile(&world, 0.98, |x| x.y) / RADIUS,
    })
}

/// The printed material, and Poisson's ratio of Stomakhin et al. 2013.
fn snow() -> Material {
    let youngs_modulus = 5e5;
    let elasticity = HenckyElasticity::from_youngs(youngs_modulus, 0.2);
    let law = Snow::new(elasticity, 0.025, 0.0075, 10.0);
    material(400.0, youngs_modulus, HenckyLaw::Snow(law))
}
