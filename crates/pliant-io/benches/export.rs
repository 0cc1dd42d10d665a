//! Times of writing a frame of a million particles in each format, beside writing the same bytes
//! plainly.
//!
//! `cargo bench -p pliant-io` runs it. Goals for BGEO and USD on two cores: at most 0.7 s a frame, and
//! at most 1.5 times as long as the same bytes. `PLIANT_BENCH_FOLDER` names another folder than the
//! system's for temporary files.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use pliant_core::measure::{FrameBody, Quantity};
use pliant_io::export::{EXPORTERS, Moment, ParticleFrame, SceneFacts, write_frame};
use pliant_io::write_bytes;
use pliant_math::DVec3;

/// Particles of the frame.
const COUNT: usize = 1_000_000;

/// How often each is written; the shortest time counts.
const REPEATS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let parent = std::env::var_os("PLIANT_BENCH_FOLDER").map(PathBuf::from);
    let folder = match parent {
        Some(parent) => tempfile::tempdir_in(parent)?,
        None => tempfile::tempdir()?,
    };
    let (frame, bodies) = frame();
    let lent = frame.frame(&bodies, &[])?;
    let scene = SceneFacts::default();
    let moment = Moment {
        frame: &lent,
        surface: None,
        scene: &scene,
    };
    println!("format         bytes       written     plainly     ratio");
    for exporter in EXPORTERS {
        let path = write_frame(folder.path(), exporter, &moment)?;
        let bytes = std::fs::read(&path)?;
        let plain_path = folder.path().join("plain");
        let [mut written, mut plainly] = [f64::INFINITY; 2];
        for _ in 0..REPEATS {
            let start = Instant::now();
            write_frame(folder.path(), exporter, &moment)?;
            written = written.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            write_bytes(&plain_path, &bytes)?;
            plainly = plainly.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{:<14} {:<11} {written:>6.3} s    {plainly:>6.3} s    {:>5.2}",
            exporter.name,
            bytes.len(),
            written / plainly
        );
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// Sand and water, which an emitter has mixed in the order of ids.
fn frame() -> (ParticleFrame, Vec<FrameBody>) {
    let value = |i: usize| (i as f32 + 0.5).sqrt();
    let quantity = |name| Quantity {
        name,
        unit: "",
        values: (0..COUNT).map(value).collect(),
    };
    let names = ["sand", "water"];
    let body = |name: &str| FrameBody {
        name: name.to_owned(),
        color: [0.5; 3],
        drawn_as: Default::default(),
        look: Default::default(),
    };
    let frame = ParticleFrame {
        number: 1,
        position: (0..COUNT).map(|i| DVec3::splat(value(i).into())).collect(),
        velocity: (0..COUNT).map(|i| [value(i); 3]).collect(),
        id: (0..COUNT as u32).collect(),
        body: (0..COUNT)
            .map(|i| u32::from(i > COUNT / 2 && i % 3 == 0))
            .collect(),
        material: vec![0; COUNT],
        radius: vec![0.01; COUNT],
        quantities: [
            "density",
            "det_F",
            "stress_von_mises",
            "plastic_state",
            "fragment",
        ]
        .map(quantity)
        .into(),
        body_names: names.map(String::from).into(),
        material_names: vec!["sand".to_owned()],
        ..ParticleFrame::default()
    };
    (frame, names.map(body).into())
}
