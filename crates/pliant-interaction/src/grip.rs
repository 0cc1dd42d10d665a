//! What the hand can take hold of at a point.

use pliant_core::methods::rigid::RIGID;
use pliant_core::world::{NumberedBody, World};
use pliant_math::DVec3;

use crate::Input;

/// Particles within so many spacings of a point are taken hold of.
const REACH: f64 = 2.5;
/// Angular frequency [rad/s] with which a held body as a whole swings on the springs.
const FREQUENCY: f64 = 25.0;
/// A hand that holds little of much swings as if it held all of at most so many times that.
const MOST_CARRIED: f64 = 60.0;
/// A rigid body is held, not a particle, if it is nearer than so many times the particle: seen points are on surfaces,
/// and those of particles are half a spacing from where they are.
const NEARER: f64 = 0.5;

/// The input that takes hold of what is near a point [m]; `None` where nothing is that can be held.
pub(crate) fn grab_at(world: &World, point: DVec3) -> Option<Input> {
    let (particle, body) = (nearest_particle(world, point), nearest_body(world, point));
    match (particle, body) {
        (Some((particle, distance)), Some(body)) if body.distance >= NEARER * distance => {
            Some(of_particles(world, particle, point))
        }
        (Some((particle, _)), None) => Some(of_particles(world, particle, point)),
        (_, Some(body)) => body.input,
        (None, None) => None,
    }
}

/// The place of the nearest particle that can move and is no rigid body, and its distance [m].
fn nearest_particle(world: &World, point: DVec3) -> Option<(usize, f64)> {
    let particles = &world.state.particles;
    let bodies = &world.setup.bodies;
    let is_rigid = |i: usize| bodies[particles.body[i] as usize].method.is_rigid();
    let free = (0..particles.len()).filter(|&i| particles.inverse_mass[i] > 0.0 && !is_rigid(i));
    let distances = free.map(|i| (i, particles.position[i].distance(point)));
    distances.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Springs to the particles around a point, of the body of the nearest one; as stiff as it takes to carry that body.
fn of_particles(world: &World, nearest: usize, point: DVec3) -> Input {
    let particles = &world.state.particles;
    let distance = |i: usize| particles.position[i].distance_squared(point);
    let body = particles.body[nearest];
    let spacing = world.setup.bodies[body as usize].spacing;
    let reach = (REACH * spacing).max(1.01 * distance(nearest).sqrt());
    let of_body = (0..particles.len())
        .filter(|&i| particles.body[i] == body && particles.inverse_mass[i] > 0.0);
    let (mut all, mut held) = (0.0, Vec::new());
    for i in of_body {
        all += f64::from(particles.mass[i]);
        if distance(i) <= reach * reach {
            held.push(i);
        }
    }
    held.sort_unstable_by_key(|&i| particles.id[i]);
    let carried: f64 = held.iter().map(|&i| f64::from(particles.mass[i])).sum();
    Input::Grab {
        particles: held.iter().map(|&i| particles.id[i]).collect(),
        local: held
            .iter()
            .map(|&i| (particles.position[i] - point).to_array())
            .collect(),
        at: point.to_array(),
        stiffness: all.min(MOST_CARRIED * carried) * FREQUENCY * FREQUENCY,
    }
}

/// A rigid body near a point.
struct NearBody {
    /// How far outside of it the point is [m].
    distance: f64,
    /// What takes hold of it there, unless it cannot move.
    input: Option<Input>,
}

/// The nearest rigid body.
fn nearest_body(world: &World, point: DVec3) -> Option<NearBody> {
    let (setup, particles) = (&world.setup, &world.state.particles);
    let colliders = setup.first_rigid()..;
    let of_body = |(collider, NumberedBody { first_id, body, .. }): (usize, _)| {
        let place = particles.id.iter().rposition(|&id| id == first_id)?;
        let pose = world.collider_pose(collider)?;
        let shape = &setup.colliders[collider].shape;
        let local = pose.to_local(point);
        let distance = shape.signed_distance(local).max(0.0);
        let held = match distance > 0.0 {
            true => local - shape.normal(local) * distance,
            false => local,
        };
        let is_free = particles.inverse_mass[place] > 0.0;
        Some(NearBody {
            distance,
            input: is_free.then(|| Input::GrabBody {
                body: body.name.clone(),
                point: held.to_array(),
                at: pose.to_world(held).to_array(),
                stiffness: f64::from(particles.mass[place]) * FREQUENCY * FREQUENCY,
            }),
        })
    };
    let bodies = colliders.zip(setup.bodies_of(RIGID)).filter_map(of_body);
    bodies.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
