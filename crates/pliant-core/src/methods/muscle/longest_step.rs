//! How long a step may be, and which integration costs less.

use super::setup::MuscleBody;
use super::{Incompressibility, Integration, MuscleSetup};

/// Spacings that a wave of pressure may cross in an explicit step. At about twice as many the step is unstable.
const CROSSED: f64 = 0.4;

/// Longest implicit step [s]: what muscles do at a few times a second is followed in it.
const LONGEST_IMPLICIT: f64 = 1.0 / 250.0;

/// What a substep costs, in forces of a particle.
// Measured by `pliant bench muscle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// A step of conjugate gradients of the implicit system.
    pub product: f64,
    /// Steps of conjugate gradients that a step needs whatever its length, and those more for each spacing that a
    /// wave crosses in it.
    pub products: [f64; 2],
    /// Keeping the volume in an explicit step, and in an implicit one.
    pub volume: [f64; 2],
}

/// Costs as they were measured.
const COST: Cost = Cost {
    product: 0.9,
    products: [2.0, 5.0],
    volume: [1.5, 4.0],
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
pub fn longest_explicit(body: &MuscleBody) -> f64 {
    CROSSED / crossing(body, 1.0)
}

/// Spacings that a wave of pressure crosses in a step [s].
fn crossing(body: &MuscleBody, dt: f64) -> f64 {
    dt * (body.greatest_stiffness() / body.density).sqrt() / body.spacing
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

/// Part of a step that it may be longer by rounding.
const ROUNDING: f64 = 1e-9;

/// The automatic step of a body, by what a second costs.
pub fn step_choice(setup: &MuscleSetup, body: &MuscleBody) -> StepChoice {
    let keeps_volume = setup.settings.incompressibility != Incompressibility::None;
    let volume = |of_mode: usize| {
        if keeps_volume {
            COST.volume[of_mode]
        } else {
            0.0
        }
    };
    let explicit = longest_explicit(body);
    let explicit_cost = (1.0 + volume(0)) / explicit;
    let implicit = LONGEST_IMPLICIT;
    let [least, more] = COST.products;
    let products = least + more * crossing(body, implicit);
    let implicit_cost = (1.0 + products * COST.product + volume(1)) / implicit;
    let is_implicit = match setup.settings.integration {
        Integration::Explicit => false,
        Integration::Implicit => true,
        Integration::Automatic => explicit < implicit && implicit_cost < explicit_cost,
    };
    StepChoice {
        seconds: match is_implicit {
            true => implicit,
            false => explicit,
        },
        is_implicit,
    }
}
