//! What boxes are put around: the trajectories of particles in a substep.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// In their order; of those that meet nothing there are none.
    pub records: Vec<Record>,
    /// Velocities that the records are for [m/s].
    velocity: Vec<Vec3>,
    /// Mean position [m] and velocity [m/s] of the cloth.
    frame: [DVec3; 2],
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
    /// * `met` — places of those that may meet something
    pub fn update(
        &mut self,
        particles: &Particles,
        of_cloth: Range<usize>,
        met: &[Range<usize>],
        dt: f64,
    ) {
        let Particles {
            position, velocity, ..
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
        let frame = sums.map(|sum| sum / of_cloth.len().max(1) as f64);
        self.frame = frame;
        self.velocity.resize(velocity.len(), Vec3::ZERO);
        self.records.resize(velocity.len(), [0.0; 8]);
        for range in met {
            self.velocity[range.clone()].copy_from_slice(&velocity[range.clone()]);
            parallel::for_chunks(&mut self.records[range.clone()], |start, records| {
                for (i, record) in (range.start + start..).zip(records) {
                    *record = record_of(particles, i, frame, dt);
                }
            });
        }
    }

    /// Takes other velocities of the same particles, and calls `changed` with the place of each that has one.
    /// Returns true if it returned true of all.
    pub fn follow(
        &mut self,
        particles: &Particles,
        met: &[Range<usize>],
        dt: f64,
        changed: impl Fn(usize) -> bool + Sync,
    ) -> bool {
        let (frame, all) = (self.frame, AtomicBool::new(true));
        let follow = |i: usize, then: &mut Vec3, record: &mut Record| {
            let now = particles.velocity[i];
            if *then != now {
                *then = now;
                *record = record_of(particles, i, frame, dt);
                if !changed(i) {
                    all.store(false, Ordering::Relaxed);
                }
            }
        };
        for range in met {
            let (velocity, records) = (
                &mut self.velocity[range.clone()],
                &mut self.records[range.clone()],
            );
            parallel::for_chunks2(velocity, records, |start, velocity, records| {
                let columns = velocity.iter_mut().zip(records);
                let places = range.start + start..;
                places
                    .zip(columns)
                    .for_each(|(i, (then, record))| follow(i, then, record));
            });
        }
        all.into_inner()
    }
}

fn record_of(particles: &Particles, i: usize, [origin, drift]: [DVec3; 2], dt: f64) -> Record {
    let [x, y, z] = to_real(particles.position[i] - origin).to_array();
    let way = to_real((to_double(particles.velocity[i]) - drift) * dt);
    let [dx, dy, dz] = Vec3::to_array(&way);
    let sum = x.abs() + y.abs() + z.abs() + dx.abs() + dy.abs() + dz.abs();
    [x, y, z, particles.radius[i], dx, dy, dz, ROUNDING * sum]
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
