//! A scene made in code: a ball of rubber falls on a floor. Its height is printed, and the run recorded to a
//! folder; if the program is stopped and started again, it goes on from the newest checkpoint.
//!
//! `cargo run --release -p pliant --example record -- out/ball`

use std::error::Error;

use pliant::scene::SceneErrors;
use pliant::{Scene, SceneTable, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or("out/ball".into());
    let mut simulation = Simulation::of(scene()?)?;
    let frames = simulation.scene().frame_count() + 1;
    let mut recording = simulation.resume(&folder)?;
    while simulation.frame_number() < frames {
        simulation.step()?;
        recording.write(&simulation)?;
        println!(
            "{:.2} s: {:.3} m",
            simulation.time(),
            simulation.measure("ball.y")?
        );
    }
    let summary = recording.finish(&simulation)?;
    println!("see {}", summary.folder.report().display());
    Ok(())
}

fn scene() -> Result<Scene, SceneErrors> {
    let ball = SceneTable::new()
        .with("name", "ball")
        .with("material", "rubber")
        .with("shape.sphere.radius", 0.05)
        .with("position", [0.0, 0.3, 0.0])
        .with("spacing", 0.0125);
    let floor = SceneTable::new()
        .with("name", "floor")
        .with("shape.plane", SceneTable::new());
    let height = SceneTable::new()
        .with("name", "ball")
        .with("measure", "center-of-mass")
        .with("body", "ball");
    Scene::builder()
        .with("scene.title", "A ball of rubber")
        .with("scene.duration", 1.0)
        .with("output.checkpoint_every", 5)
        .with("material.rubber.preset", "rubber")
        .add("body", ball)
        .add("collider", floor)
        .add("probe", height)
        .build()
}
