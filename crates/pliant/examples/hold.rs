//! A controller holds a weight at a height: it reads a probe each frame and activates a muscle.
//!
//! `cargo run --release -p pliant --example hold`

use pliant::{Simulation, SimulationError};

const SCENE: &str = r#"
scene.duration = 4
solver.damping = 4
[material.flesh]
law = "stable-neo-hookean"
density = 1000.0
youngs_modulus = 5e4
poissons_ratio = 0.4
[material.steel]
law = "rigid"
density = 2000.0
[[body]]
name = "bundle"
material = "flesh"
method = "muscle"
shape = { box = { size = [0.06, 0.3, 0.06] } }
position = [0.0, 0.85, 0.0]
spacing = 0.02
[[muscle]]
name = "bundle"
body = "bundle"
direction = [0, 1, 0]
stiffness = 2e5
driven = true
[[attach]]
name = "top"
body = "bundle"
shape = { box = { size = [0.2, 0.02, 0.2] } }
position = [0.0, 0.99, 0.0]
[[attach]]
name = "bottom"
body = "bundle"
shape = { box = { size = [0.2, 0.02, 0.2] } }
position = [0.0, 0.71, 0.0]
to_body = "weight"
[[body]]
name = "weight"
material = "steel"
shape = { box = { size = [0.06, 0.06, 0.06] } }
position = [0.0, 0.67, 0.0]
[[probe]]
name = "weight"
measure = "center-of-mass"
body = "weight"
"#;

fn main() -> Result<(), SimulationError> {
    let mut simulation = Simulation::from_text(SCENE)?;
    let (wanted, mut activation) = (0.70, 0.0_f64);
    while simulation.time() < 4.0 {
        simulation.step()?;
        let (height, speed) = (
            simulation.measure("weight.y")?,
            simulation.measure("weight.vy")?,
        );
        activation = (activation + 1.5 * (wanted - height) - 0.1 * speed).clamp(0.0, 1.0);
        let frame_time = 1.0 / simulation.scene().frame_rate();
        simulation.activate("bundle", "bundle", activation, frame_time)?;
        if simulation.frame_number() % 24 == 1 {
            println!(
                "{:.1} s: {:.4} m at an activation of {activation:.2}",
                simulation.time(),
                height
            );
        }
    }
    Ok(())
}
