//! What the hand holds.

use super::*;

#[test]
fn the_hand_carries_what_it_holds_until_it_lets_go() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    let start = DVec3::new(0.0, 0.2, 0.0);
    let grab = live.grab_at(start).expect("it can move");
    live.apply(grab).expect("sound");
    let to = start + DVec3::new(0.0, 0.3, 0.0);
    live.apply(Input::Move { to: to.to_array() })
        .expect("sound");
    step(&mut live, 12);
    // It swings on the springs.
    let mut carried = DVec3::ZERO;
    for _ in 0..24 {
        step(&mut live, 1);
        carried += mean_of(&live, "block") / 24.0;
    }
    assert!(carried.y > start.y + 0.2, "{carried}");
    live.apply(Input::Release {}).expect("sound");
    step(&mut live, 24);
    assert!(mean_of(&live, "block").y < carried.y - 0.2);
}

#[test]
fn a_rigid_body_is_carried_by_a_point_of_its_surface() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    step(&mut live, 2);
    // Above a corner of the crate; the hand takes what is on its surface.
    let grab = live.grab_at(DVec3::new(0.44, 0.14, 0.04)).expect("a crate");
    let Input::GrabBody { body, point, .. } = &grab else {
        panic!("the crate is nearest: {grab:?}");
    };
    assert!(
        body == "crate" && (point[1] - 0.05).abs() < 1e-6,
        "{grab:?}"
    );
    live.apply(grab).expect("sound");
    for frame in 1..=12 {
        let to = [0.44, 0.13 + 0.03 * f64::from(frame), 0.04];
        live.apply(Input::Move { to }).expect("sound");
        step(&mut live, 1);
    }
    let carried = mean_of(&live, "crate");
    assert!(carried.y > 0.3, "{carried}");
    live.apply(Input::Release {}).expect("sound");
    step(&mut live, 4);

    let saved = file.folder.path().join("inputs.toml");
    write_inputs(&live.log(), &saved).expect("written");
    let log = read_inputs(&saved).expect("read");
    let again = done_again(&file, log, live.simulation().frame_number());
    assert!(again.simulation().save() == live.simulation().save());
}

#[test]
fn what_is_held_stays_held_by_another_text_of_the_scene() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    step(&mut live, 2);
    let grab = live.grab_at(DVec3::new(0.4, 0.13, 0.0)).expect("a crate");
    live.apply(grab).expect("sound");
    let assignment = "scene.gravity = [0, -3, 0]".to_owned();
    live.apply(Input::Set { assignment }).expect("live");
    let to = [0.4, 0.5, 0.0];
    live.apply(Input::Move { to }).expect("sound");
    step(&mut live, 10);
    assert!(live.is_holding() && mean_of(&live, "crate").y > 0.3);
}

#[test]
fn what_is_no_rigid_body_is_not_held_as_one() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    let grab = |body: &str, stiffness: f64| Input::GrabBody {
        body: body.to_owned(),
        point: [0.0; 3],
        at: [0.4, 0.08, 0.0],
        stiffness,
    };
    for wrong in [
        grab("block", 10.0),
        grab("crate", 0.0),
        grab("crate", f64::NAN),
    ] {
        let error = live.apply(wrong).expect_err("refused").to_string();
        assert!(error.contains("there are crate"), "{error}");
    }
    assert!(!live.is_holding());
    live.apply(grab("crate", 10.0)).expect("sound");
}
