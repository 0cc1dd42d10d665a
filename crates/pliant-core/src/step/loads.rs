//! How fast loads make what they pull.
//!
//! A load F on particles of the mass m accelerates them by F/m until the stress that it causes comes back from the rest of
//! the body. Behind a wave of stress matter moves by F/(rho c A), which is F/m times the time in which the wave crosses the
//! particles. The whole body goes on by the acceleration of its own mass, unless something holds it.

use pliant_math::DVec3;

use crate::attachments::{Attachment, AttachmentKind, load_at};
use crate::world::{NumberedBody, Setup};

/// Crossings in which the stress of a load comes to oppose it: there and back.
const CROSSINGS: f64 = 2.0;

/// Greatest speed [m/s] that loads give anything in a frame from `time` on, `frame` being its length [s].
pub fn speed_by_loads(setup: &Setup, time: f64, frame: f64) -> f64 {
    let middle = time + 0.5 * frame;
    let is_load = |a: &&Attachment| load_at(a, middle).is_some_and(|force| force != DVec3::ZERO);
    let mut loads = setup.attachments.iter().filter(is_load).peekable();
    if loads.peek().is_none() {
        return 0.0;
    }
    let bodies: Vec<NumberedBody<'_>> = setup.numbered().collect();
    let speed = |attachment: &Attachment| {
        let Some(body) = body_of(&bodies, attachment) else {
            return 0.0;
        };
        let particles = &body.body.particles;
        let force = load_at(attachment, middle).unwrap_or_default().length();
        let own_mass = attachment.particles.len() as f64 * particles.particle_mass;
        let crossing = body.body.method.crossing_time(setup, body.number);
        let alone = (CROSSINGS * crossing).min(frame);
        let as_whole = match crossing.is_finite() && !is_held(setup, &bodies, body) {
            true => total_load(setup, &bodies, body, middle).length() / mass(body) * frame,
            false => 0.0,
        };
        force / own_mass * alone + as_whole
    };
    loads.map(speed).fold(0.0, f64::max)
}

/// The body whose particles an attachment holds.
fn body_of<'a, 'b>(
    bodies: &'a [NumberedBody<'b>],
    attachment: &Attachment,
) -> Option<&'a NumberedBody<'b>> {
    let first = *attachment.particles.first()?;
    bodies.iter().find(|body| {
        let count = body.body.particles.position.len() as u32;
        (body.first_id..body.first_id + count).contains(&first)
    })
}

/// Whether something keeps a body from going on as a whole.
fn is_held(setup: &Setup, bodies: &[NumberedBody<'_>], body: &NumberedBody<'_>) -> bool {
    let is_pinned = body.body.particles.is_pinned.contains(&true);
    let holds = |attachment: &Attachment| match attachment.kind {
        AttachmentKind::World | AttachmentKind::Collider { .. } => {
            body_of(bodies, attachment).is_some_and(|of| of.number == body.number)
        }
        _ => false,
    };
    is_pinned || setup.attachments.iter().any(holds)
}

/// The sum of the loads on a body [N].
fn total_load(
    setup: &Setup,
    bodies: &[NumberedBody<'_>],
    body: &NumberedBody<'_>,
    time: f64,
) -> DVec3 {
    let on_body = setup.attachments.iter().filter(|attachment| {
        body_of(bodies, attachment).is_some_and(|of| of.number == body.number)
    });
    on_body.filter_map(|a| load_at(a, time)).sum()
}

/// The mass of a body [kg].
fn mass(body: &NumberedBody<'_>) -> f64 {
    let particles = &body.body.particles;
    (0..particles.position.len())
        .map(|k| particles.mass(k))
        .sum()
}
