//! What the hand can take hold of at a point.

use pliant_core::world::World;
use pliant_math::DVec3;

use crate::Input;

/// Particles within so many spacings of a point are taken hold of.
const REACH: f64 = 2.5;
/// Angular frequency [rad/s] with which a held body as a whole swings on the springs.
const FREQUENCY: f64 = 25.0;
/// A hand that holds little of much swings as if it held all of at most so many times that.
const MOST_CARRIED: f64 = 60.0;

/// The input that takes hold of what is near a point [m]; `None` where nothing is that can be held. Rigid bodies
/// cannot: springs pull particles.
///
/// The springs are as stiff as it takes to carry the body of the nearest particle.
pub(crate) fn grab_at(world: &World, point: DVec3) -> Option<Input> {
    let particles = &world.state.particles;
    let bodies = &world.setup.bodies;
    let distance = |i: usize| particles.position[i].distance_squared(point);
    let is_rigid = |i: usize| bodies[particles.body[i] as usize].method.is_rigid();
    let free = (0..particles.len()).filter(|&i| particles.inverse_mass[i] > 0.0 && !is_rigid(i));
    let nearest = free.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
    let body = particles.body[nearest];
    let spacing = bodies[body as usize].spacing;
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
    Some(Input::Grab {
        particles: held.iter().map(|&i| particles.id[i]).collect(),
        local: held
            .iter()
            .map(|&i| (particles.position[i] - point).to_array())
            .collect(),
        at: point.to_array(),
        stiffness: all.min(MOST_CARRIED * carried) * FREQUENCY * FREQUENCY,
    })
}
