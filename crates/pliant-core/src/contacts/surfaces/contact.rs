//! A contact of four particles: one and the corners of a triangle, or the ends of two edges.
//!
//!   v = sum_k c_k v_k,  1/M = sum_k c_k^2 / m_k,  v_k += c_k M/m_k dv
//!
//! c_k are the weights of the nearest points, frozen at the start of the substep as the normal is.
//! They sum to zero, so that momentum is kept.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::candidates::Candidate;
use super::nearest::{Nearest, point_triangle, segments};
use crate::contacts::Acceleration;
use crate::contacts::friction::{ContactMultiplier, ContactRule, target_speed};
use crate::particles::Particles;

/// A contact that may press within the substep.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceContact {
    /// Places of the four.
    pub points: [u32; 4],
    /// Their weights.
    pub weights: [Real; 4],
    is_triangle: bool,
    rule: ContactRule,
    multiplier: ContactMultiplier,
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

impl SurfaceContact {
    /// The contact of a candidate with its nearest points, if they may touch within the substep.
    pub fn new(
        candidate: Candidate,
        nearest: &Nearest,
        particles: &Particles,
        search: &SurfaceSearch<'_>,
    ) -> Option<Self> {
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
        Some(Self {
            points,
            weights: nearest.weights.map(|w| w as Real),
            is_triangle: candidate.is_triangle,
            rule: ContactRule {
                normal: to_real(normal),
                target: target_speed(distance - radii, search.dt, search.push_out_speed),
                friction: libm::sqrt(friction(first) * friction(third)) as Real,
                is_held: false,
                sticks: false,
                drag: 0.0,
            },
            multiplier: ContactMultiplier::default(),
        })
    }

    /// What contacts are sorted by: those with triangles first.
    pub fn order(&self) -> (bool, [u32; 4]) {
        (!self.is_triangle, self.points)
    }

    /// Projects it once: non-penetration, then friction.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        let places = self.points.map(|p| p as usize);
        let (mut relative, mut inverse) = (Vec3::ZERO, 0.0);
        for (&i, &c) in places.iter().zip(&self.weights) {
            relative += velocity[i] * c;
            inverse += inverse_mass[i] * c * c;
        }
        if inverse == 0.0 {
            return;
        }
        let impulse = self.multiplier.project(relative, &self.rule) / inverse;
        for (&i, &c) in places.iter().zip(&self.weights) {
            velocity[i] += impulse * (c * inverse_mass[i]);
        }
    }

    /// Whether it meets certain particles, and what it has done so far.
    pub fn concerns(&self, acceleration: &Acceleration) -> (bool, ContactMultiplier) {
        let meets = self.points.iter().any(|&p| acceleration.concerns(p));
        (meets, self.multiplier)
    }

    /// Goes further the way it went.
    pub fn accelerate(
        &mut self,
        before: &mut ContactMultiplier,
        share: Real,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
    ) {
        let places = self.points.map(|p| p as usize);
        let terms = places.iter().zip(&self.weights);
        let inverse: Real = terms.clone().map(|(&i, &c)| inverse_mass[i] * c * c).sum();
        if inverse == 0.0 {
            return;
        }
        let impulse = self.multiplier.accelerate(before, share, &self.rule) / inverse;
        for (&i, &c) in terms {
            velocity[i] += impulse * (c * inverse_mass[i]);
        }
    }

    /// True if it presses.
    pub fn is_pressed(&self) -> bool {
        self.multiplier.normal > 0.0
    }

    /// Adds its impulse in this substep [N s] to that on each particle.
    pub fn add_impulse(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        let places = self.points.map(|p| p as usize);
        let terms = places.iter().zip(&self.weights);
        let inverse: Real = terms.map(|(&i, &c)| inverse_mass[i] * c * c).sum();
        if inverse > 0.0 {
            let change = to_double(self.multiplier.change(&self.rule)) / f64::from(inverse);
            for (&i, &c) in places.iter().zip(&self.weights) {
                impulses[i] += change * f64::from(c);
            }
        }
    }
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

/// Positions of the particles of a candidate [m].
pub fn corners(candidate: &Candidate, position: &[DVec3]) -> [DVec3; 4] {
    candidate.points.map(|p| position[p as usize])
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
