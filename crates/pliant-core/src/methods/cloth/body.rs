//! A body made in code.

use std::sync::Arc;

use pliant_math::Pose;

use super::CLOTH;
use crate::rest::Fabric;
use crate::world::Body;

/// A sheet at rest; each vertex has its share of the area around it.
///
/// * `material` — index into the materials; its law is a `Law::Cloth`
/// * `area_density` — density times thickness [kg/m2], > 0
/// * `thickness` — of the sheet [m], > 0
/// * `spacing` — mean distance of neighbouring vertices [m], > 0
/// * `pose` — where it is
pub fn body(
    material: u32,
    (area_density, thickness): (f64, f64),
    spacing: f64,
    fabric: Fabric,
    pose: Pose,
) -> Body {
    let areas = fabric.vertex_areas();
    let (area, count) = (areas.iter().sum::<f64>(), areas.len().max(1) as f64);
    let rest = fabric.rest_position.iter();
    let position = rest.map(|&x| pose.to_world(x)).collect();
    let density = area_density / thickness;
    let mut body = Body::new(CLOTH, material, density, spacing, position);
    body.particles.particle_mass = area_density * area / count;
    body.particles.particle_volume = thickness * area / count;
    body.particles.share = areas.iter().map(|a| a * count / area).collect();
    body.particles.structure = Some(Arc::new(fabric));
    body
}
