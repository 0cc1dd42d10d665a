//! One body in the ways a file may be written, and malformed files.

use std::fs;

use proptest::prelude::*;

use super::*;

/// Two tetrahedra of volume 1/6 and 1/3 that share a face, with a triangle of their surface.
const ASCII: &str = "# vtk DataFile Version 2.0
two, by hand
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 6 double
0 0 0
1 0 0
0 1 0
0 0 1
9 9 9
1 1 1
CELLS 3 14
4 0 1 2 3
3 0 1 2
4 1 2 3 5
CELL_TYPES 3
10
5
10
";

/// The same as programs of today write it, with what they add.
const VERSION_5: &str = "# vtk DataFile Version 5.1
vtk output
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 6 float
0 0 0 1 0 0 0 1 0
0 0 1 9 9 9 1 1 1

CELLS 4 11
OFFSETS vtktypeint64
0 4 7 11
CONNECTIVITY vtktypeint64
0 1 2 3 0 1 2 1 2 3 5

CELL_TYPES 3
10
5
10

POINT_DATA 6
SCALARS height double
LOOKUP_TABLE default
0 0 0 1 9 1
";

fn binary() -> Vec<u8> {
    let mut bytes = b"# vtk DataFile Version 2.0\nby program\nBINARY\n".to_vec();
    bytes.extend(b"DATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n");
    let points: [[f64; 3]; 5] = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0; 3],
    ];
    bytes.extend(points.as_flattened().iter().flat_map(|x| x.to_be_bytes()));
    bytes.extend(b"\nCELLS 2 10\n");
    let cells: [i32; 10] = [4, 0, 1, 2, 3, 4, 1, 2, 3, 4];
    bytes.extend(cells.iter().flat_map(|x| x.to_be_bytes()));
    bytes.extend(b"\nCELL_TYPES 2\n");
    bytes.extend([10i32; 2].iter().flat_map(|x| x.to_be_bytes()));
    bytes.push(b'\n');
    bytes
}

fn read_as(name: &str, bytes: &[u8]) -> Result<TetrahedralMesh, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&path).map_err(|e| e.to_string())
}

#[test]
fn every_encoding_gives_the_same_solid() {
    for bytes in [ASCII.as_bytes(), VERSION_5.as_bytes(), &binary()] {
        let mesh = read_as("two.vtk", bytes).expect("a solid");
        assert_eq!((mesh.vertices().len(), mesh.tetrahedra().len()), (5, 2));
        let volume: f64 = mesh.vertex_volumes().iter().sum();
        assert!((volume - 0.5).abs() < 1e-12, "{volume}");
        assert_eq!(mesh.boundary().len(), 6);
    }
}

fn refusal(bytes: &str) -> String {
    read_as("bad.vtk", bytes.as_bytes()).expect_err("no solid")
}

#[test]
fn unusable_files_are_refused_with_file_and_reason() {
    let message = read_as("solid.msh", b"").expect_err("unknown");
    assert!(
        message.contains("solid.msh") && message.contains("legacy VTK (.vtk)"),
        "{message}"
    );
    let message = refusal("POINTS 3\n");
    assert!(
        message.contains("bad.vtk") && message.contains("# vtk DataFile"),
        "{message}"
    );
    let cut = &ASCII[..ASCII.find("CELL_TYPES").unwrap()];
    assert!(refusal(cut).contains("cut off"));
    let message = refusal(&ASCII.replace("4 1 2 3 5", "4 1 2 3 7"));
    assert!(
        message.contains("point 7") && message.contains("there are 6"),
        "{message}"
    );
    let message = refusal(&ASCII.replace("4 1 2 3 5", "4 1 2 3 3"));
    assert!(message.contains("flat"), "{message}");
    let message = refusal(&ASCII.replace("4 1 2 3 5", "4 0 1 2 5"));
    assert!(message.contains("same side"), "{message}");
    let message = refusal(&ASCII.replace("\n10\n5\n10\n", "\n5\n5\n5\n"));
    assert!(message.contains("no tetrahedra"), "{message}");
    let message = refusal(&ASCII.replace("\n10\n5\n10\n", "\n14\n5\n10\n"));
    assert!(message.contains("Pyramid"), "{message}");
    let message =
        refusal("# vtk DataFile Version 2.0\na\nASCII\nDATASET POLYDATA\nPOINTS 0 float\n");
    assert!(message.contains("polygons"), "{message}");
}

#[test]
fn a_file_that_announces_more_than_it_holds_is_refused() {
    for (from, to) in [
        ("POINTS 6", "POINTS 4000000000"),
        ("CELLS 3 14", "CELLS 3000000000 4000000000"),
        ("CELLS 3 14", "CELLS 3 4294967295"),
        ("CELL_TYPES 3", "CELL_TYPES 4000000000"),
    ] {
        assert!(ASCII.contains(from));
        refusal(&ASCII.replace(from, to));
        let binary = ASCII.replace(from, to).replace("ASCII", "BINARY");
        refusal(&binary);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(
        at in 0usize..400,
        bytes in proptest::collection::vec(any::<u8>(), 1..12),
        which in 0usize..3,
    ) {
        let mut file = [ASCII.as_bytes().to_vec(), VERSION_5.into(), binary()][which].clone();
        let at = at % file.len();
        let end = (at + bytes.len()).min(file.len());
        file.splice(at..end, bytes);
        let _ = (vtk::FORMAT.read)(&file).map(|(points, all)| TetrahedralMesh::new(&points, all));
    }
}
