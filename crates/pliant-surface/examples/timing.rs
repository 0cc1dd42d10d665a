//! How long the surface of a ball and a box of particles takes, and how far its volume is off.
//!
//! `cargo run --release -p pliant-surface --example timing [PARTICLES]`

use std::time::Instant;

use pliant_math::DVec3;
use pliant_surface::{Carrier, SurfaceError, SurfaceSettings, reconstruct};

const SPACING: f64 = 0.01;

fn main() -> Result<(), SurfaceError> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let count: f64 = count.unwrap_or(1e5);
    println!("on {} threads", rayon::current_num_threads());
    let edge = count.cbrt() / 2.0;
    let radius = (count * 0.75 / std::f64::consts::PI).cbrt();
    let cube = lattice(|p| p.abs().max_element() < edge, edge);
    let ball = lattice(|p| p.length() < radius, radius);
    for cube_size in [1.0, 0.5, 0.25] {
        time("box", &cube, cube_size)?;
        time("ball", &ball, cube_size)?;
    }
    Ok(())
}

fn time(name: &str, points: &[DVec3], cube_size: f64) -> Result<(), SurfaceError> {
    let settings = SurfaceSettings {
        cube_size,
        ..SurfaceSettings::of_spacing(SPACING)
    };
    let start = Instant::now();
    let surface = reconstruct(points, &settings)?;
    let seconds = start.elapsed().as_secs_f64();
    let velocity = vec![[1.0, 0.0, 0.0]; points.len()];
    let carrier = Carrier::new(points, &settings);
    let carried = carrier.carry(&velocity, &surface.mesh.vertices).len();
    let all = start.elapsed().as_secs_f64();
    let volume = points.len() as f64 * SPACING.powi(3);
    println!(
        "{name}, cubes of {cube_size}: {} particles, {carried} vertices in {seconds:.2} s, with velocities {all:.2} s; volume {:+.2} %",
        points.len(),
        100.0 * (surface.mesh.volume() / volume - 1.0)
    );
    Ok(())
}

/// The points of a lattice for which something holds, with up to so many spacings from the origin.
fn lattice(holds: impl Fn(DVec3) -> bool, reach: f64) -> Vec<DVec3> {
    let most = reach.ceil() as i32;
    let along = move || (-most..most).map(|i| f64::from(i) + 0.5);
    let plane = along().flat_map(|x| along().map(move |y| (x, y)));
    let points = plane.flat_map(|(x, y)| along().map(move |z| DVec3::new(x, y, z)));
    points.filter(|p| holds(*p)).map(|p| p * SPACING).collect()
}
