//! `pliant gallery`.

use std::fs;

use crate::support::*;

#[test]
fn a_gallery_shows_what_ran_says_what_did_not_and_keeps_both() {
    let place = Place::with(SAND);
    fs::write(place.path("broken.toml"), "scene.duration = 1\n").unwrap();
    let command = "gallery scene.toml broken.toml --out g --set scene.duration=0.1 --set output.preview=true -q";
    let said = place.pliant(command);
    assert_eq!(said.status, Some(1), "{}", said.errors);
    let page = fs::read_to_string(place.path("g/index.html")).unwrap();
    assert!(page.contains("scene/report.html") && page.contains("the scene has no body"));
    let picture = page.split("src=\"").nth(1).unwrap();
    let picture = picture.split('"').next().unwrap();
    assert!(place.path("g").join(picture).is_file(), "{picture}");
    let before = files(&place.path("g/scene"));
    place.pliant(command);
    assert_same(&before, &files(&place.path("g/scene")));
}
