//! Flesh and muscles.

use std::sync::Arc;

use crate::support::*;
use pliant_core::methods::muscle::{Flesh, MuscleSetup};
use pliant_geometry::{MeshSource, TriangleMesh, VectorSamples};
use pliant_math::DVec3;
use pliant_parameters::Problem;
use pliant_scene::BuildWith;

const FLESH: &str = r#"
scene.duration = 0.1
[material.flesh]
law = "stable-neo-hookean"
density = 1000.0
youngs_modulus = 5e4
poissons_ratio = 0.4
[[body]]
name = "arm"
material = "flesh"
method = "muscle"
shape = { box = { size = [0.1, 0.1, 0.4] } }
spacing = 0.02
"#;

const MUSCLE: &str = "[[muscle]]\nname = \"biceps\"\nbody = \"arm\"\nstiffness = 2e5\n";

fn flesh(text: &str) -> Arc<Flesh> {
    let setup = built(text).setup;
    MuscleSetup::of(&setup).bodies[0].flesh.clone()
}

#[test]
fn muscles_have_the_particles_of_their_region_and_run_as_they_are_told() {
    let region = "shape = { box = { size = [0.05, 1, 1] } }\nposition = [0.04, 0, 0]\n";
    let along = flesh(&format!("{FLESH}{MUSCLE}{region}direction = [0, 0, 3]\n"));
    let members = along.fibers.iter().flatten();
    assert_eq!(members.clone().count(), 2 * 5 * 20);
    assert!(members.clone().all(|fiber| fiber.direction == DVec3::Z));
    assert!((along.muscles[0].length - 0.4).abs() < 1e-6);
    let end = |z: f64| format!("{{ box = {{ size = [1, 1, 0.05] }}, position = [0, 0, {z:?}] }}");
    let ends = format!("ends = [{}, {}]\n", end(0.2), end(-0.2));
    let between = flesh(&format!("{FLESH}{MUSCLE}{ends}"));
    let off = |direction: DVec3| direction.distance(-DVec3::Z);
    let fibers = between.fibers.iter().flatten();
    assert!(fibers.clone().count() > 400);
    assert!(fibers.clone().all(|fiber| off(fiber.direction) < 1e-3));
    let rings = "helix = { point = [0.05, 0, 0], axis = [0, 0, 2] }\n";
    let around = flesh(&format!("{FLESH}{MUSCLE}{rings}"));
    for (x, fiber) in around.shape.position.iter().zip(&around.fibers) {
        let expected = DVec3::Z.cross(*x - DVec3::X * 0.05).normalize();
        let found = fiber.expect("fibres everywhere").direction;
        assert!(found.distance(expected) < 1e-9, "{found} {expected}");
    }
}

#[test]
fn what_muscles_lack_or_have_twice_is_told_with_its_key() {
    let told = refusal(&format!("{FLESH}{MUSCLE}"));
    assert!(
        told.contains("muscle.biceps") && told.contains("`spline`"),
        "{told}"
    );
    let along = format!("{FLESH}{MUSCLE}direction = [0, 0, 1]\n");
    let told = refusal(&format!("{along}activation = 0.5\nexpression = \"t\"\n"));
    assert!(told.contains("muscle.biceps.expression"), "{told}");
    let told = refusal(&format!("{along}expression = \"sin(2 * x)\"\n"));
    assert!(
        told.contains("muscle.biceps.expression") && told.contains("`x`"),
        "{told}"
    );
    let told = refusal(&format!("{FLESH}{MUSCLE}helix = {{ axis = [0, 0, 0] }}\n"));
    assert!(told.contains("muscle.biceps.helix.axis"), "{told}");
    let far = "shape = { sphere = { radius = 0.1 } }\nposition = [9, 0, 0]\n";
    let told = refusal(&format!("{along}{far}"));
    assert!(told.contains("no particle of the body \"arm\""), "{told}");
    let told = refusal(&along.replace("method = \"muscle\"", "method = \"strain-energy\""));
    assert!(
        told.contains("muscle.biceps.body") && told.contains("only flesh"),
        "{told}"
    );
}

/// Circles about the z axis of the body, in millimetres, whichever file is named.
struct Circles;

impl MeshSource for Circles {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        NoMeshes.mesh(file)
    }

    fn vectors(&self, file: &str, array: &str) -> Result<VectorSamples, Problem> {
        if (file.ends_with("Cargo.toml"), array) != (true, "tangents") {
            let message = format!("{file} has no array `{array}`");
            return Err(Problem::at("file", message, "name another"));
        }
        let at = |k: u32| {
            let angle = f64::from(k % 64) * std::f64::consts::TAU / 64.0;
            (DVec3::new(angle.cos(), angle.sin(), 0.0), angle)
        };
        let height = |k: u32| DVec3::Z * (f64::from(k / 64) * 10.0 - 200.0);
        let points = (0..64 * 41).map(|k| at(k).0 * 60.0 + height(k));
        let vectors = (0..64 * 41).map(|k| DVec3::new(-at(k).1.sin(), at(k).1.cos(), 0.0) * 7.0);
        Ok(VectorSamples {
            position: points.collect(),
            vector: vectors.collect(),
        })
    }
}

#[test]
fn fibres_run_as_a_field_in_a_file_says_which_goes_with_the_body() {
    let turned = "position = [3, 0, 0]\nrotation = [0, 90, 0]\n";
    let body = format!("{FLESH}{turned}");
    let field = "field = { file = \"Cargo.toml\", array = \"tangents\", scale = 0.001 }\n";
    let build = |text: &str| {
        scene(text).build(BuildWith {
            meshes: &Circles,
            memory: MEMORY,
        })
    };
    let built = build(&format!("{body}{MUSCLE}{field}")).expect("a sound scene");
    let flesh = &MuscleSetup::of(&built.setup).bodies[0].flesh;
    assert_eq!(flesh.fibers.iter().flatten().count(), 5 * 5 * 20);
    for (x, fiber) in flesh.shape.position.iter().zip(&flesh.fibers) {
        // The z axis of the body points along x, and its x axis against z.
        let radius = DVec3::new(0.0, x.y, x.z);
        let direction = fiber.expect("fibres everywhere").direction;
        assert!(direction.x.abs() < 1e-9, "{direction}");
        if radius.length() > 0.01 {
            assert!(direction.dot(radius).abs() < 0.1 * radius.length(), "{x}");
        }
    }
    let told = build(&format!(
        "{body}{MUSCLE}field = {{ file = \"Cargo.toml\" }}\n"
    ));
    let told = told.expect_err("no such array").to_string();
    assert!(
        told.contains("muscle.biceps.field.file") && told.contains("`fibers`"),
        "{told}"
    );
}

#[test]
fn flesh_one_particle_thick_is_refused() {
    let told = refusal(&FLESH.replace("[0.1, 0.1, 0.4]", "[0.1, 0.02, 0.4]"));
    assert!(
        told.contains("body.arm.spacing") && told.contains("no volume"),
        "{told}"
    );
}
