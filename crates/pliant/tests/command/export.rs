//! `pliant export`, and formats that are added when a run is resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::support::*;

/// A surface, a rigid body, a collider that moves and deforms: everything that files can hold.
pub const EVERYTHING: &str = r#"[scene]
duration = 0.2
[material]
rubber = { law = "neo-hookean", density = 1000.0, youngs_modulus = 1e5, poissons_ratio = 0.3 }
cotton = { preset = "cotton" }
wood = { law = "rigid", density = 500.0 }
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.06, 0.0]
spacing = 0.03
render_mesh = { box = { size = [0.1, 0.1, 0.1] } }
[[body]]
name = "cup"
material = "wood"
shape = { box = { size = [0.1, 0.1, 0.2] } }
position = [0.3, 0.2, 0.0]
spin = [0, 90, 30]
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
[[collider]]
name = "gut"
shape = { mesh-sequence = { file = "gut.#.obj", last = 2, frame_rate = 7.0, interpolation = "smooth" } }
motion = { velocity = [0.3, 0.1, 0.0], spin = [10.0, 20.0, 30.0] }
position = [1.0, 0.5, 0.0]
[output]
preview = false
"#;

/// A place with a scene, and with the files of a tetrahedron whose tip moves.
pub fn place_with(scene: &str) -> Place {
    let place = Place::with(scene);
    for (number, height) in [(1, 0.1), (2, 0.3)] {
        let tetrahedron = format!(
            "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 {height}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
        );
        fs::write(place.path(&format!("gut.{number}.obj")), tetrahedron).unwrap();
    }
    place
}

/// The files below a folder by their path in it, with their bytes.
pub fn frames_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for room in ["particles", "surface"] {
        let Ok(entries) = fs::read_dir(folder.join(room)) else {
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            found.insert(format!("{room}/{name}"), fs::read(&path).unwrap());
        }
    }
    found
}

pub fn assert_same_frames(one: &Path, two: &Path) {
    let (one, two) = (frames_in(one), frames_in(two));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two));
    for (name, bytes) in &one {
        assert!(bytes == &two[name], "{name} differs");
    }
}

const ALL: &str =
    "--set output.particles=[\"vtk\",\"ply\",\"npz\",\"bgeo\",\"bgeo-classic\",\"usd\"]";

#[test]
fn export_writes_the_bytes_that_the_run_would_have_written() {
    for scene in [SAND, EVERYTHING] {
        let place = place_with(scene);
        place.pliant_succeeds(&format!("run scene.toml --out all -q --frames 3 {ALL}"));
        place.pliant_succeeds("run scene.toml --out one -q --frames 3");
        let said = place.pliant_succeeds("export one --to ply,npz,bgeo,bgeo-classic,usd");
        assert!(
            said.text.contains("4 frames written, 0 were there"),
            "{}",
            said.text
        );
        assert_same_frames(&place.path("all"), &place.path("one"));
    }
}

/// A block whose surface has a texture, and a sheet that has one, both of a file; the block is cut.
const TEXTURED: &str = r#"[scene]
duration = 0.2
[material]
rubber = { law = "neo-hookean", density = 1000.0, youngs_modulus = 1e5, poissons_ratio = 0.3 }
cotton = { preset = "cotton" }
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.2, 0.1, 0.1] } }
spacing = 0.03
render_mesh = { mesh = { file = "box.obj", scale = 0.1 } }
[[body]]
name = "bag"
material = "cotton"
shape = { mesh = { file = "box.obj", scale = 0.05 } }
position = [0.5, 0, 0]
spacing = 0.02
[[cut]]
name = "blade"
shape = { sheet = { size = [0.4, 0.4] } }
rotation = [0, 0, 90]
start = 0.05
stop = 0.05
[output]
preview = false
"#;

/// A box of a length of two, and a height and a depth of one, each side with the whole picture.
const BOX: &str = "v -1 -0.5 -0.5\nv 1 -0.5 -0.5\nv -1 0.5 -0.5\nv 1 0.5 -0.5\nv -1 -0.5 0.5\nv 1 -0.5 0.5\n\
    v -1 0.5 0.5\nv 1 0.5 0.5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 3/2 4/3 2/4\nf 5/1 6/2 8/3 7/4\n\
    f 1/1 2/2 6/3 5/4\nf 3/1 7/2 8/3 4/4\nf 1/1 5/2 7/3 3/4\nf 2/1 4/2 8/3 6/4\n";

#[test]
fn textures_and_faces_of_cuts_are_in_every_format_and_exported_as_they_were_written() {
    let place = Place::with(TEXTURED);
    fs::write(place.path("box.obj"), BOX).unwrap();
    place.pliant_succeeds(&format!("run scene.toml --out all -q --frames 3 {ALL}"));
    place.pliant_succeeds("run scene.toml --out one -q --frames 3");
    place.pliant_succeeds("export one --to ply,npz,bgeo,bgeo-classic,usd");
    assert_same_frames(&place.path("all"), &place.path("one"));
    let files = frames_in(&place.path("all"));
    let has = |file: &str, text: &str| {
        let found = files[file]
            .windows(text.len())
            .any(|part| part == text.as_bytes());
        assert!(found, "no {text} in {file}");
    };
    for number in ["0001", "0004"] {
        for series in ["particles", "surface"] {
            has(&format!("{series}/{series}.{number}.npz"), "triangles_uv");
            has(&format!("{series}/{series}.{number}.ply"), "texcoord");
            has(&format!("{series}/{series}.{number}.vtp"), "Name=\"uv\"");
            has(&format!("{series}/{series}.{number}.bgeo"), "texturecoord");
        }
        has(&format!("surface/surface.{number}.npz"), "triangles_inside");
        has(
            &format!("surface/surface.{number}.ply"),
            "property uchar inside",
        );
        has(
            &format!("surface/surface.{number}.bgeo"),
            "primitiveattributes",
        );
    }
    let scene = String::from_utf8(files["particles/scene.usda"].clone()).unwrap();
    // The surface of the block, and the bag.
    assert_eq!(
        scene.matches("texCoord2f[] primvars:st").count(),
        2,
        "{scene}"
    );
    assert_eq!(scene.matches("int[] primvars:inside").count(), 1, "{scene}");
    let pages = place.pliant_succeeds("export one --to glb");
    assert!(pages.text.contains("animation.glb"), "{}", pages.text);
    let glb = fs::read(place.path("one/animation.glb")).unwrap();
    let named = glb
        .windows(10)
        .filter(|part| *part == b"TEXCOORD_0")
        .count();
    // The block before the cut and after it, and the bag.
    assert_eq!(named, 3);
}

#[test]
fn export_goes_on_where_it_was_stopped() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 3");
    place.pliant_succeeds("export run --to bgeo,vtk --out there -q");
    let whole = frames_in(&place.path("there"));
    fs::remove_file(place.path("there/particles/particles.0002.bgeo")).unwrap();
    fs::write(
        place.path("there/particles/.partial-particles.0002.bgeo"),
        "half",
    )
    .unwrap();
    let said = place.pliant_succeeds("export run --to bgeo,vtk --out there");
    assert!(
        said.text.contains("1 frames written, 3 were there"),
        "{}",
        said.text
    );
    assert_eq!(frames_in(&place.path("there")), whole);
    let said = place.pliant_succeeds("export run --to bgeo --out few --frames 2..3");
    assert!(said.text.contains("2 frames written"), "{}", said.text);
    assert_eq!(frames_in(&place.path("few")).len(), 2);
}

#[test]
fn a_format_added_to_a_resumed_run_has_all_frames() {
    let place = Place::with(SAND);
    place.pliant_succeeds(&format!("run scene.toml --out all -q --frames 6 {ALL}"));
    place.pliant_succeeds("run scene.toml --out two -q --frames 4");
    let said = place.pliant_succeeds(&format!(
        "run scene.toml --out two -q --frames 6 --resume {ALL}"
    ));
    assert!(!said.errors.contains("has no file"), "{}", said.errors);
    assert_same_frames(&place.path("all"), &place.path("two"));
}

#[test]
fn a_whole_run_is_exported_as_one_file() {
    let place = place_with(EVERYTHING);
    place.pliant_succeeds("run scene.toml --frames 4 --out run -q");
    let said = place.pliant_succeeds("export run --to glb");
    assert!(said.text.contains("animation.glb"), "{}", said.text);
    let bytes = fs::read(place.path("run/animation.glb")).unwrap();
    assert!(bytes.starts_with(b"glTF"));
    let length = bytes[8..12].first_chunk().copied().map(u32::from_le_bytes);
    assert_eq!(length, Some(bytes.len() as u32));
    let text = String::from_utf8_lossy(&bytes);
    for name in ["\"cup\"", "\"block\"", "\"gut\"", "\"run\""] {
        assert!(text.contains(name), "{name}");
    }
    place.pliant_succeeds("export run --to glb,ply --frames 2..3 --out other -q");
    let there = |name: &str| place.path("other").join(name).is_file();
    assert!(there("animation.glb") && there("particles/particles.0002.ply"));
}

#[test]
fn a_whole_run_is_exported_as_vtkhdf_where_that_was_built() {
    let place = place_with(EVERYTHING);
    place.pliant_succeeds("run scene.toml --frames 2 --out run -q");
    let said = place.pliant("export run --to vtkhdf");
    if cfg!(not(feature = "vtkhdf")) {
        assert_eq!(said.status, Some(2));
        assert!(said.errors.contains("--features vtkhdf"), "{}", said.errors);
        return;
    }
    assert!(said.text.contains("particles.vtkhdf"), "{}", said.errors);
    for name in ["particles.vtkhdf", "surface.vtkhdf"] {
        let bytes = fs::read(place.path("run").join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89HDF\r\n"), "{name}");
    }
}

#[test]
fn what_cannot_be_exported_is_told() {
    let place = Place::with(SAND);
    let said = place.pliant("export none --to bgeo");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("holds no run of Pliant"),
        "{}",
        said.errors
    );
    place.pliant_succeeds(
        "run scene.toml --out run -q --frames 1 --set output.particles=[\"bgeo\"]",
    );
    let said = place.pliant("export run --to abc");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("no format `abc`; there are vtk, ply"),
        "{}",
        said.errors
    );
    let said = place.pliant("export run --to ply");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("no particle frames that can be read"),
        "{}",
        said.errors
    );
    let said = place.pliant("export run --to ply --frames 3..2");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("must not come after"),
        "{}",
        said.errors
    );
}

#[cfg(unix)]
#[test]
fn an_export_that_is_killed_leaves_whole_files_and_goes_on() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 60");
    place.pliant_succeeds("export run --to bgeo,usd,npz,vtk --out whole -q");
    let whole = frames_in(&place.path("whole"));
    let mut command = place.command("export run --to bgeo,usd,npz,vtk --out killed -q");
    let mut child = command.spawn().unwrap();
    wait_for(&place.path("killed/particles/particles.0003.bgeo"));
    child.kill().unwrap();
    child.wait().unwrap();
    let beside = ["scene.usda", "particles.pvd"];
    for (name, bytes) in frames_in(&place.path("killed")) {
        let is_beside = beside.iter().any(|beside| name.ends_with(beside));
        let is_hidden = name.contains("/.");
        assert!(
            is_beside || is_hidden || whole[&name] == bytes,
            "{name} is not whole"
        );
    }
    place.pliant_succeeds("export run --to bgeo,usd,npz,vtk --out killed -q");
    assert_same_frames(&place.path("whole"), &place.path("killed"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_leaves_whole_files() {
    use std::process::Command;

    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out run -q --frames 3");
    // A limit on the size of files stands for a disk that is full: 1 KiB.
    let script = format!(
        "trap '' XFSZ; ulimit -f 2; exec '{}' export run --to bgeo --out full",
        env!("CARGO_BIN_EXE_pliant")
    );
    let mut shell = Command::new("sh");
    let shell = shell.arg("-c").arg(&script).current_dir(place.path(""));
    let said = Said::of(shell.output().unwrap());
    assert_eq!(said.status, Some(1), "{}", said.errors);
    assert!(
        said.errors.contains("particles.0001.bgeo"),
        "{}",
        said.errors
    );
    assert!(frames_in(&place.path("full")).is_empty());
}
