//! Walls as fluids feel them: half-spaces that fill the kernel beyond their surface.
//!
//! Koschier and Bender 2017 integrate the kernel over the inside of a wall instead of sampling it with
//! particles; over a half-space the integral is a polynomial in the distance, which
//! `Wendland::beyond` gives. A particle between two faces feels both.

use pliant_math::simd::Row;
use pliant_math::{DVec3, Real, to_double};

use super::state::FluidRow;
use crate::contacts::WallFace;
use crate::kernels::Wendland;

/// A wall near a particle of a pool.
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
    /// Impulse that the wall has been given [N s].
    pub given: DVec3,
}

/// Adds a face to the sums of the particle in a lane; `None` if it is too far to be felt.
pub fn add(
    face: &WallFace,
    point: DVec3,
    kernel: &Wendland,
    (row, lane): (usize, usize),
    data: &mut FluidRow,
) -> Option<Wall> {
    let (share, slope) = kernel.beyond(face.distance);
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
        given: DVec3::ZERO,
    })
}
