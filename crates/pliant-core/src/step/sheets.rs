//! The longest steps of sheets and networks.

use pliant_math::to_double;

use crate::methods::springs::{NodeLoad, SpringBody, SpringNode};
use crate::methods::{LongestStep, cloth, springs};
use crate::world::{Body, Setup, State};

/// The longest step for a body of the method `cloth`.
pub fn longest_cloth_step(setup: &Setup, body: &Body) -> LongestStep {
    let of_body = |sheet: &cloth::Sheet| setup.bodies[sheet.body as usize].name == body.name;
    let Some(sheet) = setup.cloth().sheets.into_iter().find(of_body) else {
        return LongestStep::UNBOUND;
    };
    let start = &body.particles;
    let vertices = 0..start.position.len();
    let inverse_mass: Vec<f64> = vertices.map(|k| 1.0 / start.mass(k)).collect();
    let sweeps = setup.solver.iterations;
    cloth::longest_step(&sheet, &inverse_mass, sweeps)
}

/// The longest step of the next frame for the networks of the method `springs`, under all that moves and
/// may come to lie on them.
pub fn longest_springs_step(setup: &Setup, state: &State) -> LongestStep {
    let p = &state.particles;
    let networks = setup.springs();
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
        springs::longest_step(body, &nodes(body, state), load)
    });
    bounds.fold(LongestStep::UNBOUND, LongestStep::or_shorter)
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
