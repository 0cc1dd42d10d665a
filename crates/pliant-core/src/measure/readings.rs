//! What methods tell of their particles, put together.

use crate::method::{Readings, StretchOf, Tensors};
use crate::world::World;

/// Reads volume, stress and energy of all particles, and F where a surface hangs on it.
pub(crate) fn readings(world: &World) -> Readings {
    let particles = world.state.particles.len();
    let mut readings = Readings::undeformed(particles, carries_surfaces(world));
    for method in world.setup.methods() {
        method.read(world, &mut readings);
    }
    readings
}

/// Whether bodies carry surfaces.
pub(super) fn carries_surfaces(world: &World) -> bool {
    let mut bodies = world.setup.bodies.iter();
    bodies.any(|body| body.particles.render_mesh.is_some())
}

/// The share [J] of each particle in the elastic energy.
pub(crate) fn elastic_energies(world: &World) -> Vec<f64> {
    let mut energies = vec![0.0; world.state.particles.len()];
    for method in world.setup.methods() {
        method.read_energies(world, &mut energies);
    }
    energies
}

/// F and stress at each particle that has them, by place.
pub(crate) fn tensors(world: &World) -> Vec<Option<Tensors>> {
    let mut tensors = vec![None; world.state.particles.len()];
    for method in world.setup.methods() {
        method.read_tensors(world, &mut |place, of_place| {
            tensors[place] = Some(of_place);
        });
    }
    tensors
}

/// The least stretch, the mean and the greatest at each particle that has them, by place.
pub(crate) fn stretches(world: &World, of: StretchOf) -> Vec<Option<[f64; 3]>> {
    let mut stretches = vec![None; world.state.particles.len()];
    for method in world.setup.methods() {
        if method.stretch_of() == Some(of) {
            method.read_stretches(world, &mut |place, stretch| {
                stretches[place] = Some(stretch);
            });
        }
    }
    stretches
}
