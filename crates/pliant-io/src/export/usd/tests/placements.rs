//! Where colliders and rigid bodies are.

use super::*;
use crate::mesh::{Keyframes, Told, keyframes};

/// A series in a folder, with its index.
struct Written {
    folder: tempfile::TempDir,
    index: Box<dyn SeriesIndex>,
}

impl Written {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let index = open(folder.path(), f64::NEG_INFINITY);
        Self { folder, index }
    }

    fn resume(&mut self, after: f64) {
        self.index = open(self.folder.path(), after);
    }

    fn add(&mut self, frame: &Frame, scene: &SceneFacts) {
        let moment = Moment {
            frame,
            surface: None,
            scene,
        };
        let name = frame_files(self.folder.path(), &EXPORTER).name(frame.number);
        self.index.append(&moment, &name).unwrap();
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.folder.path().join("placements.usdc")).unwrap()
    }

    /// The keyframes of an attribute.
    fn keys(&self, prim: &str, attribute: &str) -> Vec<(f64, Told)> {
        let is_it = |keys: &Keyframes| keys.prim == prim && keys.attribute == attribute;
        let found = keyframes(&self.bytes()).unwrap().into_iter().find(is_it);
        found.map(|keys| keys.values).unwrap_or_default()
    }
}

fn open(folder: &std::path::Path, after: f64) -> Box<dyn SeriesIndex> {
    (beside::INDEX.open)(&SeriesPlace::particles(folder), after).unwrap()
}

fn numbers(values: &[f64]) -> Told {
    Told::Numbers(values.to_vec())
}

fn name(text: &str) -> Told {
    Told::Name(text.to_owned())
}

/// A frame of the cup at some height, turned, or without it.
fn frame_at(number: u32, height: Option<f64>) -> ParticleFrame {
    let (mut frame, _, _) = scene();
    frame.number = number;
    frame.time = f64::from(number - 1) / 30.0;
    match height {
        None => keep_the_first(&mut frame),
        Some(height) => frame.position[1].y = height,
    }
    frame
}

#[test]
fn a_rigid_body_has_a_keyframe_wherever_its_motion_changes() {
    let (_, bodies, facts) = scene();
    let mut written = Written::new();
    for (number, height) in (1..).zip([5.0, 5.0, 5.0, 4.0, 3.0, 3.0]) {
        written.add(
            &frame_at(number, Some(height)).frame(&bodies, &[]).unwrap(),
            &facts,
        );
    }
    let at = |frame: f64, height: f64| (frame, numbers(&[4.0, height, 6.0]));
    let expected = [at(1.0, 5.0), at(3.0, 5.0), at(4.0, 4.0), at(5.0, 3.0)];
    assert_eq!(written.keys("cup", "xformOp:translate"), expected);
    let turns = written.keys("cup", "xformOp:orient");
    let half_turn = numbers(&[0.0, 1.0, 0.0, 0.0]);
    assert!(turns.len() == 4 && turns.iter().all(|(_, turn)| *turn == half_turn));
    assert_eq!(
        written.keys("cup", "visibility"),
        [(1.0, name("inherited"))]
    );
    // A layer that does not tell its rate has 24 frames a second, and would be shown too slowly.
    let rate = [&b"timeCodesPerSecond\0"[..], &30.0_f64.to_le_bytes()];
    assert!(rate.iter().all(|part| contains(&written.bytes(), part)));
    // The files of frames tell nothing of it, so that their values, which are held, hide no keyframe.
    let frame = frame_at(1, Some(5.0));
    let file = super::written(&frame.frame(&bodies, &[]).unwrap(), None, &facts);
    let manifest = std::fs::read(written.folder.path().join("manifest.usdc")).unwrap();
    for text in [&b"xformOp"[..], b"visibility"] {
        assert!(!contains(&file, text) && !contains(&manifest, text));
    }
}

#[test]
fn a_rigid_body_that_leaves_or_comes_is_hidden_where_it_is_not_and_moves_no_further() {
    let (_, bodies, facts) = scene();
    let mut written = Written::new();
    let heights = [None, None, Some(5.0), Some(4.0), None, None];
    for (number, height) in (1..).zip(heights) {
        let frame = frame_at(number, height);
        written.add(&frame.frame(&bodies, &[]).unwrap(), &facts);
    }
    let seen: Vec<(f64, Told)> = written.keys("cup", "visibility");
    let [seen_at, unseen] = ["inherited", "invisible"].map(name);
    assert_eq!(
        seen,
        [
            (1.0, unseen.clone()),
            (2.0, unseen.clone()),
            (3.0, seen_at.clone()),
            (4.0, seen_at),
            (5.0, unseen),
        ]
    );
    let places = written.keys("cup", "xformOp:translate");
    let expected = [(3.0, 5.0), (4.0, 4.0)];
    assert_eq!(
        places,
        expected.map(|(frame, height)| (frame, numbers(&[4.0, height, 6.0])))
    );
}

#[test]
fn a_body_that_is_added_later_has_the_keyframes_that_it_has_where_all_is_known() {
    let (_, bodies, facts) = scene();
    let first_alone = SceneFacts {
        colliders: Vec::new(),
        ..facts.clone()
    };
    let [mut run, mut export] = [Written::new(), Written::new()];
    for (number, height) in (1..).zip([None, None, Some(5.0), Some(4.0)]) {
        let frame = frame_at(number, height);
        let known = &bodies[..if height.is_some() { 2 } else { 1 }];
        let frame = frame.frame(known, &[]).unwrap();
        run.add(
            &frame,
            if height.is_some() {
                &facts
            } else {
                &first_alone
            },
        );
        let all = SceneFacts {
            bodies: bodies.clone(),
            ..facts.clone()
        };
        export.add(&frame, &all);
    }
    assert_eq!(run.keys("cup", "visibility").len(), 3);
    assert!(run.bytes() == export.bytes());
}

#[test]
fn placements_are_cut_and_gone_on_with_to_the_same_bytes() {
    let (_, bodies, facts) = scene();
    let frames: Vec<ParticleFrame> = (1..)
        .zip([5.0, 5.0, 5.0, 4.5, 4.0, 4.0, 4.0, 3.0])
        .map(|(number, height)| frame_at(number, Some(height)))
        .collect();
    let mut whole = Written::new();
    let add = |written: &mut Written, frame: &ParticleFrame| {
        written.add(&frame.frame(&bodies, &[]).unwrap(), &facts);
    };
    frames.iter().for_each(|frame| add(&mut whole, frame));
    for last in 0..frames.len() {
        let mut resumed = Written::new();
        frames.iter().for_each(|frame| add(&mut resumed, frame));
        resumed.resume(frames[last].time);
        for frame in &frames[last + 1..] {
            add(&mut resumed, frame);
        }
        if last + 1 < frames.len() {
            assert!(resumed.bytes() == whole.bytes(), "{last}");
        }
    }
    // Without its placements, a scene has no frames, and gets them anew.
    std::fs::write(whole.folder.path().join("placements.usdc"), "damaged").unwrap();
    whole.resume(f64::INFINITY);
    assert!(!whole.index.has("particles.0001.usdc"));
}

#[test]
fn a_collider_that_stands_still_has_one_keyframe_and_its_file_is_left_alone() {
    let (frame, bodies, mut facts) = scene();
    facts.colliders[0].placed_by = PlacedBy::Collider(0);
    let collider = FrameCollider {
        name: "cup".to_owned(),
        shape: facts.colliders[0].shape.clone(),
        pose: Pose {
            translation: DVec3::X,
            ..Pose::IDENTITY
        },
        color: [1.0; 3],
        opacity: 1.0,
        gloss: 0.0,
        kind: SceneryKind::Collider,
    };
    let mut written = Written::new();
    let mut frame = frame;
    let path = written.folder.path().join("placements.usdc");
    for number in 1..=4 {
        frame.number = number;
        let colliders = [collider.clone()];
        written.add(&frame.frame(&bodies, &colliders).unwrap(), &facts);
        if number == 1 {
            let keys = written.keys("cup", "xformOp:translate");
            assert_eq!(keys, [(1.0, numbers(&[1.0, 0.0, 0.0]))]);
            assert!(written.keys("cup", "visibility").is_empty());
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(!path.exists());
}
