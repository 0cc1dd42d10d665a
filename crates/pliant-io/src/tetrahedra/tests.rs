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

/// The same in XML, as two pieces, each with a triangle or a point that belongs to no tetrahedron.
const XML: &str = r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">
<UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="2">
<PointData><DataArray type="Float64" Name="height" format="ascii">0 0 0 1</DataArray></PointData>
<Points><DataArray type="Float64" Name="Points" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 0 1 2</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4 7</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10 5</DataArray>
</Cells></Piece>
<Piece NumberOfPoints="5" NumberOfCells="1">
<Points><DataArray type="Float32" Name="Points" NumberOfComponents="3" format="ascii">
9 9 9 3 0 0 2 1 0 2 0 1 3 1 1</DataArray></Points>
<Cells>
<DataArray type="Int32" Name="connectivity" format="ascii">1 2 3 4</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">4</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10</DataArray>
</Cells></Piece>
</UnstructuredGrid>
</VTKFile>
"#;

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

#[test]
fn all_pieces_of_an_xml_file_are_read() {
    let mesh = read_as("two.vtu", XML.as_bytes()).expect("a solid");
    assert_eq!((mesh.vertices().len(), mesh.tetrahedra().len()), (8, 2));
    let volume: f64 = mesh.vertex_volumes().iter().sum();
    assert!((volume - 0.5).abs() < 1e-12, "{volume}");
}

#[test]
fn unusable_xml_files_are_refused_with_what_is_wrong() {
    let told = |from: &str, to: &str, words: &str| {
        assert!(XML.contains(from));
        let message = read_as("bad.vtu", XML.replacen(from, to, 1).as_bytes()).expect_err("bad");
        assert!(
            message.contains("bad.vtu") && message.contains(words),
            "{message}"
        );
    };
    told("0 1 2 3 0 1 2", "0 1 2 4 0 1 2", "point 4, and there are 4");
    told("0 1 2 3 0 1 2", "0 1 2 -1 0 1 2", "point");
    told(">10 5<", ">12 5<", "a hexahedron");
    told(">10 5<", ">10<", "1 types for 2");
    told(">4 7<", ">4 8<", "cell 1 ends at 8 of 7");
    told(">4 7<", ">7 7<", "cell 0 is a tetrahedron with 7 points");
    told("Name=\"offsets\"", "Name=\"ends\"", "`offsets`");
    told("0 1 0 0 0 1<", "0 1 0 0 x 1<", "`x`");
    told("0 1 0 0 0 1<", "0 1 0 0 1<", "rows of three");
}

fn refusal(bytes: &str) -> String {
    read_as("bad.vtk", bytes.as_bytes()).expect_err("no solid")
}

#[test]
fn unusable_files_are_refused_with_file_and_reason() {
    let message = read_as("solid.mesh", b"").expect_err("unknown");
    assert!(
        message.contains("solid.mesh") && message.contains("legacy VTK (.vtk)"),
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
    assert!(message.contains("a pyramid"), "{message}");
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

/// The same by Gmsh, with a triangle of the surface and tags that have gaps.
const GMSH: &str = "$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
2 6 1 12
2 1 0 3
1
2
12
0 0 0
1 0 0
0 1 0
3 1 0 3
4
5
6
0 0 1
9 9 9
1 1 1
$EndNodes
$Elements
2 3 1 3
2 1 2 1
1 1 2 12
3 1 4 2
2 1 2 12 4
3 2 12 4 6
$EndElements
";

/// [`GMSH`] as bytes, in either order.
fn gmsh_binary(is_little: bool) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n4.1 1 8\n".to_vec();
    let put = |bytes: &mut Vec<u8>, number: &[u8]| {
        let reversed = number.iter().rev();
        if is_little {
            bytes.extend(number);
        } else {
            bytes.extend(reversed);
        }
    };
    put(&mut bytes, &1i32.to_le_bytes());
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n");
    let sizes =
        |bytes: &mut Vec<u8>, all: &[u64]| all.iter().for_each(|n| put(bytes, &n.to_le_bytes()));
    let ints =
        |bytes: &mut Vec<u8>, all: &[i32]| all.iter().for_each(|n| put(bytes, &n.to_le_bytes()));
    sizes(&mut bytes, &[1, 5, 1, 5]);
    ints(&mut bytes, &[3, -1, 0]);
    sizes(&mut bytes, &[5, 1, 2, 3, 4, 5]);
    for x in [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1f64] {
        put(&mut bytes, &x.to_le_bytes());
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    sizes(&mut bytes, &[1, 2, 1, 2]);
    ints(&mut bytes, &[3, 1, 4]);
    sizes(&mut bytes, &[2, 1, 1, 2, 3, 4, 2, 2, 3, 4, 5]);
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// The same by TetGen, numbered from a first number on.
fn tetgen(first: u32) -> [String; 2] {
    let number = |k: u32| k + first;
    let points = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "1 1 1"];
    let mut node = "# points\n5 3 0 0\n".to_owned();
    for (k, point) in (0..).zip(points) {
        node += &format!("  {} {point} # a point\n", number(k));
    }
    let mut ele = "2  4  0\n".to_owned();
    for (k, corners) in (0..).zip([[0, 1, 2, 3], [1, 2, 3, 4]]) {
        let [a, b, c, d] = corners.map(number);
        ele += &format!("{} {a} {b} {c} {d}\n", number(k));
    }
    [node, ele]
}

fn read_tetgen(node: Option<&[u8]>, ele: &[u8]) -> Result<TetrahedralMesh, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.ele");
    fs::write(&path, ele).unwrap();
    if let Some(node) = node {
        fs::write(path.with_extension("node"), node).unwrap();
    }
    read(&path).map_err(|e| e.to_string())
}

fn assert_two(mesh: &TetrahedralMesh) {
    assert_eq!((mesh.vertices().len(), mesh.tetrahedra().len()), (5, 2));
    let volume: f64 = mesh.vertex_volumes().iter().sum();
    assert!((volume - 0.5).abs() < 1e-12, "{volume}");
}

#[test]
fn files_of_gmsh_give_the_same_solid_as_text_and_as_bytes() {
    for bytes in [GMSH.as_bytes(), &gmsh_binary(true), &gmsh_binary(false)] {
        assert_two(&read_as("two.msh", bytes).expect("a solid"));
    }
}

#[test]
fn files_of_tetgen_give_the_same_solid_numbered_from_0_and_from_1() {
    for first in [0, 1] {
        let [node, ele] = tetgen(first);
        assert_two(&read_tetgen(Some(node.as_bytes()), ele.as_bytes()).expect("a solid"));
    }
}

#[test]
fn unusable_files_of_gmsh_are_refused_with_the_place_and_what_would_be_right() {
    let told = |from: &str, to: &str, words: [&str; 2]| {
        assert!(GMSH.contains(from));
        let message = read_as("bad.msh", GMSH.replacen(from, to, 1).as_bytes()).expect_err("bad");
        assert!(message.contains("bad.msh"), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    told("4.1 0", "2.2 0", ["2.2", "save it as version 4.1"]);
    told("$EndElements", "", ["$Elements", "cut off"]);
    told("3 1 4 2", "3 1 11 2", ["type 11", "first order"]);
    told("3 2 12 4 6", "3 2 12 4 7", ["element 3", "line 27"]);
    told("0 0 1\n", "0 0 x\n", ["`x`", "line 17"]);
    told("3 1 4 2", "3 1 4 2000000000000", ["line", "announces"]);
    told("2 6 1 12", "2000000000 6 1 12", ["line", "ends before"]);
}

#[test]
fn unusable_files_of_tetgen_are_refused_with_the_place_and_what_would_be_right() {
    let [node, ele] = tetgen(1);
    let refused = |node: &str, ele: &str| {
        read_tetgen(Some(node.as_bytes()), ele.as_bytes()).expect_err("bad")
    };
    let message = read_tetgen(None, ele.as_bytes()).expect_err("no points");
    assert!(
        message.contains("two.node") && message.contains("beside"),
        "{message}"
    );
    let message = refused(&node.replace("3 0 1 0", "4 0 1 0"), &ele);
    assert!(
        message.contains("point 4") && message.contains("3 would be"),
        "{message}"
    );
    let message = refused(&node, &ele.replace("2  4", "2  10"));
    assert!(message.contains("-o2"), "{message}");
    let message = refused(&node, &ele.replace("2  4", "3000000000  4"));
    assert!(message.contains("cut off"), "{message}");
    let message = refused(&node, &ele.replace("1 1 2 3 4", "1 0 2 3 4"));
    assert!(
        message.contains("line 2") && message.contains("point 0"),
        "{message}"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_of_gmsh_and_tetgen_panic(
        at in 0usize..600,
        bytes in proptest::collection::vec(any::<u8>(), 0..12),
        keep in 0usize..1200,
        which in 0usize..5,
    ) {
        let [node, ele] = tetgen(0);
        let files = [GMSH.into(), gmsh_binary(true), gmsh_binary(false), node.clone().into(), ele.clone().into()];
        let mut file: Vec<u8> = files[which].clone();
        let at = at % file.len();
        let end = (at + bytes.len()).min(file.len());
        file.splice(at..end, bytes);
        file.truncate(keep);
        let _ = match which {
            3 => read_tetgen(Some(&file), ele.as_bytes()),
            4 => read_tetgen(Some(node.as_bytes()), &file),
            _ => read_as("any.msh", &file),
        };
    }


    #[test]
    fn no_bytes_make_the_reader_panic(
        at in 0usize..400,
        bytes in proptest::collection::vec(any::<u8>(), 1..12),
        which in 0usize..4,
    ) {
        let mut file = [ASCII.as_bytes().to_vec(), VERSION_5.into(), binary(), XML.into()][which].clone();
        let at = at % file.len();
        let end = (at + bytes.len()).min(file.len());
        file.splice(at..end, bytes);
        let beside = Beside { path: Path::new(""), files: &Disk };
        let read = if which == 3 { vtu::FORMAT.read } else { vtk::FORMAT.read };
        let _ = read(&file, &beside).map(|(points, all)| TetrahedralMesh::new(&points, all));
    }
}
