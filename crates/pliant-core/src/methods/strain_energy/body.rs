//! A body made in code.

use std::sync::Arc;

use pliant_math::DVec3;

use super::STRAIN_ENERGY;
use crate::rest::RestShape;
use crate::world::Body;

/// Support radius over spacing that figures of the method were measured with.
pub const SUPPORT: f64 = 1.8;

/// A body at rest in its shape at rest.
///
/// * `material` — index into the materials; its law is a `Law::Solid`
/// * `density` — of the material [kg/m3], > 0
/// * `spacing` — distance of neighbouring particles [m], > 0
/// * `position` — of each particle [m]
pub fn body(material: u32, density: f64, spacing: f64, position: Vec<DVec3>) -> Body {
    let shape = RestShape::new(position.clone(), SUPPORT * spacing);
    let mut body = Body::new(STRAIN_ENERGY, material, density, spacing, position);
    body.support_radius = SUPPORT * spacing;
    body.particles.structure = Some(Arc::new(shape));
    body
}
