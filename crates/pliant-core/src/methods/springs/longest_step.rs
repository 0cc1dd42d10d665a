//! The longest step in which contacts and responses of a network converge under a load.
//!
//! The network itself is solved at any step. Loads on it are not: contacts use the mass of a particle
//! where the network opposes up to 1 + (omega dt)^2 times as much, omega^2 being the greatest eigenvalue
//! of its stiffness over its masses. Their iterations with the responses of the network are a gradient method on
//! a problem of that condition, with Nesterov's momentum: n turns leave about exp(-n/sqrt(condition)) of a
//! load's impulse missing, which lets the load sink into a network that then throws it. So
//!
//!   dt = TURNS n / omega
//!
//! The condition is no worse than one and the mass of the load over that of a particle, so light loads
//! bound nothing. What lies on a collider is a load of its own.

use pliant_math::{DMat3, DVec3};

use super::SpringBody;
use crate::method::LongestStep;

/// omega dt over the number of turns at which a heavy box on a sheet gains no energy.
const TURNS: f64 = 1.0;

/// A particle of a network at the start of a frame.
#[derive(Clone, Copy, Debug)]
pub struct SpringNode {
    /// Position [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// Mass [kg], > 0.
    pub mass: f64,
    /// False if something holds it.
    pub is_free: bool,
}

/// What a network may have to carry in a frame.
#[derive(Clone, Copy, Debug)]
pub struct NodeLoad {
    /// Mass of all that may lie on it [kg].
    pub mass: f64,
    /// Sweeps, and so responses, a substep, > 0.
    pub turns: u32,
    /// The frame [s], over which springs may go on as they stretch now.
    pub frame: f64,
}

/// For a body whose particles are given in their order, `None` for those that have left the world.
pub fn longest_step(
    body: &SpringBody,
    nodes: &[Option<SpringNode>],
    load: NodeLoad,
) -> LongestStep {
    let present = || nodes.iter().flatten();
    let count = present().count().max(1) as f64;
    let mean_mass = present().map(|node| node.mass).sum::<f64>() / count;
    let most = TURNS * f64::from(load.turns);
    let is_light = mean_mass <= 0.0 || 1.0 + load.mass / mean_mass <= most * most;
    let seconds = if is_light {
        f64::INFINITY
    } else {
        most / greatest_rate(body, nodes, load.frame)
    };
    LongestStep {
        seconds,
        reason: "contacts have to find what its springs oppose to a load",
    }
}

/// A bound on omega [1/s]: of each particle that is free, twice the stiffness at it over its mass
/// (Gershgorin).
fn greatest_rate(body: &SpringBody, nodes: &[Option<SpringNode>], frame: f64) -> f64 {
    let mut stiffness = vec![0.0; nodes.len()];
    for spring in &body.network.springs {
        let [a, b] = spring.ends.map(|end| end as usize);
        let (Some(curve), Some(one), Some(other)) = (body.curve(spring), nodes[a], nodes[b]) else {
            continue;
        };
        let between = other.position - one.position;
        let length = between.length();
        let speed = (other.velocity - one.velocity).dot(between) / length.max(f64::MIN_POSITIVE);
        // Now, and as it will be at the end of the frame if it stretches on.
        let of_length = |length: f64| {
            let ratio = (length / spring.rest_length).max(LEAST_RATIO);
            let along = curve.slope(ratio - 1.0);
            along.max(curve.tension(ratio - 1.0) / ratio)
        };
        let most = of_length(length).max(of_length(length + speed * frame));
        stiffness[a] += most.max(0.0);
        stiffness[b] += most.max(0.0);
    }
    add_membranes(body, nodes, &mut stiffness);
    let free = nodes.iter().zip(stiffness).filter_map(|(node, k)| {
        let node = node.filter(|node| node.is_free)?;
        Some(2.0 * k / node.mass)
    });
    free.fold(f64::MIN_POSITIVE, f64::max).sqrt()
}

/// Springs shorter than this share of their length are taken as that long.
const LEAST_RATIO: f64 = 0.01;

fn add_membranes(body: &SpringBody, nodes: &[Option<SpringNode>], stiffness: &mut [f64]) {
    let Some(membrane) = body.membrane() else {
        return;
    };
    let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
    for (corners, rest) in body.network.triangles.iter().zip(body.rest_triangles()) {
        let [Some(a), Some(b), Some(c)] = corners.map(|corner| nodes[corner as usize]) else {
            continue;
        };
        let points = [a, b, c].map(|node| node.position);
        let response = membrane.response(rest.area, rest.gradients, points, true);
        for (side, matrix) in response.stiffness.iter().enumerate() {
            for end in [corners[side], corners[(side + 1) % 3]] {
                stiffness[end as usize] += trace(matrix).abs();
            }
        }
    }
}
