//! The method as the bodies of a world name it.

use pliant_math::to_double;

use super::{
    Network, NodeLoad, SPRINGS, SpringBody, SpringNode, SpringReading, Springs, SpringsSetup,
    longest_step, read,
};
use crate::method::{LongestStep, Method, Readings, StretchOf};
use crate::world::{Body, MethodKind, Setup, State, World};

/// Networks of springs.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "springs"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        let springs = Springs::new(SpringsSetup::of(setup));
        Some(Box::new(springs.following(setup.start_shapes(SPRINGS))))
    }

    /// Of sheets half of the distance that their surfaces keep.
    fn contact_radius(&self, setup: &Setup, body: &Body) -> f64 {
        let network = body.particles.structure_of::<Network>();
        let is_surface = network.is_some_and(|network| !network.triangles.is_empty());
        let law = setup.materials[body.material as usize].law.springs();
        let of_surface = law.filter(|_| is_surface);
        0.5 * of_surface.map_or(body.spacing, |law| law.contact_distance(body.spacing))
    }

    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        let springs = SpringsSetup::of(setup);
        let mass = setup.bodies[body as usize].particles.particle_mass;
        let stiffness = springs.body(body).and_then(SpringBody::stiffness_at_rest);
        stiffness.map_or(f64::INFINITY, |stiffness| (mass / stiffness).sqrt())
    }

    fn is_bound_by_loads(&self) -> bool {
        true
    }

    /// Under all that moves and may come to lie on them.
    fn longest_step_now(&self, setup: &Setup, state: &State) -> LongestStep {
        let p = &state.particles;
        let networks = SpringsSetup::of(setup);
        let can_lie = !setup.colliders.is_empty();
        let bounds = networks.bodies.iter().map(|body| {
            // On a collider it has itself to carry.
            let is_load = |i: &usize| can_lie || p.body[*i] != body.body;
            let loads = (0..p.len()).filter(|i| is_load(i) && p.inverse_mass[*i] > 0.0);
            let load = NodeLoad {
                mass: loads.map(|i| f64::from(p.mass[i])).sum(),
                turns: setup.solver.iterations,
                frame: 1.0 / setup.frame_rate,
            };
            longest_step(body, &nodes(body, state), load)
        });
        bounds.fold(LongestStep::UNBOUND, LongestStep::or_shorter)
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        for_particles(world, |place, of_particle| {
            readings.of_place[place].energy = of_particle.energy;
        });
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        for_particles(world, |place, of_particle| {
            energies[place] = of_particle.energy;
        });
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Springs)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        for_particles(world, |place, reading| {
            if reading.count > 0 {
                put(place, [reading.least, reading.mean(), reading.greatest]);
            }
        });
    }

    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        SpringsSetup::of(&world.setup).links(ids)
    }

    fn triangles(&self, world: &World, ids: &[u32]) -> Vec<[u32; 3]> {
        SpringsSetup::of(&world.setup).triangles(ids)
    }
}

/// Calls `f(place, reading)` for each particle.
fn for_particles(world: &World, mut f: impl FnMut(usize, SpringReading)) {
    let setup = SpringsSetup::of(&world.setup);
    let particles = &world.state.particles;
    let places = particles.places_by_id(|body| setup.body(body).is_some());
    let position: Vec<_> = places.iter().map(|&i| particles.position[i]).collect();
    let ids: Vec<_> = places.iter().map(|&i| particles.id[i]).collect();
    for (place, reading) in places.into_iter().zip(read(&setup, &ids, &position)) {
        f(place, reading);
    }
}

/// The particles of a network that are left, in their order at the start.
fn nodes(body: &SpringBody, state: &State) -> Vec<Option<SpringNode>> {
    let p = &state.particles;
    let mut nodes = vec![None; body.network.particle_count()];
    for i in (0..p.len()).filter(|&i| p.body[i] == body.body) {
        nodes[(p.id[i] - body.first_id) as usize] = Some(SpringNode {
            position: p.position[i],
            velocity: to_double(p.velocity[i]),
            mass: f64::from(p.mass[i]),
            is_free: p.inverse_mass[i] > 0.0,
        });
    }
    nodes
}
