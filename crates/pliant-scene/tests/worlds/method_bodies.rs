//! A body of every method, for tests that go through all of them.

use pliant_core::world::World;
use pliant_math::{DVec3, to_double};

/// What bodies are made of: a name, whether it is a sheet, and the law without its density.
pub const METHOD_BODIES: [(&str, bool, &str); 12] = [
    (
        "sand",
        false,
        "law = \"drucker-prager\"\nyoungs_modulus = 3e5\nfriction_angle = 30",
    ),
    (
        "goo",
        false,
        "law = \"herschel-bulkley\"\nyoungs_modulus = 5e4\npoissons_ratio = 0.45\nyield_stress = 100\nconsistency = 10\nflow_index = 0.5",
    ),
    ("elastic", false, "law = \"elastic\"\nyoungs_modulus = 3e5"),
    (
        "granules",
        false,
        "law = \"contact-friction\"\nfriction = 0.5",
    ),
    ("fluid", false, "law = \"newtonian\"\nviscosity = 0.05"),
    (
        "rubber",
        false,
        "law = \"neo-hookean\"\nyoungs_modulus = 3e5\npoissons_ratio = 0.45",
    ),
    (
        "groups",
        false,
        "law = \"polynomial-neo-hookean\"\nyoungs_modulus = 3e5\npoissons_ratio = 0.45",
    ),
    (
        "flesh",
        false,
        "law = \"stable-neo-hookean\"\nyoungs_modulus = 3e5\npoissons_ratio = 0.4",
    ),
    ("cloth", true, "law = \"cloth\""),
    ("lattice", false, "law = \"spring-cubic\"\nstiffness = 3000"),
    ("net", true, "law = \"spring-linear\"\nstiffness = 3000"),
    ("rigid", false, "law = \"rigid\""),
];

/// A body of some matter, and half of how high it is [m].
pub fn body(name: &str, matter: usize, density: f64, is_plate: bool, place: &str) -> (String, f64) {
    let (kind, is_sheet, law) = METHOD_BODIES[matter];
    let (shape, half) = match (is_sheet, is_plate) {
        (true, _) => ("{ sheet = { size = [0.16, 0.16] } }", 0.0),
        (_, true) => ("{ box = { size = [0.12, 0.02, 0.12] } }", 0.01),
        (_, false) => ("{ box = { size = [0.08, 0.08, 0.08] } }", 0.04),
    };
    let spacing = match kind {
        "rigid" => "",
        // What is one particle thick has no volume.
        "flesh" if is_plate => "spacing = 0.01\nmethod = \"muscle\"",
        "flesh" => "spacing = 0.02\nmethod = \"muscle\"",
        "groups" => "spacing = 0.02\nmethod = \"shape-groups\"",
        _ => "spacing = 0.02",
    };
    let text = format!(
        "[material.{name}]\n{law}\ndensity = {density:?}\n[[body]]\nname = \"{name}\"\nmaterial = \"{name}\"\nshape = {shape}\n{spacing}\n{place}\n"
    );
    (text, half)
}

/// Momentum [kg m/s], and the sum of m |v|.
pub fn momentum(world: &World) -> (DVec3, f64) {
    let p = &world.state.particles;
    let of = |i: usize| to_double(p.velocity[i]) * f64::from(p.mass[i]);
    let add = |(sum, sizes), i| (sum + of(i), sizes + of(i).length());
    (0..p.len()).fold((DVec3::ZERO, 0.0), add)
}
