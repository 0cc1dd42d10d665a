//! What is written is what a reader of HDF5 finds, the same bytes each time; programs that draw it are asked by
//! `tools/readback/run`.

use std::fs;

use pliant_core::measure::{Frame, Quantity};
use pliant_math::DVec3;
use rust_hdf5::H5File;

use super::*;

/// Columns of so many particles, and a triangle if there are three.
struct Columns {
    position: Vec<DVec3>,
    velocity: Vec<[f32; 3]>,
    numbers: Vec<u32>,
    radius: Vec<f32>,
    quantities: Vec<Quantity>,
    triangles: Vec<[u32; 3]>,
    uv: Vec<[[f32; 2]; 3]>,
    inside: Vec<bool>,
}

impl Columns {
    fn of(count: u32) -> Self {
        let values: Vec<f32> = (0..count).map(|k| k as f32 + 0.5).collect();
        Self {
            position: (0..count)
                .map(|k| DVec3::new(f64::from(k), 2.0, 3.0))
                .collect(),
            velocity: vec![[1.0, -1.0, 0.0]; count as usize],
            numbers: (0..count).collect(),
            radius: values.clone(),
            quantities: vec![Quantity {
                name: "density",
                unit: "kg/m3",
                values,
            }],
            triangles: if count >= 3 {
                vec![[0, 2, 1]]
            } else {
                Vec::new()
            },
            uv: Vec::new(),
            inside: Vec::new(),
        }
    }

    /// The same with a place in a picture, and as a face of a cut.
    fn textured(count: u32) -> Self {
        Self {
            uv: vec![[[0.25, 0.5], [0.75, 0.5], [0.25, 1.0]]],
            inside: vec![true],
            ..Self::of(count)
        }
    }

    fn frame(&self, number: u32) -> Frame<'_> {
        Frame {
            number,
            time: 0.5 * f64::from(number - 1),
            position: &self.position,
            velocity: &self.velocity,
            id: &self.numbers,
            body: &self.numbers,
            material: &self.numbers,
            radius: &self.radius,
            quantities: &self.quantities,
            triangles: &self.triangles,
            uv: &self.uv,
            inside: &self.inside,
            bodies: &[],
            material_names: &[],
            colliders: &[],
        }
    }
}

/// Three frames, of two, none and four particles.
fn written(path: &std::path::Path) {
    let mut file = VtkhdfFile::create(path, &[]).expect("a folder");
    for (number, count) in [(1, 2), (2, 0), (3, 4)] {
        file.add(&Columns::of(count).frame(number), true)
            .expect("space");
    }
    file.finish().expect("space");
}

#[test]
fn steps_find_their_parts_of_the_arrays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vtkhdf");
    written(&path);
    let file = H5File::open(&path).expect("HDF5");
    let numbers = |name: &str| {
        let array = file.dataset(&format!("VTKHDF/{name}")).expect(name);
        array.read_raw::<i64>().expect("whole numbers")
    };
    let singles = |name: &str| {
        let array = file.dataset(&format!("VTKHDF/{name}")).expect(name);
        array.read_raw::<f32>().expect("numbers")
    };
    assert_eq!(numbers("NumberOfPoints"), [2, 0, 4]);
    assert_eq!(numbers("Steps/PointOffsets"), [0, 2, 2]);
    assert_eq!(numbers("Steps/PointDataOffsets/density"), [0, 2, 2]);
    let positions = singles("Points");
    assert_eq!(positions.len(), 3 * 6);
    assert_eq!(positions[3 * 3..][..3], [1.0, 2.0, 3.0]);
    assert_eq!(singles("PointData/density")[2..], [0.5, 1.5, 2.5, 3.5]);
    assert_eq!(numbers("Vertices/NumberOfCells"), [2, 0, 4]);
    assert_eq!(numbers("Vertices/Offsets"), [0, 1, 2, 0, 0, 1, 2, 3, 4]);
    assert_eq!(numbers("Polygons/NumberOfConnectivityIds"), [0, 0, 3]);
    assert_eq!(numbers("Polygons/Connectivity"), [0, 2, 1]);
    let cells = numbers("Steps/CellOffsets");
    assert_eq!(cells, [0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
    let times = file.dataset("VTKHDF/Steps/Values").expect("times");
    assert_eq!(times.read_raw::<f64>().expect("numbers"), [0.0, 0.5, 1.0]);
}

#[test]
fn triangles_have_texture_coordinates_and_faces_of_cuts_and_particles_zeros_beside_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vtkhdf");
    let mut file = VtkhdfFile::create(&path, &[]).expect("a folder");
    // They come with the second frame: the triangle of the first has none, and that of the third.
    for (number, columns) in [
        (1, Columns::of(3)),
        (2, Columns::textured(4)),
        (3, Columns::of(3)),
    ] {
        file.add(&columns.frame(number), true).expect("space");
    }
    file.finish().expect("space");
    let file = H5File::open(&path).expect("HDF5");
    let uv = file.dataset("VTKHDF/CellData/uv").expect("uv");
    let cells = [3 + 1, 4 + 1, 3 + 1];
    assert_eq!(uv.shape(), [cells.iter().sum(), 6]);
    let uv = uv.read_raw::<f32>().expect("numbers");
    let (before, rest) = uv.split_at(6 * (cells[0] + 4));
    let (own, after) = rest.split_at(6);
    assert_eq!(own, [0.25, 0.5, 0.75, 0.5, 0.25, 1.0]);
    assert!(before.iter().chain(after).all(|&number| number == 0.0));
    let inside = file.dataset("VTKHDF/CellData/inside").expect("inside");
    let inside = inside.read_raw::<u8>().expect("numbers");
    assert_eq!(inside, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    for name in ["uv", "inside"] {
        let offsets = file.dataset(&format!("VTKHDF/Steps/CellDataOffsets/{name}"));
        let offsets = offsets.expect(name).read_raw::<i64>();
        assert_eq!(offsets.expect("whole numbers"), [0, 4, 9]);
    }
}

#[test]
fn files_without_texture_coordinates_have_no_data_of_cells() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vtkhdf");
    written(&path);
    let file = H5File::open(&path).expect("HDF5");
    assert!(file.dataset("VTKHDF/CellData/uv").is_err());
    assert!(file.dataset("VTKHDF/Steps/CellDataOffsets/uv").is_err());
}

#[test]
fn quantities_that_only_later_frames_have_are_not_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vtkhdf");
    let mut file = VtkhdfFile::create(&path, &["density", "rotation_w"]).expect("a folder");
    file.add(&Columns::of(2).frame(1), true).expect("space");
    file.finish().expect("space");
    let file = H5File::open(&path).expect("HDF5");
    let read = |name: &str| {
        let array = file.dataset(&format!("VTKHDF/PointData/{name}"));
        let array = array.expect(name).read_raw::<f32>();
        array.expect("numbers")
    };
    assert!(read("density").iter().all(|value| value.is_finite()));
    assert!(read("rotation_w").iter().all(|value| value.is_nan()));
}

#[test]
fn the_same_frames_give_the_same_bytes_and_a_broken_off_file_has_no_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    written(&path("a.vtkhdf"));
    written(&path("b.vtkhdf"));
    let read = |name: &str| fs::read(path(name)).expect("written");
    assert!(read("a.vtkhdf") == read("b.vtkhdf"));
    let mut file = VtkhdfFile::create(&path("c.vtkhdf"), &[]).expect("a folder");
    file.add(&Columns::of(3).frame(1), true).expect("space");
    drop(file);
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 2);
    let nowhere = VtkhdfFile::create(&path("none/d.vtkhdf"), &[]).map(|_| ());
    assert!(
        nowhere
            .expect_err("no folder")
            .to_string()
            .contains("d.vtkhdf")
    );
}
