//! Boundary terms of colliders: half-spaces that fill the kernel beyond their surface.
//!
//! Koschier and Bender 2017 integrate the kernel over the inside of a wall instead of sampling it with
//! particles; over a half-space the integral is a polynomial in the distance, which
//! `FreeSurface::beyond` gives. A particle between two faces gets both terms, and near an edge less of one.

use pliant_math::simd::Row;
use pliant_math::{DVec3, Real, to_double};

use super::state::FluidRow;
use crate::contacts::WallFace;
use crate::kernels::FreeSurface;
use crate::method::Walls;

/// A wall near a particle of a group.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// Row of the particle.
    pub row: u32,
    /// Lane of the particle.
    pub lane: u32,
    /// Index of the collider.
    pub collider: u32,
    /// -grad of its share in the density [1/m]: towards the wall.
    pub gradient: DVec3,
    /// Where the particle is at the start [m].
    pub point: DVec3,
    /// The flow of the wall towards the particle that its sums hold [1/s].
    pub flow: f64,
}

/// What fills the kernel beyond a face, and minus its slope [1/m].
///
/// Beyond an edge there is less than a half-space, and a particle that took it for one would keep away
/// from edges, so that a body would displace more than it has. So the share is the mean of those seen from
/// four points a spacing aside, in the plane of the face: there a flat wall is as far, and one that ends
/// or curves away is farther.
fn filled(
    face: &WallFace,
    point: DVec3,
    (surface, spacing): (&FreeSurface, f64),
    input: &Walls<'_>,
) -> (Real, Real) {
    let flat = surface.beyond(face.distance);
    let collider = &input.colliders[face.collider as usize];
    if flat.0 == 0.0 || collider.shape.bounds().is_none() {
        return flat;
    }
    let start = &input.steps[face.collider as usize].start;
    let (first, second) = to_double(face.normal).any_orthonormal_pair();
    let (mut share, mut slope) = (0.0, 0.0);
    for aside in [first, -first, second, -second] {
        let distance = collider.distance(start.to_local(point + aside * spacing));
        let there = surface.beyond((distance as Real).max(face.distance));
        share += 0.25 * there.0;
        slope += 0.25 * there.1;
    }
    (share, slope)
}

/// Adds a face to the sums of the particle in a lane; `None` if it is too far away.
///
/// * `scale` — the share of half-spaces, and the spacing [m]
pub fn add(
    face: &WallFace,
    point: DVec3,
    scale: (&FreeSurface, f64),
    input: &Walls<'_>,
    (row, lane): (usize, usize),
    data: &mut FluidRow,
) -> Option<Wall> {
    let (share, slope) = filled(face, point, scale, input);
    if share == 0.0 {
        return None;
    }
    let gradient = face.normal * -slope;
    let state = &mut data.state;
    let add = |row: &mut Row, number: Real| row.set(lane, row.0[lane] + number);
    add(&mut state.fraction, share);
    let flow = gradient.dot(face.surface_velocity);
    add(&mut state.wall_flow, flow);
    for (row, component) in state.wall_gradient.iter_mut().zip(gradient.to_array()) {
        add(row, component);
    }
    Some(Wall {
        row: row as u32,
        lane: lane as u32,
        collider: face.collider,
        gradient: to_double(gradient),
        point,
        flow: f64::from(flow),
    })
}
