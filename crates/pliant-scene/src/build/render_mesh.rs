//! Surfaces that bodies carry.

use std::sync::Arc;

use pliant_core::world::RenderMesh;
use pliant_geometry::{Shape, ShapeUse, TriangleMesh, refined};
use pliant_parameters::Values;

use super::Builder;
use super::uv_map::uv_map;
use crate::document::address_text;
use crate::units::pose;

/// Edges longer than so many spacings are halved: they could not follow the particles.
const LONGEST_EDGE: f64 = 1.5;

/// A vertex further from the body than so many spacings is carried by particles it has little to do with.
const FAR: f64 = 2.0;

/// Memory that a triangle takes, with the vertices and particles that carry it [bytes].
const BYTES_PER_TRIANGLE: f64 = 512.0;

impl Builder<'_> {
    /// The surface that a body carries, if it has one; `None` also after an error was collected.
    ///
    /// * `shape` — what the body fills
    pub(super) fn render_mesh(
        &mut self,
        path: &str,
        values: &Values,
        shape: &Arc<dyn Shape>,
    ) -> Option<Arc<RenderMesh>> {
        let table = values.table("render_mesh")?;
        let (spacing, factor) = (values.number("spacing"), values.number("scale"));
        let use_as = ShapeUse {
            is_filled: false,
            is_shell: false,
            is_cloth: true,
            spacing: spacing / factor,
        };
        let body = (path, values);
        let path = address_text(path, "render_mesh");
        let surface = self.shape_in(&path, table, use_as)?;
        let surface = self.scaled(surface, values);
        let size = shape.bounds()?.extent().max_element();
        let mesh = self.triangles_of(body, surface.as_ref(), size, None)?;
        let pose = pose(values);
        let uv_map = uv_map(surface.as_ref(), pose);
        self.check_refinement(&path, &mesh, size, LONGEST_EDGE * spacing)?;
        let mut mesh = refined(&mesh, LONGEST_EDGE * spacing);
        let is_far = |x: &&_| shape.signed_distance(**x) > FAR * spacing;
        let far = mesh.vertices.iter().filter(is_far).count();
        if far > 0 {
            let message = format!(
                "{far} of the {} vertices of this surface are more than {FAR} spacings away from the body",
                mesh.vertices.len()
            );
            self.warn(&path, message);
        }
        for x in &mut mesh.vertices {
            *x = pose.to_world(*x);
        }
        Some(Arc::new(RenderMesh {
            mesh,
            uv_map,
            shape: Arc::clone(shape),
            pose,
        }))
    }

    /// Refuses a surface that edges of `longest` [m] make too large for the memory there is, beside a body
    /// of `size` [m].
    fn check_refinement(
        &mut self,
        path: &str,
        mesh: &TriangleMesh,
        size: f64,
        longest: f64,
    ) -> Option<()> {
        let parts = |triangle: usize| {
            let [a, b, c] = mesh.corners(triangle);
            let area = 0.5 * (b - a).cross(c - a).length();
            let around = a.distance(b) + b.distance(c) + c.distance(a);
            1.0 + (4.0 * area / longest + around) / longest
        };
        let triangles: f64 = (0..mesh.triangles.len()).map(parts).sum();
        if triangles * BYTES_PER_TRIANGLE <= self.with.memory as f64 {
            return Some(());
        }
        let message = format!(
            "this surface is {:.3} m large, the body {size:.3} m: it would be cut into {triangles:.1e} triangles, more than there is memory for",
            mesh.bounds().extent().max_element()
        );
        let remedy = "check the scale of the file (0.001 if it is in millimetres)";
        self.fail(path, message, remedy);
        None
    }
}
