//! What can be told about a run before it starts: particles, memory, substeps.

use pliant_core::world::{Body, Setup};

use super::Builder;
use super::memory::BYTES_PER_PARTICLE;
use crate::document::address_text;

/// c dt / r above which the sweeps begin to miss the material's stiffness.
const ADVISED_RATIO: f64 = 1.2;
/// c dt / r above which fewer than [`ENOUGH_SWEEPS`] eject particles.
const GREATEST_RATIO: f64 = 1.6;
/// Sweeps that resolve what [`GREATEST_RATIO`] allows.
const ENOUGH_SWEEPS: u32 = 20;
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
        if !(substeps <= MOST_SUBSTEPS) {
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
        let paths: Vec<String> = self.items("body").into_iter().map(|(p, _)| p).collect();
        for (body, path) in bodies.iter().zip(&paths) {
            self.check_ratio(setup, body, path);
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

    fn check_ratio(&mut self, setup: &Setup, body: &BodyFacts, path: &str) {
        let sweeps = setup.solver.iterations;
        let ratio = body.sound_ratio;
        if setup.solver.time_step.is_none() || !(ratio > ADVISED_RATIO) {
            return;
        }
        let message = format!(
            "sound runs {ratio:.2} kernel radii a substep in the body \"{}\"; {sweeps} sweeps do not resolve that",
            body.name
        );
        let fitting = setup.solver.time_step.unwrap_or(0.0) / ratio;
        let remedy = format!("a time_step of {fitting:.1e} s gives 1.0");
        let is_refused = ratio > GREATEST_RATIO && sweeps < ENOUGH_SWEEPS;
        if is_refused && !setup.solver.allow_unresolved {
            let remedy = format!(
                "{remedy}; or take at least {ENOUGH_SWEEPS} iterations, or allow_unresolved = true"
            );
            self.fail("solver.time_step", message, remedy);
        } else {
            self.warn(&address_text(path, "material"), format!("{message}; {remedy}"));
        }
    }
}

/// The largest substep [s] at the start: as written, or min(0.7 r/c, 0.4 r/speed) of all bodies.
fn largest_substep(setup: &Setup) -> f64 {
    if let Some(time_step) = setup.solver.time_step {
        return time_step;
    }
    let limit = |body: &Body| {
        let radius = 0.5 * body.support_radius;
        let speeds = body.particles.velocity.iter().map(|v| v.length());
        let elastic = 0.7 * radius / speed_of_sound(setup, body);
        elastic.min(0.4 * radius / speeds.fold(0.0, f64::max))
    };
    setup.bodies.iter().map(limit).fold(f64::INFINITY, f64::min)
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
