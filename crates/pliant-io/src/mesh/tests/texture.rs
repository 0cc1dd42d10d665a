//! Texture coordinates of one square through all formats that have them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pliant_geometry::TriangleUv;
use serde_json::json;

use super::*;

/// Corners of a square, counter-clockwise, with exact numbers in single precision.
const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];

/// What the picture has at a point of it.
fn uv(x: f32, y: f32) -> [f32; 2] {
    [0.125 + 0.25 * x, 0.25 + 0.5 * y]
}

fn of_corners() -> [[f32; 2]; 4] {
    CORNERS.map(|[x, y, _]| uv(x, y))
}

fn lines(prefix: &str, rows: &[Vec<f32>]) -> String {
    let row = |row: &Vec<f32>| {
        let numbers: Vec<String> = row.iter().map(f32::to_string).collect();
        format!("{prefix}{}\n", numbers.join(" "))
    };
    rows.iter().map(row).collect()
}

fn obj() -> String {
    let corners = lines("v ", &CORNERS.map(|c| c.to_vec()));
    // In another order than the points.
    let mut places = of_corners().map(|c| c.to_vec());
    places.reverse();
    corners + &lines("vt ", &places) + "f 1/4 2/3 3/2 4/1\n"
}

fn ply(of_vertices: &str, of_face: &str) -> String {
    let is_of_face = !of_face.is_empty();
    let names: Vec<&str> = of_vertices.split_whitespace().collect();
    let rows = CORNERS.iter().zip(of_corners()).map(|(place, uv)| {
        let uv = uv.into_iter().take(names.len());
        place.iter().copied().chain(uv).collect::<Vec<f32>>()
    });
    let properties: String = names
        .iter()
        .map(|n| format!("property float {n}\n"))
        .collect();
    let of_faces = if is_of_face {
        "property list uchar float texcoord\n"
    } else {
        ""
    };
    let texture = of_corners().as_flattened().to_vec();
    let texture = if is_of_face {
        lines(" 8 ", &[texture])
    } else {
        "\n".into()
    };
    format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         {properties}element face 1\nproperty list uchar int vertex_indices\n{of_faces}end_header\n{}4 0 1 2 3{texture}",
        lines("", &rows.collect::<Vec<_>>())
    )
}

fn gltf() -> String {
    let mut bytes: Vec<u8> = CORNERS
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let uv = of_corners().map(|[u, v]| [u, 1.0 - v]);
    bytes.extend(uv.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0_u8, 1, 2, 0, 2, 3]);
    let uri = format!("data:;base64,{}", BASE64_STANDARD.encode(&bytes));
    json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bytes.len(), "uri": uri }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 32 },
            { "buffer": 0, "byteOffset": 80, "byteLength": 6 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": CORNERS[0], "max": CORNERS[2] },
            { "bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2" },
            { "bufferView": 2, "componentType": 5121, "count": 6, "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [
            { "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2 },
        ] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
        "scene": 0,
    })
    .to_string()
}

/// A stage with texture coordinates in an attribute.
fn usd(attribute: &str) -> String {
    let tuples = |rows: &[Vec<f32>]| {
        let tuple = |row: &Vec<f32>| {
            format!(
                "({})",
                row.iter()
                    .map(f32::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        };
        rows.iter().map(tuple).collect::<Vec<_>>().join(", ")
    };
    let points = tuples(&CORNERS.map(|c| c.to_vec()));
    let attribute = attribute.replace("PAIRS", &tuples(&of_corners().map(|c| c.to_vec())));
    format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\ndef Mesh \"square\"\n{{\n    \
         int[] faceVertexCounts = [4]\n    int[] faceVertexIndices = [0, 1, 2, 3]\n    \
         point3f[] points = [{points}]\n    {attribute}\n}}\n"
    )
}

fn read_textured(name: &str, text: &str) -> ReadMesh {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let read = read_textured_with(&path, &Disk);
    read.unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn textured(name: &str, text: &str) -> Option<TexturedMesh> {
    read_textured(name, text).textured
}

#[test]
fn corners_have_the_texture_coordinates_of_their_files() {
    let files = [
        ("a.obj", obj()),
        ("a.ply", ply("s t", "")),
        ("a.ply", ply("texture_u texture_v", "")),
        ("a.ply", ply("", "texcoord")),
        ("a.gltf", gltf()),
        (
            "a.usda",
            usd("texCoord2f[] primvars:st = [PAIRS] (interpolation = \"vertex\")"),
        ),
        (
            "a.usda",
            usd(
                "texCoord2f[] primvars:UVMap = [PAIRS] (interpolation = \"faceVarying\")\n    int[] primvars:UVMap:indices = [0, 1, 2, 3]",
            ),
        ),
    ];
    for (name, text) in files {
        let found = textured(name, &text).unwrap_or_else(|| panic!("none in {text}"));
        assert_eq!(
            (found.uv.len(), found.mesh.triangles.len()),
            (2, 2),
            "{name}"
        );
        for (number, uvs) in found.uv.iter().enumerate() {
            for (x, found) in found.mesh.corners(number).into_iter().zip(uvs) {
                assert_eq!(*found, uv(x.x as f32, x.y as f32), "{name} {x}");
            }
        }
    }
}

#[test]
fn files_without_texture_coordinates_have_none() {
    let plain = obj()
        .replace("/4", "")
        .replace("/3", "")
        .replace("/2", "")
        .replace("/1", "");
    let files = [
        ("a.obj", plain),
        ("a.ply", ply("", "")),
        ("a.usda", usd("")),
    ];
    for (name, text) in files {
        let read = read_textured(name, &text);
        assert_eq!(read.textured, None, "{name}");
        assert_eq!(read.texture_damage, None, "{name}");
    }
}

#[test]
fn usd_values_of_faces_and_of_the_whole_mesh_are_those_of_their_corners() {
    let two_faces = |attribute: &str| {
        let text = usd(attribute).replace("Counts = [4]", "Counts = [3, 3]");
        text.replace("[0, 1, 2, 3]", "[0, 1, 2, 0, 2, 3]")
    };
    let (first, second) = ([0.25, 0.5], [0.75, 1.0]);
    let of_faces = "[(0.25, 0.5), (0.75, 1)]";
    let indices = "int[] primvars:st:indices = [1, 0]";
    for (values, wanted) in [
        (
            format!("{of_faces} (interpolation = \"uniform\")"),
            [first, second],
        ),
        (of_faces.to_owned(), [first, second]),
        (
            format!("{of_faces} (interpolation = \"uniform\")\n    {indices}"),
            [second, first],
        ),
        (
            "[(0.25, 0.5)] (interpolation = \"constant\")".to_owned(),
            [first, first],
        ),
        ("[(0.25, 0.5)]".to_owned(), [first, first]),
    ] {
        let text = two_faces(&format!("texCoord2f[] primvars:st = {values}"));
        let found = textured("a.usda", &text).unwrap_or_else(|| panic!("none in {text}"));
        assert_eq!(found.uv, wanted.map(|uv| [uv; 3]), "{text}");
    }
}

/// Files whose texture coordinates are damaged, and what must be told of each.
fn damaged_files() -> Vec<(&'static str, String, &'static [&'static str])> {
    let primvar = |rest: &str| usd(&format!("texCoord2f[] primvars:st = {rest}"));
    let items = gltf().replace(
        "\"count\":4,\"type\":\"VEC2\"",
        "\"count\":COUNT,\"type\":\"VEC2\"",
    );
    vec![
        (
            "a.usda",
            primvar("[PAIRS, (0, 0)]"),
            &["/square", "primvars:st", "5 values", "4 (vertex)"],
        ),
        (
            "a.usda",
            primvar("[PAIRS] (interpolation = \"uniform\")"),
            &["/square", "4 values", "`uniform`", "1 (uniform)"],
        ),
        (
            "a.usda",
            primvar("[PAIRS]\n    int[] primvars:st:indices = [0, 1, 2, 4]"),
            &["/square", "index 4", "4 values"],
        ),
        (
            "a.usda",
            primvar("[PAIRS]\n    int[] primvars:st:indices = [0, 1, 2, -1]"),
            &["/square", "index -1"],
        ),
        (
            "a.usda",
            primvar("[PAIRS]").replace("0.25)", "nan)"),
            &["/square", "value 0", "NaN", "finite"],
        ),
        (
            "a.usda",
            primvar("[(0, 0, 0), (1, 1, 1), (2, 2, 2)]"),
            &["/square", "9 numbers", "pairs"],
        ),
        (
            "a.gltf",
            items.replace("COUNT", "3"),
            &["primitive 0 of mesh 0", "3 items", "where 4"],
        ),
        (
            "a.gltf",
            items.replace("COUNT", "400"),
            &["primitive 0 of mesh 0", "400"],
        ),
        (
            "a.ply",
            ply("", "texcoord")
                .replace(" 8 ", " 6 ")
                .replace(" 0.125 0.75\n", "\n"),
            &["face 0", "6 numbers", "where 8"],
        ),
        (
            "a.ply",
            ply("s t", "").replace("0.125 0.25", "0.125 1e39"),
            &["triangle 0", "inf", "finite"],
        ),
        (
            "a.obj",
            obj().replace("vt 0.125 0.25\n", "vt nan inf\n"),
            &["triangle 0", "NaN", "finite"],
        ),
        (
            "a.obj",
            obj().replace("3/2", "3"),
            &["line 9", "3 of the 4 corners", "all or none"],
        ),
    ]
}

#[test]
fn damaged_texture_coordinates_are_left_out_and_told_with_their_place() {
    for (name, text, told) in damaged_files() {
        let read = read_textured(name, &text);
        assert_eq!(read.mesh.triangles.len(), 2, "{text}");
        let damage = read.texture_damage;
        let damage = damage.unwrap_or_else(|| panic!("nothing told of {text}"));
        for part in told {
            assert!(damage.contains(part), "no {part} in {damage}");
        }
        let uv = read
            .textured
            .map(|textured| textured.uv)
            .unwrap_or_default();
        let mut numbers = uv.as_flattened().as_flattened().iter();
        assert!(numbers.all(|number| number.is_finite()), "{text}");
    }
}

/// Reads a square of two triangles with texture coordinates that are 0.5 everywhere, of an OBJ file with these lines.
fn obj_square(faces: &str) -> ReadMesh {
    let corners = lines("v ", &CORNERS.map(|c| c.to_vec()));
    read_textured(
        "a.obj",
        &format!("{corners}vt 0.5 0.5\nvt 0.5 0.5\n{faces}"),
    )
}

#[test]
fn obj_faces_that_lack_texture_coordinates_have_none_and_not_those_of_a_corner_before() {
    const HALF: TriangleUv = [[0.5; 2]; 3];
    const NONE: TriangleUv = [[0.0; 2]; 3];
    for (faces, expected, line) in [
        (
            "f 1/1 2/2 3/1\nf 1 3 4\n",
            [HALF, NONE],
            Some("line 8: the face has none"),
        ),
        (
            "f 1 2 3\nf 1/1 3/2 4/1\n",
            [NONE, HALF],
            Some("line 7: the face has none"),
        ),
        (
            "f 1/1 2 3/2\nf 1/1 3/2 4/1\n",
            [NONE, HALF],
            Some("line 7: 2 of the 3"),
        ),
        (
            "f 1//1 2/1/1 3/1/1\nf 1/1/1 3/1/1 4/1/1\nvn 0 0 1\n",
            [NONE, HALF],
            Some("line 7: 2 of the 3"),
        ),
        (
            "p 1\nf 1/1 2/1\nf 1/-1 2/-1 3/-2\nf 1/1 3/2 4/\n",
            [HALF, NONE],
            Some("line 10: 2 of the 3"),
        ),
        (
            "l 1/1 2/1 3/1\nf 1/1 2/2 3/1\nl 4 1 2\nf 1 3 4\n",
            [HALF, NONE],
            Some("line 10: the face has none"),
        ),
        // One place in the picture for a face is a place.
        ("f 1/1 2/1 3/1\nf 1/1 3/1 4/1\n", [HALF, HALF], None),
        // An object without any is as it was meant.
        ("o a\nf 1 2 3\no b\nf 1/1 3/2 4/1\n", [NONE, HALF], None),
        ("o a\nf 1/1 2/2 3/1\no b\nf 1 3 4\n", [HALF, NONE], None),
    ] {
        let read = obj_square(faces);
        let found = read.textured.unwrap_or_else(|| panic!("none in {faces}"));
        assert_eq!(found.uv, expected, "{faces}");
        let told = read.texture_damage.unwrap_or_default();
        assert!(told.contains(line.unwrap_or_default()), "{told} of {faces}");
        assert_eq!(told.is_empty(), line.is_none(), "{told} of {faces}");
    }
    // A polygon counts as its triangles.
    let read = obj_square("f 1 2 3 4\nf 1/1 2/1 3/2 4/2\n");
    assert_eq!(read.textured.unwrap().uv, [NONE, NONE, HALF, HALF]);
}

#[test]
fn texture_coordinates_that_an_obj_file_lacks_are_refused_with_their_line() {
    let text = obj().replace("4/1\n", "4/7\n");
    let error = read_as("a.obj", text.as_bytes()).unwrap_err().to_string();
    for part in ["a.obj", "line 9", "texture coordinates 7", "there are 4"] {
        assert!(error.contains(part), "no {part} in {error}");
    }
}
