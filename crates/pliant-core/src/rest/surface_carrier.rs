//! Bodies that keep their neighbours, for surfaces embedded in them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RestShape;

/// A body whose particles may carry a surface.
#[derive(Clone, Debug)]
pub struct SurfaceCarrier {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Its shape at rest.
    pub shape: Arc<RestShape>,
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
}

impl SurfaceCarrier {
    /// Stable ids of its particles.
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id + self.shape.len() as u32
    }
}

/// Where the bond between two particles was cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutPoint {
    /// Ids of the particles.
    pub ends: [u32; 2],
    /// Position along the bond from the first to the second, from 0 to 1.
    pub at: f32,
}
