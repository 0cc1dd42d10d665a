//! XSPH: velocities drawn towards the mean of their neighbours (Schechter and Bridson 2012).
//!
//!   v_i += c/m_i sum_j w_ij (v_j - v_i),   w_ij = w_ji,   c = min(rate dt, 0.2)
//!
//! Yu et al. 2024, eq. 20. Deviations: the coefficient is a rate times the step, so that the outcome
//! does not depend on the step; the weights are symmetric in the pair, so that momentum is kept.

use pliant_math::{Real, Vec3};

use super::interactions::Interactions;
use crate::parallel;

/// Greatest coefficient of one step; beyond about 1 the smoothing would overshoot.
const GREATEST_COEFFICIENT: f64 = 0.2;

/// Smooths velocities; `rate` [1/s] >= 0. `scratch` receives the velocities before.
pub fn smooth(
    interactions: &Interactions,
    inverse_mass: &[Real],
    rate: f64,
    dt: f64,
    velocity: &mut [Vec3],
    scratch: &mut Vec<Vec3>,
) {
    if rate == 0.0 {
        return;
    }
    let coefficient = (rate * dt).min(GREATEST_COEFFICIENT) as Real;
    scratch.clear();
    scratch.extend_from_slice(velocity);
    let before = scratch.as_slice();
    parallel::for_chunks(velocity, |first, chunk| {
        for (k, v) in chunk.iter_mut().enumerate() {
            let i = first + k;
            let weights = interactions.smoothing_of(i);
            let mut pull = Vec3::ZERO;
            for (record, &weight) in interactions.of(i).iter().zip(weights) {
                pull += (before[record.neighbor as usize] - before[i]) * weight;
            }
            *v = before[i] + pull * (coefficient * inverse_mass[i]);
        }
    });
}
