//! Meshes of which each vertex knows the particles that carry it.

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::clip::clipped_with_sources;
use super::crack_sides::{Bound, CrackSides};
use crate::parallel;

/// A mesh at rest and what carries it.
#[derive(Debug, Default)]
pub(super) struct BoundMesh {
    pub mesh: TriangleMesh,
    /// Of each vertex.
    pub bound: Vec<Bound>,
}

impl BoundMesh {
    /// The part where a value, given at the vertices and linear on the triangles, is not negative.
    pub fn clipped(&self, value: &[f64], sides: &CrackSides<'_>) -> Self {
        let (mesh, sources) = clipped_with_sources(&self.mesh, value);
        let bound = carried(&mesh.vertices, |vertex, x| {
            let [kept, other] = sources[vertex];
            let side = &self.bound[kept as usize];
            if kept == other {
                side.clone()
            } else {
                sides.carriers(x, side)
            }
        });
        Self { mesh, bound }
    }
}

/// What `carriers` tells of each of some places [m] and its number.
pub(super) fn carried(
    places: &[DVec3],
    carriers: impl Fn(usize, DVec3) -> Bound + Sync,
) -> Vec<Bound> {
    let mut bound = vec![Vec::new(); places.len()];
    parallel::for_chunks(&mut bound, |first, bound| {
        for (k, bound) in bound.iter_mut().enumerate() {
            *bound = carriers(first + k, places[first + k]);
        }
    });
    bound
}
