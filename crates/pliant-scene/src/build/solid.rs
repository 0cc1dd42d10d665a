//! Bodies with an energy: particles that keep their neighbours.

use std::sync::Arc;

use pliant_core::rest::RestShape;
use pliant_core::world::InitialParticles;

use super::Builder;
use crate::methods::BodyItem;
use crate::units::pose;

impl Builder<'_> {
    /// The particles of a solid body beside `before` others, or `None` after an error was collected.
    pub(crate) fn solid(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let BodyItem {
            path,
            values,
            material,
            colliders,
            before,
        } = item;
        if !values.has("shape") {
            let message = "a body of `strain-energy` has a shape: no emitter can feed it";
            self.fail(path, message, "give it a shape");
            return None;
        }
        let particles = self.particles(path, values, material.density, colliders, before)?;
        let support_radius = values.number("support_radius") * values.number("spacing");
        let mut shape = RestShape::new(particles.position.clone(), support_radius);
        shape.pose = pose(values);
        Some(InitialParticles {
            structure: Some(Arc::new(shape)),
            ..particles
        })
    }
}
