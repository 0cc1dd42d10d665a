//! What methods tell of their particles, put together.

use crate::method::{Readings, StretchOf};
use crate::world::World;

/// Reads volume, stress and energy of all particles, and F where a surface hangs on it.
pub(crate) fn readings(world: &World) -> Readings {
    let carries = |body: &crate::world::Body| body.particles.render_mesh.is_some();
    let with_gradients = world.setup.bodies.iter().any(carries);
    let mut readings = Readings::undeformed(world.state.particles.len(), with_gradients);
    for method in world.setup.methods() {
        method.read(world, &mut readings);
    }
    readings
}

/// The share [J] of each particle in the elastic energy.
pub(crate) fn elastic_energies(world: &World) -> Vec<f64> {
    let mut energies = vec![0.0; world.state.particles.len()];
    for method in world.setup.methods() {
        method.read_energies(world, &mut energies);
    }
    energies
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
