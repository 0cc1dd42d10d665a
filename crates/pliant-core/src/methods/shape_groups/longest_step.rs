//! How long a step may be.
//!
//! Sweeps have to find the stress at the end of a step. Each takes waves on by a part of a group, so that the step goes
//! with their number; from some on it is what a step damps that bounds it. How stiff a group is beside the masses of its
//! members is told by omega^2 = 3 V/tr(Q) times a modulus.

use super::GroupBody;
use crate::method::LongestStep;
use crate::world::InitialParticles;

/// Spacings that a wave in a bar may cross in an automatic step for each sweep. A beam of four cells across then sags as
/// in short steps within 0.9 % with one sweep, 0.1 % with two and 0.3 % with four, for Poisson's ratios up to 0.499; a bar
/// that is pulled is stiffer by up to 5 %.
const CROSSED: f64 = 0.2;

/// omega dt for each sweep by Young's modulus: boxes of tetrahedra that fall on a corner gain energy beyond.
const BY_SHEAR: f64 = 0.25;

/// omega dt for each sweep by the modulus of waves of pressure: balls and boxes of hexahedra that fall thirty spacings gain
/// none at 0.4, 1 to 5 % at 0.5.
const BY_PRESSURE: f64 = 0.32;

/// Sweeps from which on more of them do not make steps longer: those damp too much.
const MOST_SWEEPS: u32 = 4;

/// Spacings that one may cross in a step at most: beyond it bars lose a third of their stiffness.
const MOST_CROSSED: f64 = 1.0;

/// The longest automatic step for a body.
///
/// * `sweeps` — in a substep, > 0
pub fn longest_step(body: &GroupBody, particles: &InitialParticles, sweeps: u32) -> LongestStep {
    let squared = body.groups.squared_frequency(|k| particles.mass(k));
    let bounds = [
        LongestStep {
            seconds: CROSSED / body.crossing(1.0),
            reason: "sweeps have to follow waves, by a fifth of a spacing each",
        },
        LongestStep {
            seconds: BY_SHEAR / (squared * body.youngs_modulus).sqrt(),
            reason: "sweeps have to find the stress in groups that are stiff beside the masses of their members",
        },
        LongestStep {
            seconds: BY_PRESSURE / (squared * body.pressure_modulus).sqrt(),
            reason: "sweeps have to find the pressure in groups that hardly change their volume",
        },
    ];
    let a_sweep = bounds
        .into_iter()
        .fold(LongestStep::UNBOUND, LongestStep::or_shorter);
    LongestStep {
        seconds: a_sweep.seconds * f64::from(sweeps.min(MOST_SWEEPS)),
        ..a_sweep
    }
}

/// The longest step in which a body has about its stiffness [s].
pub fn resolved_step(body: &GroupBody) -> f64 {
    MOST_CROSSED / body.crossing(1.0)
}
