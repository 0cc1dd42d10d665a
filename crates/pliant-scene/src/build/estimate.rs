//! What is known about a run before it starts: particles, memory, substeps.

use pliant_core::step::{StepBound, first_frame_substeps, step_bounds, unresolved_steps};
use pliant_core::world::{Body, Emitter, Setup};
use pliant_math::direction;

use super::Builder;
use super::memory::BYTES_PER_PARTICLE;

/// What is known about a run before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// One for each body.
    pub bodies: Vec<BodyEstimate>,
    /// Particles at the start.
    pub particle_count: u64,
    /// Particles that emitters add during the run: as their rates say, and of those without a rate as
    /// many as leave their shape if nothing is in the way.
    pub emitted_count: u64,
    /// True if an emitter without a rate adds as many as find room, so that the count is a guess.
    pub emits_freely: bool,
    /// Memory these particles will take [bytes].
    pub memory: u64,
    /// Frames after the initial one.
    pub frame_count: u32,
    /// Length of a substep at the start [s].
    pub substep: f64,
    /// Substeps a frame at the start.
    pub substeps_per_frame: u32,
    /// What bounds the automatic step at the start, the shortest first.
    pub step_bounds: Vec<StepBound>,
}

/// What is known about a body before the run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyEstimate {
    /// Name.
    pub name: String,
    /// Particles at the start.
    pub particle_count: u64,
    /// Particles that are held.
    pub pinned_count: u64,
    /// Mass of all its particles [kg].
    pub mass: f64,
    /// Speed of stress `c = sqrt(M / density)` [m/s], with `M` of `Material::wave_modulus`.
    pub speed_of_sound: f64,
    /// `c dt / r`, with r the kernel radius: how far sound runs in a substep.
    pub sound_ratio: f64,
}

impl Builder<'_> {
    /// The estimate, or `None` after an error was collected.
    pub(super) fn estimate(&mut self, setup: &Setup) -> Option<Estimate> {
        let frame = 1.0 / setup.frame_rate;
        let substeps = first_frame_substeps(setup);
        self.check_substeps(setup, substeps)?;
        let substep = frame / substeps;
        let bodies: Vec<BodyEstimate> = setup
            .bodies
            .iter()
            .map(|body| body_estimate(setup, body, substep))
            .collect();
        for resolution in unresolved_steps(setup, substep) {
            self.warn_unresolved(setup, &resolution);
        }
        self.warn_outside(setup);
        let particle_count: u64 = bodies.iter().map(|b| b.particle_count).sum();
        let duration = f64::from(self.scene.frame_count()) * frame;
        let emitted: f64 = setup
            .emitters
            .iter()
            .map(|e| emitted(setup, e, duration))
            .sum();
        self.warn_emission(setup, particle_count as f64 + emitted);
        Some(Estimate {
            bodies,
            particle_count,
            emitted_count: emitted as u64,
            emits_freely: setup.emitters.iter().any(|e| e.rate.is_none()),
            memory: ((particle_count as f64 + emitted) * BYTES_PER_PARTICLE) as u64,
            frame_count: self.scene.frame_count(),
            substep,
            substeps_per_frame: substeps as u32,
            step_bounds: step_bounds(setup),
        })
    }

    /// A warning for each body that starts outside of the bounds.
    fn warn_outside(&mut self, setup: &Setup) {
        let Some(bounds) = setup.bounds else {
            return;
        };
        for body in &setup.bodies {
            let positions = body.particles.position.iter();
            let outside = positions.filter(|x| !bounds.contains(**x)).count();
            if outside > 0 {
                let message = format!(
                    "{outside} particles of the body \"{}\" start outside; enlarge the bounds or move the body",
                    body.name
                );
                self.warn("scene.bounds", message);
            }
        }
    }

    /// A warning if emitters bear more particles than there is memory for.
    fn warn_emission(&mut self, setup: &Setup, count: f64) {
        if count > setup.particle_limit as f64 && !setup.emitters.is_empty() {
            let message = format!(
                "with what emitters add there may be {count:.1e} particles, and there is memory for {}; give a lower `rate`, an earlier `stop`, or bounds that remove",
                setup.particle_limit
            );
            self.warn("emitter", message);
        }
    }
}

/// Particles that an emitter adds in a run of a duration [s] if nothing is in their way.
fn emitted(setup: &Setup, emitter: &Emitter, duration: f64) -> f64 {
    let time = (emitter.stop.min(duration) - emitter.start).max(0.0);
    match emitter.rate {
        Some(rate) => rate * time,
        None if time > 0.0 => emitter.seeds.len() as f64 * (1.0 + renewals(setup, emitter) * time),
        None => 0.0,
    }
}

/// How often a second the particles in an emitter's shape leave it, with the speed that they are given
/// and that gravity adds on their way out [1/s].
fn renewals(setup: &Setup, emitter: &Emitter) -> f64 {
    let Some(along) = direction(emitter.velocity).or_else(|| direction(setup.gravity)) else {
        return 0.0;
    };
    let places = emitter.seeds.iter().map(|seed| seed.dot(along));
    let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    let depth = high - low + setup.bodies[emitter.body as usize].spacing;
    let fall = 2.0 * setup.gravity.dot(along) * depth;
    (emitter.velocity.length_squared() + fall).max(0.0).sqrt() / depth
}

fn speed_of_sound(setup: &Setup, body: &Body) -> f64 {
    let material = &setup.materials[body.material as usize];
    let density = body.particles.particle_mass / body.particles.particle_volume;
    (material.wave_modulus() / density).sqrt()
}

fn body_estimate(setup: &Setup, body: &Body, substep: f64) -> BodyEstimate {
    let particles = &body.particles;
    let count = particles.position.len();
    let speed_of_sound = speed_of_sound(setup, body);
    BodyEstimate {
        name: body.name.clone(),
        particle_count: count as u64,
        pinned_count: particles.is_pinned.iter().filter(|p| **p).count() as u64,
        mass: count as f64 * particles.particle_mass,
        speed_of_sound,
        sound_ratio: speed_of_sound * substep / (0.5 * body.support_radius),
    }
}
