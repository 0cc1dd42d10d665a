//! Contracts of simulations in programs.

mod additions;
mod editing;
mod motion;
mod pictures;
mod recording;
mod self_contact;

use std::ops::ControlFlow;

use pliant_math::{DVec3, Pose};

use super::*;

const BLOCK: &str = r#"
scene.duration = 1
[material.rubber]
preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.025
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "hand"
shape = { sphere = { radius = 0.05 } }
position = [0.3, 0.05, 0.0]
driven = true
[[probe]]
name = "block"
measure = "center-of-mass"
body = "block"
"#;

fn simulation() -> Simulation {
    Simulation::from_text(BLOCK).expect("a sound scene")
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits_and_a_reset_one_starts_again() {
    let mut whole = simulation();
    let start = whole.save();
    for _ in 0..4 {
        whole.step().expect("sound");
    }
    let saved = whole.save();
    for _ in 0..4 {
        whole.step().expect("sound");
    }
    let end = whole.save();
    whole.restore(&saved).expect("its own state");
    assert_eq!(whole.frame_number(), 5);
    for _ in 0..4 {
        whole.step().expect("sound");
    }
    assert!(whole.save() == end);
    whole.reset();
    assert!(whole.save() == start);
    assert!(matches!(
        whole.restore(&saved[..20]),
        Err(SimulationError::Snapshot(_))
    ));
    assert!(whole.save() == start);
}

#[test]
fn bits_are_those_of_a_world_stepped_by_hand_on_any_number_of_threads() {
    let scene = Scene::parse(BLOCK, "text", Path::new("."), &Overrides::default());
    let of_threads = |threads| {
        let prepared = Prepared::of(scene.clone().expect("sound"), "a", "a", &|_| ());
        let mut own = Simulation::new(prepared.expect("sound"), threads).expect("threads");
        for _ in 0..6 {
            own.step().expect("sound");
        }
        own.save()
    };
    assert!(of_threads(1) == of_threads(2));
}

#[test]
fn a_push_changes_momentum_by_itself_and_probes_see_it() {
    let mut own = simulation();
    own.change(|setup| setup.gravity = DVec3::ZERO)
        .expect("live");
    let impulse = DVec3::new(0.3, 0.0, -0.1);
    own.push("block", impulse).expect("a body");
    let momentum = |own: &Simulation| {
        ["momentum_x", "momentum_y", "momentum_z"].map(|name| own.measure(name).expect("a column"))
    };
    let given = DVec3::from_array(momentum(&own));
    assert!((given - impulse).length() < 1e-6, "{given}");
    let before = own.measure("block.x").expect("a probe");
    for _ in 0..6 {
        own.step().expect("sound");
    }
    assert!(own.measure("block.x").expect("a probe") > before);
    own.set_velocity("block", DVec3::ZERO).expect("a body");
    assert!(own.energies().kinetic == 0.0);
}

#[test]
fn a_driven_collider_pushes_the_block() {
    let mut own = simulation();
    for _ in 0..12 {
        own.step().expect("sound");
    }
    let target = Pose {
        translation: DVec3::new(0.0, 0.05, 0.0),
        ..Pose::IDENTITY
    };
    own.drive_to("hand", target, 0.4).expect("driven");
    for _ in 0..12 {
        own.step().expect("sound");
    }
    let x = own.measure("block.x").expect("a probe");
    assert!(x < -0.05, "{x}");
    let refused = own.drive_to("floor", target, 0.4).expect_err("not driven");
    assert!(refused.to_string().contains("floor"), "{refused}");
}

#[test]
fn frames_are_in_the_order_of_ids_and_columns_are_views() {
    let mut own = simulation();
    own.step().expect("sound");
    let count = own.particles().len();
    let places = own.places_of("block").expect("a body");
    assert_eq!(places.len(), count);
    let of_views: Vec<DVec3> = places
        .iter()
        .map(|&place| own.particles().position[place])
        .collect();
    let frame = own.frame();
    assert!(frame.id.is_sorted() && frame.position == of_views.as_slice());
    assert!(frame.quantities.iter().any(|q| q.name == "density"));
}

#[test]
fn wrong_names_and_numbers_are_told_with_what_there_is() {
    let mut own = simulation();
    let told = own.places_of("blok").expect_err("no such body").to_string();
    assert!(
        told.contains("\"blok\"") && told.contains("\"block\""),
        "{told}"
    );
    let told = own.measure("block.q").expect_err("no column").to_string();
    assert!(told.contains("\"block.x\""), "{told}");
    assert!(own.push("block", DVec3::NAN).is_err());
    assert!(own.substep(-1.0).is_err() && own.substep(f64::NAN).is_err());
    assert!(own.activate("block", "none", 0.5, 0.1).is_err());
    let told = Simulation::from_text("[[body]]\nname = 3\n").map(|_| ());
    let told = told.expect_err("a wrong scene").to_string();
    assert!(
        told.contains("body[0].name") && told.contains("scene text:2"),
        "{told}"
    );
}

#[test]
fn a_step_that_is_broken_off_leaves_the_simulation_as_it_was() {
    for time_step in ["", "solver.time_step = 1e-3\n"] {
        let mut own = Simulation::from_text(&format!("{time_step}{BLOCK}")).expect("sound");
        own.step().expect("sound");
        let before = own.save();
        let mut substeps = 0;
        let broken_off = own.step_while(&mut |_, _| {
            substeps += 1;
            match substeps < 3 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        assert!(matches!(broken_off, Err(SimulationError::BrokenOff)));
        assert!(substeps == 3 && own.save() == before);
        own.step().expect("sound");
        let end = own.save();
        own.restore(&before).expect("its own state");
        own.step_while(&mut |_, _| ControlFlow::Continue(()))
            .expect("sound");
        assert!(own.save() == end);
    }
}

#[test]
fn a_simulation_goes_on_with_the_same_bits_on_the_threads_of_whoever_calls() {
    let mut one = simulation();
    let mut other = simulation();
    other.move_to(Pool::surrounding());
    for _ in 0..3 {
        one.step().expect("sound");
        Pool::new(1)
            .expect("a thread")
            .run(|| other.step().map(|_| ()))
            .expect("sound");
    }
    assert!(one.save() == other.save());
}

#[test]
fn columns_that_are_given_away_stay_where_they_are() {
    let mut own = simulation();
    let address = own.particles().position.as_ptr();
    let saved = own.save();
    let given = own.give_particles();
    assert!(given.position.as_ptr() == address && own.save() == saved);
    own.step().expect("sound");
    assert!(given.position != own.particles().position);
}

#[test]
fn another_reading_of_the_scene_changes_constants_but_no_particles() {
    let reading = |text: String| {
        let scene = Scene::parse(text, "text", Path::new("."), &Overrides::default());
        Prepared::of(scene.expect("sound"), "a", "a", &|_| ()).expect("sound")
    };
    let mut own = simulation();
    own.change_to(reading(format!("scene.gravity = [0, 0, 0]\n{BLOCK}")))
        .expect("live");
    own.step().expect("sound");
    // What is left comes from rounding; with gravity there would be 0.3 J.
    assert!(own.energies().kinetic < 1e-6 && own.setup().gravity == DVec3::ZERO);
    let coarser = reading(BLOCK.replace("0.025", "0.05"));
    assert!(matches!(
        own.change_to(coarser),
        Err(SimulationError::Change(_))
    ));
}

#[test]
fn several_columns_are_measured_as_each_alone_and_colliders_tell_where_they_are() {
    let mut own = simulation();
    own.step().expect("sound");
    let names = ["block.y", "energy_kinetic", "block.vy", "time"];
    let together = own.measure_all(&names).expect("columns");
    for (name, value) in names.into_iter().zip(together) {
        assert!(own.measure(name).expect("a column") == value, "{name}");
    }
    let pose = own.pose_of_collider("hand").expect("a collider");
    assert!(pose.translation == DVec3::new(0.3, 0.05, 0.0));
    assert!(own.pose_of_collider("foot").is_err());
}
