//! How long a step may be.

use super::GroupBody;

/// Spacings that a wave in a bar may cross in an automatic step: a bar then has its Young's modulus within 2 %, and
/// its Poisson's ratio within 0.02.
const CROSSED: f64 = 0.2;

/// Spacings that one may cross in a step at most: beyond it bars lose a third of their stiffness.
const MOST_CROSSED: f64 = 1.0;

/// The longest automatic step for a body [s].
pub fn longest_step(body: &GroupBody) -> f64 {
    CROSSED / body.crossing(1.0)
}

/// The longest step in which a body has about its stiffness [s].
pub fn resolved_step(body: &GroupBody) -> f64 {
    MOST_CROSSED / body.crossing(1.0)
}
