//! Contracts of scenes that are watched and touched.

mod filming;
mod holding;
mod pouring;
mod watching;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_math::DVec3;
use pliant_render::{ColorMap, Coloring};
use pliant_scene::Overrides;

use super::*;
use crate::Simulation;
use crate::prepare::Prepared;
use crate::run::RunOptions;

const BLOCK: &str = r##"
scene.duration = 1
[material.rubber]
preset = "rubber"
[material.wood]
law = "rigid"
density = 600.0
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.05
color = "#ff8000"
[[body]]
name = "crate"
material = "wood"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.4, 0.08, 0.0]
spacing = 0.05
[[collider]]
name = "floor"
shape = { plane = {} }
"##;

/// A scene file in a folder of its own.
struct SceneFile {
    folder: tempfile::TempDir,
}

impl SceneFile {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = Self { folder };
        file.write(text);
        file
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("scene.toml")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.path(), text).expect("a file");
    }

    fn source(&self) -> Source {
        Source {
            path: self.path(),
            overrides: Overrides::default(),
        }
    }

    fn open(&self) -> Interactive {
        Interactive::open(self.source(), Pool::new(1).expect("a thread")).expect("a sound scene")
    }
}

fn step(live: &mut Interactive, frames: u32) {
    for _ in 0..frames {
        live.step(&mut |_, _| std::ops::ControlFlow::Continue(()))
            .expect("sound");
    }
}

/// The scene with what a log says, up to a frame.
fn done_again(file: &SceneFile, log: InputLog, frame: u32) -> Interactive {
    let mut again = file.open();
    let mut replay = Replay::of(log);
    while again.simulation().frame_number() < frame {
        let now = again.simulation().frame_number();
        while let Some(input) = replay.next_after(now) {
            again.apply(input).expect("sound");
        }
        step(&mut again, 1);
    }
    again
}

fn mean_of(live: &Interactive, body: &str) -> DVec3 {
    let simulation = live.simulation();
    let places = simulation.places_of(body).expect("a body");
    let sum: DVec3 = places
        .iter()
        .map(|&i| simulation.particles().position[i])
        .sum();
    sum / places.len() as f64
}

#[test]
fn who_only_looks_on_changes_no_bits() {
    let file = SceneFile::new(BLOCK);
    let mut plain = Simulation::open(file.path()).expect("a sound scene");
    let mut live = file.open();
    step(&mut live, 8);
    for _ in 0..8 {
        plain.step().expect("sound");
    }
    let (own, other) = (live.simulation().particles(), plain.particles());
    assert!(own.position == other.position && own.velocity == other.velocity);
}

#[test]
fn what_was_done_is_done_again_from_a_file_to_the_same_bits() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    step(&mut live, 2);
    let grab = live.grab_at(DVec3::new(0.0, 0.2, 0.0)).expect("a block");
    live.apply(grab).expect("sound");
    for frame in 0..4 {
        let to = [0.05 * f64::from(frame), 0.3, 0.0];
        live.apply(Input::Move { to }).expect("sound");
        step(&mut live, 1);
    }
    let assignment = "scene.gravity = [0, -3, 0]".to_owned();
    live.apply(Input::Set { assignment }).expect("live");
    step(&mut live, 2);
    live.apply(Input::Release {}).expect("sound");
    step(&mut live, 2);

    let saved = file.folder.path().join("inputs.toml");
    write_inputs(&live.log(), &saved).expect("written");
    let log = read_inputs(&saved).expect("read");
    assert_eq!(log, live.log());
    let again = done_again(&file, log, live.simulation().frame_number());
    assert!(again.simulation().save() == live.simulation().save());
}

#[test]
fn a_stroke_cuts_a_block_in_two() {
    let solid = BLOCK.replace("spacing = 0.05\ncolor", "spacing = 0.02\ncolor");
    let file = SceneFile::new(&format!(
        "{solid}[[probe]]\nname = \"pieces\"\nmeasure = \"fragments\"\nbody = \"block\"\n"
    ));
    let mut live = file.open();
    step(&mut live, 1);
    let pieces = |live: &Interactive| live.simulation().measure("pieces.count").expect("a probe");
    assert_eq!(pieces(&live), 1.0);
    let corner = |y: f64, z: f64| [0.003, y, z];
    let corners = [
        corner(0.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(0.0, 1.0),
    ];
    live.apply(Input::Cut { corners }).expect("a block");
    step(&mut live, 1);
    assert_eq!(pieces(&live), 2.0);
}

#[test]
fn values_change_while_it_runs_or_ask_for_a_new_start_or_are_refused() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    step(&mut live, 2);
    let mut set = |assignment: &str| {
        live.apply(Input::Set {
            assignment: assignment.to_owned(),
        })
    };
    set("scene.gravity=[0, 0, 0]").expect("live");
    let restart = set("body.block.spacing=0.025").expect_err("its particles were made with it");
    assert!(matches!(restart, LiveError::NeedsRestart { .. }));
    assert!(restart.to_string().contains("block"), "{restart}");
    let wrong = set("material.rubber.density=-1")
        .expect_err("out of range")
        .to_string();
    assert!(wrong.contains("material.rubber.density"), "{wrong}");
    assert_eq!(live.log().inputs.len(), 1);
    assert!(live.simulation().setup().gravity == DVec3::ZERO);
    live.restart_with("body.block.spacing=0.025")
        .expect("sound");
    assert!(live.simulation().frame_number() == 1 && live.log().inputs.is_empty());
    assert_eq!(live.log().set.len(), 2);
    assert!(live.simulation().setup().bodies[0].spacing == 0.025);
}

#[test]
fn a_file_that_was_edited_goes_on_or_starts_again() {
    let file = SceneFile::new(BLOCK);
    let mut live = file.open();
    step(&mut live, 2);
    file.write(&format!("scene.gravity = [0, 0, 0]\n{BLOCK}"));
    assert!(!live.reload().expect("live"));
    assert!(
        live.simulation().setup().gravity == DVec3::ZERO && live.simulation().frame_number() == 3
    );
    file.write("[[body]]\nname = 3\n");
    let told = live.reload().expect_err("wrong").to_string();
    assert!(
        told.contains("scene.toml:2") && told.contains("body[0].name"),
        "{told}"
    );
    assert!(live.simulation().frame_number() == 3);
    file.write(&BLOCK.replace("0.05", "0.025"));
    assert!(live.reload().expect("sound"));
    assert!(live.simulation().frame_number() == 1);
}

#[test]
fn a_snapshot_has_loose_particles_in_their_colors_and_rigid_bodies_as_colliders() {
    let file = SceneFile::new(BLOCK);
    let live = file.open();
    let mut painted = Painted {
        coloring: Coloring::Body,
        surfaces: true,
    };
    let mut buffers = FrameBuffers::default();
    let world = live.simulation().world();
    let shown = Snapshot::of(world, &mut buffers, &painted).expect("colours");
    assert_eq!((shown.spheres.len(), shown.sphere_ids.len()), (8, 8));
    assert!(
        shown
            .sphere_colors
            .iter()
            .all(|[r, g, b, _]| r > g && g > b)
    );
    // Rubber is a surface, opaque and half as glossy as can be, unless particles are asked for.
    assert!(shown.sphere_colors.iter().all(|color| color[3] == 0xf7));
    painted.surfaces = false;
    let balls = Snapshot::of(world, &mut buffers, &painted).expect("colours");
    assert!(balls.sphere_colors.iter().all(|color| color[3] == 255));
    let drawn = shown.colliders.iter().filter(|c| c.opacity > 0.0);
    assert_eq!(drawn.count(), 2);
    painted.coloring = Coloring::Quantity {
        name: "speed".to_owned(),
        range: Some([0.0, 1.0]),
        color_map: ColorMap::Dusk,
    };
    let shown = Snapshot::of(world, &mut buffers, &painted).expect("colours");
    assert_eq!(shown.legend.expect("a legend").unit, "m/s");
}

#[test]
fn what_is_clear_comes_after_what_is_opaque_whatever_the_order_of_the_bodies() {
    let sheet = |name: &str, opacity: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmaterial = \"silk\"\nshape = {{ sheet = {{ size = [0.1, 0.1] }} }}\n\
             position = [{opacity:?}, 0.0, 0.0]\nspacing = 0.05\nopacity = {opacity:?}\n"
        )
    };
    let sheets = [("veil", 0.2), ("cloth", 1.0), ("net", 0.5)].map(|(n, o)| sheet(n, o));
    let silk = "scene.duration = 1\n[material.silk]\nlaw = \"cloth\"\ndensity = 300.0\n";
    let file = SceneFile::new(&format!("{silk}{}", sheets.concat()));
    let live = file.open();
    let painted = Painted {
        coloring: Coloring::Body,
        surfaces: true,
    };
    let world = live.simulation().world();
    let shown = Snapshot::of(world, &mut FrameBuffers::default(), &painted).expect("colours");
    let opacity = |t: &[u32; 3]| t.map(|k| shown.vertex_colors[k as usize][3]);
    let (opaque, clear) = shown.triangles.split_at(shown.opaque_count());
    assert_eq!(opaque.len() * 2, clear.len());
    assert!(!opaque.is_empty() && opaque.iter().all(|t| opacity(t) == [255; 3]));
    assert!(clear.iter().all(|t| [51, 128].contains(&opacity(t)[0])));
}

#[test]
fn wrong_inputs_are_told_with_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("inputs.toml");
    let read = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        read_inputs(&file).expect_err("wrong").to_string()
    };
    let unknown = read("scene = \"a\"\n[[input]]\nframe = 1\n[input.gab]\n");
    assert!(
        unknown.contains("inputs.toml") && unknown.contains("line 2"),
        "{unknown}"
    );
    let order =
        "scene = \"a\"\n[[input]]\nframe = 3\nrelease = {}\n[[input]]\nframe = 2\nrelease = {}\n";
    assert!(read(order).contains("order"));
    let missing = read_inputs(Path::new("there/is/none")).expect_err("no file");
    assert!(missing.to_string().contains("there/is/none"), "{missing}");
}

/// Looks at the board until it shows what is waited for.
fn wait_for<R>(session: &Session, mut seen: impl FnMut(&mut Board) -> Option<R>) -> R {
    let start = Instant::now();
    loop {
        if let Some(found) = seen(&mut session.board()) {
            return found;
        }
        let board = session.board();
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{:?} {:?}",
            board.status,
            board.problem
        );
        drop(board);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn session(file: &SceneFile) -> Session {
    let opening = Opening {
        source: file.source(),
        threads: 1,
        runs: false,
        replay: None,
    };
    Session::open(opening, || ())
}

fn newest(session: &Session) -> std::sync::Arc<Snapshot> {
    wait_for(session, |board| board.snapshot.take())
}

#[test]
fn a_session_pauses_steps_runs_and_starts_again() {
    let file = SceneFile::new(BLOCK);
    let session = session(&file);
    session.tell(Command::Speed(f64::INFINITY));
    assert_eq!(newest(&session).frame, 1);
    session.tell(Command::Step);
    let stepped = wait_for(&session, |board| {
        board.snapshot.take().filter(|s| s.frame == 2)
    });
    assert!((stepped.time - 1.0 / 24.0).abs() < 1e-12);
    std::thread::sleep(Duration::from_millis(30));
    assert!(
        session
            .board()
            .snapshot
            .take()
            .is_none_or(|shown| shown.frame == 2)
    );
    session.tell(Command::Plot(vec!["energy_kinetic".to_owned()]));
    session.tell(Command::Run(true));
    wait_for(&session, |board| {
        board.snapshot.take().filter(|s| s.frame > 5)
    });
    wait_for(&session, |board| (board.plots.rows.len() > 3).then_some(()));
    session.tell(Command::Run(false));
    session.tell(Command::Restart);
    wait_for(&session, |board| {
        board.snapshot.take().filter(|s| s.frame == 1)
    });
    assert_eq!(session.board().status, Status::Paused);
}

#[test]
fn a_wrong_scene_is_told_and_opened_once_it_is_mended() {
    let file = SceneFile::new("[[body]]\nname = 3\n");
    let session = session(&file);
    let problem = wait_for(&session, |board| board.problem.clone());
    assert!(problem.contains("body[0].name"), "{problem}");
    assert_eq!(session.board().status, Status::Failed);
    file.write(BLOCK);
    session.tell(Command::Reload);
    assert_eq!(newest(&session).frame, 1);
    assert!(session.board().problem.is_none());
}

#[test]
fn a_simulation_that_cannot_go_on_is_told_and_starts_again() {
    // A particle leaves bounds that stop the run.
    let bounds = "scene.bounds = { min = [-1, 0.1, -1], max = [1, 1, 1], on_exit = \"stop\" }\n";
    let file = SceneFile::new(&format!("{bounds}{}", BLOCK.replace("0.08", "0.3")));
    let session = session(&file);
    session.tell(Command::Speed(f64::INFINITY));
    session.tell(Command::Run(true));
    let problem = wait_for(&session, |board| {
        let has_failed = board.status == Status::Failed;
        board.problem.clone().filter(|_| has_failed)
    });
    assert!(!problem.is_empty());
    session.tell(Command::Restart);
    wait_for(&session, |board| {
        (board.status == Status::Running).then_some(())
    });
}

/// A finished run of four frames.
fn recorded() -> (SceneFile, PathBuf) {
    let file = SceneFile::new(&format!(
        "output = {{ particles = [\"npz\"], preview = false }}\n{}",
        BLOCK.replace("duration = 1", "duration = 0.125")
    ));
    let folder = file.folder.path().join("out");
    let prepared = Prepared::read(&file.path(), &Overrides::default()).expect("a sound scene");
    let options = RunOptions {
        folder: folder.clone(),
        threads: 1,
        resume: false,
    };
    crate::run::run(prepared, &options, &mut crate::run::Unobserved).expect("a run");
    (file, folder)
}

fn reel_of<R>(playback: &Playback, mut seen: impl FnMut(&mut Reel) -> Option<R>) -> R {
    let start = Instant::now();
    loop {
        if let Some(found) = seen(&mut playback.reel()) {
            return found;
        }
        let problem = playback.reel().problem.clone();
        assert!(start.elapsed() < Duration::from_secs(60), "{problem:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_recorded_run_is_shown_frame_by_frame_and_a_particle_followed() {
    let (_file, folder) = recorded();
    let playback = Playback::open(folder.as_path(), || ());
    let first = reel_of(&playback, |reel| reel.snapshot.take());
    assert_eq!((first.frame, first.spheres.len()), (1, 8));
    playback.ask(Ask::Show(4));
    let last = reel_of(&playback, |reel| reel.snapshot.take());
    assert_eq!(last.frame, 4);
    let id = last.sphere_ids[5];
    playback.ask(Ask::Pick(Some(id)));
    let picked = reel_of(&playback, |reel| {
        reel.picked.clone().filter(|p| p.path.len() == 4)
    });
    assert_eq!((picked.id, picked.body.as_str()), (id, "block"));
    let height = |place: usize| picked.path[place].expect("it is there")[1];
    assert!(height(3) < height(0) && height(0) == first.spheres[5][1]);
    let named = |name: &str| picked.quantities.iter().any(|(other, ..)| other == name);
    assert!(named("y") && named("velocity_y") && named("density"));
    let reel = playback.reel();
    let energy = reel
        .tables
        .iter()
        .find(|(name, _)| name == "energy_kinetic");
    assert_eq!(energy.expect("a column").1.len(), 4);
}

#[test]
fn a_folder_without_a_run_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let playback = Playback::open(folder.path(), || ());
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(problem.contains("holds no run"), "{problem}");
}
