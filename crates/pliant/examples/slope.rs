//! A parameter is swept: how far does a box slide down a slope of 30 degrees in a second, by its friction?
//!
//! `cargo run --release -p pliant --example slope`

use pliant::{Scene, SceneBuilder, SceneTable, Simulation, SimulationError};

/// The slope [rad].
const ANGLE: f64 = std::f64::consts::FRAC_PI_6;

fn main() -> Result<(), SimulationError> {
    println!("friction  slides  as a point mass does");
    for friction in [0.0, 0.2, 0.4, 0.6] {
        let scene = scene().with("collider.slope.friction", friction).build()?;
        let mut simulation = Simulation::of(scene)?;
        let start = simulation.measure("box.x")?;
        while simulation.time() < 1.0 {
            simulation.step()?;
        }
        let distance = (simulation.measure("box.x")? - start) / ANGLE.cos();
        let acceleration = 9.81 * (ANGLE.sin() - friction * ANGLE.cos()).max(0.0);
        let expected = 0.5 * acceleration * simulation.time().powi(2);
        println!("{friction:8.1}  {distance:5.2} m  {expected:5.2} m");
    }
    Ok(())
}

fn scene() -> SceneBuilder {
    let normal = [ANGLE.sin(), ANGLE.cos(), 0.0];
    let slab = SceneTable::new()
        .with("name", "box")
        .with("material", "wood")
        .with("shape.box.size", [0.2, 0.05, 0.2])
        .with("position", normal.map(|n| 0.025 * n))
        .with("rotation", [0.0, 0.0, -ANGLE.to_degrees()]);
    let slope = SceneTable::new()
        .with("name", "slope")
        .with("shape.plane.normal", normal);
    let probe = SceneTable::new()
        .with("name", "box")
        .with("measure", "center-of-mass")
        .with("body", "box");
    Scene::builder()
        .with("scene.duration", 1.0)
        .with("material.wood.law", "rigid")
        .with("material.wood.density", 600.0)
        .add("body", slab)
        .add("collider", slope)
        .add("probe", probe)
}
