//! Filling shapes with particles.

use pliant_geometry::Shape;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_math::{DVec3, RandomStream};
use pliant_parameters::Values;

use super::Builder;

/// How a shape is filled: the part of a body's table that sampling needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    pub spacing: f64,
    pub sampling: Sampling,
    /// Greatest displacement along each axis, in spacings.
    pub jitter: f64,
}

impl Filling {
    /// The filling that a body's table asks for.
    pub fn of_body(body: &Values) -> Self {
        let sampling = match body.text("sampling") {
            "grid" => Sampling::Grid,
            "hexagonal" => Sampling::Hexagonal,
            "spheres" => Sampling::Spheres,
            "relaxed" => Sampling::Relaxed,
            _ => Sampling::Poisson,
        };
        Self {
            spacing: body.number("spacing"),
            sampling,
            jitter: body.number("jitter"),
        }
    }
}

impl Builder<'_> {
    /// Positions inside a shape, in its own coordinates. The random choices derive from the
    /// scene's seed and a name, so that other items do not change them.
    pub(super) fn fill(&self, shape: &dyn Shape, filling: Filling, name: &str) -> Vec<DVec3> {
        let seed = self.scene.one("scene").integer("seed") as u64;
        let random = RandomStream::new(seed, stream_of(name));
        let Filling {
            spacing,
            sampling,
            jitter,
        } = filling;
        let run = self.with.meshes.work();
        fill(shape, spacing, sampling, jitter, random, run)
    }
}

/// The number of a random stream for a name (FNV-1a).
fn stream_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
