//! `pliant check`.

use std::path::{Path, PathBuf};

use clap::Args;
use pliant::machine::available_memory;
use pliant::prepare::Prepared;
use pliant::run::{check_pictures, check_surfaces, layout};
use pliant_core::step::StepBound;
use pliant_geometry::shapes::MeshShape;
use pliant_geometry::{Aabb, Shape, TriangleMesh, in_order, topology};
use pliant_materials::MaterialPreset;
use pliant_parameters::Value;
use pliant_scene::{BodyEstimate, Estimate, SceneMaterial};

use super::Failure;
use super::arguments::{SceneArguments, prepare};
use super::print::{print_line, print_text};
use pliant::text::{bytes, grouped, number, table};

/// Particles along the longest edge of a mesh in its own size, as whose body it is looked at.
const ACROSS: f64 = 32.0;

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// The scene file; - reads the standard input
    scene: PathBuf,
    #[command(flatten)]
    scene_arguments: SceneArguments,
}

pub(crate) fn execute(arguments: &CheckArguments) -> Result<(), Failure> {
    let overrides = arguments.scene_arguments.overrides();
    let prepared = prepare(&arguments.scene, &overrides, 0, false)?;
    layout(&prepared.built.setup, &prepared.scene)?;
    check_surfaces(&prepared.built.setup, &prepared.scene)?;
    check_pictures(&prepared.scene)?;
    print_text(summary(&prepared));
    for warning in &prepared.built.warnings {
        print_line(format_args!("warning: {warning}"));
    }
    Ok(())
}

fn summary(prepared: &Prepared) -> String {
    let Estimate {
        bodies,
        particle_count,
        emitted_count,
        emits_freely,
        memory,
        frame_count,
        substep,
        substeps_per_frame,
        step_bounds,
    } = &prepared.built.estimate;
    let rate = prepared.scene.frame_rate();
    let given = match prepared.built.setup.solver.time_step {
        Some(step) => format!("from the given time_step of {} s", number(step)),
        None => "chosen from materials and speeds".into(),
    };
    let summary = [
        ("scene", title(prepared)),
        (
            "frames",
            format!("{frame_count} and the initial one, {rate} a second"),
        ),
        (
            "substep",
            format!("{} s at the start, {given}", number(*substep)),
        ),
        (
            "substeps",
            format!(
                "{substeps_per_frame} a frame, {} sweeps each",
                prepared.built.setup.solver.iterations
            ),
        ),
        (
            "particles",
            particles_text(*particle_count, *emitted_count, *emits_freely),
        ),
        (
            "memory",
            format!(
                "about {} of {} available",
                bytes(*memory),
                bytes(available_memory())
            ),
        ),
    ];
    let mut rows: Vec<Vec<String>> = summary
        .map(|(name, value)| vec![name.into(), value])
        .to_vec();
    let bounds = step_bounds.iter().take(MOST_BOUNDS);
    rows.extend(bounds.enumerate().map(|(place, bound)| {
        let name = if place == 0 { "step bounds" } else { "" };
        vec![name.into(), bound_text(bound)]
    }));
    rows.extend(method_rows(prepared));
    let materials: String = prepared
        .scene
        .materials()
        .iter()
        .map(material_text)
        .collect();
    let (bodies, meshes) = (body_table(bodies, prepared), mesh_table(prepared));
    format!("{}\n{bodies}{meshes}{materials}", table(&rows, &[]))
}

/// What methods choose for the step, each under its name.
fn method_rows(prepared: &Prepared) -> Vec<Vec<String>> {
    let setup = &prepared.built.setup;
    let methods = setup.methods().into_iter();
    let rows = methods.flat_map(|method| {
        let remarks = method
            .remarks(setup, prepared.built.estimate.substep)
            .into_iter();
        remarks
            .take(MOST_REMARKS)
            .enumerate()
            .map(move |(place, remark)| {
                let name = if place == 0 { method.name() } else { "" };
                vec![name.into(), remark]
            })
    });
    rows.collect()
}

/// Most lines that tell what a method chooses.
const MOST_REMARKS: usize = 6;

/// Most lines that tell what bounds the step.
const MOST_BOUNDS: usize = 6;

/// `1.4e-3 s, body sand: stress may cross 0.7 kernel radii in it`.
fn bound_text(bound: &StepBound) -> String {
    let seconds = number(bound.longest.seconds);
    let reason = bound.longest.reason;
    match &bound.body {
        Some(body) => format!("{seconds} s, body {body}: {reason}"),
        None => format!("{seconds} s: {reason}"),
    }
}

/// A material with every value it has, and where those of its preset come from.
fn material_text(material: &SceneMaterial<'_>) -> String {
    let mut text = format!("\nmaterial {}: {}", material.name, material.law);
    if let Some(preset) = material.preset.and_then(MaterialPreset::named) {
        text += &format!(
            ", preset {} ({}; {})",
            preset.name, preset.doc, preset.source
        );
    }
    let row = |(key, value, unit): &(&str, &Value, &str)| {
        vec![format!("  {key}"), shown(value), unit.to_string()]
    };
    let rows: Vec<Vec<String>> = material.values.iter().map(row).collect();
    text + "\n" + &table(&rows, &[1])
}

/// A value as a scene writes it, numbers shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(x) => number(*x),
        Value::Integer(x) => x.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(values) => {
            let entry = |(key, value): (&str, &Value)| format!("{key} = {}", shown(value));
            let entries: Vec<String> = values.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// `1,000 at the start, 500 from emitters`.
fn particles_text(start: u64, emitted: u64, emits_freely: bool) -> String {
    match (emitted, emits_freely) {
        (0, false) => grouped(start),
        (_, false) => format!(
            "{} at the start, {} from emitters",
            grouped(start),
            grouped(emitted)
        ),
        (_, true) => format!(
            "{} at the start, from emitters about {} if as many find room",
            grouped(start),
            grouped(emitted)
        ),
    }
}

fn title(prepared: &Prepared) -> String {
    let title = match prepared.scene.title() {
        "" => prepared.name.as_str(),
        title => title,
    };
    match prepared.scene.source() {
        Some(source) => format!("{title} ({source})"),
        None => title.into(),
    }
}

/// The meshes that the scene names, as their files hold them: what is too large or too small was made in other units.
fn mesh_table(prepared: &Prepared) -> String {
    if prepared.meshes.is_empty() {
        return String::new();
    }
    let header = ["mesh", "triangles", "size in the file", "surface"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(prepared.meshes.iter().map(|(file, mesh)| {
        let name = Path::new(file).file_name().unwrap_or_default();
        vec![
            name.to_string_lossy().into_owned(),
            grouped(mesh.triangles.len() as u64),
            extent(mesh.bounds()),
            surface(mesh),
        ]
    }));
    format!("\n{}", table(&rows, &[1]))
}

/// Whether a mesh encloses a volume; that of shells that overlap is the volume of their union, as bodies have it.
fn surface(mesh: &TriangleMesh) -> String {
    let closed = match topology::closed(mesh) {
        Ok(closed) => closed,
        Err(fault) => return fault.to_string(),
    };
    let spacing = closed.bounds().extent().max_element() / ACROSS;
    let sum = closed.volume();
    let shape = MeshShape::new(closed, 1.0, spacing, in_order).ok();
    let volume = shape.and_then(|shape| shape.volume()).unwrap_or(sum);
    format!("closed, volume {}", number(volume))
}

/// `0.2 x 0.1 x 0.3`.
fn extent(bounds: Aabb) -> String {
    let sizes = bounds.extent().to_array().map(number);
    sizes.join(" x ")
}

/// The size of a body at the start [m]: of its particles and half a spacing around them where they are in the middle
/// of what they stand for, and not the corners of a surface; of rigid bodies along their own axes.
fn size_of(name: &str, prepared: &Prepared) -> String {
    let setup = &prepared.built.setup;
    let body = setup.bodies.iter().find(|body| body.name == name);
    let bounds = body.and_then(|body| match body.method.is_rigid() {
        true => {
            let mut colliders = setup.colliders.iter();
            let shape = colliders.find(|collider| collider.name == name);
            shape.and_then(|collider| collider.shape.bounds())
        }
        false => {
            let position = &body.particles.position;
            let around = Aabb::around(position.iter().copied());
            let half = 0.5 * body.spacing;
            // Surfaces keep others away by less.
            let are_corners = body.method.contact_radius(setup, body) < half;
            let grown = around.grown(if are_corners { 0.0 } else { half });
            (!position.is_empty()).then_some(grown)
        }
    });
    bounds.map_or_else(String::new, extent)
}

fn body_table(bodies: &[BodyEstimate], prepared: &Prepared) -> String {
    let header = [
        "body",
        "particles",
        "held",
        "mass [kg]",
        "c [m/s]",
        "c dt/r",
        "size [m]",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(bodies.iter().map(|body| {
        vec![
            body.name.clone(),
            grouped(body.particle_count),
            grouped(body.pinned_count),
            number(body.mass),
            number(body.speed_of_sound),
            format!("{:.2}", body.sound_ratio),
            size_of(&body.name, prepared),
        ]
    }));
    table(&rows, &[1, 2, 3, 4, 5])
}
