//! Boxes along the axes, sixteen side by side.

use pliant_geometry::Aabb;
use pliant_math::Real;
use pliant_math::simd::{LANES, Mask, Number, Pack, Row};

/// A box: least coordinates, then greatest [m].
pub type Bounds = [Real; 6];

/// Sixteen boxes.
#[derive(Clone, Copy, Debug)]
pub struct BoxRow([Row; 6]);

impl BoxRow {
    /// Boxes that overlap none, not even one without bounds.
    pub const NOWHERE: Self = Self([Row([Real::NAN; LANES]); 6]);

    /// A box.
    pub fn get(&self, lane: usize) -> Bounds {
        std::array::from_fn(|k| self.0[k].0[lane])
    }

    /// Replaces a box.
    pub fn set(&mut self, lane: usize, bounds: &Bounds) {
        for (row, &coordinate) in self.0.iter_mut().zip(bounds) {
            row.set(lane, coordinate);
        }
    }

    /// Replaces all boxes.
    #[inline(always)]
    pub fn store<P: Pack>(&mut self, bounds: &[P; 6]) {
        for (row, coordinates) in self.0.iter_mut().zip(bounds) {
            coordinates.store(row);
        }
    }

    /// Which boxes have a point in common with those of a pack: bit k is lane k.
    #[inline(always)]
    pub fn overlapping<P: Pack>(&self, bounds: &[P; 6]) -> u32 {
        let mut all = P::load(&self.0[0]).at_most(bounds[3]);
        all = all & P::load(&self.0[1]).at_most(bounds[4]);
        all = all & P::load(&self.0[2]).at_most(bounds[5]);
        all = all & bounds[0].at_most(P::load(&self.0[3]));
        all = all & bounds[1].at_most(P::load(&self.0[4]));
        all = all & bounds[2].at_most(P::load(&self.0[5]));
        all.bits()
    }

    /// The least box around all.
    pub fn around(&self) -> Bounds {
        let least = |row: &Row| {
            row.0
                .iter()
                .fold(Real::MAX, |a, &b| if b < a { b } else { a })
        };
        let greatest = |row: &Row| {
            row.0
                .iter()
                .fold(-Real::MAX, |a, &b| if b > a { b } else { a })
        };
        let [a, b, c, d, e, f] = &self.0;
        [
            least(a),
            least(b),
            least(c),
            greatest(d),
            greatest(e),
            greatest(f),
        ]
    }
}

/// A box that rounding does not make smaller.
pub fn bounds_of(bounds: &Aabb) -> Bounds {
    let below = |x: f64| (x - x.abs() * f64::from(Real::EPSILON)) as Real;
    let above = |x: f64| (x + x.abs() * f64::from(Real::EPSILON)) as Real;
    let ([x, y, z], [a, b, c]) = (bounds.min.to_array(), bounds.max.to_array());
    [below(x), below(y), below(z), above(a), above(b), above(c)]
}

/// A box in every lane.
#[inline(always)]
pub fn splat<P: Pack>([a, b, c, d, e, f]: &Bounds) -> [P; 6] {
    [
        P::splat(*a),
        P::splat(*b),
        P::splat(*c),
        P::splat(*d),
        P::splat(*e),
        P::splat(*f),
    ]
}

/// The least boxes around two.
#[inline(always)]
pub fn union<N: Number>(a: &[N; 6], b: &[N; 6]) -> [N; 6] {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].min(b[2]),
        a[3].max(b[3]),
        a[4].max(b[4]),
        a[5].max(b[5]),
    ]
}
