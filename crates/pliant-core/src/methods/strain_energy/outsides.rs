//! Which particles lie in the outer layers of their body and meet others.

use pliant_math::DVec3;

use super::setup::{SolidBody, StrainEnergySetup};

/// A particle with fewer neighbours than this part of those inside is on the surface: none of a lattice
/// and few of jittered ones are missed (0 and 0 of a thousand at 1.8 spacings).
const SURFACE_SHARE: f64 = 0.75;

/// What contacts need to know of the solid particles, in their order.
#[derive(Debug, Default)]
pub struct Outsides {
    /// Where they are at rest [m].
    pub rest_position: Vec<DVec3>,
    /// Whether they are on the surface or next to it.
    pub is_outer: Vec<bool>,
}

impl Outsides {
    /// Of the particles with some ids.
    pub fn new(setup: &StrainEnergySetup, ids: &[u32]) -> Self {
        let outer: Vec<Vec<bool>> = setup.bodies.iter().map(outer_layers).collect();
        let mut all = Self::default();
        for &id in ids {
            // Bodies come in the order of their ids.
            let number = setup.bodies.partition_point(|body| body.first_id <= id) - 1;
            let body = &setup.bodies[number];
            let particle = (id - body.first_id) as usize;
            all.rest_position.push(body.shape.position[particle]);
            all.is_outer.push(outer[number][particle]);
        }
        all
    }
}

/// The particles of a body on its surface and those beside them.
fn outer_layers(body: &SolidBody) -> Vec<bool> {
    let shape = &body.shape;
    let ratio = shape.support_radius / body.spacing;
    let inside = 4.0 / 3.0 * std::f64::consts::PI * ratio.powi(3) - 1.0;
    let is_surface = |i: usize| (shape.neighbors_of(i).len() as f64) < SURFACE_SHARE * inside;
    let surface: Vec<bool> = (0..shape.len()).map(is_surface).collect();
    let is_outer =
        |i: usize| surface[i] || shape.neighbors_of(i).iter().any(|&j| surface[j as usize]);
    (0..shape.len()).map(is_outer).collect()
}
