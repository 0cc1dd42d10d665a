//! Worlds on their way, and what tests ask of them.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::particles::Particles;
use pliant_core::step::{CpuStepper, StepError, Stepper, advance_frame};
use pliant_core::world::{Setup, World};
use pliant_math::DVec3;

/// Lets a collider carry particles of the first body; returns their places in its coordinates.
pub fn carry(setup: &mut Setup, collider: u32, held: Vec<u32>) -> Vec<DVec3> {
    let start = setup.colliders[collider as usize].motion.pose(0.0);
    let particles = &mut setup.bodies[0].particles;
    let local = |&id: &u32| start.to_local(particles.position[id as usize]);
    let local: Vec<DVec3> = held.iter().map(local).collect();
    for &id in &held {
        particles.is_pinned[id as usize] = true;
    }
    setup.attachments.push(Attachment {
        name: "grip".into(),
        particles: held,
        kind: AttachmentKind::Collider {
            collider,
            local: local.clone(),
        },
    });
    local
}

/// Takes substeps with a stepper of so many threads.
pub fn advance(
    world: &mut World,
    dt: f64,
    substeps: usize,
    threads: usize,
) -> Result<(), StepError> {
    let mut stepper = CpuStepper::new(threads).expect("threads");
    for _ in 0..substeps {
        stepper.substep(world, dt)?;
    }
    Ok(())
}

/// Momentum [kg m/s].
pub fn momentum(world: &World) -> DVec3 {
    momentum_of(&world.state.particles)
}

/// Momentum [kg m/s] of particles.
pub fn momentum_of(particles: &Particles) -> DVec3 {
    let of =
        |i: usize| pliant_math::to_double(particles.velocity[i]) * f64::from(particles.mass[i]);
    (0..particles.len()).map(of).sum()
}

/// Speed of the fastest particle [m/s].
pub fn greatest_speed(world: &World) -> f64 {
    let speeds = world.state.particles.velocity.iter();
    speeds
        .map(|&v| pliant_math::to_double(v).length())
        .fold(0.0, f64::max)
}

/// Least distance of two particles [m].
pub fn nearest_distance(world: &World) -> f64 {
    let position = &world.state.particles.position;
    let to_earlier = |i: usize| {
        let distances = position[..i].iter().map(move |x| x.distance(position[i]));
        distances.fold(f64::INFINITY, f64::min)
    };
    (0..position.len())
        .map(to_earlier)
        .fold(f64::INFINITY, f64::min)
}

/// Advances a world by frames at the step that follows from it, looking at it after each.
pub fn advance_frames(world: &mut World, frames: u32, mut look: impl FnMut(&World)) {
    let mut stepper = CpuStepper::new(2).expect("threads");
    for _ in 0..frames {
        advance_frame(world, &mut stepper, &mut |_| ()).expect("a sound scene");
        look(world);
    }
}
