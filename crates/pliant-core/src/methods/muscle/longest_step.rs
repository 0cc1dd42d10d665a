//! How long a step may be, and which integration costs less.

use pliant_math::DVec3;

use super::setup::MuscleBody;
use super::{Incompressibility, Integration, MuscleSetup};

/// Spacings that a wave of pressure may cross in an explicit step. At about twice as many the step is unstable.
const CROSSED: f64 = 0.4;

/// Longest implicit step [s]: what muscles do at a few times a second is followed in it.
const LONGEST_IMPLICIT: f64 = 1.0 / 250.0;

/// What a substep costs, in explicit steps that keep no volume.
struct Cost {
    /// An implicit step without its conjugate gradients.
    implicit_step: f64,
    /// A step of conjugate gradients of the implicit system.
    product: f64,
    /// Keeping the volume in an explicit step, and in an implicit one.
    volume: [f64; 2],
    /// Steps of conjugate gradients for each spacing that a wave crosses in a step...
    products_a_crossing: f64,
    /// ...of which there are at most so many for each spacing of the body's length.
    products_a_spacing: f64,
}

/// Costs as `pliant bench muscle` measures them with AVX2 and with AVX-512, on one thread and on two. Narrower vectors
/// make implicit steps dearer beside explicit ones, but the choice does not depend on the machine, so that the same
/// scene gives the same bits.
const COST: Cost = Cost {
    implicit_step: 1.5,
    product: 0.55,
    volume: [1.35, 1.7],
    products_a_crossing: 7.5,
    products_a_spacing: 5.2,
};

/// The step of a body and how it is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepChoice {
    /// Its length [s].
    pub seconds: f64,
    /// Whether it is implicit.
    pub is_implicit: bool,
}

/// The longest explicit step of a body [s].
///
/// A mode of frequency w that is damped at a rate c is stable in symplectic Euler's steps while w^2 dt^2 + 2 c dt < 4;
/// c is w^2 times the viscosity over the stiffness.
pub fn longest_explicit(body: &MuscleBody) -> f64 {
    let elastic = CROSSED / crossing(body, 1.0);
    let viscous = 2.0 * body.viscosity / body.greatest_stiffness();
    (viscous * viscous + elastic * elastic).sqrt() - viscous
}

/// Spacings that a wave of pressure crosses in a step [s].
fn crossing(body: &MuscleBody, dt: f64) -> f64 {
    dt / crossing_time(body)
}

/// Time [s] in which a pressure wave crosses a spacing.
pub fn crossing_time(body: &MuscleBody) -> f64 {
    body.spacing / (body.greatest_stiffness() / body.density).sqrt()
}

impl MuscleSetup {
    /// Whether a step of `dt` [s] is implicit.
    pub fn is_implicit(&self, dt: f64) -> bool {
        match self.settings.integration {
            Integration::Explicit => false,
            Integration::Implicit => true,
            Integration::Automatic => {
                let steps = self.bodies.iter().map(longest_explicit);
                dt > (1.0 + ROUNDING) * steps.fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// Steps of conjugate gradients that an implicit step of `dt` [s] of a body takes: in proportion to the spacings that a
/// wave crosses in it, until it has gone through the body.
///
/// * `penalty` — bulk modulus beside the law [Pa]
fn products(body: &MuscleBody, penalty: f64, dt: f64) -> f64 {
    let stiffening = (1.0 + penalty / body.greatest_stiffness()).sqrt();
    let of_wave = COST.products_a_crossing * stiffening * crossing(body, dt);
    let of_body = COST.products_a_spacing * length(body);
    1.0 / (1.0 / of_wave + 1.0 / of_body)
}

/// The longest side of the box around a body at rest, in spacings, each particle having one.
fn length(body: &MuscleBody) -> f64 {
    let position = body.flesh.shape.position.iter();
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (least, most) = position.fold(none, |(a, b), &x| (a.min(x), b.max(x)));
    1.0 + (most - least).max_element().max(0.0) / body.spacing
}

/// Part of a step that it may be longer by rounding.
const ROUNDING: f64 = 1e-9;

/// The automatic step of a body, by what a second of all bodies costs: they are integrated in the same way, in the
/// same step.
pub fn step_choice(setup: &MuscleSetup, body: &MuscleBody) -> StepChoice {
    let is_implicit = match setup.settings.integration {
        Integration::Explicit => false,
        Integration::Implicit => true,
        Integration::Automatic => is_implicit_cheaper(setup),
    };
    StepChoice {
        seconds: match is_implicit {
            true => LONGEST_IMPLICIT,
            false => longest_explicit(body),
        },
        is_implicit,
    }
}

/// Whether a second of implicit steps costs less than one of explicit ones. Where densities are kept it is not asked:
/// in long steps particles are pushed into one place.
fn is_implicit_cheaper(setup: &MuscleSetup) -> bool {
    let volume = match setup.settings.incompressibility {
        Incompressibility::None => [0.0; 2],
        Incompressibility::Velocity => COST.volume,
        Incompressibility::Density => return false,
    };
    let explicit = setup.bodies.iter().map(longest_explicit);
    let explicit = explicit.fold(f64::INFINITY, f64::min);
    let (mut particles, mut of_implicit) = (0.0, 0.0);
    for body in &setup.bodies {
        let penalty = match setup.settings.incompressibility {
            Incompressibility::Velocity => body.penalty_modulus(),
            _ => 0.0,
        };
        let solve = products(body, penalty, LONGEST_IMPLICIT) * COST.product;
        let count = body.volume.len() as f64;
        particles += count;
        of_implicit += count * (COST.implicit_step + solve + volume[1]);
    }
    let of_explicit = particles * (1.0 + volume[0]);
    explicit < LONGEST_IMPLICIT && of_implicit / LONGEST_IMPLICIT < of_explicit / explicit
}
