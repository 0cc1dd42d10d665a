//! A read-only view of one moment: the only thing that writers and pictures see.

use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_math::{DVec3, Pose};

/// One moment of a run. Columns have equal lengths and are in order of the stable particle id.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Number of the frame; 1 is the initial state.
    pub number: u32,
    /// Simulated time [s].
    pub time: f64,
    /// Positions [m].
    pub position: &'a [DVec3],
    /// Velocities [m/s].
    pub velocity: &'a [[f32; 3]],
    /// Stable ids, increasing.
    pub id: &'a [u32],
    /// Body of each particle, an index into `bodies`.
    pub body: &'a [u32],
    /// Material of each particle, an index into `material_names`.
    pub material: &'a [u32],
    /// Radius of each particle [m], half its body's spacing.
    pub radius: &'a [f32],
    /// Further quantities: density, det_F, stress_von_mises, and each method's own.
    pub quantities: &'a [Quantity],
    /// Triangles of cloth that hold: places of their corners in these columns.
    pub triangles: &'a [[u32; 3]],
    /// The bodies.
    pub bodies: &'a [FrameBody],
    /// Names of the materials.
    pub material_names: &'a [String],
    /// The colliders and blades where they are now.
    pub colliders: &'a [FrameCollider],
}

/// A named scalar of every particle.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    /// Name as written to files: "density", "det_F", "stress_von_mises", ...
    pub name: &'static str,
    /// Unit, empty for none.
    pub unit: &'static str,
    /// One value a particle.
    pub values: Vec<f32>,
}

/// A body as pictures and files need it.
#[derive(Clone, Debug)]
pub struct FrameBody {
    /// Name.
    pub name: String,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
}

/// A collider or a blade as pictures need it.
#[derive(Clone, Debug)]
pub struct FrameCollider {
    /// Name.
    pub name: String,
    /// Its shape, in local coordinates.
    pub shape: Arc<dyn Shape>,
    /// Where it is.
    pub pose: Pose,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
    /// 1 opaque, 0 not drawn, between as glass.
    pub opacity: f32,
}

impl Frame<'_> {
    /// The quantity of a name.
    pub fn quantity(&self, name: &str) -> Option<&Quantity> {
        self.quantities.iter().find(|q| q.name == name)
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.position.len()
    }
}
