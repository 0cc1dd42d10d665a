//! Position correction: two particles of one continuum keep a minimum distance.
//!
//!   (v_j - v_i) . n >= (d_min - d) / dt,   n = (x_j - x_i)/d at the start of the substep
//!
//! Yu et al. 2024, sec. 4.4, as a velocity constraint with an accumulated, one-sided multiplier, so
//! that it never pulls. Deviation: an overlap at the start is undone at a limited speed only;
//! (d_min - d)/dt would throw particles apart, the faster the smaller the step.

use pliant_math::Real;
use pliant_math::simd::{Mask, Number, Pack, Places, Row};

/// A pair for each lane that may come closer than the minimum distance within the substep.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PairRow {
    /// Unit vectors from the owners to the other particles, by axis.
    pub normal: [Row; 3],
    /// Distance at the start [m].
    pub distance: Row,
    /// Accumulated impulse [kg m/s], >= 0.
    pub impulse: Row,
    /// The other particles.
    pub other: Places,
}

impl PairRow {
    /// The pairs of sixteen particles and others.
    ///
    /// * `difference` — x_j - x_i [m]
    /// * `distance` — its length [m]
    #[inline(always)]
    pub fn new<P: Pack>([x, y, z]: [P; 3], distance: P, other: Places) -> Self {
        // Particles in one place are pushed apart along an axis: any direction is as good.
        let is_apart = P::ZERO.less(distance);
        let mut pairs = Self {
            other,
            ..Self::default()
        };
        let [a, b, c] = &mut pairs.normal;
        (x / distance).or_where_not(is_apart, P::ZERO).store(a);
        (y / distance)
            .or_where_not(is_apart, P::splat(1.0))
            .store(b);
        (z / distance).or_where_not(is_apart, P::ZERO).store(c);
        distance.store(&mut pairs.distance);
        pairs
    }

    /// Takes over a pair, to which nothing was applied yet.
    #[inline(always)]
    pub fn copy_lane(&mut self, lane: usize, from: &Self) {
        for (normal, from) in self.normal.iter_mut().zip(&from.normal) {
            normal.0[lane] = from.0[lane];
        }
        self.distance.0[lane] = from.distance.0[lane];
        self.other.set(lane, from.other.get(lane) as u32);
    }

    /// Leaves a lane without a pair.
    pub fn clear_lane(&mut self, lane: usize, owner: usize) {
        self.normal.iter_mut().for_each(|axis| axis.set(lane, 0.0));
        self.distance.set(lane, Real::MAX);
        self.other.set(lane, owner as u32);
    }

    /// No pair in any lane of a row of particles.
    pub fn none(owner: Places) -> Self {
        Self {
            distance: Row([Real::MAX; _]),
            other: owner,
            ..Self::default()
        }
    }
}

/// What all pairs share.
#[derive(Clone, Copy, Debug)]
pub struct MinimumDistance {
    /// The distance to keep [m].
    pub distance: Real,
    /// Greatest speed of separation [m/s].
    pub push_out_speed: Real,
    /// 1/dt [1/s].
    pub inverse_dt: Real,
}

impl MinimumDistance {
    /// The impulse [kg m/s] along the normal that a pair still lacks: negative to take back.
    ///
    /// * `distance` — at the start [m]
    /// * `impulse` — accumulated [kg m/s]
    /// * `speed` — (v_j - v_i) . n [m/s]
    /// * `inverse_mass_sum` — 1/m_i + 1/m_j [1/kg]
    #[inline(always)]
    pub fn missing_impulse<N: Number>(
        &self,
        distance: N,
        impulse: N,
        speed: N,
        inverse_mass_sum: N,
    ) -> N {
        let gap_speed = (N::splat(self.distance) - distance) * N::splat(self.inverse_dt);
        let target = gap_speed.min(N::splat(self.push_out_speed));
        let missing = (target - speed) / inverse_mass_sum;
        let is_free = N::ZERO.less(inverse_mass_sum);
        missing.max(-impulse).or_where_not(is_free, N::ZERO)
    }

    /// True where an impulse is to be applied.
    #[inline(always)]
    pub fn is_active<N: Number>(impulse: N) -> bool {
        (impulse.less(N::ZERO) | N::ZERO.less(impulse)).any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: MinimumDistance = MinimumDistance {
        distance: 0.75,
        push_out_speed: 0.2,
        inverse_dt: 10.0,
    };

    fn missing(distance: Real, impulse: Real, speed: Real) -> Real {
        RULE.missing_impulse(distance, impulse, speed, 2.0)
    }

    #[test]
    fn approaching_particles_stop_at_the_minimum_distance() {
        let (distance, approach) = (0.9, -3.0);
        let impulse = missing(distance, 0.0, approach);
        let end = distance + (approach + impulse * 2.0) / RULE.inverse_dt;
        assert!((end - RULE.distance).abs() < 1e-6);
    }

    #[test]
    fn separating_particles_are_not_pulled_together() {
        assert_eq!(missing(0.9, 0.0, 1.0), 0.0);
    }

    #[test]
    fn an_overlap_is_corrected_at_most_at_the_push_out_speed() {
        let impulse = missing(0.1, 0.0, 0.0);
        assert!((impulse * 2.0 - RULE.push_out_speed).abs() < 1e-6);
    }

    #[test]
    fn an_impulse_no_longer_needed_is_removed() {
        assert_eq!(missing(0.9, 0.5, 9.0), -0.5);
    }

    #[test]
    fn held_particles_get_no_impulse() {
        assert_eq!(RULE.missing_impulse(0.1 as Real, 0.0, -5.0, 0.0), 0.0);
    }
}
