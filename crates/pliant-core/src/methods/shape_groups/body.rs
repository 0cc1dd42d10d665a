//! A body made in code.

use std::sync::Arc;

use pliant_math::{DVec3, Pose};

use super::{ParticleGroups, SHAPE_GROUPS};
use crate::world::Body;

/// A body of groups at rest; each particle has its share of the volumes of its groups.
///
/// * `material` — index into the materials; its law is a `Law::Solid`
/// * `density` — of the material [kg/m3], > 0
/// * `spacing` — mean distance of neighbouring particles [m], > 0
/// * `pose` — where it is
pub fn body(material: u32, density: f64, spacing: f64, groups: ParticleGroups, pose: Pose) -> Body {
    let rest = groups.rest_position.iter();
    let position: Vec<DVec3> = rest.map(|&x| pose.to_world(x)).collect();
    let groups = groups.at(position.clone());
    let volumes = groups.particle_volumes();
    let (volume, count) = (volumes.iter().sum::<f64>(), volumes.len().max(1) as f64);
    let mut body = Body::new(SHAPE_GROUPS, material, density, spacing, position);
    body.particles.particle_volume = volume / count;
    body.particles.particle_mass = density * volume / count;
    body.particles.share = volumes.iter().map(|v| v * count / volume).collect();
    body.particles.structure = Some(Arc::new(groups));
    body
}
