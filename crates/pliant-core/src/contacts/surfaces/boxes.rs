//! Boxes along the axes, sixteen side by side, and what they are put around.

use pliant_math::simd::{LANES, Mask, Number, Pack, Row};
use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::parallel;
use crate::particles::Particles;

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

/// A particle in a substep: its position [m] from an origin, its radius [m], its displacement [m] beside
/// that of the cloth, and what all of these may be off by rounding [m].
pub type Record = [Real; 8];

/// The particles in a substep.
#[derive(Debug, Default)]
pub struct Swept {
    /// In their order.
    pub records: Vec<Record>,
}

/// By how much boxes are larger than the trajectories in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin {
    /// In radii.
    pub radii: Real,
    /// Beside that [m].
    pub added: Real,
}

/// What single precision may be off by, as a share of coordinates: positions, differences, and sums.
const ROUNDING: Real = 4.0 * Real::EPSILON;

impl Swept {
    /// Takes particles as they are now.
    ///
    /// * `of_cloth` — places of those whose mean position and velocity the others are seen from
    pub fn update(&mut self, particles: &Particles, of_cloth: std::ops::Range<usize>, dt: f64) {
        let Particles {
            position,
            velocity,
            radius,
            ..
        } = particles;
        let first = of_cloth.start;
        let sums = parallel::ordered_fold(
            of_cloth.len(),
            [DVec3::ZERO; 2],
            |range| {
                let places = first + range.start..first + range.end;
                let velocities = velocity[places.clone()].iter().map(|&v| to_double(v));
                [position[places].iter().sum(), velocities.sum()]
            },
            |[a, b], [c, d]| [a + c, b + d],
        );
        let [origin, drift] = sums.map(|sum| sum / of_cloth.len().max(1) as f64);
        self.records.resize(particles.len(), [0.0; 8]);
        parallel::for_chunks(&mut self.records, |start, records| {
            for (k, record) in records.iter_mut().enumerate() {
                let i = start + k;
                let [x, y, z] = to_real(position[i] - origin).to_array();
                let way = to_real((to_double(velocity[i]) - drift) * dt);
                let [dx, dy, dz] = Vec3::to_array(&way);
                let sum = x.abs() + y.abs() + z.abs() + dx.abs() + dy.abs() + dz.abs();
                *record = [x, y, z, radius[i], dx, dy, dz, ROUNDING * sum];
            }
        });
    }
}

/// The box around a trajectory.
#[inline(always)]
pub fn around(record: &Record, margin: Margin) -> Bounds {
    let [x, y, z, radius, dx, dy, dz, rounding] = *record;
    let around = radius * margin.radii + margin.added + rounding;
    [
        x.min(x + dx) - around,
        y.min(y + dy) - around,
        z.min(z + dz) - around,
        x.max(x + dx) + around,
        y.max(y + dy) + around,
        z.max(z + dz) + around,
    ]
}

/// The boxes around sixteen trajectories.
#[inline(always)]
pub fn around_all<N: Number>(
    [x, y, z, radius, dx, dy, dz, rounding]: [N; 8],
    margin: Margin,
) -> [N; 6] {
    let around = radius * N::splat(margin.radii) + N::splat(margin.added) + rounding;
    [
        x.min(x + dx) - around,
        y.min(y + dy) - around,
        z.min(z + dz) - around,
        x.max(x + dx) + around,
        y.max(y + dy) + around,
        z.max(z + dz) + around,
    ]
}
