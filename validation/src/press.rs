//! A von Mises block between frictionless plates.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::StepError;
use pliant_geometry::shapes::Plane;
use pliant_math::{DQuat, DVec3, Pose};

use crate::{Case, Claim, Expected, Figure, box_lattice, run, von_mises};

/// Plate force of a block of 12^3 particles.
pub const PLATE_FORCE: Claim = Claim {
    statement: "the stress of a compressed von Mises block of 12^3 is sqrt(3/2) yield_deviator",
    measure: || {
        let ratio = stress(12)? / (1.5f64.sqrt() * YIELD_DEVIATOR);
        let what = "F/A over theory, 12^3";
        Ok(vec![Figure::new(what, ratio, Expected::Near(1.0, 0.06))])
    },
};

const YIELD_DEVIATOR: f64 = 1e4;
const YOUNGS_MODULUS: f64 = 1e6;
const DENSITY: f64 = 1000.0;
/// Speed of each plate [m/s]: the pressure of its start, rho c v, is a per cent of the yield stress.
const SPEED: f64 = 0.005;
/// Compression at the end, twice that at yield and half as much again.
const COMPRESSION: f64 = 0.03;
/// Edge of the block [m].
const EDGE: f64 = 0.24;

/// Mean of both plates' forces over the last tenth of the compression, over the area then [Pa].
fn stress(count: usize) -> Result<f64, StepError> {
    let spacing = EDGE / count as f64;
    let material = von_mises(DENSITY, YOUNGS_MODULUS, 0.3, YIELD_DEVIATOR);
    let case = Case::new(material, box_lattice([count; 3], spacing, 0.05), spacing).weightless();
    let mut world = plate(plate(case, 0.0, 1.0), EDGE, -1.0).world();
    let dt = 0.7 * spacing / (YOUNGS_MODULUS / DENSITY).sqrt();
    let substeps = (0.5 * COMPRESSION * EDGE / SPEED / dt) as usize;
    let counted = substeps / 10;
    run(&mut world, dt, substeps - counted, |_, _| ())?;
    let mut impulse = 0.0;
    run(&mut world, dt, counted, |_, report| {
        impulse += report.collider_impulse[1].y - report.collider_impulse[0].y;
    })?;
    let force = 0.5 * impulse / (counted as f64 * dt);
    // Plastic flow keeps the volume, and so does the area times the height.
    Ok(force * (1.0 - COMPRESSION) / (EDGE * EDGE))
}

/// A plate at a height [m] that presses along `side` y.
fn plate(case: Case, height: f64, side: f64) -> Case {
    let start = Pose {
        rotation: DQuat::IDENTITY,
        translation: DVec3::Y * height,
    };
    let motion = Motion::Constant {
        start,
        velocity: DVec3::Y * (side * SPEED),
        spin: DVec3::ZERO,
    };
    let normal = DVec3::Y * side;
    case.collider(Arc::new(Plane { normal }), motion, 0.0)
}
