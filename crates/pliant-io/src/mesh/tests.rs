//! Round trips of one body through all formats; malformed files are in `damage`.

mod damage;
mod texture;

use std::fs;
use std::path::{Path, PathBuf};

use pliant_math::DVec3;

use super::*;

/// A tetrahedron with volume 1 whose coordinates single precision holds exactly.
fn tetrahedron() -> TriangleMesh {
    TriangleMesh {
        vertices: vec![
            DVec3::new(0.0, 0.0, 0.0),
            DVec3::new(2.0, 0.0, 0.0),
            DVec3::new(0.0, 1.5, 0.0),
            DVec3::new(0.0, 0.0, 2.0),
        ],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    }
}

fn read_as(name: &str, bytes: &[u8]) -> Result<TriangleMesh, MeshFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&path)
}

/// Reads bytes as a format without a file; the folder does not exist.
fn parse_as(format: &MeshFormat, bytes: &[u8]) -> Result<TriangleMesh, MeshProblem> {
    let beside = Beside {
        path: Path::new("no-such-folder/file"),
        files: &Disk,
    };
    (format.read)(bytes, &beside)
        .and_then(|read| weld::weld_with_origins(&read.textured.mesh))
        .map(|(mesh, _)| mesh)
}

fn assert_is_tetrahedron(mesh: &TriangleMesh) {
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 4));
    assert_eq!(mesh.bounds(), tetrahedron().bounds());
    assert!((mesh.volume() - 1.0).abs() < 1e-12, "{}", mesh.volume());
}

fn obj() -> Vec<u8> {
    let mut text = String::from("# caf\u{e9}\nmtllib missing.mtl\no first\n");
    for v in tetrahedron().vertices {
        text += &format!("v {} {} {}\n", v.x, v.y, v.z);
    }
    // Two objects, materials, negative and combined indices.
    text += "vt 0 0\nvn 0 0 1\nusemtl a\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\n";
    text += "o second\nusemtl b\nf -3 -2 -1\nf 3 1 4\n";
    text.into_bytes()
}

fn stl_binary() -> Vec<u8> {
    let mesh = tetrahedron();
    // The trap: a binary file whose comment starts like an ASCII file.
    let mut bytes = b"solid made by a program".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for t in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        for number in mesh.corners(t).iter().flat_map(|corner| corner.to_array()) {
            bytes.extend((number as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn stl_ascii() -> Vec<u8> {
    let mesh = tetrahedron();
    let mut text = String::from("solid\n");
    for t in 0..mesh.triangles.len() {
        text += " facet normal 0 0 0\n  outer loop\n";
        for v in mesh.corners(t) {
            text += &format!("   vertex {:e} {:e} {:e}\r\n", v.x, v.y, v.z);
        }
        text += "  endloop\n endfacet\n";
    }
    (text + "endsolid\n").into_bytes()
}

fn ply_header(format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\n\
         property double y\nproperty float z\nproperty uchar red\nelement face 4\n\
         property list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nend_header\n"
    )
}

fn ply_ascii() -> Vec<u8> {
    let mut text = ply_header("ascii");
    for v in tetrahedron().vertices {
        text += &format!("{} {} {} 255\n", v.x, v.y, v.z);
    }
    for [a, b, c] in tetrahedron().triangles {
        text += &format!("3 {a} {b} {c}\n");
    }
    (text + "7\n").into_bytes()
}

fn ply_binary(is_little: bool) -> Vec<u8> {
    let name = if is_little {
        "binary_little_endian"
    } else {
        "binary_big_endian"
    };
    let mut bytes = ply_header(name).into_bytes();
    let mut put = |mut number: Vec<u8>| {
        if !is_little {
            number.reverse();
        }
        bytes.extend(number);
    };
    for v in tetrahedron().vertices {
        put((v.x as f32).to_le_bytes().to_vec());
        put(v.y.to_le_bytes().to_vec());
        put((v.z as f32).to_le_bytes().to_vec());
        put(vec![255]);
    }
    for triangle in tetrahedron().triangles {
        put(vec![3]);
        for corner in triangle {
            put(corner.to_le_bytes().to_vec());
        }
    }
    put(7_u32.to_le_bytes().to_vec());
    bytes
}

fn gltf_buffer() -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in tetrahedron().vertices.iter().flat_map(|v| v.to_array()) {
        bytes.extend((number as f32).to_le_bytes());
    }
    for corner in tetrahedron().triangles.concat() {
        bytes.extend((corner as u16).to_le_bytes());
    }
    bytes
}

/// The text of a glTF file with the given nodes; node 0 is the root.
fn gltf_text(uri: &str, nodes: &str) -> String {
    let length = gltf_buffer().len();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[
          {{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[2,1.5,2]}},
          {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{{uri}"byteLength":{length}}}]}}"#
    )
}

fn data_uri() -> String {
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(gltf_buffer());
    format!(r#""uri":"data:application/octet-stream;base64,{encoded}","#)
}

fn gltf_with_data_uri() -> Vec<u8> {
    gltf_text(&data_uri(), r#"{"mesh":0}"#).into_bytes()
}

fn glb() -> Vec<u8> {
    let mut json = gltf_text("", r#"{"mesh":0}"#).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let buffer = gltf_buffer();
    let length = 12 + 8 + json.len() + 8 + buffer.len();
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn usda() -> Vec<u8> {
    let TriangleMesh {
        vertices,
        triangles,
    } = tetrahedron();
    let points: Vec<String> = vertices
        .iter()
        .map(|v| format!("({}, {}, {})", v.x, v.y, v.z))
        .collect();
    let points = points.join(", ");
    let corners = triangles.concat();
    format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef Mesh \"body\"\n{{\n    int[] faceVertexCounts = [3, 3, 3, 3]\n    \
         int[] faceVertexIndices = {corners:?}\n    point3f[] points = [{points}]\n}}\n"
    )
    .into_bytes()
}

/// A file of every format and encoding.
fn samples() -> Vec<(&'static MeshFormat, &'static str, Vec<u8>)> {
    let [obj_format, stl_format, ply_format, gltf_format, usd_format] = FORMATS else {
        panic!("a format without a sample");
    };
    vec![
        (obj_format, "a.obj", obj()),
        (stl_format, "a.stl", stl_binary()),
        (stl_format, "b.STL", stl_ascii()),
        (ply_format, "a.ply", ply_ascii()),
        (ply_format, "b.Ply", ply_binary(true)),
        (ply_format, "c.ply", ply_binary(false)),
        (gltf_format, "a.gltf", gltf_with_data_uri()),
        (gltf_format, "a.GLB", glb()),
        (usd_format, "a.usda", usda()),
    ]
}

#[test]
fn every_format_gives_the_same_closed_body() {
    for (_, name, bytes) in samples() {
        match read_as(name, &bytes) {
            Ok(mesh) => assert_is_tetrahedron(&mesh),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn byte_order_mark_before_a_text_changes_nothing() {
    let plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let marked = read_as("a.obj", format!("\u{feff}{plain}").as_bytes()).unwrap();
    assert_eq!(marked, read_as("a.obj", plain.as_bytes()).unwrap());
    for (name, bytes) in [
        ("a.stl", stl_ascii()),
        ("a.ply", ply_ascii()),
        ("a.gltf", gltf_with_data_uri()),
        ("a.usda", usda()),
    ] {
        let marked = [b"\xef\xbb\xbf".as_slice(), &bytes].concat();
        match read_as(name, &marked) {
            Ok(mesh) => assert_is_tetrahedron(&mesh),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn polygons_become_triangles() {
    let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0.5 0\n";
    let pentagon = read_as("a.obj", format!("{corners}f 1 2 3 4 5\n").as_bytes()).unwrap();
    assert_eq!((pentagon.vertices.len(), pentagon.triangles.len()), (5, 3));
    let area: f64 = (0..3)
        .map(|t| {
            let [a, b, c] = pentagon.corners(t);
            0.5 * (b - a).cross(c - a).z
        })
        .sum();
    assert!((area - 1.5).abs() < 1e-15, "{area}");

    let header = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
                  property float z\nelement face 1\nproperty list uchar uint vertex_index\nend_header\n";
    let quad = format!("{header}0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    assert_eq!(
        read_as("a.ply", quad.as_bytes()).unwrap().triangles.len(),
        2
    );
}

#[test]
fn double_precision_survives_text_formats() {
    let x = 0.1 + 1e-12;
    let obj = format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(read_as("a.obj", obj.as_bytes()).unwrap().vertices[0].x, x);
    let stl = String::from_utf8(stl_ascii())
        .unwrap()
        .replace("2e0", &x.to_string());
    let mesh = read_as("a.stl", stl.as_bytes()).unwrap();
    assert!(mesh.vertices.iter().any(|v| v.x == x));
}

#[test]
fn external_buffer_is_found_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gltf");
    fs::write(
        &path,
        gltf_text(r#""uri":"my%20buffer.bin","#, r#"{"mesh":0}"#),
    )
    .unwrap();
    let error = read(&path).unwrap_err();
    assert!(error.to_string().contains("my buffer.bin"), "{error}");
    fs::write(folder.path().join("my buffer.bin"), gltf_buffer()).unwrap();
    assert_is_tetrahedron(&read(&path).unwrap());
}

#[test]
fn node_transforms_are_applied_in_order_and_mirrors_keep_the_outside() {
    // The parent moves after the child has scaled and mirrored.
    let nodes = r#"{"translation":[10,0,0],"children":[1]},{"mesh":0,"scale":[-2,1,1]}"#;
    let mesh = read_as("a.gltf", gltf_text(&data_uri(), nodes).as_bytes()).unwrap();
    assert_eq!(mesh.bounds().min, DVec3::new(6.0, 0.0, 0.0));
    assert_eq!(mesh.bounds().max, DVec3::new(10.0, 1.5, 2.0));
    assert!((mesh.volume() - 2.0).abs() < 1e-12, "{}", mesh.volume());
}

#[test]
fn circular_nodes_are_an_error() {
    let nodes = r#"{"children":[1],"mesh":0},{"children":[0]}"#;
    let error = read_as("a.gltf", gltf_text(&data_uri(), nodes).as_bytes()).unwrap_err();
    assert!(error.to_string().contains("circle"), "{error}");
}

#[test]
fn unknown_extension_lists_the_accepted_ones() {
    let text = read_as("body.fbx", b"").unwrap_err().to_string();
    for part in ["body.fbx", ".obj", ".stl", ".ply", ".gltf", ".glb"] {
        assert!(text.contains(part), "{text}");
    }
}

/// A square of two triangles as a file that moves: an edge of it is there twice, once with vertices of its own.
fn torn_square(height: f64, edge: [u32; 2]) -> Vec<u8> {
    let places = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [1, 1]];
    let vertices = places.map(|[x, z]| format!("v {x} {height} {z}"));
    let [from, to] = edge;
    let faces = format!("f 1 2 3\nf {from} {to} 4\n");
    format!("{}\n{faces}", vertices.join("\n")).into_bytes()
}

#[test]
fn a_series_keeps_the_vertices_of_its_first_file_together() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let flat = write("flat.obj", &torn_square(0.0, [5, 6]));
    let raised = write("raised.obj", &torn_square(2.5, [5, 6]));
    let series = read_series_with(&[&flat, &raised, &flat], &Disk).unwrap();
    assert_eq!(series.mesh, read(&flat).unwrap());
    assert_eq!(series.mesh.vertices.len(), 4);
    let up = |height: f64| move |x: &DVec3| *x + DVec3::Y * height;
    for (places, height) in series.places.iter().zip([0.0, 2.5, 0.0]) {
        let expected: Vec<DVec3> = series.mesh.vertices.iter().map(up(height)).collect();
        assert_eq!(*places, expected);
    }
    let other = write("other.obj", &torn_square(0.0, [1, 3]));
    let error = read_series_with(&[&flat, &other], &Disk).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("other.obj") && text.contains("flat.obj"),
        "{text}"
    );
    assert!(text.contains("same triangles"), "{text}");
    let endless = write("endless.obj", &torn_square(f64::INFINITY, [5, 6]));
    let error = read_series_with(&[&flat, &endless], &Disk).unwrap_err();
    assert!(error.to_string().contains("endless.obj"), "{error}");
    let missing = folder.path().join("missing.obj");
    let error = read_series_with(&[&flat, &missing], &Disk).unwrap_err();
    assert!(error.to_string().contains("missing.obj"), "{error}");
}

#[test]
fn missing_file_is_named() {
    let error = read(&PathBuf::from("no-such-folder/body.obj")).unwrap_err();
    assert!(matches!(error, MeshFileError::File(_)));
    assert!(error.to_string().contains("no-such-folder/body.obj"));
}
