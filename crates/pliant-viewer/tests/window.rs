//! The window, opened in a display that shows nothing: what is in it is looked at.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use pliant::Simulation;
use pliant::prepare::Prepared;
use pliant::render::Picture;
use pliant::render::picture::decode_png;
use pliant::run::{RunOptions, Unobserved, run};
use pliant::scene::Overrides;
use pliant::serve::{LiveShow, PageServer};

/// A block of an orange that nothing else in the window has.
const BLOCK: &str = r##"
scene.duration = 1
[material.rubber]
preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.025
color = "#ff6000"
shown_as = "particles"
[[collider]]
name = "floor"
shape = { plane = {} }
"##;

/// Displays are opened one after the other: two that look for a free number at once may find the same.
static DISPLAY: Mutex<()> = Mutex::new(());

/// The program in a display of its own; `None` where there is none to be had.
fn window(arguments: &[&str], folder: &Path) -> Option<Output> {
    let _alone = DISPLAY.lock().unwrap_or_else(PoisonError::into_inner);
    let mut display = Command::new("xvfb-run");
    display
        .args(["--auto-servernum", "--server-args=-screen 0 1280x1024x24"])
        .arg(env!("CARGO_BIN_EXE_pliant-live"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    match display.output() {
        Ok(output) => Some(output),
        Err(_) => {
            println!("left out: there is no xvfb-run to open a window in");
            None
        }
    }
}

fn picture(folder: &Path, output: &Output) -> Picture {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let bytes = std::fs::read(folder.join("window.png")).unwrap_or_else(|_| panic!("{errors}"));
    decode_png(&bytes).expect("a picture")
}

/// Pixels above the plots, whose curves have colours of their own.
fn of_the_scene(picture: &Picture) -> &[[u8; 3]] {
    let pixels = picture.rgb.as_chunks().0;
    &pixels[..pixels.len() * 13 / 20]
}

/// Pixels of the block: lit or in shadow, red well above green and green above blue.
fn orange(picture: &Picture) -> usize {
    let is_orange = |p: &&[u8; 3]| {
        let [r, g, b] = p.map(u32::from);
        r > 90 && r > 2 * g.saturating_sub(20) && g > b
    };
    let pixels = of_the_scene(picture).iter();
    pixels.filter(is_orange).count()
}

#[test]
fn a_scene_is_seen_in_its_colors() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("block.toml"), BLOCK).expect("a file");
    let arguments = "live block.toml --screenshot window.png --frames 3 --size 800x500";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let Some(output) = window(&arguments, folder.path()) else {
        return;
    };
    let picture = picture(folder.path(), &output);
    assert_eq!((picture.width, picture.height), (800, 500));
    let seen = orange(&picture);
    assert!((400..100_000).contains(&seen), "{seen}");
}

/// A camera that first looks over the block, and then at it.
const RISING_GAZE: &str = r#"
[[camera]]
position = [0.0, 0.3, 1.0]
target = [0.0, 3.0, 0.0]
keyframes = [{ t = 0.05 }, { t = 0.08, target = [0.0, 0.1, 0.0] }]
"#;

#[test]
fn a_camera_of_the_scene_moves_with_its_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("block.toml");
    let text = format!("{BLOCK}{RISING_GAZE}");
    std::fs::write(&file, text.replace("duration = 1", "duration = 0.1")).expect("a file");
    let see = |arguments: &str| {
        let arguments = format!("{arguments} --screenshot window.png --size 800x500");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = window(&arguments, folder.path())?;
        Some(orange(&picture(folder.path(), &output)))
    };
    let Some(live) = see("live block.toml --frames 3") else {
        return;
    };
    assert!(live > 400, "{live}");
    record_file(&file, &folder.path().join("run"));
    let seen = ["0", "2"].map(|frame| see(&format!("view run --frames {frame}")));
    assert!(matches!(seen, [Some(0), Some(400..)]), "{seen:?}");
}

#[test]
fn a_surface_around_particles_covers_what_is_between_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let see = |kind: &str| {
        let file = folder.path().join("block.toml");
        let text = BLOCK.replace("duration = 1", "duration = 0.05");
        let text = text.replace("\"particles\"", &format!("\"{kind}\""));
        std::fs::write(&file, text).expect("a file");
        record_file(&file, &folder.path().join(kind));
        let arguments = ["view", kind, "--frames", "0", "--screenshot", "window.png"];
        let output = window(&arguments, folder.path())?;
        Some(orange(&picture(folder.path(), &output)))
    };
    let (Some(balls), Some(surface)) = (see("particles"), see("surface")) else {
        return;
    };
    // It reaches a quarter of a spacing farther, all around.
    assert!(
        balls > 400 && 10 * surface > 11 * balls,
        "{balls} {surface}"
    );
    assert!(surface < 2 * balls, "{balls} {surface}");
}

/// Runs the block, of a color, into a folder of a name.
fn record(folder: &Path, name: &str, color: &str) {
    let short = BLOCK.replace("duration = 1", "duration = 0.1");
    let file = folder.join("block.toml");
    std::fs::write(&file, short.replace("#ff6000", color)).expect("a file");
    record_file(&file, &folder.join(name));
}

/// Runs a scene into a folder.
fn record_file(file: &Path, folder: &Path) {
    let prepared = Prepared::read(file, &Overrides::default()).expect("a sound scene");
    let options = RunOptions {
        folder: folder.to_owned(),
        threads: 1,
        resume: false,
    };
    run(prepared, &options, &mut Unobserved).expect("a run");
}

#[test]
fn a_served_run_and_a_simulation_look_like_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    record(folder.path(), "one", "#ff6000");
    let server = PageServer::open(None, &[folder.path().join("one")], 0).expect("a server");
    let server = Arc::new(server);
    let own = Arc::clone(&server);
    // It ends with the test.
    std::thread::spawn(move || own.work());
    let simulation = Simulation::from_text(BLOCK).expect("a scene");
    let show = LiveShow::of(&simulation).expect("a server");
    let view = |place: &str, frames: &str| {
        let arguments = [
            "view",
            place,
            "--screenshot",
            "window.png",
            "--frames",
            frames,
        ];
        window(&arguments, folder.path()).map(|output| picture(folder.path(), &output))
    };
    for (frames, address) in [("2", server.address()), ("0", show.address())] {
        let (Some(own), Some(other)) = (view("one", frames), view(&address, frames)) else {
            return;
        };
        let (own, other) = (orange(&own), orange(&other));
        assert!(own > 400 && own.abs_diff(other) < own / 50, "{own} {other}");
    }
}

#[test]
fn two_runs_are_seen_beside_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, color) in [("one", "#ff6000"), ("other", "#0040ff")] {
        record(folder.path(), name, color);
    }
    let view = |arguments: &str| {
        let arguments = format!("view one other {arguments} --screenshot window.png --frames 2");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        window(&arguments, folder.path()).map(|output| picture(folder.path(), &output))
    };
    let Some(both) = view("") else { return };
    let is_blue = |p: &[u8; 3]| p[2] > 90 && p[2] / 2 > p[0] && p[2] > p[1];
    let blue = |picture: &Picture| {
        let pixels = of_the_scene(picture).iter();
        pixels.filter(|p| is_blue(p)).count()
    };
    assert!(
        orange(&both) > 200 && blue(&both) > 200,
        "{} {}",
        orange(&both),
        blue(&both)
    );
    let Some(mut difference) = view("--difference") else {
        return;
    };
    // Without the legend, which has every colour of the map; that of no difference is nearly black.
    difference.rgb.drain(..3 * 120 * difference.width as usize);
    assert!(orange(&difference) < 20 && blue(&difference) < 20);
}

#[test]
fn a_wrong_scene_is_told_in_the_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = BLOCK.replace("0.025", "-1");
    std::fs::write(folder.path().join("block.toml"), wrong).expect("a file");
    let arguments = "live block.toml --screenshot window.png --size 800x500";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let Some(output) = window(&arguments, folder.path()) else {
        return;
    };
    let picture = picture(folder.path(), &output);
    // The message is red, and there is no block.
    let reds = picture.rgb.chunks_exact(3);
    let red = reds
        .filter(|p| p[0] > 150 && p[1] < 90 && p[2] < 90)
        .count();
    assert!(red > 50, "{red}");
}
