//! Force fields: what accelerates particles beside gravity.
//!
//! A force is a field (wind, drag, a point, a vortex), a strength that may change in time, and limits:
//! a region, a body. Fields give accelerations, not forces, so that what they do does not depend on
//! how finely a body is resolved.

mod drag;
mod point;
mod resistance;
#[cfg(test)]
mod tests;
mod vortex;
mod wind;

use std::fmt::Debug;
use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_math::{DVec3, Pose, Real, Vec3, to_double, to_real};
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

pub use drag::Drag;
pub use point::Point;
pub use resistance::{Medium, Resistance};
pub use vortex::Vortex;
pub use wind::Wind;

use crate::parallel;
use crate::particles::Particles;
use crate::schedule::Schedule;

/// A field of acceleration.
///
/// What it does has two parts: an acceleration by the place alone, and a medium that resists. In all of
/// them `strength` is a factor; what it multiplies is for the field to say.
pub trait ForceField: Send + Sync + Debug {
    /// Acceleration [m/s2] of a particle at a position [m], whatever its velocity.
    fn acceleration(&self, _position: DVec3, _strength: f64) -> DVec3 {
        DVec3::ZERO
    }

    /// The medium that resists what moves through it at a position [m], if there is one.
    fn medium(&self, _position: DVec3, _strength: f64) -> Option<Medium> {
        None
    }

    /// Change of velocity [m/s] over `dt` [s] of a particle at a position [m] with a velocity [m/s] that
    /// nothing else acts on.
    fn velocity_change(&self, position: DVec3, velocity: DVec3, strength: f64, dt: f64) -> DVec3 {
        let pushed = self.acceleration(position, strength) * dt;
        let medium = self.medium(position, strength);
        let resisted = medium.map(|medium| medium.velocity_change(velocity + pushed, dt));
        pushed + resisted.unwrap_or_default()
    }
}

/// A row of the registry.
#[derive(Clone, Copy)]
pub struct ForceKind {
    /// Name in scene files, kebab case: the value of `kind`.
    pub name: &'static str,
    /// What it is, a sentence or two.
    pub doc: &'static str,
    /// Its parameters, without those that all forces have.
    pub fields: &'static [Field],
    /// Builds it from its checked values.
    pub build: fn(&Values) -> Result<Arc<dyn ForceField>, Problem>,
}

/// The registry.
pub const KINDS: &[ForceKind] = &[wind::KIND, drag::KIND, point::KIND, vortex::KIND];

/// A place in the world that a shape fills.
#[derive(Clone, Debug)]
pub struct Region {
    /// What it fills.
    pub shape: Arc<dyn Shape>,
    /// Where that is.
    pub pose: Pose,
}

impl Region {
    /// True if a point of the world [m] is inside or on the edge.
    pub fn contains(&self, point: DVec3) -> bool {
        self.shape.signed_distance(self.pose.to_local(point)) <= 0.0
    }
}

/// A field with a strength and limits.
#[derive(Clone, Debug)]
pub struct Force {
    /// Name, unique among forces.
    pub name: String,
    /// What it does.
    pub field: Arc<dyn ForceField>,
    /// How strongly, over time.
    pub strength: Schedule,
    /// Where it acts; `None`: everywhere.
    pub region: Option<Region>,
    /// Index of the body it acts on; `None`: all.
    pub body: Option<u32>,
}

impl Force {
    /// True if it acts on particles of a body at a place [m].
    fn reaches(&self, body: u32, x: DVec3) -> bool {
        self.body.is_none_or(|own| own == body)
            && self.region.as_ref().is_none_or(|region| region.contains(x))
    }
}

/// The forces of a world over a step, with their strengths in the middle of it.
///
/// They act twice. At the start they push: with their acceleration, and as a medium does that flows past what
/// stays where it is, so that contacts and constraints bear all of that. When those have acted, media resist
/// what still moves ([`Medium::resist`]), so that what rests weighs what it does in a vacuum.
#[derive(Clone, Debug)]
pub struct Forces<'a> {
    forces: Vec<(&'a Force, f64)>,
    dt: f64,
}

impl<'a> Forces<'a> {
    /// The forces from `time` to `time + dt` [s].
    pub fn new(forces: &'a [Force], time: f64, dt: f64) -> Self {
        let middle = time + 0.5 * dt;
        let with_strength = |force: &'a Force| (force, force.strength.at(middle));
        Self {
            forces: forces.iter().map(with_strength).collect(),
            dt,
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Pushes each particle that can move.
    ///
    /// * `first_rigid` — the place of the first that is a rigid body: these move by the mean of their
    ///   velocities at the start and the end, and are accelerated as where they are in the middle, which
    ///   makes it a leapfrog
    pub fn push(&self, particles: &mut Particles, first_rigid: usize) {
        let ahead = |i: usize| if i < first_rigid { 0.0 } else { 0.5 * self.dt };
        self.change(particles.len(), particles, |i, body, x, v| {
            self.pushed(body, [x, x + v * ahead(i)])
        });
    }

    /// What media take from each of the first `count` particles, if it can move: after all that acts on them.
    pub fn resist(&self, particles: &mut Particles, count: usize) {
        self.change(count, particles, |_, body, x, v| self.resisted(body, x, v));
    }

    /// Adds to the velocities of the first `count` particles, where they can move, what is told of a place,
    /// a body, a position [m] and a velocity [m/s].
    fn change(
        &self,
        count: usize,
        particles: &mut Particles,
        told: impl Fn(usize, u32, DVec3, DVec3) -> DVec3 + Sync,
    ) {
        if self.is_empty() {
            return;
        }
        let Particles {
            position,
            velocity,
            inverse_mass,
            body,
            ..
        } = particles;
        parallel::for_chunks(&mut velocity[..count], |first, chunk: &mut [Vec3]| {
            for (k, v) in chunk.iter_mut().enumerate() {
                let i = first + k;
                if inverse_mass[i] > 0.0 {
                    *v += to_real(told(i, body[i], position[i], to_double(*v)));
                }
            }
        });
    }

    /// What is pushed into the velocity of a particle of a body [m/s].
    ///
    /// * `places` — where it meets media, and where it is accelerated [m]
    fn pushed(&self, body: u32, [meets, is_at]: [DVec3; 2]) -> DVec3 {
        let of_force = |(force, strength): &(&Force, f64)| {
            let mut push = DVec3::ZERO;
            if force.reaches(body, is_at) {
                push += force.field.acceleration(is_at, *strength) * self.dt;
            }
            if force.reaches(body, meets)
                && let Some(medium) = force.field.medium(meets, *strength)
            {
                push += medium.push(self.dt);
            }
            push
        };
        self.forces.iter().map(of_force).sum()
    }

    /// What media in turn add to the velocity [m/s] that a particle of a body has after all that acts on it.
    pub fn resisted(&self, body: u32, position: DVec3, velocity: DVec3) -> DVec3 {
        let mut v = velocity;
        for (force, strength) in &self.forces {
            if force.reaches(body, position)
                && let Some(medium) = force.field.medium(position, *strength)
            {
                v += medium.resist(v, self.dt);
            }
        }
        v - velocity
    }

    /// What all forces in turn add to the velocity of a particle of a body that nothing else acts on [m/s].
    pub fn velocity_change(&self, body: u32, position: DVec3, velocity: DVec3) -> DVec3 {
        let mut v = velocity;
        for (force, strength) in &self.forces {
            if force.reaches(body, position) {
                v += force.field.velocity_change(position, v, *strength, self.dt);
            }
        }
        v - velocity
    }

    /// Greatest change of velocity [m/s] that they bring to a particle that can move, at once or in all.
    pub fn greatest_velocity_change(&self, particles: &Particles) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let change = |i: usize| {
            let is_free = particles.inverse_mass[i] > Real::default();
            let (x, v) = (particles.position[i], to_double(particles.velocity[i]));
            let body = particles.body[i];
            let change = self.velocity_change(body, x, v).length();
            let push = self.pushed(body, [x, x]).length();
            if is_free { change.max(push) } else { 0.0 }
        };
        parallel::ordered_fold(
            particles.len(),
            0.0,
            |range| range.map(change).fold(0.0, f64::max),
            f64::max,
        )
    }
}

const fn vector(name: &'static str, unit: &'static str, doc: &'static str) -> Field {
    let kind = Kind::Vector(3, Range::ANY);
    Field::new(name, kind, unit, Preset::Vector(&[0.0, 0.0, 0.0]), doc)
}
