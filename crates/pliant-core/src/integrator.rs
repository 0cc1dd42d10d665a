//! Velocities under gravity and damping, positions under velocities.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::parallel;

/// v += g dt for every particle that can move.
pub fn accelerate(velocity: &mut [Vec3], inverse_mass: &[Real], gravity: DVec3, dt: f64) {
    let change = to_real(gravity * dt);
    parallel::for_chunks(velocity, |first, chunk| {
        for (v, &w) in chunk.iter_mut().zip(&inverse_mass[first..]) {
            if w > 0.0 {
                *v += change;
            }
        }
    });
}

/// v /= 1 + rate dt for every particle that can move: implicit damping towards rest, `rate` [1/s] >= 0.
pub fn damp(velocity: &mut [Vec3], inverse_mass: &[Real], rate: f64, dt: f64) {
    if rate == 0.0 {
        return;
    }
    let factor = (1.0 / (1.0 + rate * dt)) as Real;
    parallel::for_chunks(velocity, |first, chunk| {
        for (v, &w) in chunk.iter_mut().zip(&inverse_mass[first..]) {
            if w > 0.0 {
                *v *= factor;
            }
        }
    });
}

/// x += v dt.
pub fn advance(position: &mut [DVec3], velocity: &[Vec3], dt: f64) {
    parallel::for_chunks(position, |first, chunk| {
        for (x, &v) in chunk.iter_mut().zip(&velocity[first..]) {
            *x += to_double(v) * dt;
        }
    });
}
