//! Contracts of pictures of a simulation.

use pliant_render::picture::decode_png;

use super::*;
use crate::simulation::PictureLook;

fn look() -> PictureLook {
    PictureLook {
        size: Some([160, 90]),
        ..PictureLook::default()
    }
}

#[test]
fn the_first_picture_is_the_one_that_a_recording_begins_with() {
    let out = tempfile::tempdir().expect("a folder");
    let text = format!("output.size = [160, 90]\n{BLOCK}");
    let mut own = Simulation::from_text(&text).expect("a sound scene");
    let picture = own.picture(&PictureLook::default()).expect("a picture");
    let recording = own.record(out.path().join("run")).expect("a folder");
    recording.finish(&own).expect("written");
    let written = std::fs::read(out.path().join("run/preview/0001.png")).expect("a picture");
    assert_eq!(decode_png(&written).expect("a picture"), picture);
}

#[test]
fn a_picture_leaves_the_simulation_as_it_is() {
    let mut own = simulation();
    own.step().expect("sound");
    let frame = own.frame().position.to_vec();
    let before = own.save();
    let first = own.picture(&look()).expect("a picture");
    assert!(own.save() == before && own.last_frame().position == frame);
    assert!(own.picture(&look()).expect("a picture") == first);
}

#[test]
fn what_is_asked_for_takes_the_place_of_what_the_scene_says() {
    let mut own = simulation();
    let usual = own.picture(&look()).expect("a picture");
    let others = [
        PictureLook {
            color_by: Some("speed".into()),
            ..look()
        },
        PictureLook {
            camera: Some([DVec3::new(0.0, 2.0, 0.1), DVec3::ZERO]),
            ..look()
        },
        PictureLook {
            is_plain: true,
            ..look()
        },
    ];
    for other in others {
        assert!(
            own.picture(&other).expect("a picture") != usual,
            "{other:?}"
        );
    }
}

#[test]
fn pictures_that_cannot_be_are_refused() {
    let mut own = simulation();
    let unknown = PictureLook {
        color_by: Some("sped".into()),
        ..look()
    };
    let said = own.picture(&unknown).expect_err("no such quantity");
    assert!(said.to_string().contains("speed"), "{said}");
    let empty = PictureLook {
        size: Some([0, 10]),
        ..look()
    };
    assert!(own.picture(&empty).is_err());
}
