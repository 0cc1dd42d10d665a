//! A body made in code.

use std::sync::Arc;

use pliant_math::DVec3;

use super::{Flesh, MUSCLE};
use crate::rest::RestShape;
use crate::world::Body;

/// Support radius over spacing: bars bend as they should, with 26 neighbours; wider ones cost more and are
/// stiffer.
pub const SUPPORT: f64 = 2.0;

/// Flesh without muscles, at rest in its shape at rest.
///
/// * `spacing` — distance of neighbouring particles [m], > 0
/// * `position` — of each particle [m]
pub fn flesh(spacing: f64, position: Vec<DVec3>) -> Flesh {
    Flesh::passive(RestShape::new(position, SUPPORT * spacing))
}

/// A body of flesh at rest.
///
/// * `material` — index into the materials; its law is a `Law::Solid`
/// * `density` — of the material [kg/m3], > 0
/// * `spacing` — distance of neighbouring particles [m], > 0
pub fn body(material: u32, density: f64, spacing: f64, flesh: Flesh) -> Body {
    let position = flesh.shape.position.clone();
    let mut body = Body::new(MUSCLE, material, density, spacing, position);
    body.support_radius = flesh.shape.support_radius;
    body.particles.structure = Some(Arc::new(flesh));
    body
}
