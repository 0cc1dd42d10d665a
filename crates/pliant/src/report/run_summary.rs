//! The run in numbers: the tiles at the top, the details at the end.

use pliant_scene::{RecordedAddition, Scene};

use crate::page::escaped;
use crate::run::Manifest;
use crate::text::{bytes, duration, grouped, number};

/// What one wants to know first.
pub fn tiles(manifest: &Manifest, scene: &Scene) -> String {
    let simulation = manifest.timings.simulation;
    let slower = simulation / manifest.simulated_time;
    let speed = if slower.is_finite() {
        format!("{slower:.1} ×")
    } else {
        "–".into()
    };
    let tiles = [
        (grouped(manifest.particles as u64), "particles"),
        (
            format!("{} s", number(manifest.simulated_time)),
            "simulated",
        ),
        (
            format!("{} / {}", manifest.frames_done, manifest.frames_planned),
            "frames",
        ),
        (duration(simulation), "simulating"),
        (speed, "the simulated time"),
        (grouped(manifest.timings.substeps), "substeps"),
        (number(scene.frame_rate()), "frames a second"),
        (manifest.threads.to_string(), "threads"),
    ];
    let tile = |(value, name): &(String, &str)| {
        format!(
            "<div><dd>{}</dd><dt>{}</dt></div>\n",
            escaped(value),
            escaped(name)
        )
    };
    format!(
        "<dl class=\"tiles\">\n{}</dl>\n",
        tiles.iter().map(tile).collect::<String>()
    )
}

/// What it takes to reproduce the run, and the scene as it was run.
///
/// * `additions` — what was added to the scene while it was recorded
pub fn details(manifest: &Manifest, additions: &[RecordedAddition], scene_text: &str) -> String {
    let machine = &manifest.machine;
    let mut rows = vec![
        ("Pliant", manifest.version.clone()),
        ("scene", manifest.scene_file.clone()),
        (
            "processor",
            format!(
                "{}, {} cores, {}",
                machine.processor, machine.cores, machine.architecture
            ),
        ),
        ("memory", bytes(machine.memory)),
        ("system", machine.system.clone()),
        ("backend", manifest.backend.clone()),
        ("wall time in all", duration(manifest.timings.total)),
    ];
    let bodies = &manifest.particles_at_start;
    rows.extend(bodies.iter().map(|(name, count)| {
        (
            "particles at the start",
            format!("{name}: {}", grouped(*count)),
        )
    }));
    rows.extend(additions.iter().map(|added| {
        let names: Vec<&str> = added.addition.bodies().collect();
        let particles = grouped(u64::from(added.particles));
        let told = format!("{}: {particles} particles", names.join(", "));
        let frame = added.first_frame;
        ("bodies", format!("added in frame {frame}: {told}"))
    }));
    if manifest.particles_removed > 0 {
        rows.push((
            "particles that left the bounds",
            grouped(manifest.particles_removed),
        ));
    }
    rows.extend(
        manifest
            .input_files
            .iter()
            .map(|(file, hash)| ("file read", format!("{file} ({hash})"))),
    );
    rows.extend(
        manifest
            .resumed_from
            .iter()
            .map(|frame| ("resumed", format!("from frame {frame}"))),
    );
    let row = |(name, value): &(&str, String)| {
        format!(
            "<tr><th>{}</th><td>{}</td></tr>\n",
            escaped(name),
            escaped(value)
        )
    };
    format!(
        "<section>\n<h2>Reproduce it</h2>\n<div class=\"wide\"><table class=\"details\">\n{}</table></div>\n\
         <details><summary>The scene with every default written out</summary>\n<pre>{}</pre></details>\n</section>\n",
        rows.iter().map(row).collect::<String>(),
        escaped(scene_text)
    )
}
