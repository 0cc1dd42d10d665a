//! Loads bound the automatic step by how fast they can make what they pull, not by what their particles alone would do in
//! a frame.

use pliant_core::step::{CpuStepper, advance_frame, first_frame_substeps};

use crate::world;

/// A strip that hangs, pulled at its lower end.
const STRIP: &str = r#"
[scene]
duration = 0.5
frame_rate = 24

[material.m]
MATERIAL

[[body]]
name = "strip"
material = "m"
BODY
position = [0, -0.15, 0]
rotation = [90, 0, 0]
spacing = 0.02

[[attach]]
name = "top"
body = "strip"
shape = { box = { size = [0.3, 0.025, 0.3] } }

[[attach]]
name = "load"
body = "strip"
shape = { box = { size = [0.3, 0.025, 0.3] } }
position = [0, -0.3, 0]
force = [0, -FORCE, 0]
"#;

/// Each with what it is made of, its method and shape, and a load [N].
const BODIES: [(&str, &str, &str); 5] = [
    (
        "preset = \"cotton\"",
        "shape = { sheet = { size = [0.1, 0.3] } }",
        "100",
    ),
    (
        "law = \"spring-linear\"\ndensity = 1000\nstiffness = 5000",
        "method = \"springs\"\nshape = { sheet = { size = [0.1, 0.3] } }",
        "100",
    ),
    (
        "law = \"neo-hookean\"\ndensity = 1000\nyoungs_modulus = 1e6\npoissons_ratio = 0.45",
        "method = \"strain-energy\"\nshape = { box = { size = [0.1, 0.3, 0.1] } }",
        "1000",
    ),
    (
        "law = \"neo-hookean\"\ndensity = 1000\nyoungs_modulus = 1e6\npoissons_ratio = 0.45",
        "method = \"shape-groups\"\nshape = { box = { size = [0.1, 0.3, 0.1] } }",
        "1000",
    ),
    (
        "law = \"neo-hookean\"\ndensity = 1000\nyoungs_modulus = 1e6\npoissons_ratio = 0.45",
        "method = \"muscle\"\nshape = { box = { size = [0.1, 0.3, 0.1] } }",
        "1000",
    ),
];

fn strip((material, body, _): (&str, &str, &str), force: &str) -> String {
    let text = STRIP.replace("MATERIAL", material).replace("BODY", body);
    let text = match body.contains("box") {
        true => text.replace("rotation = [90, 0, 0]\n", ""),
        false => text,
    };
    text.replace("FORCE", force)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_load_on_what_is_held_does_not_shorten_the_step_beyond_what_its_waves_move() {
    for of in BODIES {
        let without = first_frame_substeps(&world(&strip(of, "0")).setup);
        let mut loaded = world(&strip(of, of.2));
        let with = first_frame_substeps(&loaded.setup);
        // Loaded particles alone would have made it hundreds of times as many.
        assert!(
            with < 12.0 * without.max(20.0),
            "{of:?}: {without} and {with} substeps"
        );
        let mut stepper = CpuStepper::new(1).expect("a thread");
        for _ in 0..3 {
            advance_frame(&mut loaded, &mut stepper, &mut |_| ()).expect("a frame");
        }
        let account = &loaded.state.account;
        assert!(account.gained < 0.02, "{of:?}: gained {} J", account.gained);
    }
}

#[test]
fn a_load_on_what_nothing_holds_counts_as_far_as_it_moves_the_whole() {
    let text = strip(BODIES[2], "1000");
    let (start, end) = text.split_once("[[attach]]").expect("the top");
    let (_, load) = end.split_once("[[attach]]").expect("the load");
    let setup = world(&format!("{start}[[attach]]{load}")).setup;
    // 1000 N on 3 kg for a frame: 14 m/s, in steps of 0.4 support radii.
    let radius = 0.5 * setup.bodies[0].support_radius;
    let least = 1000.0 / 3.0 / 24.0 / 24.0 / (0.4 * radius);
    let substeps = first_frame_substeps(&setup);
    assert!(substeps > least, "{substeps} of {least}");
}
