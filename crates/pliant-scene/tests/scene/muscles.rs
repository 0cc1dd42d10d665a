//! Flesh and muscles.

use crate::support::*;
use pliant_core::methods::muscle::{Flesh, MuscleSetup};
use pliant_math::DVec3;

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

fn flesh(text: &str) -> std::sync::Arc<Flesh> {
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
    let far = "shape = { sphere = { radius = 0.1 } }\nposition = [9, 0, 0]\n";
    let told = refusal(&format!("{along}{far}"));
    assert!(told.contains("no particle of the body \"arm\""), "{told}");
    let told = refusal(&along.replace("method = \"muscle\"", "method = \"strain-energy\""));
    assert!(
        told.contains("muscle.biceps.body") && told.contains("only flesh"),
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
