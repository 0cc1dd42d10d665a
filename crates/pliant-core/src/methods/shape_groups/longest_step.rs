//! How long a step may be.
//!
//! Sweeps have to find the stress at the end of a step. Each takes waves on by a part of a group, so that the step goes
//! with their number; from some on it is what a step damps that bounds it. How stiff a group is beside the masses of its
//! members is told by omega^2 = 3 V/tr(Q) times a modulus.

use super::GroupBody;
use crate::method::LongestStep;
use crate::world::InitialParticles;

/// Spacings that a wave in a bar may cross in an automatic step for each of the first two sweeps. A beam of four cells
/// across sags as in short steps within 0.2 % with one sweep and 0.9 % with two, and a bar that is pulled has its modulus
/// within 0.8 % and 2.4 %, along whichever axis: these differ, since sweeps go through the groups in one order.
const CROSSED: f64 = 0.2;

/// The same for each sweep where there are three or more, though not less in all than with two. With four sweeps beams
/// then sag as they should within 0.2 %, and bars have their modulus within 1.2 % and their Poisson's ratio within 0.01. At
/// 0.2 bars along the third axis have 1.033 times their modulus at a Poisson's ratio of 0.3, and at 0.45 1.049 times and a
/// ratio of 0.473; at 0.25 1.09 times.
const CROSSED_BY_MORE: f64 = 0.15;

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
    let counted = f64::from(sweeps.min(MOST_SWEEPS));
    let bounds = [
        LongestStep {
            seconds: crossed(counted) / body.crossing(1.0),
            reason: "sweeps have to follow waves, by 0.15 to 0.2 spacings each",
        },
        LongestStep {
            seconds: counted * BY_SHEAR / (squared * body.youngs_modulus).sqrt(),
            reason: "sweeps have to find the stress in groups that are stiff beside the masses of their members",
        },
        LongestStep {
            seconds: counted * BY_PRESSURE / (squared * body.pressure_modulus).sqrt(),
            reason: "sweeps have to find the pressure in groups that hardly change their volume",
        },
    ];
    bounds
        .into_iter()
        .fold(LongestStep::UNBOUND, LongestStep::or_shorter)
}

/// Spacings that a wave in a bar may cross in an automatic step of so many sweeps.
fn crossed(sweeps: f64) -> f64 {
    (CROSSED * sweeps.min(2.0)).max(CROSSED_BY_MORE * sweeps)
}

/// The longest step in which a body has about its stiffness [s].
pub fn resolved_step(body: &GroupBody) -> f64 {
    MOST_CROSSED / body.crossing(1.0)
}
