//! What adds particles during the run.

use pliant_core::boundaries::Collider;
use pliant_core::world::Emitter;
use pliant_geometry::ShapeUse;
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::particles::Filling;
use crate::document::address_text;
use crate::units::pose;

impl Builder<'_> {
    /// The emitters, without those whose shape was refused.
    pub(super) fn emitters(&mut self, colliders: &[Collider]) -> Vec<Emitter> {
        let mut emitters = Vec::new();
        for (path, values) in self.items("emitter") {
            emitters.extend(self.emitter(&path, values, colliders));
        }
        emitters
    }

    fn emitter(&mut self, path: &str, values: &Values, colliders: &[Collider]) -> Option<Emitter> {
        let body = self.index_of("body", values.text("body"))?;
        let method = self.scene.tables["body"][body as usize].text("method");
        if matches!(method, "cloth" | "springs" | "rigid") {
            let message = format!(
                "the body that it feeds is of `{method}`, which no particle can be added to"
            );
            self.fail(&address_text(path, "body"), message, "name another body");
            return None;
        }
        let filling = Filling::of_body(&self.scene.tables["body"][body as usize]);
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: filling.spacing,
        };
        let position = DVec3::from_array(values.vector3("position"));
        if !self.is_near(path, values, filling.spacing, [position]) {
            return None;
        }
        let shape = self.shape(path, values, use_as)?;
        let shape_path = address_text(path, "shape");
        if !self.has_memory(&shape_path, shape.as_ref(), filling.spacing, 0.0) {
            return None;
        }
        self.with.meshes.report_progress(&format!("filling {path}"));
        let pose = pose(values);
        let local = self.fill(shape.as_ref(), filling, path);
        let mut seeds: Vec<DVec3> = local.into_iter().map(|p| pose.to_world(p)).collect();
        if seeds.is_empty() {
            let spacing = filling.spacing;
            let message = format!("no particle of spacing {spacing:?} m fits inside");
            self.fail(
                &shape_path,
                message,
                "enlarge the shape, or refine the body's spacing",
            );
            return None;
        }
        self.drop_barred_seeds(path, colliders, &mut seeds);
        if seeds.is_empty() {
            let message = "the whole emitter lies inside colliders";
            self.fail(path, message, "move the emitter or the colliders");
            return None;
        }
        Some(Emitter {
            name: values.text("name").into(),
            body,
            shape,
            pose,
            seeds,
            velocity: DVec3::from_array(values.vector3("velocity")),
            rate: values.optional_number("rate"),
            start: values.number("start"),
            stop: values.optional_number("stop").unwrap_or(f64::INFINITY),
        })
    }
}
