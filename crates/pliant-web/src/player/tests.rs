//! Contracts of a scene that is stepped, touched and seen.

use std::path::Path;

use pliant_core::measure::{FrameReport, Statistics, statistics_columns};
use pliant_view::GAUGES;

use super::*;
use crate::MemoryFiles;

const SAND: &str = r##"
    scene = { duration = 1.0 }
    material.sand = { law = "drucker-prager", density = 1600.0, youngs_modulus = 3.5e5, friction_angle = 30.0 }
    [[body]]
    name = "ball"
    material = "sand"
    shape = { sphere = { radius = 0.03 } }
    position = [0.0, 0.1, 0.0]
    spacing = 0.01
    color = "#ff8000"
"##;

fn open(text: &str, files: &MemoryFiles) -> Result<Player, PlayerError> {
    let opening = Opening {
        path: "scenes/own.toml".into(),
        text: text.to_owned(),
        files: files.clone(),
        ..Opening::default()
    };
    Player::open(opening, Pool::new(2).expect("threads"))
}

/// The balls of a picture: x, y, z and radius [m].
fn spheres(player: &mut Player) -> Vec<[f32; 4]> {
    let bytes = player.picture().expect("a picture");
    let word = |k: usize| <[u8; 4]>::try_from(&bytes[4 * k..4 * k + 4]).expect("four");
    let count = u32::from_le_bytes(word(1)) as usize;
    let of = |k: usize| [0, 1, 2, 3].map(|part| f32::from_le_bytes(word(14 + 4 * k + part)));
    (0..count).map(of).collect()
}

#[test]
fn a_ball_falls_and_starts_again_with_the_same_bits() {
    let mut player = open(SAND, &MemoryFiles::default()).expect("a sound scene");
    let start = player.hash();
    let before = spheres(&mut player);
    for _ in 0..3 {
        player.frame().expect("sound");
    }
    let frames = (player.hash(), player.substeps());
    assert!(frames.1 >= 3 && player.time() > 0.0);
    let after = spheres(&mut player);
    let mut both = after.iter().zip(&before);
    assert!(both.all(|(a, b)| a[1] < b[1] && a[3] == b[3]));
    player.restart();
    assert_eq!((player.hash(), player.substeps()), (start, 0));
    for _ in 0..3 {
        player.frame().expect("sound");
    }
    assert_eq!((player.hash(), player.substeps()), frames);
}

#[test]
fn substeps_move_it_without_frames() {
    let mut player = open(SAND, &MemoryFiles::default()).expect("a sound scene");
    player.substep().expect("sound");
    let once = player.time();
    player.substep().expect("sound");
    assert!(once > 0.0 && player.time() > 1.5 * once);
    assert_eq!(player.substeps(), 2);
}

#[test]
fn a_mesh_comes_from_memory_and_a_missing_one_is_told_with_its_place() {
    let text = SAND.replace(
        "sphere = { radius = 0.03 }",
        "mesh = { file = \"tetrahedron.obj\" }",
    );
    let missing = open(&text, &MemoryFiles::default()).err().expect("no file");
    let message = missing.to_string();
    for part in [
        "scenes/own.toml:7",
        "body.ball.shape",
        "there is no file",
        "tetrahedron.obj",
    ] {
        assert!(message.contains(part), "'{part}' is not in\n{message}");
    }
    let mut files = MemoryFiles::default();
    let mesh = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    files.add(Path::new("scenes/tetrahedron.obj"), mesh.into());
    let mut player = open(&text, &files).expect("a sound scene");
    assert!(spheres(&mut player).len() > 100);
}

const RUBBER: &str = r##"
    scene = { duration = 1.0 }
    material.rubber.preset = "rubber"
    [[body]]
    name = "block"
    material = "rubber"
    shape = { box = { size = [0.1, 0.1, 0.1] } }
    position = [0.0, 0.2, 0.0]
    spacing = 0.02
"##;

fn touch(text: &str) -> Player {
    let opening = Opening {
        path: "own.toml".into(),
        text: text.to_owned(),
        has_hand: true,
        ..Opening::default()
    };
    Player::open(opening, Pool::surrounding()).expect("sound")
}

#[test]
fn a_hand_that_does_nothing_changes_no_motion() {
    let mut plain = open(SAND, &MemoryFiles::default()).expect("a sound scene");
    let mut touched = touch(SAND);
    for _ in 0..3 {
        plain.frame().expect("sound");
        touched.frame().expect("sound");
    }
    assert_eq!(plain.hash().motion, touched.hash().motion);
}

#[test]
fn what_was_done_is_done_again_from_its_text_to_the_same_bits() {
    let mut player = touch(RUBBER);
    player.frame().expect("sound");
    assert!(player.grab(DVec3::new(0.0, 0.2, 0.0)).expect("sound"));
    for step in 0..3 {
        let to = [0.05 * f64::from(step), 0.3, 0.0];
        player.apply(Input::Move { to }).expect("sound");
        player.frame().expect("sound");
    }
    player.apply(Input::Release {}).expect("sound");
    let corner = |y: f64, z: f64| [0.003, y, z];
    let corners = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    player.apply(Input::Cut { corners }).expect("sound");
    player.frame().expect("sound");
    let (hash, text) = (player.hash(), player.log().text().expect("a text"));
    player
        .replay(InputLog::parse(&text).expect("a log"))
        .expect("sound");
    for _ in 0..5 {
        player.frame().expect("sound");
    }
    assert_eq!(player.hash(), hash);
    assert_eq!(player.log().text().expect("a text"), text);
}

#[test]
fn nothing_is_done_within_a_frame() {
    let mut player = touch(RUBBER);
    assert!(!player.advance().expect("sound") && !player.is_between_frames());
    let moved = player.apply(Input::Release {}).expect_err("half done");
    assert!(matches!(moved, PlayerError::WithinFrame));
    player.frame().expect("sound");
    player.apply(Input::Release {}).expect("between frames");
    player.advance().expect("sound");
    player.restart();
    assert!(player.is_between_frames() && player.time() == 0.0);
}

fn set(assignment: &str) -> Input {
    let assignment = assignment.to_owned();
    Input::Set { assignment }
}

#[test]
fn values_change_while_it_runs_and_again_from_the_log_to_the_same_bits() {
    let mut player = touch(RUBBER);
    let first = player.hash();
    player.frame().expect("sound");
    player
        .apply(set("scene.gravity=[0,3,0]"))
        .expect("can change");
    player.frame().expect("sound");
    let (hash, text) = (player.hash(), player.log().text().expect("a text"));
    assert!(player.world().setup.gravity.y > 0.0);
    let entries = player.facts().entries.iter();
    let mut gravity = entries.filter(|entry| entry.address() == "scene.gravity");
    assert!(
        gravity
            .next()
            .expect("told")
            .text
            .as_deref()
            .unwrap_or("")
            .contains('3')
    );
    player
        .replay(InputLog::parse(&text).expect("a log"))
        .expect("sound");
    assert!(player.hash() == first && player.world().setup.gravity.y < 0.0);
    player.frame().expect("sound");
    player.frame().expect("sound");
    assert_eq!(player.hash(), hash);
    assert_eq!(player.log().text().expect("a text"), text);
}

#[test]
fn a_value_that_particles_were_made_with_needs_a_new_start_and_a_wrong_one_is_told() {
    let mut player = touch(RUBBER);
    player.frame().expect("sound");
    let (hash, log) = (player.hash(), player.log());
    let refused = player.apply(set("body.block.spacing=0.03"));
    let refused = refused.expect_err("particles were made with it");
    assert!(matches!(
        &refused,
        PlayerError::Scene(RefusedChange::NeedsRestart { change, .. }) if change.contains("spacing")
    ));
    let wrong = player.apply(set("scene.gravity=3")).expect_err("no vector");
    assert!(wrong.to_string().contains("gravity"), "{wrong}");
    assert_eq!((player.hash(), player.log()), (hash, log));
    let opening = Opening {
        overrides: Overrides::default().with_value("body.block.spacing=0.05"),
        text: RUBBER.to_owned(),
        has_hand: true,
        ..Opening::default()
    };
    let coarse = Player::open(opening, Pool::surrounding()).expect("sound");
    assert_eq!(coarse.world().state.particles.len(), 8);
    assert_eq!(coarse.log().set, ["body.block.spacing=0.05"]);
    player.replay(coarse.log()).expect("sound");
    assert_eq!(player.hash(), coarse.hash());
}

#[test]
fn colours_show_a_quantity_with_a_legend() {
    let mut player = touch(RUBBER);
    let legend = |player: &mut Player| {
        let bytes = player.picture().expect("a picture").to_vec();
        let length = u32::from_le_bytes(bytes[36..40].try_into().expect("four")) as usize;
        String::from_utf8(bytes[bytes.len() - length..].to_vec()).expect("text")
    };
    assert_eq!(legend(&mut player), "");
    let told = facts(&player);
    let names = told["colorings"].as_array().expect("a list").iter();
    assert!(names.clone().any(|coloring| coloring["name"] == "speed"));
    player.color_by("speed");
    assert!(legend(&mut player).contains("m/s"));
    player.color_by("body");
    assert_eq!(legend(&mut player), "");
    player.color_by("nonsense");
    let error = player.picture().expect_err("no such quantity").to_string();
    assert!(error.contains("speed"), "{error}");
    assert_eq!(legend(&mut player), "");
}

#[test]
fn columns_are_measured_after_each_frame_from_when_they_are_asked_for() {
    let mut player = touch(RUBBER);
    player.frame().expect("sound");
    player
        .plot(vec!["energy_kinetic".to_owned()])
        .expect("a column");
    player.frame().expect("sound");
    let rows = player.take_rows();
    let &[first, slow, second, fast] = rows.as_slice() else {
        panic!("two rows of two: {rows:?}")
    };
    assert!(first > 0.0 && second > first && slow > 0.0 && fast > 2.0 * slow);
    assert!(player.take_rows().is_empty());
    let wrong = player.plot(vec!["energy_kinetc".to_owned()]);
    assert!(
        wrong
            .expect_err("none")
            .to_string()
            .contains("energy_kinetc")
    );
    player.frame().expect("sound");
    assert_eq!(player.take_rows().len(), 2);
}

#[test]
fn gauges_tell_what_the_table_of_statistics_does() {
    let mut player = touch(RUBBER);
    for _ in 0..3 {
        player.frame().expect("sound");
    }
    player
        .plot(GAUGES.map(str::to_owned).to_vec())
        .expect("columns");
    let rows = player.take_rows();
    let stats = Statistics::of(player.world(), &FrameReport::default()).row();
    let columns = statistics_columns();
    for (name, &told) in GAUGES.iter().zip(&rows[1..]) {
        let place = columns.iter().position(|column| column.name == *name);
        let value = stats[place.expect("a column")];
        // What only the report of the frame knows is 0 without it.
        let is_told = (told - value).abs() <= 1e-9 * value.abs() || *name == "residual";
        assert!(is_told, "{name}: {told}, not {value}");
    }
    assert!(
        rows.len() == 5 && rows[1] > 0.0 && rows[4] > 0.0,
        "{rows:?}"
    );
}

#[test]
fn what_was_cut_is_whole_after_a_restart() {
    let cut = |x: f64| {
        let corner = |y: f64, z: f64| [x, y, z];
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(y, z)| corner(y, z));
        Input::Cut { corners }
    };
    let frames = |player: &mut Player, count: usize| {
        (0..count).for_each(|_| player.frame().expect("sound"));
        player.hash()
    };
    let whole = frames(&mut touch(RUBBER), 4);
    let mut player = touch(RUBBER);
    frames(&mut player, 1);
    player.apply(cut(0.003)).expect("can be cut");
    assert_ne!(frames(&mut player, 3).state, whole.state);
    player.restart();
    assert_eq!(frames(&mut player, 4), whole);
}

#[test]
fn a_log_starts_with_the_text_and_the_values_that_it_started_with_and_colours_stay() {
    let mut player = touch(RUBBER);
    player.color_by("speed");
    player.frame().expect("sound");
    let text = RUBBER.replace("duration = 1.0", "duration = 1.0, gravity = [0, 5, 0]");
    player.apply(Input::Scene { text }).expect("can change");
    player.apply(set("solver.damping=1")).expect("can change");
    player.frame().expect("sound");
    let (hash, log) = (player.hash(), player.log());
    for _ in 0..2 {
        player.replay(log.clone()).expect("sound");
        assert!(player.world().setup.gravity.y < 0.0);
        (0..2).for_each(|_| player.frame().expect("sound"));
        assert_eq!((player.hash(), player.log()), (hash, log.clone()));
    }
    let bytes = player.picture().expect("a picture");
    assert!(String::from_utf8_lossy(bytes).contains("m/s"));
}
