//! A pile of sand at rest.

use pliant_core::methods::xpbi::{PlasticityScheme, XpbiSettings};
use pliant_core::step::StepError;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Cone;
use pliant_math::{DVec3, RandomStream};

use crate::{Case, Claim, Expected, Figure, rms_speed, run, sand};

/// Implicit against semi-implicit plasticity.
pub const RESTS: Claim = Claim {
    statement: "the residual speed of a pile is at least ten times smaller with implicit than with semi-implicit plasticity",
    measure: || {
        let implicit = rest_speed(PlasticityScheme::Implicit)?;
        let semi_implicit = rest_speed(PlasticityScheme::SemiImplicit)?;
        Ok(vec![
            Figure::new("rms speed, implicit [m/s]", implicit, Expected::Finite),
            Figure::new(
                "rms speed, semi-implicit [m/s]",
                semi_implicit,
                Expected::Finite,
            ),
            Figure::new(
                "semi-implicit over implicit",
                semi_implicit / implicit,
                Expected::AtLeast(10.0),
            ),
        ])
    },
};

/// Mean rms speed [m/s] of a pile of 20 degrees, of sand of 35, in the last tenth of a second of one.
fn rest_speed(plasticity: PlasticityScheme) -> Result<f64, StepError> {
    let (radius, spacing, dt) = (0.5, 0.05, 1e-3);
    let height = radius * 20f64.to_radians().tan();
    let cone = Cone::new(radius, height);
    let points = fill(
        &cone,
        spacing,
        Sampling::Poisson,
        0.0,
        RandomStream::new(1, 1),
        in_order,
    );
    let points = points
        .into_iter()
        .map(|x| x + DVec3::Y * (0.5 * height))
        .collect();
    let mut case = Case::new(sand(1600.0, 1e6, 0.3, 35.0), points, spacing).floor(0.0, 0.0, 0.7);
    case.setup.solver.iterations = 10;
    case.setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .plasticity = plasticity;
    let mut world = case.world();
    run(&mut world, dt, 900, |_, _| ())?;
    let mut sum = 0.0;
    run(&mut world, dt, 100, |world, _| sum += rms_speed(world))?;
    Ok(sum / 100.0)
}
