//! A block of jelly falls, seen in a browser or the window of `pliant view` while it does: both follow, and go back along
//! the timeline.
//!
//! `cargo run --release -p pliant --example show`

use std::time::Duration;

use pliant::Simulation;
use pliant::serve::LiveShow;

const SCENE: &str = r#"
scene.duration = 2
[material.jelly]
preset = "rubber"
youngs_modulus = 2e4
[[body]]
name = "block"
material = "jelly"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
rotation = [20, 0, 30]
spacing = 0.02
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut simulation = Simulation::from_text(SCENE)?;
    let show = LiveShow::of(&simulation)?;
    let address = show.address();
    println!("open {address} in a browser, or give it to `pliant view`");
    while simulation.time() < simulation.scene().duration() {
        simulation.step()?;
        show.add(&simulation);
        // In real time, for whoever looks on.
        std::thread::sleep(Duration::from_secs_f64(
            1.0 / simulation.scene().frame_rate(),
        ));
    }
    println!("press Enter to end");
    std::io::stdin().read_line(&mut String::new())?;
    Ok(())
}
