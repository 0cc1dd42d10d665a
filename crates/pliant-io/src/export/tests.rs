//! Frames through all formats and back, and malformed files.

use std::fs;

use pliant_core::measure::{Frame, FrameBody, Quantity};
use pliant_math::DVec3;
use proptest::prelude::*;

use super::*;

pub(super) fn body(name: &str) -> FrameBody {
    FrameBody {
        name: name.to_owned(),
        color: [0.5; 3],
        drawn_as: Default::default(),
        look: Default::default(),
    }
}

/// A frame with bodies of awkward names and values that only exact copies reproduce.
fn sample(count: usize) -> (ParticleFrame, Vec<FrameBody>) {
    let value = |i: usize| (i as f32 + 0.1).sqrt();
    let column = |name, unit, factor: f32| Quantity {
        name,
        unit,
        values: (0..count).map(|i| factor * value(i)).collect(),
    };
    let bodies = vec![body("dough <&\"> grün"), body("floor")];
    let frame = ParticleFrame {
        number: 12,
        time: 11.0 / 24.0,
        position: (0..count)
            .map(|i| DVec3::new(i as f64 / 3.0, -1e-9, 1e9))
            .collect(),
        velocity: (0..count).map(|i| [value(i), -0.0, 1e-38]).collect(),
        id: (0..count as u32).map(|i| 3 * i).collect(),
        body: (0..count as u32).map(|i| i % 2).collect(),
        material: vec![0; count],
        radius: (0..count).map(|i| 0.01 * value(i)).collect(),
        quantities: vec![
            column("density", "kg/m3", 1600.0),
            column("det_F", "", 1.0),
            column("stress_von_mises", "Pa", f32::NAN),
        ],
        // What cloth has: a strip of triangles.
        triangles: (2..count as u32).map(|i| [i - 2, i - 1, i]).collect(),
        uv: (2..count)
            .map(|i| [[value(i), -0.0], [1e-38, 0.5], [0.25, value(i - 1)]])
            .collect(),
        inside: (2..count).map(|i| i % 3 == 0).collect(),
        body_names: bodies.iter().map(|b| b.name.clone()).collect(),
        material_names: vec!["dough 1".to_owned()],
    };
    (frame, bodies)
}

fn written(exporter: &Exporter, frame: &ParticleFrame, bodies: &[FrameBody]) -> Vec<u8> {
    bytes_of(exporter, &frame.frame(bodies, &[]).unwrap())
}

/// Writes a frame without surfaces as a file.
fn write(folder: &Path, name: &str, frame: &Frame) -> Result<PathBuf, FileError> {
    let scene = SceneFacts::default();
    let moment = Moment {
        frame,
        surface: None,
        scene: &scene,
    };
    write_frame(folder, exporter(name).unwrap(), &moment)
}

/// The exporters whose files can be read, with what reads them.
fn readers() -> Vec<(&'static Exporter, ReadFrame)> {
    readable().collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn assert_same(found: &ParticleFrame, frame: &ParticleFrame) {
    assert_eq!(found.number, frame.number);
    assert_eq!(found.time.to_bits(), frame.time.to_bits());
    assert_eq!(found.position, frame.position);
    assert_eq!(
        bits(found.velocity.as_flattened()),
        bits(frame.velocity.as_flattened())
    );
    assert_eq!(found.id, frame.id);
    assert_eq!(found.body, frame.body);
    assert_eq!(found.material, frame.material);
    assert_eq!(bits(&found.radius), bits(&frame.radius));
    assert_eq!(found.body_names, frame.body_names);
    assert_eq!(found.material_names, frame.material_names);
    assert_eq!(found.triangles, frame.triangles);
    assert_eq!(found.quantities.len(), frame.quantities.len());
    for (a, b) in found.quantities.iter().zip(&frame.quantities) {
        assert_eq!((a.name, a.unit), (b.name, b.unit));
        assert_eq!(bits(&a.values), bits(&b.values));
    }
}

/// What an exporter writes of a frame without bodies' surfaces.
pub(super) fn bytes_of(exporter: &Exporter, frame: &Frame) -> Vec<u8> {
    let moment = Moment {
        frame,
        surface: None,
        scene: &SceneFacts::default(),
    };
    let mut bytes = Vec::new();
    (exporter.write)(&moment, &mut bytes).unwrap();
    bytes
}

/// Two particles of two bodies, the second a rigid body turned by a half turn about x, and no triangle.
pub(super) fn two_particles() -> (ParticleFrame, Vec<FrameBody>) {
    let quantity = |name, values: [f32; 2]| Quantity {
        name,
        unit: "",
        values: values.to_vec(),
    };
    let bodies = vec![body("sand"), body("cup")];
    let frame = ParticleFrame {
        number: 3,
        time: 0.5,
        position: vec![DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0)],
        velocity: vec![[0.5, 0.0, -0.5], [0.0, 0.25, 0.0]],
        id: vec![7, 9],
        body: vec![0, 1],
        material: vec![0, 0],
        radius: vec![0.125, 0.5],
        quantities: vec![
            quantity("density", [1600.0, 500.0]),
            quantity("rotation_x", [0.0, 1.0]),
            quantity("rotation_y", [0.0, 0.0]),
            quantity("rotation_z", [0.0, 0.0]),
            quantity("rotation_w", [1.0, 0.0]),
        ],
        body_names: vec!["sand".to_owned(), "cup".to_owned()],
        material_names: vec!["wet".to_owned()],
        ..ParticleFrame::default()
    };
    (frame, bodies)
}

#[test]
fn every_format_gives_back_the_same_bits() {
    for (exporter, read) in readers() {
        for count in [0, 1, 2, 1000] {
            let (frame, bodies) = sample(count);
            let bytes = written(exporter, &frame, &bodies);
            match read(&bytes) {
                Ok(found) => assert_same(&found, &frame),
                Err(problem) => panic!("{} with {count}: {problem}", exporter.name),
            }
        }
    }
}

#[test]
fn the_same_frame_gives_the_same_bytes() {
    for exporter in EXPORTERS {
        let (frame, bodies) = sample(10);
        assert!(written(exporter, &frame, &bodies) == written(exporter, &frame, &bodies));
    }
}

#[test]
fn frames_are_written_listed_and_read_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let (mut frame, bodies) = sample(5);
    for number in [1, 2, 10_000] {
        frame.number = number;
        for name in ["vtk", "npz"] {
            let lent = frame.frame(&bodies, &[]).unwrap();
            write(folder.path(), name, &lent).unwrap();
        }
    }
    fs::remove_file(folder.path().join("particles.0002.vtp")).unwrap();
    let listed = list_frames(folder.path()).unwrap();
    let names: Vec<_> = listed
        .iter()
        .map(|(_, path)| path.file_name().unwrap().to_str().unwrap())
        .collect();
    let expected = [
        "particles.0001.vtp",
        "particles.0002.npz",
        "particles.10000.vtp",
    ];
    assert_eq!(names, expected);
    for (number, path) in &listed {
        let read = read_frame(path).unwrap();
        assert_eq!(read.number, *number);
    }
}

#[test]
fn a_borrowed_frame_equals_the_read_one_and_needs_all_bodies() {
    let (frame, bodies) = sample(4);
    let lent = frame.frame(&bodies, &[]).unwrap();
    assert_eq!((lent.particle_count(), lent.number), (4, 12));
    assert_eq!(lent.quantity("density").unwrap().unit, "kg/m3");
    let error = frame.frame(&bodies[..1], &[]).unwrap_err();
    assert!(error.to_string().contains("body 1"), "{error}");
}

#[test]
fn unknown_extension_and_foreign_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_frame(&folder.path().join("a.bgeo")).unwrap_err();
    assert!(error.to_string().contains(".vtp, .ply, .npz"), "{error}");
    let path = folder.path().join("a.ply");
    fs::write(&path, "ply\nformat ascii 1.0\nend_header\n").unwrap();
    let error = read_frame(&path).unwrap_err();
    assert!(error.to_string().contains("a.ply"), "{error}");
}

#[test]
fn what_is_not_finite_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (frame, bodies) = sample(4);
    let refused = |change: fn(&mut ParticleFrame)| {
        let mut changed = frame.clone();
        change(&mut changed);
        let lent = changed.frame(&bodies, &[]).unwrap();
        let error = write(folder.path(), "bgeo", &lent).unwrap_err();
        error.to_string()
    };
    let error = refused(|f| f.position[3].y = f64::NAN);
    let expected = "frame 12 the position of particle 9 of body `floor` is not finite";
    assert!(error.contains(expected), "{error}");
    assert!(error.contains("particles.0012.bgeo"), "{error}");
    let error = refused(|f| f.velocity[0][1] = f32::INFINITY);
    assert!(error.contains("velocity of particle 0"), "{error}");
    let error = refused(|f| f.radius[1] = f32::NAN);
    assert!(error.contains("radius of particle 3"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn every_truncation_is_noticed() {
    for (exporter, read) in readers() {
        let (frame, bodies) = sample(3);
        let bytes = written(exporter, &frame, &bodies);
        // VTK's format ends with closing tags.
        let end = bytes.len() - if exporter.name == "vtk" { 32 } else { 0 };
        for length in 0..end {
            let result = read(&bytes[..length]);
            assert!(result.is_err(), "{} cut to {length} bytes", exporter.name);
        }
    }
}

#[test]
fn arrays_that_do_not_fit_together_are_refused() {
    let (frame, _) = sample(3);
    let all_bodies = [body("a"), body("b")];
    let refused = |change: fn(&mut ParticleFrame)| {
        let mut changed = frame.clone();
        change(&mut changed);
        let bytes = written(&npz::EXPORTER, &changed, &all_bodies);
        (npz::EXPORTER.read.unwrap())(&bytes).unwrap_err()
    };
    let problem = refused(|f| f.radius.truncate(2));
    assert!(
        matches!(problem, FrameProblem::WrongLength { .. }),
        "{problem}"
    );
    let problem = refused(|f| f.material[1] = 7);
    assert!(
        matches!(problem, FrameProblem::OutOfRange { .. }),
        "{problem}"
    );
    let problem = refused(|f| f.triangles[0][1] = 3);
    assert!(
        matches!(problem, FrameProblem::NoCorner { .. }),
        "{problem}"
    );
    let problem = refused(|f| f.uv.push([[0.0; 2]; 3]));
    assert!(
        problem.to_string().contains("2 values for 1 triangles"),
        "{problem}"
    );
    let problem = refused(|f| f.inside.push(true));
    assert!(problem.to_string().contains("`inside`"), "{problem}");
    let problem = refused(|f| f.time = f64::NAN);
    assert!(matches!(problem, FrameProblem::BadTime(_)), "{problem}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn mutated_files_give_consistent_frames_or_errors(
        format in 0..3_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (frame, bodies) = sample(3);
        let (exporter, read) = readers()[format];
        let mut bytes = written(exporter, &frame, &bodies);
        for (place, byte) in changes {
            let i = place.index(bytes.len());
            bytes[i] = byte;
        }
        if let Ok(read) = read(&bytes) {
            let count = read.position.len();
            prop_assert!(read.time.is_finite());
            prop_assert_eq!((read.velocity.len(), read.radius.len()), (count, count));
            prop_assert!(read.quantities.iter().all(|q| q.values.len() == count));
            let triangles = read.triangles.len();
            prop_assert!([0, triangles].contains(&read.uv.len()));
            prop_assert!([0, triangles].contains(&read.inside.len()));
            let corners = read.triangles.as_flattened();
            prop_assert!(corners.iter().all(|&corner| (corner as usize) < count));
            prop_assert!(read.body.iter().all(|&b| (b as usize) < read.body_names.len()));
        }
    }

    #[test]
    fn noise_is_refused(format in 0..3_usize, bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!((readers()[format].1)(&bytes).is_err());
    }
}
