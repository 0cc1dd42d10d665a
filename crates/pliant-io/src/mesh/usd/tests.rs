//! Stages against where their vertices have to be: written here, and by OpenUSD.

mod clips;
mod instances;
mod skel;

use std::fs;
use std::path::Path;

use pliant_math::DVec3;
use pliant_parameters::Disk;
use proptest::prelude::*;

use super::*;

/// What `tools/readback/stage.py` wrote by OpenUSD 26.11.
const TEXT: &[u8] = include_bytes!("samples/stage.usda");
const BINARY: &[u8] = include_bytes!("samples/stage.usdc");

/// Corners of a tetrahedron of volume 1/6, and its faces, in brackets.
const CORNER: &str = "int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]";

fn in_folder<T>(folder: &Path, read: impl FnOnce(&Beside<'_>) -> T) -> T {
    read(&Beside {
        path: &folder.join("stage.usda"),
        files: &Disk,
    })
}

fn mesh_of(bytes: &[u8]) -> Result<TriangleMesh, MeshProblem> {
    in_folder(Path::new("no-such-folder"), |beside| read(bytes, beside))
        .map(|read| read.textured.mesh)
}

/// A layer in metres, y upwards.
fn layer(prims: &str) -> String {
    format!("#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n{prims}\n")
}

fn frames_of(
    bytes: &[u8],
    animation: Option<&str>,
    rate: f64,
) -> Result<(Vec<TriangleMesh>, f64), MeshProblem> {
    let wanted = Sampling { animation, rate };
    in_folder(Path::new("no-such-folder"), |beside| {
        read_animation(bytes, beside, &wanted)
    })
}

fn has_vertex(mesh: &TriangleMesh, wanted: [f64; 3]) -> bool {
    let wanted = DVec3::from_array(wanted);
    let near = |vertex: &DVec3| vertex.distance(wanted) < 1e-6;
    mesh.vertices.iter().any(near)
}

#[test]
fn a_stage_of_openusd_is_where_openusd_has_it() {
    let [text, binary] = [TEXT, BINARY].map(|bytes| mesh_of(bytes).unwrap());
    assert_eq!(text.triangles, binary.triangles);
    // The text has fewer digits.
    let mut pairs = text.vertices.iter().zip(&binary.vertices);
    assert!(pairs.all(|(a, b)| a.distance(*b) < 1e-6));
    // Eight boxes of six faces; what is hidden, a proxy, switched off, a class or another variant is not there.
    assert_eq!((text.vertices.len(), text.triangles.len()), (64, 96));
    // By OpenUSD's own transforms, its triangles turned outwards by hand: half a metre a unit, z upwards there.
    assert!(
        (text.volume() - 0.830_078_125).abs() < 1e-7,
        "{}",
        text.volume()
    );
    let bounds = text.bounds();
    assert!(bounds.min.distance(DVec3::new(-2.0, 1.5, -7.25)) < 1e-6);
    assert!(bounds.max.distance(DVec3::new(3.0, 11.625, 1.0)) < 1e-6);
}

#[test]
fn what_turns_about_a_pivot_and_points_that_move_are_where_they_were_set() {
    for bytes in [TEXT, BINARY] {
        let (frames, rate) = frames_of(bytes, None, 4.0).unwrap();
        // Half a second.
        assert_eq!((frames.len(), rate), (3, 4.0));
        let [start, middle, end] = &frames[..] else {
            panic!("three frames")
        };
        // The far corner of the lever, (2, 0.5, 0.25), turns about (0.5, 0, 0).
        let corner = |degrees: f64| {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let [x, y] = [1.5 * cosine - 0.5 * sine, 1.5 * sine + 0.5 * cosine];
            [(1.5 + x) / 2.0, 3.25 / 2.0, -(2.0 + y) / 2.0]
        };
        for (mesh, degrees) in [(start, 0.0), (middle, 45.0), (end, 90.0)] {
            assert!(has_vertex(mesh, corner(degrees)), "{degrees}");
        }
        // The wave rises by a quarter of its x a time code: keyframes at 0, 2 and 5.
        for (mesh, code) in [(start, 0.0), (middle, 2.5), (end, 5.0)] {
            let height = (3.0 + 0.25 * code) / 2.0;
            assert!(has_vertex(mesh, [1.0, height, 1.0]), "{code}");
        }
    }
}

#[test]
fn units_and_the_axis_upwards_are_those_of_the_layer() {
    let prims = format!("def Mesh \"a\"\n{{\n    {CORNER}\n}}");
    let told = [
        ("metersPerUnit = 0.01", 0.01, false),
        ("upAxis = \"Z\"\n    metersPerUnit = 2", 2.0, true),
        // Files that say nothing mean centimetres.
        ("", 0.01, false),
    ];
    for (head, unit, is_z_up) in told {
        let text = format!("#usda 1.0\n(\n    \"a comment\"\n    {head}\n)\n{prims}");
        let mesh = mesh_of(text.as_bytes()).unwrap();
        let up = if is_z_up { 3 } else { 2 };
        assert!(mesh.vertices[up].distance(DVec3::Y * unit) < 1e-12);
        assert!((mesh.volume() - unit.powi(3) / 6.0).abs() < 1e-12);
    }
    let wrong = "#usda 1.0\n(\n    metersPerUnit = -1\n)\ndef Mesh \"a\" {}";
    let error = mesh_of(wrong.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("metersPerUnit is -1"), "{error}");
}

#[test]
fn stronger_layers_say_what_counts_and_weaker_ones_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "parts/corner.usda",
        &layer(
            "def Xform \"model\" { def \"shape\" (references = @../shapes/geometry.usda@</shape>) {} }\ndef \"other\" {}",
        )
        .replace("upAxis", "defaultPrim = \"model\"\n    upAxis"),
    );
    write(
        "shapes/geometry.usda",
        &layer(&format!("def Mesh \"shape\" {{ {CORNER} }}")),
    );
    write(
        "weak.usda",
        &layer(
            "def Xform \"world\" {\n  def \"part\" (payload = @./parts/corner.usda@) {\n\
             double3 xformOp:translate = (9, 9, 9)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n} }",
        ),
    );
    let strong = layer(
        "over \"world\" {\n  over \"part\" { double3 xformOp:translate = (5, 0, 0)\n    over \"shape\" { point3f[] points = \
         [(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1)] } } }",
    )
    .replace("upAxis", "subLayers = [@weak.usda@]\n    upAxis");
    let read_strong = in_folder(folder.path(), |beside| read(strong.as_bytes(), beside));
    let mesh = read_strong.unwrap().textured.mesh;
    assert_eq!(mesh.bounds().min, DVec3::new(5.0, 0.0, 0.0));
    assert_eq!(mesh.bounds().max, DVec3::new(7.0, 1.0, 1.0));

    let missing = layer("def \"a\" (references = @parts/corner.usda@</nowhere>) {}");
    let error = in_folder(folder.path(), |beside| read(missing.as_bytes(), beside));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("/nowhere of parts/corner.usda"), "{error}");
    let absent = layer("def \"a\" (references = @no.usda@</nowhere>) {}");
    let error = in_folder(folder.path(), |beside| read(absent.as_bytes(), beside));
    assert!(error.unwrap_err().to_string().contains("no.usda"));
}

#[test]
fn times_of_a_reference_are_shifted() {
    let folder = tempfile::tempdir().unwrap();
    let moving = layer(&format!(
        "def Mesh \"a\" {{ {CORNER}\n double3 xformOp:translate.timeSamples = {{ 0: (0, 0, 0), 10: (10, 0, 0) }}\n \
         uniform token[] xformOpOrder = [\"xformOp:translate\"] }}"
    ));
    fs::write(folder.path().join("moving.usda"), moving).unwrap();
    let slowed = layer("def \"b\" (references = @moving.usda@</a> (offset = 20; scale = 2)) {}");
    let wanted = Sampling {
        animation: None,
        rate: 1e-3,
    };
    let read = in_folder(folder.path(), |beside| {
        read_animation(slowed.as_bytes(), beside, &wanted)
    });
    let (frames, rate) = read.unwrap();
    // From code 20 to code 40, of which 24 are a second.
    assert!((rate - 24.0 / 20.0).abs() < 1e-12 && frames.len() == 2);
    assert_eq!(frames[1].bounds().min.x, 10.0);
}

#[test]
fn packages_are_read_and_those_that_are_compressed_refused() {
    let package = |method: u8| {
        let name = "model.usda";
        let content = layer(&format!("def Mesh \"a\" {{ {CORNER} }}"));
        let mut bytes = b"PK\x03\x04\x14\0\0\0".to_vec();
        bytes.extend([method, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([content.len() as u32; 2].map(u32::to_le_bytes).concat());
        bytes.extend([name.len() as u16, 5].map(u16::to_le_bytes).concat());
        bytes.extend(name.as_bytes());
        bytes.extend([0; 5]);
        bytes.extend(content.as_bytes());
        bytes.extend(b"PK\x01\x02");
        bytes
    };
    assert_eq!(mesh_of(&package(0)).unwrap().triangles.len(), 4);
    let error = mesh_of(&package(8)).unwrap_err().to_string();
    assert!(error.contains("usdzip"), "{error}");
    assert!(mesh_of(&package(0)[..90]).is_err());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let wrong = [
        (
            "def Mesh \"a\" { int[] faceVertexCounts = [3] }",
            "/a has no points",
        ),
        ("def Sphere \"ball\" {}", "the Sphere /ball"),
        ("def Mesh \"a\" {", "line 7"),
        ("deff Mesh \"a\" {}", "line 6: `deff` begins no prim"),
        ("def \"a\" (references = </a>) {}", "circle"),
        ("def \"a\" (references = @stage.usda@) {}", "stage.usda"),
        ("def Mesh \"a\" { point3f[] points = [(0, 0, 0) }", "line"),
    ];
    for (text, told) in wrong {
        let error = mesh_of(layer(text).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
    let mesh = |from: &str, to: &str| {
        let text = CORNER.replace(from, to);
        let text = layer(&format!(
            "def Xform \"x\" {{ def Mesh \"a\" {{ {text} }} }}"
        ));
        mesh_of(text.as_bytes()).unwrap_err().to_string()
    };
    let error = mesh("[3, 3, 3, 3]", "[3, 3, 3]");
    assert!(
        error.contains("/x/a have 9 corners") && error.contains("but 12"),
        "{error}"
    );
    let error = mesh("[0, 2, 1", "[0, 4, 1");
    assert!(
        error.contains("refers to point 4, but there are 4"),
        "{error}"
    );
    let old = [b"PXR-USDC\0\x03".as_slice(), &[0; 90]].concat();
    assert!(mesh_of(&old).unwrap_err().to_string().contains("0.3"));
    let named = frames_of(TEXT, Some("walk"), 1.0).unwrap_err().to_string();
    assert!(named.contains("walk"), "{named}");
    let still = layer(&format!("def Mesh \"a\" {{ {CORNER} }}"));
    let still = frames_of(still.as_bytes(), None, 1.0).unwrap_err();
    assert!(still.to_string().contains("nothing in it moves"));
}

#[test]
fn deep_trees_are_refused_and_not_followed() {
    let deep = "def \"a\" { ".repeat(100_000);
    assert!(mesh_of(layer(&deep).as_bytes()).is_err());
    // Each of the first prims takes from the next one twice.
    let mut text = String::new();
    for number in 0..40 {
        let next = number + 1;
        text += &format!(
            "def \"p{number}\" {{ def \"a\" (references = </p{next}>) {{}}\n def \"b\" (references = </p{next}>) {{}} }}\n"
        );
    }
    text += "def \"p40\" {}\n";
    assert!(mesh_of(layer(&text).as_bytes()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn damaged_files_give_meshes_or_errors(
        sample in prop::sample::select(vec![TEXT, BINARY, instances::TEXT, instances::BINARY, clips::BINARY]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = sample.to_vec();
        for (place, byte) in changes {
            let i = place.index(bytes.len());
            bytes[i] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let frames = frames_of(&bytes, None, 4.0).map(|(frames, _)| frames);
        let still = mesh_of(&bytes).map(|mesh| vec![mesh]);
        for mesh in [still, frames].into_iter().flatten().flatten() {
            let count = mesh.vertices.len() as u32;
            prop_assert!(mesh.triangles.iter().flatten().all(|&i| i < count));
        }
    }
}
