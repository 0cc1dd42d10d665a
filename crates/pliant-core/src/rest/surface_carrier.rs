//! Bodies that keep their neighbours, for surfaces embedded in them.

use std::ops::Range;
use std::sync::Arc;

use pliant_embedding::RestBody;
use pliant_math::DVec3;
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

impl RestBody for SurfaceCarrier {
    fn positions(&self) -> &[DVec3] {
        &self.shape.position
    }

    fn support_radius(&self) -> f64 {
        self.shape.support_radius
    }

    fn neighbors_of(&self, particle: usize) -> &[u32] {
        self.shape.neighbors_of(particle)
    }

    fn spacing(&self) -> f64 {
        self.spacing
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
