//! A contact of four particles: one and the corners of a triangle, or the ends of two edges.
//!
//! Its weights are those of the nearest points, frozen at the start of the substep as the normal is.

use pliant_math::{DVec3, Real, to_double, to_real};

use super::nearest::{Nearest, point_triangle, segments};
use crate::contacts::friction::target_speed;
use crate::contacts::solve::{ContactList, LinearRule, Term};
use crate::particles::Particles;

/// Four particles that may meet: a particle and the corners of a triangle, or the ends of two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Places.
    pub points: [u32; 4],
    /// True for a particle and a triangle.
    pub is_triangle: bool,
}

/// What contacts need to know of bodies and step.
#[derive(Clone, Copy)]
pub struct SurfaceSearch<'a> {
    /// Friction of each body.
    pub friction_of_body: &'a (dyn Fn(u32) -> f64 + Sync),
    /// Greatest acceleration [m/s2] by gravity, forces and loads.
    pub acceleration: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

/// Contacts are searched within this share of the radii, also if nothing moves.
pub const RADII_SHARE: f64 = 1.1;

/// Adds the contact of a candidate with its nearest points, if they may touch within the substep.
pub fn add_contact(
    candidate: Candidate,
    nearest: &Nearest,
    particles: &Particles,
    search: &SurfaceSearch<'_>,
    contacts: &mut ContactList,
) {
    if let Some(rule) = rule_of(candidate, nearest, particles, search) {
        let terms = candidate.points.into_iter().zip(nearest.weights);
        let terms = terms.map(|(place, weight)| Term {
            place,
            weight: weight as Real,
        });
        contacts.add(rule, terms);
    }
}

fn rule_of(
    candidate: Candidate,
    nearest: &Nearest,
    particles: &Particles,
    search: &SurfaceSearch<'_>,
) -> Option<LinearRule> {
    let points = candidate.points;
    let [first, _, third, _] = points.map(|p| p as usize);
    let radii = f64::from(particles.radius[first] + particles.radius[third]);
    let relative = relative_velocity(&points, &nearest.weights, particles);
    let distance = nearest.between.length();
    let added = 2.0 * search.acceleration * search.dt;
    let reach = RADII_SHARE * radii + search.dt * (relative.length() + added);
    if distance > reach {
        return None;
    }
    let normal = if is_touching(distance, radii) {
        side(candidate, particles)?
    } else {
        nearest.between / distance
    };
    let friction = |k: usize| (search.friction_of_body)(particles.body[k]);
    Some(LinearRule {
        normal: to_real(normal),
        target: target_speed(distance - radii, search.dt, search.push_out_speed),
        friction: libm::sqrt(friction(first) * friction(third)) as Real,
    })
}

/// True if surfaces touch: what lies between them has no direction but that of rounding.
///
/// * `radii` — their sum [m]
pub fn is_touching(distance: f64, radii: f64) -> bool {
    distance <= TOUCHING * radii
}

/// Share of the radii up to which surfaces touch.
const TOUCHING: f64 = 1e-6;

/// The side of a triangle to which a particle that touches it is pushed, unit: all of one sheet go one
/// way, and all of the other the other way. `None` for edges, whose ends are pushed.
fn side(candidate: Candidate, particles: &Particles) -> Option<DVec3> {
    if !candidate.is_triangle {
        return None;
    }
    let [point, a, b, c] = candidate.points.map(|p| p as usize);
    let x = [a, b, c].map(|i| particles.position[i]);
    let normal = (x[1] - x[0]).cross(x[2] - x[0]).try_normalize()?;
    // Triangles that face each other's backs have normals that differ by their sign.
    let is_up = normal[normal.abs().max_position()] > 0.0;
    let number = |i: usize| (particles.body[i], particles.id[i]);
    let is_later = number(point) > number(a);
    Some(if is_up == is_later { normal } else { -normal })
}

/// Nearest points of the two simplices of a candidate, where they are.
pub fn nearest_now(candidate: &Candidate, particles: &Particles) -> Nearest {
    let corners = candidate.points.map(|p| particles.position[p as usize]);
    nearest_of(candidate, &corners)
}

/// Nearest points of the two simplices of a candidate.
pub fn nearest_of(candidate: &Candidate, corners: &[DVec3; 4]) -> Nearest {
    if candidate.is_triangle {
        point_triangle(corners)
    } else {
        segments(corners)
    }
}

fn relative_velocity(points: &[u32; 4], weights: &[f64; 4], particles: &Particles) -> DVec3 {
    let terms = points.iter().zip(weights);
    terms
        .map(|(&p, &w)| to_double(particles.velocity[p as usize]) * w)
        .sum()
}
