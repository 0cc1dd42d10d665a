//! Blades.

use pliant_core::boundaries::{Blade, Motion};
use pliant_core::world::Body;
use pliant_geometry::topology::rim;
use pliant_geometry::{ShapeUse, TriangleMesh};
use pliant_parameters::Values;

use super::colliders::motion;
use super::{Builder, color};
use crate::document::address_text;

/// Blades are asked for their corners alone, not for particles a spacing [m] apart.
const NO_SPACING: f64 = 1e9;

impl Builder<'_> {
    /// The blades, without those that were refused.
    pub(super) fn blades(&mut self, bodies: &[Body]) -> Vec<Blade> {
        let items = self.items("cut").into_iter();
        items
            .filter_map(|(path, values)| self.blade(&path, values, bodies))
            .collect()
    }

    fn blade(&mut self, path: &str, values: &Values, bodies: &[Body]) -> Option<Blade> {
        let use_as = ShapeUse {
            is_filled: false,
            is_shell: false,
            is_cloth: true,
            spacing: NO_SPACING,
        };
        let shape = self.shape(path, values, use_as)?;
        let Some(surface) = shape.fabric() else {
            let message = "a blade is a surface, and this shape is none";
            self.fail(
                &address_text(path, "shape"),
                message,
                "take a `sheet` or a `mesh`",
            );
            return None;
        };
        let motion = motion(values);
        self.check_rim(path, &surface, &motion)?;
        let body = values.optional_text("body");
        let body = body.and_then(|name| self.index_of("body", name));
        self.check_cut_bodies(path, body, bodies)?;
        Some(Blade {
            name: values.text("name").into(),
            shape,
            surface,
            motion,
            start: values.number("start"),
            stop: values.optional_number("stop").unwrap_or(f64::INFINITY),
            body,
            color: color(values.text("color")),
            opacity: values.number("opacity") as f32,
        })
    }

    /// Refuses a blade that moves and has no edge to cut with.
    fn check_rim(&mut self, path: &str, surface: &TriangleMesh, motion: &Motion) -> Option<()> {
        if motion.is_at_rest() || !rim(surface).is_empty() {
            return Some(());
        }
        let message = "this mesh is closed: a blade that moves cuts with its rim, and it has none";
        let remedy = "open the mesh where it shall cut, or leave out `motion`";
        self.fail(&address_text(path, "shape"), message, remedy);
        None
    }

    /// Refuses a blade for bodies that cannot be cut.
    fn check_cut_bodies(&mut self, path: &str, body: Option<u32>, bodies: &[Body]) -> Option<()> {
        let can_be_cut = |body: &Body| body.method.can_be_cut();
        let (key, message) = match body {
            Some(body) if can_be_cut(&bodies[body as usize]) => return Some(()),
            None if bodies.iter().any(can_be_cut) => return Some(()),
            Some(_) => (
                address_text(path, "body"),
                "a body of another method than `strain-energy` cannot be cut",
            ),
            None => (
                path.into(),
                "there is nothing to cut: no body of the scene is of `strain-energy`",
            ),
        };
        let remedy =
            "give the body a material whose law `strain-energy` takes, such as `neo-hookean`";
        self.fail(&key, message, remedy);
        None
    }
}
