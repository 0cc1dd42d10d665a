//! A block is thrown against a wall, again and again a little faster, from one saved state: how far does it come back?
//!
//! `cargo run --release -p pliant --example throw`

use pliant::math::DVec3;
use pliant::{Simulation, SimulationError};

const SCENE: &str = r#"
scene.duration = 1
scene.gravity = [0, 0, 0]
[material.rubber]
preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
spacing = 0.025
[[collider]]
name = "wall"
shape = { plane = { normal = [-1, 0, 0] } }
position = [0.1, 0, 0]
[[probe]]
name = "block"
measure = "center-of-mass"
body = "block"
"#;

fn main() -> Result<(), SimulationError> {
    let mut simulation = Simulation::from_text(SCENE)?;
    let start = simulation.save();
    for speed in [0.5, 1.0, 2.0, 4.0] {
        simulation.restore(&start)?;
        simulation.set_velocity("block", DVec3::X * speed)?;
        while simulation.time() < 0.5 {
            simulation.step()?;
        }
        let back = -simulation.measure("block.vx")?;
        println!("{speed} m/s: comes back with {:.0} %", 100.0 * back / speed);
    }
    Ok(())
}
