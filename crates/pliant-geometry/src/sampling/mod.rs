//! Filling a shape with particles.
//!
//! The cube of the spacing is the mean volume of a particle: grid neighbours are one spacing apart,
//! hexagonal ones 1.122, and irregular ones at least about 0.87. The outermost particles lie about half
//! a spacing below the surface. The caller gives each particle the body's volume divided by
//! the count, so that the body's mass is exact whatever the count.
//!
//! The same shape, spacing and random stream give the same points, bit for bit.

mod lattice;
mod neighbors;
mod poisson;
mod relaxed;
mod spheres;
mod start;
mod walk;
mod wall;

use pliant_math::{DVec3, RandomStream};

use crate::{Loop, Shape};
use lattice::Lattice;

/// How particles are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// A simple cubic lattice along the axes.
    Grid,
    /// Spheres of a spacing's diameter that neither overlap nor leave the shape, on a stretched hexagonal packing.
    Spheres,
    /// Hexagonal closest packing, its layers stacked along y.
    Hexagonal,
    /// Irregular and even: no two closer than about 0.87 spacings, no holes, no direction.
    Poisson,
    /// As irregular, and in balance: what the neighbours of an inner point push it with adds up to
    /// nothing, so that a uniform stress leaves hardly any force inside a body.
    Relaxed,
}

/// Points that fill a shape, in its local coordinates: about [`estimate_count`] of them.
///
/// * `spacing` — cube root of the mean volume of a particle [m], > 0
/// * `jitter` — how far a grid or hexagonal particle is moved at random along each axis, at most, as
///   a fraction of the spacing; 0 leaves the lattice as it is, irregular samples ignore it
/// * `random` — what jitter and irregular samples draw from
/// * `run` — the loop that long work runs in; the points do not depend on it
///
/// A shape that brings its own particles gives those. Empty if the shape has no end or is too small for a single particle. Time and memory grow with
/// the number of points.
pub fn fill(
    shape: &dyn Shape,
    spacing: f64,
    sampling: Sampling,
    jitter: f64,
    random: RandomStream,
    run: Loop,
) -> Vec<DVec3> {
    if let Some(samples) = shape.samples() {
        return samples.position;
    }
    let Some(bounds) = shape.bounds() else {
        return Vec::new();
    };
    let is_sound = spacing > 0.0 && (bounds.extent() / spacing).is_finite();
    if !is_sound || bounds.extent().min_element() <= 0.0 {
        return Vec::new();
    }
    let lattice = match sampling {
        Sampling::Grid => Lattice::grid(spacing),
        Sampling::Hexagonal => Lattice::hexagonal(spacing),
        Sampling::Spheres => {
            let points = spheres::fill(shape, bounds, spacing);
            if !points.is_empty() {
                return points;
            }
            // Of what is thinner than a sphere, the middle.
            Lattice::hexagonal(spacing)
        }
        Sampling::Poisson => {
            let points = start::sample(shape, bounds, spacing, random);
            return poisson::relax(shape, bounds, spacing, points, run);
        }
        Sampling::Relaxed => {
            let points = start::sample(shape, bounds, spacing, random);
            return relaxed::relax(shape, bounds, spacing, points, run);
        }
    };
    lattice.fill(shape, bounds, spacing, jitter * spacing, random)
}

/// About how many points [`fill`] returns, without making them: volume / spacing^3, infinite for a
/// shape without end.
pub fn estimate_count(shape: &dyn Shape, spacing: f64) -> f64 {
    shape.volume().unwrap_or(f64::INFINITY) / (spacing * spacing * spacing)
}

#[cfg(test)]
mod tests;
