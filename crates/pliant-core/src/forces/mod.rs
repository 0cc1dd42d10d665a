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
pub use resistance::Resistance;
pub use vortex::Vortex;
pub use wind::Wind;

use crate::parallel;
use crate::particles::Particles;
use crate::schedule::Schedule;

/// A field of acceleration.
pub trait ForceField: Send + Sync + Debug {
    /// Change of velocity [m/s] over `dt` [s] of a particle at a position [m] with a velocity [m/s].
    ///
    /// * `strength` — factor on what the field does; what it multiplies is for the field to say
    fn velocity_change(&self, position: DVec3, velocity: DVec3, strength: f64, dt: f64) -> DVec3;
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
    /// What it adds to the velocity of a particle of a body [m/s].
    fn velocity_change(&self, body: u32, x: DVec3, v: DVec3, strength: f64, dt: f64) -> DVec3 {
        let is_reached = self.body.is_none_or(|own| own == body)
            && self.region.as_ref().is_none_or(|region| region.contains(x));
        if is_reached {
            self.field.velocity_change(x, v, strength, dt)
        } else {
            DVec3::ZERO
        }
    }
}

/// The forces of a world over a step, with their strengths in the middle of it.
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

    /// Applies every force in turn to the velocity of each particle that can move.
    pub fn accelerate(&self, particles: &mut Particles) {
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
        parallel::for_chunks(velocity, |first, chunk: &mut [Vec3]| {
            for (k, v) in chunk.iter_mut().enumerate() {
                let i = first + k;
                if inverse_mass[i] > 0.0 {
                    *v += to_real(self.velocity_change(body[i], position[i], to_double(*v)));
                }
            }
        });
    }

    /// What all forces in turn add to the velocity of a particle of a body [m/s].
    pub fn velocity_change(&self, body: u32, position: DVec3, velocity: DVec3) -> DVec3 {
        let mut v = velocity;
        for (force, strength) in &self.forces {
            v += force.velocity_change(body, position, v, *strength, self.dt);
        }
        v - velocity
    }

    /// Greatest change of velocity [m/s] that they bring to a particle that can move.
    pub fn greatest_velocity_change(&self, particles: &Particles) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let change = |i: usize| {
            let is_free = particles.inverse_mass[i] > Real::default();
            let (x, v) = (particles.position[i], to_double(particles.velocity[i]));
            let change = self.velocity_change(particles.body[i], x, v).length();
            if is_free { change } else { 0.0 }
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
