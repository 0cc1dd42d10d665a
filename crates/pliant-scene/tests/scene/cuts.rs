//! Blades.

use crate::support::*;
use pliant_core::methods::strain_energy::StrainEnergySetup;

const GEL: &str = r#"
scene.duration = 0.1
[material.gel]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
poissons_ratio = 0.3
[[body]]
name = "block"
material = "gel"
shape = { box = { size = [1, 0.5, 0.5] } }
spacing = 0.1
sampling = "grid"
"#;

const BLADE: &str = "[[cut]]\nname = \"knife\"\nshape = { sheet = { size = [0.4, 2] } }\n";

#[test]
fn a_blade_is_two_triangles_however_fine_the_particles_and_stays_from_the_start_on() {
    let setup = built(&format!(
        "{GEL}{BLADE}motion = {{ velocity = [0, -1, 0] }}\nbody = \"block\"\n"
    ))
    .setup;
    let blade = &setup.blades[0];
    assert_eq!(blade.surface.triangles.len(), 2);
    assert_eq!((blade.start, blade.stop), (0.0, f64::INFINITY));
    assert_eq!(blade.body, Some(0));
    assert!((blade.motion.pose(2.0).translation.y + 2.0).abs() < 1e-12);
}

#[test]
fn a_blade_that_is_gone_before_it_appears_is_refused() {
    let told = refusal(&format!("{GEL}{BLADE}start = 0.5\nstop = 0.4\n"));
    assert!(
        told.contains("cut.knife.stop") && told.contains("0.5"),
        "{told}"
    );
    let at_once = built(&format!("{GEL}{BLADE}start = 0.5\nstop = 0.5\n"));
    assert_eq!(at_once.setup.blades[0].stop, 0.5);
}

#[test]
fn shapes_that_are_not_surfaces_cannot_be_blades() {
    let told = refusal(&format!(
        "{GEL}{}",
        BLADE.replace("sheet = { size = [0.4, 2] }", "box = { size = [1, 1, 1] }")
    ));
    assert!(told.contains("`sheet` or a `mesh`"), "{told}");
}

#[test]
fn blades_cut_bodies_of_strain_energy_only() {
    let sand = GEL.replace("neo-hookean", "elastic");
    let told = refusal(&format!("{sand}{BLADE}"));
    assert!(told.contains("nothing to cut"), "{told}");
    let told = refusal(&format!("{sand}{BLADE}body = \"block\"\n"));
    assert!(told.contains("cut.knife.body"), "{told}");
    let told = refusal(&format!("{GEL}{BLADE}body = \"blok\"\n"));
    assert!(told.contains("did you mean \"block\"?"), "{told}");
}

#[test]
fn a_strain_at_which_solids_tear_is_taken_over() {
    let strain = |text: &str| StrainEnergySetup::of(&built(text).setup).bodies[0].tear_strain;
    let given = strain(&GEL.replace("density", "tear_strain = 0.8\ndensity"));
    assert!(given.is_some_and(|strain| (strain - 0.8).abs() < 1e-6));
    assert_eq!(strain(GEL), None);
}
