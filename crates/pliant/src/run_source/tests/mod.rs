//! A run that is served gives what its folder gives.

mod live;
mod malformed;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pliant_core::measure::FrameCollider;
use pliant_render::Coloring;
use pliant_scene::Overrides;

use super::address::AddressRun;
use super::wire::scenery::{SceneryIn, SceneryOut};
use super::wire::snapshot;
use super::*;
use crate::live::{Playback, Reel};
use crate::prepare::Prepared;
use crate::run::{RunOptions, Unobserved, run};
use crate::serve::PageServer;

/// Loose particles, cloth, a body that carries a surface, a rigid body, colliders with and without an end, one of glass,
/// probes.
const SCENE: &str = r##"
[scene]
title = "A \"served\" scene"
duration = 0.1
frame_rate = 30
[material.rubber]
preset = "rubber"
[material.silk]
preset = "silk"
[material.oak]
law = "rigid"
density = 700.0
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.05
color = "#ff6000"
[[body]]
name = "sheet"
material = "silk"
method = "cloth"
shape = { sheet = { size = [0.2, 0.2] } }
position = [0.4, 0.2, 0.0]
spacing = 0.05
[[body]]
name = "dressed"
material = "rubber"
method = "strain-energy"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.5, 0.0]
spacing = 0.05
render_mesh = { capsule = { radius = 0.03, height = 0.08 } }
[[body]]
name = "cube"
material = "oak"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [-0.4, 0.3, 0.0]
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
[[collider]]
name = "post"
shape = { sphere = { radius = 0.05 } }
position = [0.0, 0.05, 0.3]
opacity = 0.5
[[probe]]
name = "block"
body = "block"
measure = "bounding-box"
[output]
particles = ["vtk"]
preview = false
color_by = "speed"
"##;

/// A run in a new folder.
fn recorded() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("scene.toml");
    std::fs::write(&file, SCENE).expect("a file");
    let prepared = Prepared::read(&file, &Overrides::default()).expect("a sound scene");
    let folder = place.path().join("run");
    let options = RunOptions {
        folder: folder.clone(),
        threads: 1,
        resume: false,
    };
    run(prepared, &options, &mut Unobserved).expect("a run");
    (place, folder)
}

/// A server of folders on a free port.
struct Served(Arc<PageServer>);

impl Served {
    fn of(folders: &[PathBuf]) -> Self {
        let server = Arc::new(PageServer::open(None, folders, 0).expect("a server"));
        let own = Arc::clone(&server);
        std::thread::spawn(move || own.work());
        Self(server)
    }

    fn run(&self) -> AddressRun {
        at(&self.0.address())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn at(address: &str) -> AddressRun {
    let address = RunAddress::parse(address).expect("an address");
    AddressRun::open(address, Arc::default()).expect("a run")
}

fn painted(coloring: Coloring) -> Painted {
    Painted {
        coloring,
        surfaces: true,
    }
}

/// A collider as numbers and texts, with its surface.
fn seen(collider: &FrameCollider) -> String {
    let FrameCollider {
        name,
        shape,
        pose,
        color,
        opacity,
        gloss,
        kind,
    } = collider;
    let mesh = shape.surface(1.0);
    // Surfaces are served in single precision, and those without end reach as far as the scene wants.
    let corners = mesh.vertices.iter().map(|x| x.as_vec3());
    let corners: Vec<_> = corners.filter(|_| shape.bounds().is_some()).collect();
    let bounds = shape.bounds().is_some();
    format!(
        "{name} {bounds} {pose:?} {color:?} {opacity} {gloss} {kind:?} {corners:?} {:?}",
        mesh.triangles
    )
}

fn assert_same(own: &Snapshot, other: &Snapshot) {
    assert_eq!(
        (own.frame, own.time, own.particles),
        (other.frame, other.time, other.particles)
    );
    assert_eq!(own.spheres, other.spheres);
    assert_eq!(own.sphere_colors, other.sphere_colors);
    assert_eq!(own.sphere_ids, other.sphere_ids);
    assert_eq!(own.vertices, other.vertices);
    assert_eq!(own.normals, other.normals);
    assert_eq!(own.vertex_colors, other.vertex_colors);
    assert_eq!(own.triangles, other.triangles);
    assert_eq!(own.legend, other.legend);
    let colliders = |shown: &Snapshot| shown.colliders.iter().map(seen).collect::<Vec<_>>();
    assert_eq!(colliders(own), colliders(other));
}

#[test]
fn a_served_run_is_that_of_its_folder_to_the_bit() {
    let (_place, path) = recorded();
    let served = Served::of(std::slice::from_ref(&path));
    let (mut folder, mut address) = (FolderRun::open(&path).expect("a run"), served.run());
    let (own, other) = (folder.facts(), address.facts());
    // What can be set and poured is of no use to who looks on.
    let own = SceneFacts {
        entries: Vec::new(),
        pourable: Vec::new(),
        ..SceneFacts::clone(&own)
    };
    assert_eq!(format!("{own:?}"), format!("{other:?}"));
    assert!(!own.columns.is_empty() && own.colorings.len() > 3);
    let listing = folder.list().expect("frames");
    assert_eq!(listing.frames, [1, 2, 3, 4]);
    assert_eq!(address.list().as_ref(), Ok(&listing));
    assert_eq!(address.list(), Ok(listing));
    let both = [folder.tables(), address.tables()];
    let [own, other] = both.map(|tables| format!("{:?}", tables.expect("tables")));
    assert_eq!(own, other);
    let plain = [Coloring::Body, Coloring::Material];
    let facts = folder.facts();
    for coloring in plain.iter().chain(&facts.colorings) {
        for surfaces in [true, false] {
            let coloring = coloring.clone();
            let painted = Painted { coloring, surfaces };
            let both = [folder.snapshot(3, &painted), address.snapshot(3, &painted)];
            let [own, other] = both.map(|shown| shown.expect("a frame"));
            assert_same(&own, &other);
            assert!(!own.spheres.is_empty() && own.triangles.len() > 8);
            assert_eq!(own.colliders.len(), 3);
        }
    }
    let shown = folder
        .snapshot(1, &painted(Coloring::Body))
        .expect("a frame");
    for id in [shown.sphere_ids[2], 100_000] {
        for number in [1, 4] {
            assert_eq!(folder.particle(number, id), address.particle(number, id));
        }
    }
    assert!(address.snapshot(9, &painted(Coloring::Body)).is_err());
}

#[test]
fn surfaces_of_colliders_are_sent_once_and_kept() {
    let (_place, path) = recorded();
    let mut folder = FolderRun::open(&path).expect("a run");
    let mut shown = |number| {
        let shown = folder.snapshot(number, &painted(Coloring::Body));
        shown.expect("a frame")
    };
    let (first, second) = (shown(1), shown(2));
    let mut out = SceneryOut::of(&folder.facts().bounds);
    let mut known = SceneryIn::default();
    let whole = snapshot::encode(&first, &mut out, known.known);
    let read = snapshot::decode(&whole, &mut known).expect("a frame");
    let less = snapshot::encode(&second, &mut out, known.known);
    assert!(less.len() + 1000 < whole.len());
    // A window that has none is told that it lacks them.
    assert!(snapshot::decode(&less, &mut SceneryIn::default()).is_err());
    let again = snapshot::decode(&less, &mut known).expect("a frame");
    for (a, b) in read.colliders.iter().zip(&again.colliders) {
        assert!(Arc::ptr_eq(&a.shape, &b.shape));
    }
    // Sent once more, they are not drawn anew either.
    let whole = snapshot::encode(&second, &mut out, None);
    let whole = snapshot::decode(&whole, &mut known).expect("a frame");
    assert!(Arc::ptr_eq(
        &read.colliders[0].shape,
        &whole.colliders[0].shape
    ));
}

/// What a playback leads to sooner or later.
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

/// A simulation that takes no time.
pub(super) const BALL: &str = r#"
scene.duration = 1
[material.rubber]
preset = "rubber"
[[body]]
name = "ball"
material = "rubber"
shape = { sphere = { radius = 0.05 } }
spacing = 0.025
"#;
