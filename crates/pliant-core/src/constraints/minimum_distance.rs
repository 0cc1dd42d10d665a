//! Position correction: two particles of one continuum keep a minimum distance.
//!
//!   (v_j - v_i) . n >= (d_min - d) / dt,   n = (x_j - x_i)/d at the start of the substep
//!
//! Yu et al. 2024, sec. 4.4, as a velocity constraint with an accumulated, one-sided multiplier, so
//! that it never pulls. Deviation: an overlap at the start is undone at a limited speed only;
//! (d_min - d)/dt would throw particles apart, the faster the smaller the step.

use pliant_math::{Real, Vec3};

/// A pair that may come closer than the minimum distance within the substep.
#[derive(Clone, Copy, Debug)]
pub struct ClosePair {
    /// Unit vector from the owner to the other particle.
    pub normal: [Real; 3],
    /// The other particle.
    pub other: u32,
    /// Distance at the start [m].
    pub distance: Real,
    /// Accumulated impulse [kg m/s], >= 0.
    pub impulse: Real,
}

/// What all pairs share.
#[derive(Clone, Copy, Debug)]
pub struct MinimumDistance {
    /// The distance to keep [m].
    pub distance: Real,
    /// Greatest speed of separation asked for [m/s].
    pub push_out_speed: Real,
    /// 1/dt [1/s].
    pub inverse_dt: Real,
}

impl MinimumDistance {
    /// The impulse [kg m/s] along the normal that the pair still lacks: negative to take back.
    ///
    /// * `velocity` — v_j - v_i [m/s]
    /// * `inverse_mass_sum` — 1/m_i + 1/m_j [1/kg]
    #[inline(always)]
    pub fn missing_impulse(
        &self,
        pair: &ClosePair,
        velocity: Vec3,
        inverse_mass_sum: Real,
    ) -> Real {
        if inverse_mass_sum == 0.0 {
            return 0.0;
        }
        let gap_speed = (self.distance - pair.distance) * self.inverse_dt;
        let target = gap_speed.min(self.push_out_speed);
        let missing = (target - velocity.dot(Vec3::from_array(pair.normal))) / inverse_mass_sum;
        missing.max(-pair.impulse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: ClosePair = ClosePair {
        normal: [1.0, 0.0, 0.0],
        other: 1,
        distance: 0.9,
        impulse: 0.0,
    };
    const RULE: MinimumDistance = MinimumDistance {
        distance: 0.75,
        push_out_speed: 0.2,
        inverse_dt: 10.0,
    };

    #[test]
    fn approaching_particles_stop_at_the_minimum_distance() {
        let approach = Vec3::new(-3.0, 1.0, 0.0);
        let impulse = RULE.missing_impulse(&PAIR, approach, 2.0);
        let after = approach + Vec3::X * (impulse * 2.0);
        let end = PAIR.distance + after.x / RULE.inverse_dt;
        assert!((end - RULE.distance).abs() < 1e-6);
        assert_eq!(after.y, 1.0);
    }

    #[test]
    fn separating_particles_are_not_pulled_together() {
        assert_eq!(RULE.missing_impulse(&PAIR, Vec3::X, 2.0), 0.0);
    }

    #[test]
    fn an_overlap_is_undone_no_faster_than_the_push_out_speed() {
        let overlap = ClosePair {
            distance: 0.1,
            ..PAIR
        };
        let impulse = RULE.missing_impulse(&overlap, Vec3::ZERO, 2.0);
        assert!((impulse * 2.0 - RULE.push_out_speed).abs() < 1e-6);
    }

    #[test]
    fn an_impulse_that_is_no_longer_needed_is_taken_back() {
        let pushed = ClosePair {
            impulse: 0.5,
            ..PAIR
        };
        assert_eq!(RULE.missing_impulse(&pushed, Vec3::X * 9.0, 2.0), -0.5);
    }
}
