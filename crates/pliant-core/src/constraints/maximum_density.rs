//! Density that does not exceed a bound.
//!
//!   C = f/f_max - 1 <= 0,   f = sum_j V_j W_ij, the particle itself included
//!   div v >= (f - f_max)/dt,   p >= 0, one of them an equality
//!
//! Macklin and Müller 2013, eq. 1, with kernels that stay during a substep: df/dt = -div v. The
//! multiplier is a pressure p, which acts for dt, so that only compression is undone and nothing is
//! drawn together. Deviation: excess density is let go at a limited rate only; at once, it would throw
//! particles apart, the faster the smaller the step.

use pliant_math::Real;
use pliant_math::simd::{Mask, Number};

/// What all particles share.
#[derive(Clone, Copy, Debug)]
pub struct MaximumDensity {
    /// The greatest sum of V W.
    pub fraction: Real,
    /// Rate at which excess density may be let go [1/s].
    pub greatest_rate: Real,
    /// The substep [s].
    pub dt: Real,
}

impl MaximumDensity {
    /// What the divergence shall at least be [1/s], for the sum of V W at the start.
    #[inline(always)]
    pub fn least_divergence<N: Number>(&self, fraction: N) -> N {
        let excess = (fraction - N::splat(self.fraction)) / N::splat(self.dt);
        excess.min(N::splat(self.greatest_rate))
    }

    /// The same near a free surface: what is as dense as the inside, with what the surface takes from its sum,
    /// is not compressed further, but only what is too dense by itself is let go.
    #[inline(always)]
    pub fn least_divergence_at_surface<N: Number>(&self, fraction: N, completed: N) -> N {
        let of_surface = self.least_divergence(completed).min(N::ZERO);
        self.least_divergence(fraction).max(of_surface)
    }

    /// Change of the pressure for a lacking divergence [Pa s]; 0 for what cannot move.
    ///
    /// * `volume` — rest volume of the particle [m3]
    /// * `mobility` — sum of |grad|^2/m over all particles that its density depends on [1/(kg m2)]
    #[inline(always)]
    pub fn response<N: Number>(&self, volume: N, mobility: N) -> N {
        let can_move = N::ZERO.less(mobility) & N::ZERO.less(volume);
        let response = N::splat(1.0) / (N::splat(self.dt) * volume * mobility);
        response.or_where_not(can_move, N::ZERO)
    }

    /// The pressure [Pa] that makes up for a lacking divergence [1/s].
    #[inline(always)]
    pub fn projected<N: Number>(applied: N, lacking: N, response: N) -> N {
        (applied + lacking * response).max(N::ZERO)
    }

    /// True where a change of the pressure is to be applied.
    #[inline(always)]
    pub fn is_active<N: Number>(change: N) -> bool {
        (change.less(N::ZERO) | N::ZERO.less(change)).any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: MaximumDensity = MaximumDensity {
        fraction: 1.2,
        greatest_rate: 2.0,
        dt: 0.1,
    };

    #[test]
    fn sparse_particles_may_approach_until_they_are_at_the_bound() {
        let least: Real = RULE.least_divergence(1.0);
        assert!((1.0 - RULE.dt * least - RULE.fraction).abs() < 1e-6);
    }

    #[test]
    fn excess_density_decays_at_most_at_the_greatest_rate() {
        assert_eq!(RULE.least_divergence(1.9 as Real), RULE.greatest_rate);
        let small: Real = RULE.least_divergence(1.21);
        assert!((small - 0.1).abs() < 1e-5, "{small}");
    }

    #[test]
    fn pressure_pushes_and_never_pulls() {
        assert_eq!(MaximumDensity::projected(3.0 as Real, -2.0, 1.0), 1.0);
        assert_eq!(MaximumDensity::projected(3.0 as Real, -4.0, 1.0), 0.0);
    }

    #[test]
    fn held_particles_get_no_pressure() {
        assert_eq!(RULE.response(1.0 as Real, 0.0), 0.0);
        assert_eq!(RULE.response(0.0 as Real, 1.0), 0.0);
        assert!((RULE.response(2.0 as Real, 5.0) - 1.0).abs() < 1e-6);
    }
}
