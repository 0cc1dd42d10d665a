//! What can be told about a run before it starts: particles, memory, substeps.

use pliant_core::step::{Resolution, longest_elastic_step, unresolved_steps};
use pliant_core::world::{Body, Setup};

use super::Builder;
use super::memory::BYTES_PER_PARTICLE;

/// Most substeps a frame: beyond it a run would not end.
const MOST_SUBSTEPS: f64 = 1e6;

/// What can be told about a run before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// One for each body.
    pub bodies: Vec<BodyFacts>,
    /// Particles at the start.
    pub particle_count: u64,
    /// Memory these particles will take [bytes].
    pub memory: u64,
    /// Frames after the initial one.
    pub frame_count: u32,
    /// Length of a substep at the start [s].
    pub substep: f64,
    /// Substeps a frame at the start.
    pub substeps_per_frame: u32,
}

/// What can be told about a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFacts {
    /// Name.
    pub name: String,
    /// Particles at the start.
    pub particle_count: u64,
    /// Particles that are held.
    pub pinned_count: u64,
    /// Mass of all its particles [kg].
    pub mass: f64,
    /// Speed of sound `c = sqrt(E / density)` [m/s].
    pub speed_of_sound: f64,
    /// `c dt / r`, with r the kernel radius: how far sound runs in a substep.
    pub sound_ratio: f64,
}

impl Builder<'_> {
    /// The facts, or `None` after an error was collected.
    pub(super) fn facts(&mut self, setup: &Setup) -> Option<Facts> {
        let frame = 1.0 / setup.frame_rate;
        let substeps = (frame / largest_substep(setup)).ceil().max(1.0);
        if substeps.is_nan() || substeps > MOST_SUBSTEPS {
            let message = format!("a frame of {frame:.3e} s takes {substeps:.1e} substeps");
            let remedy =
                "take a larger time_step or spacing, a softer material, or a higher frame rate";
            self.fail("solver.time_step", message, remedy);
            return None;
        }
        let substep = frame / substeps;
        let bodies: Vec<BodyFacts> = setup
            .bodies
            .iter()
            .map(|body| body_facts(setup, body, substep))
            .collect();
        for resolution in unresolved_steps(setup, substep) {
            self.tell_unresolved(setup, &resolution);
        }
        let particle_count = bodies.iter().map(|b| b.particle_count).sum();
        Some(Facts {
            bodies,
            particle_count,
            memory: (particle_count as f64 * BYTES_PER_PARTICLE) as u64,
            frame_count: self.scene.frame_count(),
            substep,
            substeps_per_frame: substeps as u32,
        })
    }

    /// An error or a warning, as the core judges.
    fn tell_unresolved(&mut self, setup: &Setup, resolution: &Resolution) {
        let message = format!(
            "stress runs {:.2} kernel radii a substep in the body \"{}\"; {} sweeps do not resolve that",
            resolution.ratio, resolution.body, setup.solver.iterations
        );
        let remedy = format!("a time_step of {:.1e} s gives 1.0", resolution.advised_step);
        if resolution.is_refused {
            let remedy =
                format!("{remedy}; or take at least 20 iterations, or allow_unresolved = true");
            self.fail("solver.time_step", message, remedy);
        } else {
            self.warn("solver.time_step", format!("{message}; {remedy}"));
        }
    }
}

/// The largest substep [s] at the start: as written, or as the core chooses it from the materials,
/// and from the speeds of the bodies at the start (0.4 r/speed).
fn largest_substep(setup: &Setup) -> f64 {
    if let Some(time_step) = setup.solver.time_step {
        return time_step;
    }
    let crossing = |body: &Body| {
        let speeds = body.particles.velocity.iter().map(|v| v.length());
        0.2 * body.support_radius / speeds.fold(0.0, f64::max)
    };
    let crossings = setup.bodies.iter().map(crossing);
    crossings.fold(longest_elastic_step(setup), f64::min)
}

fn speed_of_sound(setup: &Setup, body: &Body) -> f64 {
    let material = &setup.materials[body.material as usize];
    let density = body.particles.particle_mass / body.particles.particle_volume;
    (material.youngs_modulus / density).sqrt()
}

fn body_facts(setup: &Setup, body: &Body, substep: f64) -> BodyFacts {
    let particles = &body.particles;
    let count = particles.position.len();
    let speed_of_sound = speed_of_sound(setup, body);
    BodyFacts {
        name: body.name.clone(),
        particle_count: count as u64,
        pinned_count: particles.is_pinned.iter().filter(|p| **p).count() as u64,
        mass: count as f64 * particles.particle_mass,
        speed_of_sound,
        sound_ratio: speed_of_sound * substep / (0.5 * body.support_radius),
    }
}
