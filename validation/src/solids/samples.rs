//! Bars filled as scenes fill them by default, pulled at both ends.

use std::f64::consts::TAU;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::schedule::Schedule;
use pliant_core::step::StepError;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::{Box, Cylinder};
use pliant_geometry::{Shape, in_order};
use pliant_math::{DMat3, DVec3, RandomStream};

use crate::{Case, Claim, Expected, Figure, rubber, run};

/// Young's modulus [Pa].
const YOUNGS_MODULUS: f64 = 1e5;
const DENSITY: f64 = 1000.0;
/// Force over the area at rest, in Young's moduli.
const STRESS: f64 = 1e-3;
/// Thickness [m].
const ACROSS: f64 = 0.1;
/// Length over thickness.
const SLENDERNESS: f64 = 3.0;

/// Over shapes, spacings and Poisson's ratios.
pub const SAMPLED: Claim = Claim {
    statement: "a solid has the given Young's modulus and Poisson's ratio with every sampling",
    measure: || {
        let (square, round) = (square(), round());
        let (square, round): (&dyn Shape, &dyn Shape) = (&square, &round);
        let mut figures = Vec::new();
        for (what, shape, rows, poissons_ratio) in [
            ("a square bar", square, 6, 0.0),
            ("a square bar", square, 8, 0.3),
            ("a round bar", round, 6, 0.45),
        ] {
            let (modulus, ratio) = moduli(shape, rows, poissons_ratio)?;
            let told = format!("{what} of {rows} rows, Poisson's ratio {poissons_ratio}");
            figures.push(Figure::new(
                format!("Young's modulus over the given one: {told}"),
                modulus,
                Expected::Near(1.0, 0.015),
            ));
            figures.push(Figure::new(
                format!("Poisson's ratio less the given one: {told}"),
                ratio - poissons_ratio,
                Expected::Near(0.0, 0.01),
            ));
        }
        Ok(figures)
    },
};

/// A bar along y.
fn square() -> Box {
    Box {
        half_size: DVec3::new(0.5, 0.5 * SLENDERNESS, 0.5) * ACROSS,
    }
}

/// One of about the same section.
fn round() -> Cylinder {
    Cylinder {
        radius: 0.56 * ACROSS,
        height: SLENDERNESS * ACROSS,
    }
}

/// Young's modulus over the given one, and Poisson's ratio, that a bar of so many rows seems to have.
fn moduli(shape: &dyn Shape, rows: usize, poissons_ratio: f64) -> Result<(f64, f64), StepError> {
    let spacing = ACROSS / rows as f64;
    let length = SLENDERNESS * ACROSS;
    let random = RandomStream::new(1, 0);
    let points = fill(shape, spacing, Sampling::Relaxed, 0.0, random, in_order);
    let volume = shape.volume().unwrap_or_default();
    let material = rubber(DENSITY, YOUNGS_MODULUS, poissons_ratio);
    let mut case = Case::new(material, points.clone(), spacing).weightless();
    let share = volume / points.len() as f64;
    case.body().particles.particle_volume = share;
    case.body().particles.particle_mass = DENSITY * share;
    for side in [-1.0, 1.0] {
        let at_end = |&k: &u32| side * points[k as usize].y > 0.5 * length - spacing;
        case.setup.attachments.push(Attachment {
            name: format!("end {side}"),
            particles: (0..points.len() as u32).filter(at_end).collect(),
            kind: AttachmentKind::Load {
                force: DVec3::Y * (side * STRESS * YOUNGS_MODULUS * volume / length),
                strength: Schedule::Constant(1.0),
            },
        });
    }
    let sound = (YOUNGS_MODULUS / DENSITY).sqrt();
    // The lowest mode has half a wave in the bar; this damps it about critically.
    let period = 2.0 * length / sound;
    case.setup.solver.damping = 2.0 * TAU / period;
    let mut world = case.with_support(1.8).world();
    // Short enough that sweeps leave nothing: what is asked for is what particles make of the energy.
    let pressure_wave = {
        let nu = poissons_ratio;
        sound * ((1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))).sqrt()
    };
    let dt = 0.25 * spacing / pressure_wave;
    run(&mut world, dt, (3.0 * period / dt) as usize, |_, _| ())?;
    let p = &world.state.particles;
    let pairs = (0..p.len()).map(|i| (points[p.id[i] as usize], p.position[i]));
    let strain = gradient(pairs.filter(|(rest, _)| rest.y.abs() < 0.25 * length)) - DMat3::IDENTITY;
    let along = strain.y_axis.y;
    let across = 0.5 * (strain.x_axis.x + strain.z_axis.z);
    Ok((STRESS / along, -across / along))
}

/// The affine map nearest to how points have moved (least squares).
fn gradient(pairs: impl Iterator<Item = (DVec3, DVec3)> + Clone) -> DMat3 {
    let count = pairs.clone().count() as f64;
    let sums = pairs.clone().fold((DVec3::ZERO, DVec3::ZERO), |sum, pair| {
        (sum.0 + pair.0, sum.1 + pair.1)
    });
    let (rest, now) = (sums.0 / count, sums.1 / count);
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    let (mut moved, mut moment) = (DMat3::ZERO, DMat3::ZERO);
    for (x, y) in pairs {
        moved += outer(y - now, x - rest);
        moment += outer(x - rest, x - rest);
    }
    moved * moment.inverse()
}
