//! Surfaces of shapes as triangles of the size that a scene asks for.

use pliant_geometry::{Shape, TriangleMesh, meshed};
use pliant_parameters::Values;

use super::Builder;
use crate::document::address_text;

/// Volumes inside of triangles and of their shape that differ by more than this part of it are warned of.
const VOLUME_DIFFERENCE: f64 = 0.1;

/// Shapes whose triangles are files' or their own few.
const WITH_TRIANGLES: &[&str] = &["mesh", "mesh-sequence", "tetrahedra"];

impl Builder<'_> {
    /// Refuses a `surface_spacing` where no surface is made of triangles for it.
    pub(super) fn check_surface_spacing(&mut self, path: &str, values: &Values) {
        let is_made = |key: &str| {
            let shape = values.table(key).map(|shape| shape.named_item().0);
            shape.is_some_and(|kind| !WITH_TRIANGLES.contains(&kind))
        };
        let is_cut =
            values.text("method") == "shape-groups" && values.text("groups") == "cut-cells";
        if values.has("surface_spacing") && !(is_made("render_mesh") || is_cut && is_made("shape"))
        {
            let message = "only the surface that `groups = \"cut-cells\"` are cut from and a `render_mesh` are made of triangles, and a mesh of a file has its own";
            let remedy = "remove it, or give the body one of these";
            self.fail(&address_text(path, "surface_spacing"), message, remedy);
        }
    }

    /// The triangles of a surface: those of its file; those with the sides that the body asks for, or else of a default
    /// length [m]; or those that it has by itself.
    ///
    /// * `size` — extent of the body [m]
    pub(super) fn triangles_of(
        &mut self,
        (path, values): (&str, &Values),
        surface: &dyn Shape,
        size: f64,
        by_default: Option<f64>,
    ) -> Option<TriangleMesh> {
        if let Some(mesh) = surface.fabric() {
            return Some(mesh);
        }
        let key = address_text(path, "surface_spacing");
        let Some(spacing) = values.optional_number("surface_spacing").or(by_default) else {
            return Some(surface.surface(size));
        };
        let Some(mesh) = meshed(surface, spacing) else {
            let message = "triangles as small take a grid of more than 30 million nodes";
            self.fail(&key, message, "take a larger one");
            return None;
        };
        let enclosed = mesh.volume();
        let others = "a smaller `surface_spacing` comes closer";
        self.warn_of_volume(&key, surface, ("triangles", enclosed), others);
        Some(mesh)
    }

    /// Warns if what stands for a shape, by what it is called and its volume [m3], differs much from it.
    pub(super) fn warn_of_volume(
        &mut self,
        key: &str,
        shape: &dyn Shape,
        (what, filled): (&str, f64),
        remedy: &str,
    ) {
        if let Some(volume) = shape.volume()
            && (filled / volume - 1.0).abs() > VOLUME_DIFFERENCE
        {
            let percent = 100.0 * filled / volume;
            let message =
                format!("its {what} have {percent:.0} % of the volume of its shape; {remedy}");
            self.warn(key, message);
        }
    }
}
