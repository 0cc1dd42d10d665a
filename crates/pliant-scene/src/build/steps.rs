//! Steps that a run would refuse, told before bodies are filled where that can be.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Motion};
use pliant_core::step::{MOST_SUBSTEPS, Resolution, first_frame_substeps, unresolved_steps};
use pliant_core::world::{Body, Emitter, InitialParticles, Material, Ordering, Setup};
use pliant_geometry::Nowhere;
use pliant_math::{DVec3, Pose};
use pliant_parameters::Values;

use super::Builder;
use super::bodies::body;
use crate::document::address_text;
use crate::methods;

/// So many substeps a frame are probably not meant.
const MANY_SUBSTEPS: f64 = 1e4;

/// What makes substeps short where none is given.
const WHAT_SHORTENS: &str = "it follows from a given time_step, or else from the stiffest material, the finest spacing, and the greatest speed of bodies, emitters and colliders, with gravity over a frame";

impl Builder<'_> {
    /// Refuses a step that materials, spacings and gravity alone make too long or too short, so that
    /// nobody waits for a million particles before that is told.
    pub(super) fn refuse_steps(&mut self, materials: &[Material]) {
        let bodies = self.empty_bodies(materials);
        let setup = self.settings(materials.to_vec(), bodies, Vec::new(), Vec::new());
        // Without particles none is too fast: there are at least so many.
        let substeps = first_frame_substeps(&setup);
        if substeps > MOST_SUBSTEPS {
            self.refuse_substeps(&setup, substeps);
        } else if setup.solver.time_step.is_some() {
            let substep = 1.0 / (setup.frame_rate * substeps);
            for resolution in unresolved_steps(&setup, substep) {
                if resolution.is_refused {
                    self.warn_unresolved(&setup, &resolution);
                }
            }
        }
    }

    /// The bodies whose density is known before they are filled, without particles.
    fn empty_bodies(&self, materials: &[Material]) -> Vec<Body> {
        let empty = |values: &Values| {
            let name = values.text("material");
            let index = materials.iter().position(|m| m.name == name)?;
            let scene_method = methods::method(values.text("method"))?;
            let method = (scene_method.kind)(&materials[index].law);
            if method.is_rigid() || values.has("mass") {
                return None;
            }
            let particles = InitialParticles {
                particle_mass: materials[index].density,
                particle_volume: 1.0,
                ..InitialParticles::default()
            };
            let spacing = values.number("spacing");
            Some(body(values, index, method, (spacing, particles)))
        };
        self.scene.tables["body"].iter().filter_map(empty).collect()
    }

    /// An error or a warning for very many substeps a frame; `None` after an error.
    pub(super) fn check_substeps(&mut self, setup: &Setup, substeps: f64) -> Option<()> {
        if substeps > MOST_SUBSTEPS {
            self.refuse_substeps(setup, substeps);
            return None;
        }
        if substeps > MANY_SUBSTEPS {
            let message = substeps_text(setup, substeps);
            self.warn("solver.time_step", format!("{message}; {WHAT_SHORTENS}"));
        }
        Some(())
    }

    fn refuse_substeps(&mut self, setup: &Setup, substeps: f64) {
        let (key, remedy) = cause(setup);
        self.fail(&key, substeps_text(setup, substeps), remedy);
    }

    /// An error or a warning, as the core judges.
    pub(super) fn warn_unresolved(&mut self, setup: &Setup, resolution: &Resolution) {
        let (ratio, body) = (resolution.ratio, &resolution.body);
        let sweeps = setup.solver.iterations;
        let message = if resolution.counts_sweeps {
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
            let instead = match (resolution.counts_sweeps, setup.solver.ordering) {
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

/// `a frame of 4.167e-2 s takes 2.0e7 substeps`.
fn substeps_text(setup: &Setup, substeps: f64) -> String {
    let frame = 1.0 / setup.frame_rate;
    match substeps.is_finite() {
        true => format!("a frame of {frame:.3e} s takes {substeps:.1e} substeps"),
        false => format!("a frame of {frame:.3e} s takes more substeps than can be counted"),
    }
}

/// The key that makes substeps too many, and what helps.
fn cause(setup: &Setup) -> (String, String) {
    let suffices = |changed: Setup| first_frame_substeps(&changed) <= MOST_SUBSTEPS;
    if setup.solver.time_step.is_some() {
        let remedy = "give a longer one, or leave it out";
        return ("solver.time_step".into(), remedy.into());
    }
    let still = Setup {
        gravity: DVec3::ZERO,
        ..setup.clone()
    };
    if suffices(still) {
        let speed = setup.gravity.length() / setup.frame_rate;
        let problem = match speed.is_finite() {
            true => format!("it makes a speed of {speed:.1e} m/s in a frame"),
            false => "it is beyond any speed".into(),
        };
        let remedy = format!("{problem}; lower it, or raise frame_rate");
        return ("scene.gravity".into(), remedy);
    }
    let fastest = [
        fastest_body(setup),
        fastest_emitter(setup),
        moving_collider(setup),
    ];
    for (key, changed) in fastest.into_iter().flatten() {
        if suffices(changed) {
            return (key, "make it slower, or raise frame_rate".into());
        }
    }
    ("solver.time_step".into(), WHAT_SHORTENS.into())
}

/// The key of the fastest body's velocity, and a world whose bodies start at rest.
fn fastest_body(setup: &Setup) -> Option<(String, Setup)> {
    let speed = |body: &Body| {
        let velocities = body.particles.velocity.iter();
        velocities.map(|v| v.length()).fold(0.0, f64::max)
    };
    let fastest = setup
        .bodies
        .iter()
        .max_by(|a, b| speed(a).total_cmp(&speed(b)))?;
    let mut changed = setup.clone();
    for body in &mut changed.bodies {
        body.particles.velocity.fill(DVec3::ZERO);
    }
    let path = address_text("body", &fastest.name);
    Some((address_text(&path, "velocity"), changed))
}

/// The key of the fastest emitter's velocity, and a world whose emitters give none.
fn fastest_emitter(setup: &Setup) -> Option<(String, Setup)> {
    let speed = |emitter: &Emitter| emitter.velocity.length();
    let fastest = setup
        .emitters
        .iter()
        .max_by(|a, b| speed(a).total_cmp(&speed(b)))?;
    let mut changed = setup.clone();
    for emitter in &mut changed.emitters {
        emitter.velocity = DVec3::ZERO;
    }
    let path = address_text("emitter", &fastest.name);
    Some((address_text(&path, "velocity"), changed))
}

/// The key of the motion of the first collider that moves too fast, and a world without that.
fn moving_collider(setup: &Setup) -> Option<(String, Setup)> {
    for (k, collider) in setup.colliders[..setup.first_rigid()].iter().enumerate() {
        let still = Collider {
            motion: Motion::Rest(Pose::IDENTITY),
            ..collider.clone()
        };
        let gone = Collider {
            shape: Arc::new(Nowhere),
            ..collider.clone()
        };
        let causes = [
            ("motion", !collider.motion.is_at_rest(), still),
            ("shape", collider.shape.moving().is_some(), gone),
        ];
        for (key, _, other) in causes.into_iter().filter(|(_, may_be, _)| *may_be) {
            let mut changed = setup.clone();
            changed.colliders[k] = other;
            if first_frame_substeps(&changed) <= MOST_SUBSTEPS {
                let path = address_text("collider", &collider.name);
                return Some((address_text(&path, key), changed));
            }
        }
    }
    None
}
