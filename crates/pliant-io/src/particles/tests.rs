//! Particles from each format, and what is refused.

use std::fs;

use pliant_core::measure::{Frame, FrameBody};
use pliant_geometry::Samples;
use pliant_math::DVec3;
use proptest::prelude::*;

use super::*;
use crate::export::{EXPORTERS, Moment, SceneFacts, write_frame};

fn read_bytes_as(extension: &str, bytes: &[u8]) -> Result<Samples, ParticleFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("points.{extension}"));
    fs::write(&path, bytes).unwrap();
    read(&path)
}

fn refusal(extension: &str, bytes: &[u8]) -> String {
    read_bytes_as(extension, bytes).unwrap_err().to_string()
}

/// A VTP file of two points with arrays of point data.
fn vtp(points: &str, data: &str) -> String {
    format!(
        "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\"><PolyData>\
         <Piece NumberOfPoints=\"2\"><Points>{points}</Points><PointData>{data}</PointData>\
         </Piece></PolyData></VTKFile>"
    )
}

/// An unstructured grid of two points.
fn grid(corners: &str, ends: &str, points: &str, cells: &str) -> String {
    let kinds = "4 ".repeat(ends.split_whitespace().count());
    let places = ascii_array("Points", "Float64", 3, "0 0 0 1 2 3");
    let [corners, ends, kinds] = [
        ("connectivity", corners),
        ("offsets", ends),
        ("types", &kinds),
    ]
    .map(|(name, text)| ascii_array(name, "Int64", 1, text));
    format!(
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid>\
         <Piece NumberOfPoints=\"2\"><Points>{places}</Points><Cells>{corners}{ends}{kinds}</Cells>\
         <PointData>{points}</PointData><CellData>{cells}</CellData></Piece></UnstructuredGrid></VTKFile>"
    )
}

fn ascii_array(name: &str, kind: &str, components: u32, text: &str) -> String {
    format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
         format=\"ascii\">{text}</DataArray>"
    )
}

fn ply(properties: &[&str], rows: &str) -> String {
    let list: String = properties
        .iter()
        .map(|p| format!("property {p}\n"))
        .collect();
    let count = rows.lines().count();
    format!("ply\nformat ascii 1.0\nelement vertex {count}\n{list}end_header\n{rows}")
}

/// A NumPy archive of arrays: name, type, shape, bytes.
fn npz(arrays: &[(&str, &str, &str, Vec<u8>)]) -> Vec<u8> {
    use std::io::{Cursor, Write};
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, kind, shape, bytes) in arrays {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        archive.start_file(format!("{name}.npy"), options).unwrap();
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
        archive.write_all(b"\x93NUMPY\x01\x00").unwrap();
        archive
            .write_all(&(header.len() as u16).to_le_bytes())
            .unwrap();
        archive.write_all(header.as_bytes()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

#[test]
fn frames_that_runs_write_are_read_with_positions_and_velocities() {
    let position: Vec<DVec3> = (0..100)
        .map(|i| DVec3::new(f64::from(i) / 3.0, -1e-9, 1e9))
        .collect();
    let velocity: Vec<[f32; 3]> = (0..100).map(|i| [i as f32 * 0.1, -0.0, 1e-38]).collect();
    let (index, radius) = (vec![0; 100], vec![0.1; 100]);
    let bodies = [FrameBody {
        name: "a".into(),
        color: [0.5; 3],
        drawn_as: Default::default(),
        look: Default::default(),
    }];
    let frame = Frame {
        number: 1,
        time: 0.0,
        position: &position,
        velocity: &velocity,
        id: &index,
        body: &index,
        material: &index,
        radius: &radius,
        quantities: &[],
        triangles: &[],
        uv: &[],
        inside: &[],
        bodies: &bodies,
        material_names: &["dough".into()],
        colliders: &[],
    };
    let folder = tempfile::tempdir().unwrap();
    let moment = Moment {
        frame: &frame,
        surface: None,
        scene: &SceneFacts::default(),
    };
    for exporter in EXPORTERS.iter().filter(|exporter| exporter.read.is_some()) {
        write_frame(folder.path(), exporter, &moment).unwrap();
        let path = folder
            .path()
            .join(format!("particles.0001.{}", exporter.extension));
        let found = read(&path).unwrap();
        assert_eq!(found.position, position, "{}", exporter.name);
        let expected: Vec<DVec3> = velocity.iter().map(|v| v.map(f64::from).into()).collect();
        assert_eq!(found.velocity, expected, "{}", exporter.name);
        assert!(
            found.ignored.contains(&"radius".into()),
            "{:?}",
            found.ignored
        );
    }
}

#[test]
fn text_and_binary_files_of_other_programs_are_read() {
    let expected = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.5)];
    let points = ascii_array("Points", "Float32", 3, "1 2 3 4 5 6.5");
    let heat = ascii_array("heat", "Int64", 1, "1 2");
    let found = read_bytes_as("vtp", vtp(&points, &heat).as_bytes()).unwrap();
    assert_eq!(found.position, expected);
    assert_eq!(found.ignored, ["heat"]);
    assert!(found.velocity.is_empty());

    let mut block = 24u32.to_le_bytes().to_vec();
    block.extend(
        [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.5]
            .iter()
            .flat_map(|x| x.to_le_bytes()),
    );
    let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, block);
    let points = ascii_array("Points", "Float32", 3, &text).replace("ascii", "binary");
    let found = read_bytes_as("vtp", vtp(&points, "").as_bytes()).unwrap();
    assert_eq!(found.position, expected);

    let text = ply(
        &["uchar red", "double x", "double y", "double z"],
        "9 1 2 3\n9 4 5 6.5\n",
    );
    let found = read_bytes_as("PLY", text.as_bytes()).unwrap();
    assert_eq!(found.position, expected);
    assert_eq!(found.ignored, ["red"]);

    let numbers = doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.5]);
    let archive = npz(&[
        ("positions", "<f8", "(2, 3)", numbers.clone()),
        ("v", "<f8", "(2, 3)", numbers),
    ]);
    let found = read_bytes_as("npz", &archive).unwrap();
    assert_eq!(found.position, expected);
    assert_eq!(found.velocity, expected);
}

#[test]
fn files_without_positions_say_what_they_have_and_where_positions_would_be() {
    let said = refusal(
        "ply",
        ply(&["float x", "float y", "int heat"], "1 2 3\n").as_bytes(),
    );
    assert!(
        said.contains("no positions") && said.contains("heat"),
        "{said}"
    );
    assert!(said.contains("x, y, z"), "{said}");
    let said = refusal("npz", &npz(&[("heat", "<f8", "(1,)", doubles(&[1.0]))]));
    assert!(
        said.contains("`position`") && said.contains("heat"),
        "{said}"
    );
    let said = refusal("vtp", vtp("", "").as_bytes());
    assert!(
        said.contains("`Points`") && said.contains("nothing"),
        "{said}"
    );
}

#[test]
fn numbers_that_are_not_finite_are_named_with_their_particle() {
    let points = ascii_array("Points", "Float64", 3, "0 0 0 0 NaN 0");
    let said = refusal("vtp", vtp(&points, "").as_bytes());
    assert!(said.contains("`position` of particle 1"), "{said}");
    let bytes = doubles(&[0.0; 3]);
    let fast = doubles(&[0.0, f64::INFINITY, 0.0]);
    let archive = npz(&[
        ("position", "<f8", "(1, 3)", bytes),
        ("velocity", "<f8", "(1, 3)", fast),
    ]);
    let said = refusal("npz", &archive);
    assert!(said.contains("`velocity` of particle 0"), "{said}");
}

#[test]
fn wrong_types_and_shapes_are_named() {
    for (kind, shape, bytes) in [
        ("<i8", "(1, 3)", 24),
        ("<f8", "(1, 2)", 16),
        ("<f8", "(3,)", 24),
        ("<f8", "(7, 3)", 24),
        (">f8", "(1, 3)", 24),
    ] {
        let said = refusal("npz", &npz(&[("position", kind, shape, vec![0; bytes])]));
        assert!(said.contains("`position` is of type"), "{said}");
    }
    let said = refusal(
        "ply",
        ply(&["float x", "int y", "float z"], "1 2 3\n").as_bytes(),
    );
    assert!(said.contains("property `y`"), "{said}");
    let points = ascii_array("Points", "Int32", 3, "1 2 3");
    let said = refusal("vtp", vtp(&points, "").as_bytes());
    assert!(said.contains("Int32"), "{said}");
    let points = ascii_array("Points", "Float64", 3, "1 2 3 4 5 6");
    let short = ascii_array("velocity", "Float64", 3, "1 2 3");
    let said = refusal("vtp", vtp(&points, &short).as_bytes());
    assert!(said.contains("1 values for 2 particles"), "{said}");
}

#[test]
fn files_without_particles_are_refused() {
    let empty = ply(&["float x", "float y", "float z"], "");
    assert!(refusal("ply", empty.as_bytes()).contains("no particles"));
    let archive = npz(&[("position", "<f4", "(0, 3)", Vec::new())]);
    assert!(refusal("npz", &archive).contains("no particles"));
}

#[test]
fn unsupported_parts_of_a_format_are_refused_with_a_remedy() {
    let compressed = vtp("", "").replace("type=", "compressor=\"vtkLZMADataCompressor\" type=");
    assert!(refusal("vtp", compressed.as_bytes()).contains("ZLib"));
    let said = refusal("vtk", b"# vtk DataFile Version 3.0");
    assert!(
        said.contains("VTP (.vtp)") && said.contains("`.vtk`"),
        "{said}"
    );
    let grid = vtp("", "").replace("PolyData", "UnstructuredGrid");
    assert!(refusal("vtp", grid.as_bytes()).contains("PolyData"));
}

proptest! {
    #[test]
    fn damaged_files_give_finite_particles_or_errors(
        format in 0..4_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = match format {
            0 => ply(&["double x", "double y", "double z"], "1 2 3\n4 5 6\n").into_bytes(),
            1 => vtp(&ascii_array("Points", "Float64", 3, "1 2 3 4 5 6"), "").into_bytes(),
            3 => grid("0 1", "2", "", "").into_bytes(),
            _ => npz(&[("position", "<f8", "(2, 3)", doubles(&[1.0; 6]))]),
        };
        if !changes.is_empty() {
            for (place, byte) in changes {
                let i = place.index(bytes.len());
                bytes[i] = byte;
            }
        } else {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(found) = (FORMATS[format].read)(&bytes).and_then(|a| arrays::samples(a, "")) {
            prop_assert!(!found.position.is_empty());
            prop_assert!(found.position.iter().all(|p| p.is_finite()));
        }
    }
}

#[test]
fn vectors_at_points_are_read_by_their_name() {
    let points = ascii_array("Points", "Float32", 3, "0 0 0 1 2 3");
    let fibers = ascii_array("Fibers", "Float64", 3, "1 0 0 0 0.5 0");
    let short = ascii_array("short", "Float32", 3, "1 0 0");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.vtp");
    fs::write(&path, vtp(&points, &format!("{fibers}{short}"))).unwrap();
    let read = |array: &str| read_vectors_with(&path, array, &Disk);
    let found = read("fibers").unwrap();
    assert_eq!(found.position[1], DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(found.vector, [DVec3::X, DVec3::Y * 0.5]);
    let told = |array: &str| read(array).unwrap_err().to_string();
    assert!(told("axis").contains("no array `axis`; it has position, Fibers, short"));
    assert!(told("short").contains("`short` has 1 values for 2 particles"));
    let mesh = folder.path().join("scan.ply");
    let properties = ["x", "y", "z", "nx", "ny", "nz"].map(|name| format!("float {name}"));
    let properties: Vec<&str> = properties.iter().map(String::as_str).collect();
    fs::write(&mesh, ply(&properties, "0 0 0 0 0 1\n1 1 1 0 1 0\n")).unwrap();
    let normals = read_vectors_with(&mesh, "normal", &Disk).unwrap();
    assert_eq!(normals.vector, [DVec3::Z, DVec3::Y]);
}

#[test]
fn vectors_of_cells_stand_in_their_middles() {
    let of_points = ascii_array("fibers", "Float64", 3, "1 0 0 0 1 0");
    let of_cells = ascii_array("sheets", "Float64", 3, "0 0 2 0 3 0 4 0 0");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heart.vtu");
    // A cell of both points, and one of each.
    fs::write(&path, grid("0 1 0 1", "2 3 4", &of_points, &of_cells)).unwrap();
    let read = |array: &str| read_vectors_with(&path, array, &Disk);
    let fibers = read("fibers").unwrap();
    assert_eq!(fibers.position[1], DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(fibers.vector, [DVec3::X, DVec3::Y]);
    let sheets = read("Sheets").unwrap();
    let middles = [
        DVec3::new(0.5, 1.0, 1.5),
        DVec3::ZERO,
        DVec3::new(1.0, 2.0, 3.0),
    ];
    assert_eq!(sheets.position, middles);
    assert_eq!(
        sheets.vector,
        [DVec3::Z * 2.0, DVec3::Y * 3.0, DVec3::X * 4.0]
    );
    let told = |array: &str| read(array).unwrap_err().to_string();
    let said = told("axis");
    assert!(
        said.contains("it has position, fibers, and of cells position, sheets"),
        "{said}"
    );
    for (corners, ends, expected) in [
        ("0 7", "2", "cell 0 has point 7 of 2"),
        ("0 1", "3", "cell 0 ends at 3 of 2"),
        ("0 1", "1 0", "cell 1 ends at 0 of 2"),
        ("0 1", "0 2", "cell 0 has no points"),
    ] {
        fs::write(&path, grid(corners, ends, "", &of_cells)).unwrap();
        let said = told("sheets");
        assert!(said.contains(expected), "{said}");
    }
}
