//! A body made in code.

use std::sync::Arc;

use pliant_math::Pose;

use super::{Network, SPRINGS};
use crate::world::Body;

/// A network at rest, of particles of equal mass.
///
/// * `material` — index into the materials; its law is a `Law::Springs`
/// * `mass` — of the whole network [kg], > 0
/// * `spacing` — mean distance of neighbouring particles [m], > 0
/// * `pose` — where it is
pub fn body(material: u32, mass: f64, spacing: f64, network: Network, pose: Pose) -> Body {
    let rest = network.rest_position.iter();
    let position: Vec<_> = rest.map(|&x| pose.to_world(x)).collect();
    let particle_mass = mass / position.len().max(1) as f64;
    let density = particle_mass / (spacing * spacing * spacing);
    let mut body = Body::new(SPRINGS, material, density, spacing, position);
    body.particles.particle_mass = particle_mass;
    body.particles.structure = Some(Arc::new(network));
    body
}
