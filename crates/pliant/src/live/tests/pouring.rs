//! What is poured while a scene runs.

use super::*;

/// A basin with a little water in it, sand that there is nothing of yet, and a block of rubber.
pub(super) const BASIN: &str = r#"
scene.duration = 1
[material.water]
preset = "water"
[material.sand]
preset = "dry-sand"
[material.rubber]
preset = "rubber"
[[body]]
name = "water"
material = "water"
shape = { box = { size = [0.2, 0.06, 0.2] } }
position = [0.0, 0.03, 0.0]
spacing = 0.02
[[body]]
name = "sand"
material = "sand"
shape = { box = { size = [0.06, 0.06, 0.06] } }
position = [0.4, 0.03, 0.0]
spacing = 0.02
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.06, 0.06, 0.06] } }
position = [-0.4, 0.03, 0.0]
spacing = 0.03
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

fn pour(live: &mut Interactive, body: &str, at: [f64; 3]) -> Result<usize, LiveError> {
    let before = live.simulation().particles().position.len();
    let body = body.to_owned();
    live.apply(Input::Pour { body, at })?;
    Ok(live.simulation().particles().position.len() - before)
}

#[test]
fn a_ball_fills_the_room_that_there_is() {
    let file = SceneFile::new(BASIN);
    let mut live = file.open();
    let whole = pour(&mut live, "water", [0.0, 0.5, 0.0]).expect("water");
    // Points of a cubic lattice within 2.6 spacings of one of them.
    let squares = |k: i32| (-2..=2).map(move |i: i32| k + i * i);
    let all = squares(0).flat_map(squares).flat_map(squares);
    assert_eq!(whole, all.filter(|&square| square <= 6).count());
    // Nothing is free there any more, and below the floor nothing ever is.
    assert_eq!(pour(&mut live, "sand", [0.0, 0.5, 0.0]).expect("sand"), 0);
    assert_eq!(pour(&mut live, "sand", [1.0, -0.5, 0.0]).expect("sand"), 0);
    let half = pour(&mut live, "sand", [1.0, 0.001, 0.0]).expect("sand");
    assert!(half > whole / 3 && half < whole, "{half} of {whole}");
    let positions = &live.simulation().particles().position;
    assert!(positions.iter().all(|x| x.y > 0.0));
}

#[test]
fn what_is_poured_falls_and_stays() {
    let file = SceneFile::new(BASIN);
    let mut live = file.open();
    let before = live.simulation().particles().position.len();
    let mut poured = 0;
    for _ in 0..10 {
        poured += pour(&mut live, "water", [0.0, 0.3, 0.0]).expect("water");
        step(&mut live, 1);
    }
    // The first ball has left room for others.
    assert!(poured > 200, "{poured}");
    step(&mut live, 14);
    let positions = &live.simulation().particles().position;
    assert_eq!(positions.len(), before + poured);
    let highest = positions.iter().fold(0.0, |most: f64, x| most.max(x.y));
    assert!(highest < 0.3, "{highest}");
}

#[test]
fn what_was_poured_is_poured_again_to_the_same_bits() {
    let file = SceneFile::new(BASIN);
    let mut live = file.open();
    for frame in 0..6 {
        let x = 0.4 - 0.01 * f64::from(frame);
        pour(&mut live, "sand", [x, 0.2, 0.0]).expect("sand");
        step(&mut live, 1);
    }
    let text = live.log().text().expect("a log");
    let log = InputLog::parse(&text).expect("a log");
    let again = done_again(&file, log, live.simulation().frame_number());
    assert!(again.simulation().save() == live.simulation().save());
}

#[test]
fn what_holds_together_is_not_poured() {
    let file = SceneFile::new(BASIN);
    let mut live = file.open();
    for (body, at) in [("block", [0.0, 0.5, 0.0]), ("milk", [0.0, 0.5, 0.0])] {
        let refused = pour(&mut live, body, at)
            .expect_err("no liquid")
            .to_string();
        assert!(
            refused.contains(body) && refused.contains("water, sand"),
            "{refused}"
        );
    }
    for nowhere in [f64::NAN, f64::INFINITY, 1e300, -1e8] {
        assert!(pour(&mut live, "water", [0.0, nowhere, 0.0]).is_err());
    }
    assert!(live.log().inputs.is_empty());
}
