//! A contact of four particles: one and the corners of a triangle, or the ends of two edges.
//!
//! Its weights are those of the nearest points, frozen at the start of the substep as the normal is.

use pliant_math::{DVec3, Real, to_double, to_real};

use super::nearest::{Nearest, point_triangle, segments};
use crate::contacts::solve::target_speed;
use crate::contacts::solve::{ContactList, Grain, GrainAt, LinearRule, Term};
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
    /// Where friction is another along an axis; `None` if that is nowhere so.
    pub grain: GrainAt<'a>,
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
    let radii = radii(candidate, particles);
    let relative = relative_velocity(&candidate.points, &nearest.weights, particles);
    let distance = nearest.between.length();
    let added = 2.0 * search.acceleration * search.dt;
    let reach = RADII_SHARE * radii + search.dt * (relative.length() + added);
    if distance > reach {
        return;
    }
    let normal = match is_touching(distance, radii) {
        true => side(candidate, particles),
        false => Some(nearest.between / distance),
    };
    if let Some(normal) = normal {
        let along = (normal, distance - radii);
        add((candidate, nearest), along, particles, search, contacts);
    }
}

/// Adds the contact that leads a particle out of a solid, or holds one outside that touches it.
///
/// * `exit` — with the nearest triangle of the boundary, and whether its corners are clockwise from outside
pub fn add_exit(
    (candidate, is_inverted): (Candidate, bool),
    nearest: &Nearest,
    particles: &Particles,
    search: &SurfaceSearch<'_>,
    contacts: &mut ContactList,
) {
    let radii = radii(candidate, particles);
    let depth = nearest.between.length();
    let normal = if is_touching(depth, radii) {
        let normal = face_normal(candidate, particles);
        normal.map(|normal| if is_inverted { -normal } else { normal })
    } else {
        Some(-nearest.between / depth)
    };
    if let Some(normal) = normal {
        let along = (normal, -depth - radii);
        add((candidate, nearest), along, particles, search, contacts);
    }
}

/// Adds a contact along a normal, with a gap [m].
fn add(
    (candidate, nearest): (Candidate, &Nearest),
    (normal, gap): (DVec3, f64),
    particles: &Particles,
    search: &SurfaceSearch<'_>,
    contacts: &mut ContactList,
) {
    let [first, _, third, _] = candidate.points.map(|p| p as usize);
    let friction = |k: usize| (search.friction_of_body)(particles.body[k]);
    let rule = LinearRule {
        normal: to_real(normal),
        target: target_speed(gap, search.dt, search.push_out_speed),
        friction: libm::sqrt(friction(first) * friction(third)) as Real,
        grain: Grain::of_pair(search.grain, [first, third]),
    };
    let terms = candidate.points.into_iter().zip(nearest.weights);
    let terms = terms.map(|(place, weight)| Term {
        place,
        weight: weight as Real,
    });
    contacts.add(rule, terms);
}

/// Sum of the radii of the two simplices of a candidate [m].
pub fn radii(candidate: Candidate, particles: &Particles) -> f64 {
    let [first, _, third, _] = candidate.points.map(|p| p as usize);
    f64::from(particles.radius[first] + particles.radius[third])
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
    let normal = face_normal(candidate, particles)?;
    // Triangles that face each other's backs have normals that differ by their sign.
    let is_up = normal[normal.abs().max_position()] > 0.0;
    let number = |i: u32| (particles.body[i as usize], particles.id[i as usize]);
    let is_later = number(candidate.points[0]) > number(candidate.points[1]);
    Some(if is_up == is_later { normal } else { -normal })
}

/// The normal of a candidate's triangle, from which its corners are counter-clockwise, unit; `None` without
/// an area.
fn face_normal(candidate: Candidate, particles: &Particles) -> Option<DVec3> {
    let [_, a, b, c] = candidate.points.map(|p| particles.position[p as usize]);
    (b - a).cross(c - a).try_normalize()
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
