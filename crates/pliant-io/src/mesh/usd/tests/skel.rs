//! Meshes that follow skeletons and blend shapes, against what OpenUSD evaluates and where they have to be.

use super::*;
use crate::mesh::usd::surface::triangles;

/// What `tools/readback/skel.py` wrote by OpenUSD 26.11: a stage in both forms, and where its points are at times.
const TEXT: &str = include_str!("../samples/skel.usda");
const BINARY: &[u8] = include_bytes!("../samples/skel.usdc");
const EVALUATED: &str = include_str!("../samples/skel.txt");

/// How far points may be from where single precision has them.
const ROUNDING: f64 = 1e-5;

#[test]
fn points_are_where_openusd_skins_them() {
    for bytes in [TEXT.as_bytes(), BINARY] {
        assert_as_evaluated(bytes, EVALUATED);
    }
}

/// Compares the points of a stage with lines of a time and their places.
fn assert_as_evaluated(bytes: &[u8], evaluated: &str) {
    let stage = open(bytes);
    for line in evaluated.lines() {
        let numbers: Vec<f64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let (time, wanted) = (numbers[0], numbers[1..].as_chunks::<3>().0);
        let mesh = triangles(&stage, Moment::Code(time)).unwrap().textured.mesh;
        assert_eq!(mesh.vertices.len(), wanted.len());
        for (i, (own, wanted)) in mesh.vertices.iter().zip(wanted).enumerate() {
            let wanted = DVec3::from_array(*wanted);
            let error = own.distance(wanted);
            assert!(
                error < ROUNDING * (1.0 + wanted.length()),
                "point {i} at {time}: {own} and not {wanted}"
            );
        }
    }
}

fn open(bytes: &[u8]) -> Stage {
    in_folder(Path::new("no-such-folder"), |beside| {
        Stage::open(bytes, beside)
    })
    .unwrap()
}
