//! Texture coordinates of the triangles between particles.

use pliant_geometry::{TriangleUv, UvMap};
use pliant_math::DVec3;

use super::frame::FrameColumns;
use crate::parallel;
use crate::world::Setup;

/// Texture coordinates of a frame, kept while its triangles stay the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct TriangleUvs {
    /// The triangles that they were found for, by the ids of their corners.
    made_for: Vec<[u32; 3]>,
    uv: Vec<TriangleUv>,
}

/// A body whose triangles have texture coordinates.
struct Textured<'a> {
    uv_map: &'a UvMap,
    first_id: u32,
    position: &'a [DVec3],
}

impl TriangleUvs {
    /// Those of the triangles of a frame; none if no body has any.
    pub fn update(&mut self, setup: &Setup, columns: &FrameColumns) -> &[TriangleUv] {
        let bodies: Vec<Option<Textured<'_>>> = setup
            .numbered()
            .map(|numbered| {
                let particles = &numbered.body.particles;
                Some(Textured {
                    uv_map: particles.uv_map.as_deref()?,
                    first_id: numbered.first_id,
                    position: &particles.position,
                })
            })
            .collect();
        if bodies.iter().all(Option::is_none) {
            return &[];
        }
        let of_corner = |corner: u32| columns.id[corner as usize];
        let triangles = columns.triangles.iter();
        let ids: Vec<[u32; 3]> = triangles.map(|t| t.map(of_corner)).collect();
        if ids != self.made_for {
            self.uv.clear();
            self.uv.resize(ids.len(), TriangleUv::default());
            parallel::for_chunks(&mut self.uv, |first, uv| {
                for (k, uv) in uv.iter_mut().enumerate() {
                    let body = columns.body[columns.triangles[first + k][0] as usize];
                    let of_body = bodies[body as usize].as_ref();
                    *uv = of_body
                        .and_then(|b| b.uv(ids[first + k]))
                        .unwrap_or_default();
                }
            });
            self.made_for = ids;
        }
        &self.uv
    }
}

impl Textured<'_> {
    /// Of a triangle, by the ids of its corners.
    fn uv(&self, ids: [u32; 3]) -> Option<TriangleUv> {
        let place = |id: u32| self.position.get(id.checked_sub(self.first_id)? as usize);
        let [a, b, c] = ids.map(place);
        Some(self.uv_map.of_triangle([*a?, *b?, *c?]))
    }
}
