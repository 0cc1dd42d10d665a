//! What can be told about a run before it starts: particles, memory, substeps.

use pliant_core::step::{MOST_SUBSTEPS, Resolution, first_frame_substeps, unresolved_steps};
use pliant_core::world::{Body, Emitter, Ordering, Setup};

use super::Builder;
use super::memory::BYTES_PER_PARTICLE;

/// So many substeps a frame are probably not meant.
const MANY_SUBSTEPS: f64 = 1e4;

/// What can be told about a run before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// One for each body.
    pub bodies: Vec<BodyFacts>,
    /// Particles at the start.
    pub particle_count: u64,
    /// Particles that emitters with a rate add during the run.
    pub emitted_count: u64,
    /// True if an emitter without a rate adds as many as find room.
    pub emits_freely: bool,
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
    /// Speed of stress `c = sqrt(M / density)` [m/s], with `M` of `Material::wave_modulus`.
    pub speed_of_sound: f64,
    /// `c dt / r`, with r the kernel radius: how far sound runs in a substep.
    pub sound_ratio: f64,
}

impl Builder<'_> {
    /// The facts, or `None` after an error was collected.
    pub(super) fn facts(&mut self, setup: &Setup) -> Option<Facts> {
        let frame = 1.0 / setup.frame_rate;
        let substeps = first_frame_substeps(setup);
        self.judge_substeps(frame, substeps)?;
        let substep = frame / substeps;
        let bodies: Vec<BodyFacts> = setup
            .bodies
            .iter()
            .map(|body| body_facts(setup, body, substep))
            .collect();
        for resolution in unresolved_steps(setup, substep) {
            self.tell_unresolved(setup, &resolution);
        }
        self.tell_outside(setup);
        let particle_count: u64 = bodies.iter().map(|b| b.particle_count).sum();
        let duration = f64::from(self.scene.frame_count()) * frame;
        let emitted: f64 = setup.emitters.iter().map(|e| emitted(e, duration)).sum();
        self.tell_emission(setup, particle_count as f64 + emitted);
        Some(Facts {
            bodies,
            particle_count,
            emitted_count: emitted as u64,
            emits_freely: setup.emitters.iter().any(|e| e.rate.is_none()),
            memory: ((particle_count as f64 + emitted) * BYTES_PER_PARTICLE) as u64,
            frame_count: self.scene.frame_count(),
            substep,
            substeps_per_frame: substeps as u32,
        })
    }

    /// An error or a warning for very many substeps a frame; `None` after an error.
    fn judge_substeps(&mut self, frame: f64, substeps: f64) -> Option<()> {
        if substeps <= MANY_SUBSTEPS {
            return Some(());
        }
        let key = "solver.time_step";
        let message = format!("a frame of {frame:.3e} s takes {substeps:.1e} substeps");
        let remedy = "it follows from a given time_step, or else from the stiffest material, the finest spacing, and the greatest speed of bodies, emitters and colliders, with gravity over a frame";
        if substeps <= MOST_SUBSTEPS {
            self.warn(key, format!("{message}; {remedy}"));
            return Some(());
        }
        self.fail(key, message, remedy);
        None
    }

    /// A warning for each body that starts outside of the bounds.
    fn tell_outside(&mut self, setup: &Setup) {
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
    fn tell_emission(&mut self, setup: &Setup, count: f64) {
        if count > setup.particle_limit as f64 && !setup.emitters.is_empty() {
            let message = format!(
                "with what emitters add there may be {count:.1e} particles, and there is memory for {}; give a lower `rate`, an earlier `stop`, or bounds that remove",
                setup.particle_limit
            );
            self.warn("emitter", message);
        }
    }

    /// An error or a warning, as the core judges.
    fn tell_unresolved(&mut self, setup: &Setup, resolution: &Resolution) {
        let (ratio, body) = (resolution.ratio, &resolution.body);
        let sweeps = setup.solver.iterations;
        let message = if resolution.is_solid {
            format!(
                "pressure waves run {ratio:.2} times as far a substep in the body \"{body}\" as {sweeps} sweeps resolve"
            )
        } else {
            format!(
                "stress runs {ratio:.2} kernel radii a substep in the body \"{body}\"; {sweeps} sweeps do not resolve that"
            )
        };
        let remedy = format!("a time_step of {:.1e} s gives 1.0", resolution.advised_step);
        if resolution.is_refused {
            let instead = match (resolution.is_solid, setup.solver.ordering) {
                (false, _) => "take at least 20 iterations",
                (true, Ordering::GaussSeidel) => "take more iterations",
                (true, Ordering::Jacobi) => "take the ordering gauss-seidel",
            };
            let remedy = format!("{remedy}; or {instead}, or allow_unresolved = true");
            self.fail("solver.time_step", message, remedy);
        } else {
            self.warn("solver.time_step", format!("{message}; {remedy}"));
        }
    }
}

/// Particles that an emitter with a rate adds in a run of a duration [s]; the first layer of one
/// without.
fn emitted(emitter: &Emitter, duration: f64) -> f64 {
    let time = (emitter.stop.min(duration) - emitter.start).max(0.0);
    match emitter.rate {
        Some(rate) => rate * time,
        None if time > 0.0 => emitter.seeds.len() as f64,
        None => 0.0,
    }
}

fn speed_of_sound(setup: &Setup, body: &Body) -> f64 {
    let material = &setup.materials[body.material as usize];
    let density = body.particles.particle_mass / body.particles.particle_volume;
    (material.wave_modulus() / density).sqrt()
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
