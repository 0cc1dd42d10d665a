//! What was done in a window, done again by a run.

use std::fs;
use std::ops::ControlFlow;

use pliant::core::parallel::Pool;
use pliant::io::checkpoint;
use pliant::live::{Input, Interactive, Source, write_inputs};
use pliant::math::DVec3;
use pliant::run::OutputFolder;
use pliant::scene::Overrides;

use crate::support::*;

/// A slab of jelly and a crate on the floor.
const JELLY: &str = r#"
scene.duration = 0.25
[material.jelly]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 2e4
poissons_ratio = 0.4
[[body]]
name = "slab"
material = "jelly"
shape = { box = { size = [0.2, 0.06, 0.1] } }
position = [0.0, 0.05, 0.0]
spacing = 0.02
[[collider]]
name = "floor"
shape = { plane = {} }
[[probe]]
name = "slab"
measure = "center-of-mass"
[output]
preview = false
checkpoint_every = 4
"#;

/// The slab is lifted, cut across, falls more slowly and on a rough floor. Leaves `inputs.toml`; the state at the end.
fn played(place: &Place) -> Vec<u8> {
    let source = Source {
        path: place.path("scene.toml"),
        overrides: Overrides::default(),
    };
    let mut live = Interactive::open(source, Pool::new(1).unwrap()).unwrap();
    let step = |live: &mut Interactive, frames: u32| {
        for _ in 0..frames {
            live.step(&mut |_, _| ControlFlow::Continue(())).unwrap();
        }
    };
    step(&mut live, 2);
    let grab = live.grab_at(DVec3::new(0.09, 0.05, 0.0)).unwrap();
    live.apply(grab).unwrap();
    for frame in 1..=4 {
        let to = [0.09, 0.05 + 0.01 * f64::from(frame), 0.0];
        live.apply(Input::Move { to }).unwrap();
        step(&mut live, 1);
    }
    let corners = [[0.0, -1.0], [0.0, 1.0]].map(|[x, y]| [x, y, -1.0]);
    let [below, above] = corners;
    let across = |[x, y, _]: [f64; 3]| [x, y, 1.0];
    let corners = [below, above, across(above), across(below)];
    live.apply(Input::Cut { corners }).unwrap();
    step(&mut live, 1);
    let assignment = "scene.gravity = [0, -3, 0]".to_owned();
    live.apply(Input::Set { assignment }).unwrap();
    step(&mut live, 3);
    live.apply(Input::Release {}).unwrap();
    let rough = JELLY.replace("plane = {} }", "plane = {} }\nfriction = 0.9");
    live.apply(Input::Scene { text: rough }).unwrap();
    step(&mut live, 2);
    write_inputs(&live.log(), &place.path("inputs.toml")).unwrap();
    live.simulation().save()
}

#[test]
fn a_run_does_again_what_was_done_in_a_window_to_the_same_bits() {
    let place = Place::with(JELLY);
    let state = played(&place);
    place.pliant_succeeds("replay inputs.toml --frames 12 --threads 2 -q");
    let folder = OutputFolder::new(&place.path("out/inputs"));
    let newest = checkpoint::newest_whole(&folder.checkpoints()).unwrap();
    assert!(newest.checkpoint.expect("one").state == state);
    // Stopped in between, with the slab held, cut and slowed.
    for frames in [5, 8, 12] {
        let resumed = format!("replay inputs.toml --frames {frames} --out parts --resume -q");
        place.pliant_succeeds(&resumed);
    }
    assert_same(
        &results(&place.path("out/inputs")),
        &results(&place.path("parts")),
    );
    // Without the inputs it is another run.
    let said = place.pliant("run parts/scene.toml --out parts --resume");
    assert_eq!(said.status, Some(2), "{}", said.errors);
    assert!(said.errors.contains("input file"), "{}", said.errors);
}

#[test]
fn a_replay_reaches_its_last_input_and_takes_other_values() {
    let place = Place::with(&JELLY.replace("duration = 0.25", "duration = 0.05"));
    played(&place);
    let said = place.pliant_succeeds("replay inputs.toml --set output.particles=[\"npz\"]");
    // The last input comes after frame 11 and acts in the next.
    assert!(said.text.contains("12 frames"), "{}", said.text);
    assert!(
        place
            .path("out/inputs/particles/particles.0012.npz")
            .is_file()
    );
}

#[test]
fn what_cannot_be_done_again_is_told_with_its_frame() {
    let place = Place::with(JELLY);
    let told = |inputs: &str| {
        fs::write(place.path("inputs.toml"), inputs).unwrap();
        let said = place.pliant("replay inputs.toml -q");
        assert_eq!(said.status, Some(2), "{}", said.errors);
        said.errors
    };
    let held = "scene = \"scene.toml\"\n[[input]]\nframe = 3\ngrab = { particles = [1], local = [], \
                at = [0, 0, 0], stiffness = 1 }\n";
    let errors = told(held);
    assert!(errors.contains("frame 3"), "{errors}");
    let set = "scene = \"scene.toml\"\n[[input]]\nframe = 2\nset = { assignment = \"scene.gravty = 1\" }\n";
    let errors = told(set);
    assert!(
        errors.contains("frame 2") && errors.contains("gravity"),
        "{errors}"
    );
    let probe = format!(
        "scene = \"scene.toml\"\n[[input]]\nframe = 2\nscene = {{ text = '''{JELLY}[[probe]]\nname = \"b\"\n\
         measure = \"center-of-mass\"\n''' }}\n"
    );
    let errors = told(&probe);
    assert!(errors.contains("probes"), "{errors}");
    let absent = held
        .replace("local = []", "local = [[0, 0, 0]]")
        .replace("[1]", "[123456]");
    let errors = told(&absent);
    assert!(errors.contains("no particle 123456"), "{errors}");
    let errors = told("scene = \"gone.toml\"\n");
    assert!(errors.contains("gone.toml"), "{errors}");
    let errors = told("scene = 1\n");
    assert!(errors.contains("no inputs"), "{errors}");
}
