//! Elastic bodies that are pulled further than their particles hold.

use pliant_core::attachments::AttachmentKind;
use pliant_core::schedule::Schedule;
use pliant_core::world::{Body, Setup};
use pliant_geometry::sampling::Sampling;
use pliant_materials::{HenckyLaw, Law};
use pliant_math::DVec3;

use super::Builder;
use super::attachments::first_id;
use super::particles::Filling;

/// Tensile strain beyond which particles, however placed, let a body stretch much too far.
const GREATEST_STRAIN: f64 = 5e-3;
/// Rows of a lattice pair beyond this over the square of their number, cubic and hexagonal;
/// measured with a support of 2.6 spacings.
const CUBIC: f64 = 2.0;
const HEXAGONAL: f64 = 5.0;
/// Displacements of so many spacings keep rows from pairing below the greatest strain.
const ENOUGH_JITTER: f64 = 0.1;

/// A force that draws a body out.
#[derive(Clone, Copy)]
struct Pull {
    /// Tensile strain along the force by Hooke's law, without bending.
    strain: f64,
    /// Length of the body along the force, in spacings.
    rows: f64,
}

impl Builder<'_> {
    /// A warning for each elastic body that a load or its weight stretches too far.
    pub(super) fn warn_stretched(&mut self, setup: &Setup) {
        for ((path, values), place) in self.items("body").into_iter().zip(0..) {
            let material = &setup.materials[setup.bodies[place].material as usize];
            if !matches!(material.law, Law::Hencky(HenckyLaw::Elastic(_))) {
                continue;
            }
            let filling = Filling::of_body(values);
            let excess = |pull: &Pull| pull.strain / strain_limit(filling, pull.rows);
            let pulls = pulls(setup, place).into_iter();
            let worst = pulls.max_by(|a, b| excess(a).total_cmp(&excess(b)));
            if let Some(pull) = worst.filter(|pull| excess(pull) > 1.0) {
                self.warn(&path, advice(filling, pull));
            }
        }
    }
}

fn advice(filling: Filling, pull: Pull) -> String {
    let limit = strain_limit(filling, pull.rows);
    let load_text = format!(
        "it is pulled to a strain of about {:.2} %",
        100.0 * pull.strain
    );
    let limit_text = format!("beyond {:.2} %", 100.0 * limit);
    if limit < GREATEST_STRAIN {
        format!(
            "{load_text}; on a lattice {:.0} spacings long, rows pair {limit_text} and it stretches up to three times as far; take sampling = \"relaxed\"",
            pull.rows
        )
    } else {
        format!(
            "{load_text}; {limit_text} particles of `xpbi` let an elastic body stretch too far, at 1 % up to 1.6 times; take a stiffer material or less load"
        )
    }
}

/// The tensile strain that a body of so many rows holds.
fn strain_limit(filling: Filling, rows: f64) -> f64 {
    let of_lattice = match filling.sampling {
        Sampling::Grid => CUBIC / (rows * rows),
        Sampling::Hexagonal | Sampling::Spheres => HEXAGONAL / (rows * rows),
        Sampling::Poisson | Sampling::Relaxed => GREATEST_STRAIN,
    };
    if filling.jitter < ENOUGH_JITTER {
        of_lattice.min(GREATEST_STRAIN)
    } else {
        GREATEST_STRAIN
    }
}

/// Forces that draw a body away from the particles that are held, or from its middle if none is.
fn pulls(setup: &Setup, place: usize) -> Vec<Pull> {
    let body = &setup.bodies[place];
    let particles = &body.particles;
    let all = mean(particles.position.iter().copied());
    let is_pinned = |(x, is_pinned): (&DVec3, &bool)| is_pinned.then_some(*x);
    let pinned = particles.position.iter().zip(&particles.is_pinned);
    let held = mean(pinned.filter_map(is_pinned)).or(all);
    let (Some(all), Some(held)) = (all, held) else {
        return Vec::new();
    };
    let mass = particles.position.len() as f64 * particles.particle_mass;
    let weight = (setup.gravity * mass, all);
    let forces = std::iter::once(weight).chain(loads(setup, place));
    forces
        .filter_map(|(force, at)| pull(setup, body, force, at - held))
        .collect()
}

/// Each strength of each load on a body [N] with the middle of where it acts.
fn loads(setup: &Setup, place: usize) -> Vec<(DVec3, DVec3)> {
    let first = first_id(&setup.bodies, place);
    let position = &setup.bodies[place].particles.position;
    let mut loads = Vec::new();
    for attachment in &setup.attachments {
        let AttachmentKind::Load { force, strength } = &attachment.kind else {
            continue;
        };
        let own = attachment.particles.iter().map(|id| id.wrapping_sub(first));
        let loaded = own.filter_map(|k| position.get(k as usize).copied());
        let Some(at) = mean(loaded) else {
            continue;
        };
        let each = strengths(strength).into_iter();
        loads.extend(each.map(|s| (*force * s, at)));
    }
    loads
}

/// The extremes of a strength are among its keyframes.
fn strengths(schedule: &Schedule) -> Vec<f64> {
    match schedule {
        Schedule::Constant(strength) => vec![*strength],
        Schedule::Keyframes { keyframes, .. } => keyframes.iter().map(|k| k.1).collect(),
    }
}

/// What a force does at an arm [m] from where the body is held, if it pulls.
fn pull(setup: &Setup, body: &Body, force: DVec3, arm: DVec3) -> Option<Pull> {
    let along = force.try_normalize()?;
    if arm.dot(along) < body.spacing {
        return None;
    }
    let particles = &body.particles;
    let heights = particles.position.iter().map(|x| x.dot(along));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    let length = high - low + body.spacing;
    let area = particles.position.len() as f64 * particles.particle_volume / length;
    let youngs_modulus = setup.materials[body.material as usize].youngs_modulus;
    Some(Pull {
        strain: force.length() / (area * youngs_modulus),
        rows: length / body.spacing,
    })
}

fn mean(points: impl Iterator<Item = DVec3>) -> Option<DVec3> {
    let (sum, count) = points.fold((DVec3::ZERO, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    (count > 0.0).then(|| sum / count)
}
