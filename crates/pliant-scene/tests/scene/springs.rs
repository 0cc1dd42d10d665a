//! Bodies of springs.

use std::sync::Arc;

use pliant_core::methods::springs::{Network, SPRINGS, SpringClass, SpringsSettings};
use pliant_geometry::{MeshSource, TetrahedralMesh, TriangleMesh};
use pliant_math::DVec3;
use pliant_parameters::Problem;
use pliant_scene::{BuildWith, Built, SceneErrors};

use crate::support::*;

/// A square of a metre of 1 kg/m2, upright in the plane z = 0.
const SHEET: &str = r#"
scene.duration = 0.1
[material.net]
law = "spring-cubic"
density = 1000.0
stiffness = 100.0
[[body]]
name = "sheet"
material = "net"
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
fn a_sheet_becomes_a_grid_of_springs_with_masses_by_area() {
    let setup = built(SHEET).setup;
    let body = &setup.bodies[0];
    let particles = &body.particles;
    assert_eq!((body.method, particles.position.len()), (SPRINGS, 121));
    let network = particles.structure_of::<Network>().expect("springs");
    // Along lines, both ways across cells, and to the neighbour after next.
    assert_eq!(network.springs.len(), 2 * 110 + 2 * 100 + 2 * 99);
    assert_eq!(network.triangles.len(), 200);
    for spring in &network.springs {
        let expected = match spring.class {
            SpringClass::Structural => 0.1,
            SpringClass::Shear => 0.1 * 2f64.sqrt(),
            SpringClass::Bending => 0.2,
        };
        assert!((spring.rest_length - expected).abs() < 1e-9);
    }
    let total: f64 = (0..121).map(|k| particles.mass(k)).sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert_eq!(particles.is_pinned.iter().filter(|p| **p).count(), 11);
    // Surfaces keep a quarter of a spacing apart, particles half of that.
    assert!((body.method.contact_radius(&setup, body) - 0.0125).abs() < 1e-12);
}

#[test]
fn a_shape_with_an_inside_becomes_a_lattice() {
    let text = SHEET
        .replace(
            "{ sheet = { size = [1, 1] } }",
            "{ box = { size = [1, 1, 1] } }",
        )
        .replace("spacing = 0.1", "spacing = 0.1\nsampling = \"grid\"");
    let setup = built(&text).setup;
    let body = &setup.bodies[0];
    let network = body.particles.structure_of::<Network>().expect("springs");
    assert_eq!(network.particle_count(), 1000);
    assert!(network.triangles.is_empty());
    // Along lines, across the sides of cells and through them, and to the neighbour after next.
    let (lines, sides, through) = (3 * 900, 6 * 810, 4 * 729);
    assert_eq!(network.springs.len(), lines + sides + through + 3 * 800);
    assert!((body.method.contact_radius(&setup, body) - 0.05).abs() < 1e-12);
}

#[test]
fn springs_whose_force_falls_somewhere_are_refused_with_the_inequality() {
    let text = SHEET.replace(
        "stiffness = 100.0",
        "stiffness = 100.0\nstretched_stiffness = 2000.0\ncompressed_stiffness = 200.0",
    );
    let message = refusal(&text);
    assert!(message.contains("compressed_stiffness"), "{message}");
    assert!(message.contains("K + B s + A s^2 > 0"), "{message}");
    assert!(message.contains("raise compressed_stiffness"), "{message}");
}

#[test]
fn triangles_need_a_surface_and_emitters_feed_no_springs() {
    let text = SHEET
        .replace("\"spring-cubic\"", "\"triangle-stvk\"")
        .replace(
            "{ sheet = { size = [1, 1] } }",
            "{ box = { size = [1, 1, 1] } }",
        );
    assert!(refusal(&text).contains("made of triangles"));
    let fed = format!(
        "{SHEET}[[emitter]]\nname = \"spout\"\nbody = \"sheet\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n"
    );
    assert!(refusal(&fed).contains("no particle can be added"));
}

#[test]
fn settings_of_the_solver_are_read() {
    let text = format!(
        "{SHEET}[solver.springs]\ncg_iterations = 2\nclamp_jacobian = false\njacobian_damping = 0.01\n"
    );
    let settings = built(&text).setup.solver.methods.of::<SpringsSettings>();
    assert_eq!(settings.cg_iterations, Some(2));
    assert!(!settings.clamp_jacobian && settings.keep_angular_momentum);
    assert_eq!(settings.jacobian_damping, 0.01);
    assert_eq!(
        built(SHEET)
            .setup
            .solver
            .methods
            .of_mut::<SpringsSettings>()
            .cg_iterations,
        None
    );
}

/// Two tetrahedra that share a face, whatever the file.
struct Pair;

impl MeshSource for Pair {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        Err(Problem::at("file", file, "none"))
    }

    fn tetrahedra(&self, _: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
        let both = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mesh = TetrahedralMesh::new(&corners, both);
        Ok(Arc::new(mesh.expect("a solid")))
    }
}

fn pair(text: &str) -> Result<Built, SceneErrors> {
    let shape = "{ tetrahedra = { file = \"Cargo.toml\", scale = 0.5 } }";
    let text = text.replace("{ sheet = { size = [1, 1] } }", shape);
    let (text, _) = text.split_once("[[attach]]").expect("a pin");
    scene(text).build(BuildWith {
        meshes: &Pair,
        memory: MEMORY,
    })
}

#[test]
fn tetrahedra_become_springs_along_their_edges_with_masses_by_volume() {
    let built = pair(SHEET).unwrap_or_else(|errors| panic!("{errors}"));
    let particles = &built.setup.bodies[0].particles;
    let network = particles.structure_of::<Network>().expect("springs");
    // Nine edges and the way across the face; six outer faces.
    assert_eq!((network.springs.len(), network.triangles.len()), (10, 6));
    // The volumes are 1/6 and 1/3, at half the size an eighth of it, of 1000 kg/m3.
    let [one, two] = [1000.0 / 8.0 / 6.0, 1000.0 / 8.0 / 3.0];
    let shares = [one, one + two, one + two, one + two, two].map(|m| 0.25 * m);
    for (k, expected) in shares.into_iter().enumerate() {
        let mass = particles.mass(k);
        assert!((mass / expected - 1.0).abs() < 1e-12, "{mass} {expected}");
    }
    let far = particles.position[4] - particles.position[0];
    assert!((far.length() - 0.75f64.sqrt()).abs() < 1e-12);
    // Other methods take the solid for what its outer faces enclose.
    let cubes = SHEET
        .replace("\"spring-cubic\"", "\"neo-hookean\"")
        .replace("stiffness = 100.0", "youngs_modulus = 1e5");
    let solid = pair(&cubes).unwrap_or_else(|errors| panic!("{errors}"));
    let particles = &solid.setup.bodies[0].particles;
    let mass: f64 = (0..particles.position.len())
        .map(|k| particles.mass(k))
        .sum();
    assert!((mass / (one + two) - 1.0).abs() < 1e-6, "{mass}");
}
