//! Passive flesh that bends.

use pliant_core::methods::muscle::Integration;
use pliant_core::world::World;
use pliant_math::DVec3;

use super::bundles::by_id;
use super::{DENSITY, SPACING, YOUNGS_MODULUS, block, corotated, settings, world_of};
use crate::worlds::advance;

/// Particles along the weight, across it, and along the beam.
const HEIGHT: usize = 10;
const WIDTH: usize = 4;
const LAYERS: usize = 50;

const GRAVITY: f64 = 0.01;
const POISSONS_RATIO: f64 = 0.3;

/// A cantilever whose first two layers are held, after its weight has bent it.
fn bent() -> World {
    let mut setup = world_of(
        corotated(POISSONS_RATIO),
        vec![block([HEIGHT, WIDTH, LAYERS])],
    );
    setup.gravity = DVec3::X * GRAVITY;
    // About critical for the lowest mode, of 1.5/s.
    setup.solver.damping = 3.0;
    let chosen = settings(&mut setup);
    chosen.integration = Integration::Implicit;
    chosen.tolerance = 1e-5;
    let particles = &mut setup.bodies[0].particles;
    for (x, pinned) in particles.position.iter().zip(&mut particles.is_pinned) {
        *pinned = x.z < 2.0 * SPACING;
    }
    let mut world = World::new(setup);
    advance(&mut world, 2e-2, 500, 2).expect("a sound beam");
    world
}

/// Deflection [m] of a beam under its weight, of Timoshenko: bending and shear.
///
/// * `length` — of the beam, and how far from its clamp [m]
fn deflection(length: f64, at: f64) -> f64 {
    let height = HEIGHT as f64 * SPACING;
    // Per cross section: EI/A and kappa G, Cowper's kappa of a rectangle.
    let bending = YOUNGS_MODULUS * height * height / 12.0;
    let kappa = 10.0 * (1.0 + POISSONS_RATIO) / (12.0 + 11.0 * POISSONS_RATIO);
    let shear = kappa * YOUNGS_MODULUS / (2.0 * (1.0 + POISSONS_RATIO));
    let load = DENSITY * GRAVITY;
    let bent = at.powi(4) - 4.0 * length * at.powi(3) + 6.0 * (length * at).powi(2);
    load * bent / (24.0 * bending) + load * (length * at - 0.5 * at * at) / shear
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_cantilever_sags_as_a_beam_does() {
    let world = bent();
    let rest = block([HEIGHT, WIDTH, LAYERS]).shape.position.clone();
    let last = rest.iter().zip(by_id(&world));
    let last = last.filter(|(x, _)| x.z > (LAYERS as f64 - 1.0) * SPACING);
    let (sum, count) = last.fold((0.0, 0.0), |(s, n), (x, y)| (s + y.x - x.x, n + 1.0));
    let sag = sum / count;
    // What is held ends in the middle of the second layer, the beam half a spacing beyond its last particles.
    let clamp = 1.5 * SPACING;
    let length = LAYERS as f64 * SPACING - clamp;
    let expected = deflection(length, length - 0.5 * SPACING);
    assert!(
        crate::worlds::greatest_speed(&world) < 1e-2 * sag,
        "it still moves"
    );
    assert!((0.9..1.1).contains(&(sag / expected)), "{sag} {expected}");
}
