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
