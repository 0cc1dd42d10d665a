//! Value clips, against what OpenUSD evaluates.

use super::*;
use crate::mesh::usd::surface::triangles;

/// What `tools/readback/clips.py` wrote by OpenUSD 26.11: the files of a stage, and where its points are at times.
pub(super) const FILES: &str = include_str!("../samples/clips.txt");
/// The stage in the binary form.
pub(super) const BINARY: &[u8] = include_bytes!("../samples/clips.usdc");

/// A folder with the files, and what is evaluated of them.
fn stage_of_openusd() -> (tempfile::TempDir, &'static str) {
    let folder = tempfile::tempdir().unwrap();
    let mut evaluated = "";
    for file in FILES.split("==== ").skip(1) {
        let (name, text) = file.split_once('\n').unwrap();
        match name {
            "evaluated" => evaluated = text,
            _ => fs::write(folder.path().join(name), text).unwrap(),
        }
    }
    (folder, evaluated)
}

#[test]
fn points_are_where_openusd_evaluates_them() {
    let (folder, evaluated) = stage_of_openusd();
    let text = fs::read(folder.path().join("clips.usda")).unwrap();
    for bytes in [&text[..], BINARY] {
        in_folder(folder.path(), |beside| {
            let mut stage = Stage::open(bytes, beside).unwrap();
            stage.prims.sort_by(|a, b| a.name.cmp(&b.name));
            for line in evaluated.lines() {
                let numbers: Vec<f64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
                let (time, wanted) = (numbers[0], &numbers[1..]);
                stage.look_at(Moment::Code(time), beside).unwrap();
                let mesh = triangles(&stage, Moment::Code(time)).unwrap().textured.mesh;
                assert_eq!(mesh.vertices.len(), wanted.len() / 3);
                let wanted = wanted.as_chunks::<3>().0;
                for (i, (own, wanted)) in mesh.vertices.iter().zip(wanted).enumerate() {
                    let wanted = DVec3::from_array(*wanted);
                    let prim = &stage.prims[i / 3].name;
                    let error = own.distance(wanted);
                    assert!(error < 1e-4, "{prim} at {time}: {own} and not {wanted}");
                }
            }
        });
    }
}

/// A stage with a mesh whose points are those of clips that a set tells.
fn with_set(set: &str) -> String {
    layer(&format!(
        "def Mesh \"a\" (clips = {{ dictionary default = {{\n{set}\n}} }}) {{\n\
         int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points\n}}"
    ))
}

/// A clip whose first point has a height at times.
fn clip(heights: &[(f64, f64)]) -> String {
    let sample =
        |(time, height): &(f64, f64)| format!("{time}: [(0, {height}, 0), (1, 0, 0), (0, 0, 1)],");
    let samples: String = heights.iter().map(sample).collect();
    format!("#usda 1.0\nover \"m\" {{ point3f[] points.timeSamples = {{ {samples} }} }}\n")
}

/// The heights of the first point in frames of an animation.
fn heights(folder: &Path, stage: &str, rate: f64) -> Result<Vec<f64>, MeshProblem> {
    let wanted = Sampling {
        animation: None,
        rate,
    };
    let read = in_folder(folder, |beside| {
        read_animation(stage.as_bytes(), beside, &wanted)
    });
    let first = |mesh: &TriangleMesh| mesh.vertices[0].y;
    Ok(read?.0.iter().map(first).collect())
}

#[test]
fn times_stretch_and_move_clips() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.usda"),
        clip(&[(10.0, 0.0), (14.0, 8.0)]),
    )
    .unwrap();
    // 24 frames of the stage for 4 of the clip, from another start.
    let set = "string primPath = \"/m\"\nasset[] assetPaths = [@a.usda@]\n\
               double2[] active = [(1, 0)]\ndouble2[] times = [(1, 10), (25, 14)]";
    let heights = heights(folder.path(), &with_set(set), 4.0).unwrap();
    assert_eq!(heights, [0.0, 2.0, 4.0, 6.0, 8.0]);
    // At rest it is as it begins.
    let still = in_folder(folder.path(), |beside| {
        read(with_set(set).as_bytes(), beside)
    });
    assert_eq!(still.unwrap().textured.mesh.vertices[0].y, 0.0);
}

#[test]
fn clips_are_read_when_they_are_needed_and_only_some_are_kept() {
    use std::cell::RefCell;
    use std::io;
    use std::path::PathBuf;

    use pliant_parameters::{Files, Found};

    /// Files of which the names are kept, as they are read.
    struct Watched(RefCell<Vec<String>>);
    impl Files for Watched {
        fn look(&self, path: &Path) -> io::Result<Found> {
            Disk.look(path)
        }
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            self.0.borrow_mut().push(name);
            Disk.read(path)
        }
        fn canonical(&self, path: &Path) -> PathBuf {
            Disk.canonical(path)
        }
    }

    let folder = tempfile::tempdir().unwrap();
    for number in 1..=40 {
        let time = f64::from(number);
        let name = format!("c.{number:02}.usda");
        fs::write(folder.path().join(name), clip(&[(time, 2.0 * time)])).unwrap();
    }
    fs::write(
        folder.path().join("m.usda"),
        "#usda 1.0\nover \"m\" { point3f[] points }\n",
    )
    .unwrap();
    let set = "string primPath = \"/m\"\nasset manifestAssetPath = @m.usda@\n\
               string templateAssetPath = \"c.##.usda\"\ndouble templateStartTime = 1\n\
               double templateEndTime = 40\ndouble templateStride = 1";
    let stage = with_set(set);
    let watched = Watched(RefCell::default());
    let beside = Beside {
        path: &folder.path().join("stage.usda"),
        files: &watched,
    };
    read(stage.as_bytes(), &beside).unwrap();
    assert_eq!(watched.0.take(), ["m.usda", "c.01.usda"]);
    let wanted = Sampling {
        animation: None,
        rate: 48.0,
    };
    let (frames, _) = read_animation(stage.as_bytes(), &beside, &wanted).unwrap();
    assert_eq!(frames.len(), 79);
    for (number, mesh) in (0..).zip(&frames) {
        let wanted = 2.0 + f64::from(number);
        assert!((mesh.vertices[0].y - wanted).abs() < 1e-9, "{number}");
    }
    // Each once, and the ends once more to know where they are.
    let alone = watched.0.take().len();
    assert!(alone <= 40 + 4, "{alone}");
    // Sets of the same files read them together.
    let mesh = stage[stage.find("def Mesh").unwrap()..].replace("\"a\"", "\"b\"");
    let both = format!("{stage}{mesh}");
    let (frames, _) = read_animation(both.as_bytes(), &beside, &wanted).unwrap();
    assert_eq!(frames[78].triangles.len(), 2);
    let together = watched.0.take().len();
    assert!(together <= alone + 4, "{together}");
}

#[test]
fn what_is_wrong_with_clips_is_told_with_the_set_and_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.usda", &clip(&[(0.0, 0.0), (9.0, 9.0)]));
    write(
        "bad.usda",
        "#usda 1.0\nover \"m\" { point3f[] points.timeSamples = { 0: [(1",
    );
    const ACTIVE: &str = "double2[] active = [(0, 0)]\n";
    const FILES: &str = "asset[] assetPaths = [@a.usda@]\n";
    const PATH: &str = "string primPath = \"/m\"\n";
    let template = |more: &str| format!("{PATH}string templateAssetPath = \"c.#.usda\"\n{more}");
    let times = |start: f64, end: f64, stride: f64| {
        format!(
            "double templateStartTime = {start}\ndouble templateEndTime = {end}\ndouble templateStride = {stride}\n"
        )
    };
    let wrong = [
        (
            format!("{PATH}{ACTIVE}asset[] assetPaths = [@no.usda@]"),
            "no.usda`: it does not exist",
        ),
        (
            format!("{PATH}{ACTIVE}asset[] assetPaths = [@bad.usda@]"),
            "`bad.usda`: it is damaged: line",
        ),
        (
            format!("{PATH}{ACTIVE}{FILES}asset manifestAssetPath = @no.usda@"),
            "`no.usda`",
        ),
        (
            format!("{PATH}{ACTIVE}"),
            "names no files; write assetPaths",
        ),
        (format!("{ACTIVE}{FILES}"), "has no primPath"),
        (format!("{PATH}{FILES}"), "write `active`"),
        (
            format!("{PATH}{FILES}double2[] active = [(0, 1)]"),
            "names clip 1 at time 0, but it has 1",
        ),
        (
            format!("{PATH}{FILES}double2[] active = [(0, 0), (0, 0)]"),
            "two clips at time 0",
        ),
        (
            format!("{PATH}{FILES}double2[] active = [(0, 0), (1)]"),
            "`active` of the clip set `default` must be pairs",
        ),
        (
            format!("{PATH}{FILES}{ACTIVE}double2[] times = [(0, inf)]"),
            "`times` of the clip set",
        ),
        (
            format!("{PATH}{ACTIVE}double assetPaths = 3"),
            "`assetPaths` of the clip set `default` must be a list",
        ),
        (template(""), "without templateStartTime"),
        (
            template(&times(0.0, 4.0, 0.0)),
            "templateStride 0: the stride must be greater",
        ),
        (template(&times(4.0, 0.0, 1.0)), "templateEndTime 0"),
        (template(&times(0.0, 1e9, 1.0)), "at most 100000 files"),
        (
            template(&(times(0.0, 1.0, 1.0) + "double templateActiveOffset = 2")),
            "write one from -1 to 1",
        ),
        (
            template(&times(0.0, 1.0, 1.0)),
            "`c.0.usda`: could not read",
        ),
        (
            template(&times(0.0, 1.0, 1.0)).replace("c.#", "c#"),
            "such as `name.####.usd`",
        ),
    ];
    for (set, told) in wrong {
        let error = heights(folder.path(), &with_set(&set), 1.0).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(told), "{set}: {error}");
        assert!(error.contains("clip set `default`"), "{error}");
    }
    let deep = "dictionary a = { ".repeat(5000);
    let deep = layer(&format!("def \"a\" (clips = {{ {deep}"));
    assert!(mesh_of(deep.as_bytes()).is_err());
}

#[test]
fn what_is_missing_at_a_time_is_told_with_the_mesh() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.usda"), clip(&[(0.0, 0.0)])).unwrap();
    fs::write(folder.path().join("b.usda"), "#usda 1.0\n").unwrap();
    let set = "string primPath = \"/m\"\nasset[] assetPaths = [@a.usda@, @b.usda@]\n\
               double2[] active = [(0, 0), (24, 1)]";
    let error = heights(folder.path(), &with_set(set), 1.0).unwrap_err();
    assert!(
        error.to_string().contains("the mesh /a has no points"),
        "{error}"
    );
    let filled = format!("{set}\nbool interpolateMissingClipValues = 1");
    let filled = heights(folder.path(), &with_set(&filled), 1.0).unwrap();
    assert_eq!(filled, [0.0, 0.0]);
}

/// Bytes with some of them changed.
fn damaged(bytes: &[u8], changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, byte) in changes {
        let place = place.index(bytes.len());
        bytes[place] = *byte;
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn damaged_stages_and_clips_give_meshes_or_errors(
        of_stage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        of_clip in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        is_text: bool,
        time in -3.0..12.0,
    ) {
        let (folder, _) = stage_of_openusd();
        let at = |name: &str| folder.path().join(name);
        for name in ["t.002.usda", "manifest.usda", "r3_0.usda"] {
            let bytes = fs::read(at(name)).unwrap();
            fs::write(at(name), damaged(&bytes, &of_clip)).unwrap();
        }
        let text = fs::read(at("clips.usda")).unwrap();
        let stage = damaged(if is_text { &text } else { BINARY }, &of_stage);
        let read = in_folder(folder.path(), |beside| {
            let mut stage = Stage::open(&stage, beside)?;
            stage.look_at(Moment::Code(time), beside)?;
            triangles(&stage, Moment::Code(time))
        });
        if let Ok(written) = read {
            let mesh = written.textured.mesh;
            let count = mesh.vertices.len() as u32;
            prop_assert!(mesh.triangles.iter().flatten().all(|&i| i < count));
        }
    }
}
