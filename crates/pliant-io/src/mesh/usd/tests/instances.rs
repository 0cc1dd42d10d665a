//! Point instancers and native instances.

use super::*;

/// What `tools/readback/instances.py` wrote by OpenUSD 26.11, and by what it is measured.
pub(super) const TEXT: &[u8] = include_bytes!("../samples/instances.usda");
pub(super) const BINARY: &[u8] = include_bytes!("../samples/instances.usdc");

/// A tetrahedron of volume 1/6 that stands for a prototype.
fn prototype(name: &str, more: &str) -> String {
    format!("def Mesh \"{name}\" {{ {CORNER}\n {more} }}")
}

/// An instancer of the prototype `/many/a` with some attributes, in a stage of its own.
fn instancer(attributes: &str) -> String {
    layer(&format!(
        "def PointInstancer \"many\" {{ {attributes}\n rel prototypes = [</many/a>]\n {} }}",
        prototype("a", "")
    ))
}

fn told(text: &str) -> String {
    mesh_of(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn instances_of_openusd_are_where_openusd_has_them() {
    for bytes in [TEXT, BINARY] {
        let mesh = mesh_of(bytes).unwrap();
        assert_eq!(mesh.triangles.len(), 32);
        assert!((mesh.volume() - 3.0).abs() < 1e-9, "{}", mesh.volume());
        let bounds = mesh.bounds();
        assert!(bounds.min.distance(DVec3::new(0.0, 0.0, -3.0)) < 1e-9);
        assert!(bounds.max.distance(DVec3::new(9.0, 12.0, 2.0)) < 1e-9);
    }
}

#[test]
fn instances_have_the_texture_coordinates_of_their_prototypes() {
    for bytes in [TEXT, BINARY] {
        let read = in_folder(Path::new("no-such-folder"), |beside| read(bytes, beside));
        let written = read.unwrap();
        assert_eq!(written.damage, None);
        // As many faces as points: the interpolation alone tells what each value is of.
        for faces in written.textured.uv.chunks(4) {
            assert_eq!(faces, [0.25, 0.5, 0.75, 1.0].map(|u| [[u, 0.0]; 3]));
        }
    }
}

#[test]
fn instances_turn_between_keyframes() {
    for bytes in [TEXT, BINARY] {
        let (frames, _) = frames_of(bytes, None, 12.0).unwrap();
        let [start, middle, end] = &frames[..] else {
            panic!("{} frames", frames.len())
        };
        // The far corner of the first one, (2, 0, 0) from (11, 2, 3), turns about z by half a turn.
        for (mesh, x, y) in [(start, 13.0, 2.0), (middle, 11.0, 4.0), (end, 9.0, 2.0)] {
            assert!(has_vertex(mesh, [x / 2.0, 1.5, -y / 2.0]), "{x} {y}");
            assert_eq!(mesh.triangles.len(), 32);
        }
    }
}

#[test]
fn instances_that_are_hidden_or_switched_off_are_left_out() {
    let five =
        "point3f[] positions = [(0, 0, 0), (3, 0, 0), (6, 0, 0)]\n int[] protoIndices = [0, 0, 0]";
    let count = |text: &str| {
        let mesh = mesh_of(text.as_bytes());
        mesh.map_or(0, |mesh| mesh.triangles.len() / 4)
    };
    assert_eq!(count(&instancer(five)), 3);
    let hidden = format!("{five}\n int64[] invisibleIds = [1]");
    assert_eq!(count(&instancer(&hidden)), 2);
    let switched_off =
        instancer(&hidden).replace("\"many\"", "\"many\" (prepend inactiveIds = [0])");
    assert_eq!(count(&switched_off), 1);
    let invisible = instancer(&format!("{five}\n token visibility = \"invisible\""));
    assert_eq!(count(&invisible), 0);
    let prototype =
        instancer(five).replace("\"a\" {", "\"a\" { token visibility = \"invisible\"\n");
    assert_eq!(count(&prototype), 0);
}

#[test]
fn what_is_wrong_with_an_instancer_is_told_with_its_prim() {
    let place = "point3f[] positions = [(0, 0, 0)]";
    for (attributes, parts) in [
        (place, ["/many has no protoIndices", "made real"]),
        (
            "point3f[] positions = [(0, 0, 0)]\n int[] protoIndices = [0, 0]",
            ["/many has 1 positions", "2 protoIndices"],
        ),
        (
            "point3f[] positions = [(0, 0, 0)]\n int[] protoIndices = [1]",
            [
                "instance 0 of the PointInstancer /many",
                "prototype 1, but it has 1",
            ],
        ),
        (
            "point3f[] positions = [(0, 0, 0)]\n int[] protoIndices = [0]\n quath[] orientations = [(0, 0, 0, 0)]",
            ["/many", "orientation [0.0, 0.0, 0.0, 0.0]"],
        ),
    ] {
        let error = told(&instancer(attributes));
        for part in parts {
            assert!(error.contains(part), "no {part} in {error}");
        }
    }
    let one = instancer(&format!("{place}\n int[] protoIndices = [0]"));
    let lost = told(&one.replace("[</many/a>]", "</elsewhere>"));
    assert!(lost.contains("/many shows /elsewhere"), "{lost}");
    let circle = told(&one.replace("[</many/a>]", "</many>"));
    assert!(circle.contains("/many shows itself"), "{circle}");
    let ball = told(&one.replace("def Mesh", "def Sphere"));
    assert!(ball.contains("the Sphere /many/a"), "{ball}");
}

#[test]
fn an_instance_is_what_it_refers_to_whatever_is_said_below_it() {
    let text = layer(&format!(
        "class Xform \"model\" {{ {} }}\n\
         def \"one\" (instanceable = true\n references = </model>) {{ over \"a\" {{ token visibility = \"invisible\" }} }}\n\
         def \"two\" (references = </model>) {{ over \"a\" {{ token visibility = \"invisible\" }} }}\n\
         def \"three\" (instanceable = false\n references = </model>) {{\n\
         double3 xformOp:translate = (5, 0, 0)\n uniform token[] xformOpOrder = [\"xformOp:translate\"] }}",
        prototype("a", "")
    ));
    let mesh = mesh_of(text.as_bytes()).unwrap();
    assert_eq!(mesh.triangles.len(), 8);
    assert_eq!(mesh.bounds().max, DVec3::new(6.0, 1.0, 1.0));
}
