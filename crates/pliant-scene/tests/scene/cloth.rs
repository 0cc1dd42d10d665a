//! Bodies of cloth.

use pliant_core::methods::cloth::CLOTH;
use pliant_core::rest::Fabric;
use std::sync::Arc;

use pliant_geometry::{MeshSource, TriangleMesh};
use pliant_math::DVec3;
use pliant_parameters::Problem;
use pliant_scene::BuildWith;

use crate::support::*;

/// A square of a metre of 160 g/m2, upright in the plane z = 0.
const SHEET: &str = r#"
scene.duration = 0.1
[material.cotton]
law = "cloth"
density = 400.0
[[body]]
name = "sheet"
material = "cotton"
method = "cloth"
shape = { sheet = { size = [1, 1] } }
rotation = [90, 0, 0]
position = [0, 2, 0]
spacing = 0.1
[[attach]]
name = "edge"
body = "sheet"
shape = { box = { size = [2, 0.01, 1] } }
position = [0, 2.5, 0]
"#;

#[test]
fn a_sheet_has_particles_on_its_edges_and_masses_by_the_area_around_them() {
    let setup = built(SHEET).setup;
    let body = &setup.bodies[0];
    let particles = &body.particles;
    assert_eq!((body.method, particles.position.len()), (CLOTH, 121));
    let total: f64 = (0..121).map(|k| particles.mass(k)).sum();
    assert!((total - 0.16).abs() < 1e-12);
    // A corner of two triangles of half a cell, or of one; 9 x 9 inner vertices have a cell each.
    let inner = particles.mass(60);
    assert!((inner / (0.16 * 0.01) - 1.0).abs() < 0.34, "{inner}");
    assert!(particles.mass(0) < 0.5 * inner);
    assert_eq!(particles.is_pinned.iter().filter(|p| **p).count(), 11);
    assert!(particles.position.iter().all(|x| x.z.abs() < 1e-12));
    let top = particles
        .position
        .iter()
        .map(|x| x.y)
        .fold(f64::MIN, f64::max);
    assert!((top - 2.5).abs() < 1e-12);
    // Half of a quarter of a spacing: more than half of the thickness.
    assert!((body.method.contact_radius(&setup, body) - 0.0125).abs() < 1e-12);
}

#[test]
fn a_mass_and_a_scale_hold_for_cloth_too() {
    let text = SHEET.replace("spacing = 0.1", "spacing = 0.1\nmass = 3.0\nscale = 2.0");
    let particles = &built(&text).setup.bodies[0].particles;
    let total: f64 = (0..particles.position.len())
        .map(|k| particles.mass(k))
        .sum();
    assert!((total - 3.0).abs() < 1e-12);
    let fabric = particles.structure_of::<Fabric>().expect("cloth");
    let area: f64 = fabric.vertex_areas().iter().sum();
    assert!((area - 4.0).abs() < 1e-9, "{area}");
}

#[test]
fn the_automatic_step_follows_the_stiffness_of_cloth() {
    let substeps = |text: &str| f64::from(built(text).estimate.substeps_per_frame);
    let stiff = SHEET.replace("density = 400.0", "density = 400.0\nwarp_stiffness = 4e7");
    let soft = SHEET.replace("density = 400.0", "density = 400.0\nwarp_stiffness = 4e5");
    let ratio = substeps(&stiff) / substeps(&soft);
    // As the square root of the stiffness, where that is not the weft's.
    assert!((ratio / 10.0 - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn shapes_that_cannot_be_cloth_are_refused_with_those_that_can() {
    let solid = SHEET.replace(
        "{ sheet = { size = [1, 1] } }",
        "{ sphere = { radius = 1 } }",
    );
    assert!(refusal(&solid).contains("take a `sheet` or a `mesh`"));
    let law = SHEET.replace("method = \"cloth\"", "method = \"xpbi\"");
    assert!(refusal(&law).contains("does not take the law \"cloth\""));
    let rubber = SHEET.replace("law = \"cloth\"", "law = \"elastic\"\nyoungs_modulus = 1e5");
    assert!(refusal(&rubber).contains("it takes \"cloth\""));
    let thick = SHEET.replace(
        "density = 400.0",
        "density = 400.0\ncontact_thickness = 0.08",
    );
    let refused = refusal(&thick);
    assert!(
        refused.contains("contact_thickness of less than 7.1e-2 m"),
        "{refused}"
    );
    let thin = SHEET.replace(
        "density = 400.0",
        "density = 400.0\ncontact_thickness = 1e-4",
    );
    assert!(refusal(&thin).contains("at least the thickness"));
    let single = SHEET.replace("size = [1, 1]", "size = [1, 1], resolution = [11, 1]");
    assert!(refusal(&single).contains("[11, 11]"));
    let fed = format!(
        "{SHEET}[[emitter]]\nname = \"e\"\nbody = \"sheet\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\nrate = 10.0\n"
    );
    assert!(refusal(&fed).contains("name another body"));
}

/// Two triangles of a square with a seam, and a vertex of neither, whatever the file.
struct Patch;

impl MeshSource for Patch {
    fn mesh(&self, _: &str) -> Result<Arc<TriangleMesh>, Problem> {
        let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        Ok(Arc::new(TriangleMesh {
            vertices: vec![
                at(0.0, 0.0),
                at(1.0, 0.0),
                at(0.0, 1.0),
                at(9.0, 9.0),
                at(1.0, 1.0),
                at(1.0, 0.0),
                at(0.0, 1.0),
            ],
            triangles: vec![[0, 2, 1], [4, 5, 6]],
        }))
    }

    fn texture_damage(&self, _: &str) -> Option<String> {
        Some("of the mesh /a primvars:st has 3 values".to_owned())
    }
}

#[test]
fn an_open_mesh_is_cloth_as_it_is() {
    let text = SHEET.replace(
        "{ sheet = { size = [1, 1] } }",
        "{ mesh = { file = \"Cargo.toml\" } }",
    );
    let (text, _) = text.split_once("[[attach]]").expect("a pin");
    let wall = "[[collider]]\nname = \"wall\"\nposition = [0, -9, 0]\ntwo_sided = true\n\
                shape = { mesh = { file = \"Cargo.toml\" } }\n";
    let built = scene(&format!("{text}{wall}")).build(BuildWith {
        meshes: &Patch,
        memory: MEMORY,
    });
    let built = built.unwrap_or_else(|errors| panic!("{errors}"));
    let particles = &built.setup.bodies[0].particles;
    let fabric = particles.structure_of::<Fabric>().expect("cloth");
    assert_eq!((particles.position.len(), fabric.triangles.len()), (4, 2));
    // Its texture coordinates are of use to it alone, not to a collider.
    let warned: Vec<String> = built.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warned.len(), 1, "{warned:?}");
    for part in [
        "Cargo.toml: texture coordinates",
        "/a primvars:st",
        "unwrap",
        "line ",
    ] {
        assert!(warned[0].contains(part), "no {part} in {warned:?}");
    }
    assert_eq!(fabric.shared_edges().len(), 1);
    let masses: Vec<f64> = (0..4).map(|k| particles.mass(k) / 0.16).collect();
    assert!(
        (masses.iter().sum::<f64>() - 1.0).abs() < 1e-12,
        "{masses:?}"
    );
}

#[test]
fn a_sheet_too_fine_for_the_memory_is_refused_before_it_is_made() {
    let text = SHEET.replace("spacing = 0.1", "spacing = 2e-6");
    let refusal = refusal(&text);
    assert!(refusal.contains("body.sheet.spacing"), "{refusal}");
    assert!(refusal.contains("fits"), "{refusal}");
}
