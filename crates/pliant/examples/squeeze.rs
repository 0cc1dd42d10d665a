//! A plate is driven into a block of rubber, a millimetre at a time: how hard does the block push back?
//!
//! `cargo run --release -p pliant --example squeeze`

use pliant::math::{DVec3, Pose};
use pliant::{Simulation, SimulationError};

const SCENE: &str = r#"
[scene]
duration = 2
[solver]
damping = 20.0
[material.rubber]
law = "neo-hookean"
density = 1100.0
youngs_modulus = 1e5
poissons_ratio = 0.4
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.05, 0.0]
spacing = 0.0125
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "plate"
shape = { box = { size = [0.2, 0.02, 0.2] } }
position = [0.0, 0.11, 0.0]
driven = true
[[probe]]
name = "plate"
measure = "collider-force"
collider = "plate"
"#;

fn main() -> Result<(), SimulationError> {
    let mut simulation = Simulation::from_text(SCENE)?;
    println!("pushed by  force on the plate");
    for millimetres in [2.0, 4.0, 6.0, 8.0] {
        let pose = Pose {
            translation: DVec3::Y * (0.11 - 1e-3 * millimetres),
            ..Pose::IDENTITY
        };
        simulation.drive_to("plate", pose, 0.1)?;
        let moved_and_settled = simulation.time() + 0.3;
        while simulation.time() < moved_and_settled {
            simulation.step()?;
        }
        let force = simulation.measure("plate.fy")?;
        println!("{millimetres:6.0} mm  {force:8.1} N");
    }
    Ok(())
}
