//! What boxes are put around: the trajectories of particles in a substep.

use pliant_math::simd::Number;
use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::contacts::broad::Bounds;
use crate::parallel;
use crate::particles::Particles;

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
