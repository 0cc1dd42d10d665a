//! Files are read back by the crate that reads glTF.

use std::sync::Arc;

use gltf::Gltf;
use gltf::animation::Interpolation;
use gltf::animation::util::ReadOutputs;
use gltf::mesh::Mode;
use pliant_core::measure::{Frame, FrameBody, FrameCollider, SceneryKind};
use pliant_geometry::{Course, Frames, MeshSource, MovingMesh, Shape, shapes, topology};
use pliant_math::{DQuat, DVec3, Pose};
use pliant_parameters::{Problem, Value, Values};

use super::*;

struct NoMeshes;

impl MeshSource for NoMeshes {
    fn mesh(&self, file: &str) -> Result<Arc<pliant_geometry::TriangleMesh>, Problem> {
        Err(Problem::at("file", file, "this test has no meshes"))
    }
}

/// A ball of a radius of 0.1 m.
fn ball() -> Arc<dyn Shape> {
    let mut radius = Values::default();
    radius.insert("radius", Value::Number(0.1));
    let mut table = Values::default();
    table.insert("sphere", Value::Table(radius));
    shapes::build_region(&table, &NoMeshes, 0.02).expect("a ball")
}

fn body(name: &str) -> FrameBody {
    FrameBody {
        name: name.into(),
        color: [0.5, 0.2, 0.1],
        drawn_as: Default::default(),
        look: Default::default(),
    }
}

/// A cloth of two triangles that loses one in the third of four frames, two grains of which one leaves in the third,
/// and a ball that turns around its way.
fn file_of_a_run(path: &Path) {
    let shape = ball();
    let scene = SceneFacts {
        frame_rate: 10.0,
        with_triangles: vec![0],
        colliders: vec![SceneCollider {
            name: "ball".into(),
            shape: shape.clone(),
            color: [1.0; 3],
            opacity: 0.5,
            gloss: 0.5,
            placed_by: PlacedBy::Collider(0),
        }],
        ..SceneFacts::default()
    };
    let bodies = [body("cloth"), body("grains")];
    let mut file = GlbFile::create(path, &scene).unwrap();
    for number in 1..=4_u32 {
        let t = 0.1 * f64::from(number - 1);
        let mut position = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, t)];
        position.extend([DVec3::Z * (2.0 + t), DVec3::Z * 3.0]);
        let mut triangles = vec![[0, 1, 2], [1, 3, 2]];
        if number > 2 {
            triangles.pop();
            position.pop();
        }
        let count = position.len();
        let collider = FrameCollider {
            name: "ball".into(),
            shape: shape.clone(),
            pose: Pose {
                translation: DVec3::X * t,
                rotation: DQuat::from_rotation_y(2.0 * f64::from(number)),
            },
            color: [1.0; 3],
            opacity: 0.5,
            gloss: 0.5,
            kind: SceneryKind::Collider,
        };
        let id: Vec<u32> = (0..count as u32).collect();
        let of_body: Vec<u32> = id.iter().map(|&id| u32::from(id > 3)).collect();
        file.add(&Moment {
            frame: &Frame {
                number,
                time: 5.0 + t,
                position: &position,
                velocity: &vec![[0.0; 3]; count],
                id: &id,
                body: &of_body,
                material: &of_body,
                radius: &vec![0.05; count],
                quantities: &[],
                triangles: &triangles,
                uv: &[],
                inside: &[],
                bodies: &bodies,
                material_names: &[],
                colliders: &[collider],
            },
            surface: None,
            scene: &scene,
        })
        .unwrap();
    }
    assert!(!path.exists());
    file.finish().unwrap();
}

#[test]
fn a_run_is_one_file_of_meshes_that_move_deform_and_take_each_others_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("animation.glb");
    file_of_a_run(&path);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let bytes = std::fs::read(&path).unwrap();
    let Gltf { document, blob } = Gltf::from_slice(&bytes).unwrap();
    let blob = blob.unwrap();
    let arrays = |_: gltf::Buffer<'_>| Some(&blob[..]);
    let meshes: Vec<_> = document.meshes().collect();
    // The ball, the cloth before and after, the grains before and after.
    let counts = meshes.iter().map(|mesh| {
        let primitive = mesh.primitives().next().unwrap();
        (primitive.mode(), primitive.morph_targets().count())
    });
    let expected = [
        (Mode::Triangles, 0),
        (Mode::Triangles, 1),
        (Mode::Triangles, 1),
        (Mode::Points, 1),
        (Mode::Points, 1),
    ];
    assert_eq!(counts.collect::<Vec<_>>(), expected);
    let cloth = meshes[1].primitives().next().unwrap();
    let reader = cloth.reader(arrays);
    let corners: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    assert_eq!(corners, [0, 1, 2, 1, 3, 2]);
    let moved = reader.read_morph_targets().next().unwrap().0.unwrap();
    assert_eq!(moved.last().unwrap(), [0.0, 0.0, 0.1]);
    let animation = document.animations().next().unwrap();
    let mut seen = Vec::new();
    for channel in animation.channels() {
        let reader = channel.reader(arrays);
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let node = channel.target().node().index();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Rotations(rotations) => {
                let rotations: Vec<[f32; 4]> = rotations.into_f32().collect();
                let dots = rotations.windows(2).map(|pair| {
                    let parts = pair[0].iter().zip(&pair[1]);
                    parts.map(|(a, b)| a * b).sum::<f32>()
                });
                assert!(dots.clone().count() == 3 && dots.into_iter().all(|dot| dot >= 0.0));
                seen.push((node, "turns"));
            }
            ReadOutputs::Translations(_) => seen.push((node, "moves")),
            ReadOutputs::MorphTargetWeights(weights) => {
                let weights: Vec<f32> = weights.into_f32().collect();
                assert_eq!(weights, [0.0, 1.0]);
                seen.push((node, "deforms"));
            }
            ReadOutputs::Scales(sizes) => {
                assert_eq!(channel.sampler().interpolation(), Interpolation::Step);
                let sizes: Vec<f32> = sizes.map(|size| size[0]).collect();
                assert_eq!((times.len(), times[1]), (2, 0.2));
                let expected = if sizes[0] > 0.5 {
                    [1.0, 0.0]
                } else {
                    [0.0, 1.0]
                };
                assert_eq!(sizes, expected);
                seen.push((node, "is shown"));
            }
        }
    }
    let of_meshes = (2..=5).flat_map(|node| [(node, "deforms"), (node, "is shown")]);
    let expected = [(1, "moves"), (1, "turns")].into_iter().chain(of_meshes);
    assert_eq!(seen, expected.collect::<Vec<_>>());
    let glass = document.materials().next().unwrap();
    assert_eq!(glass.alpha_mode(), gltf::material::AlphaMode::Blend);
}

#[test]
fn vertices_of_seams_become_as_many_as_they_have_texture_coordinates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let scene = SceneFacts {
        with_triangles: vec![0],
        with_uv: vec![0],
        ..SceneFacts::default()
    };
    let position = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, -1.0)];
    // Both triangles share two vertices, one of them with one place in the picture.
    let uv = [
        [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]],
        [[0.5, 0.0], [1.0, 1.0], [0.5, 1.0]],
    ];
    let mut file = GlbFile::create(&path, &scene).unwrap();
    file.add(&Moment {
        frame: &Frame {
            number: 1,
            time: 0.0,
            position: &position,
            velocity: &[[0.0; 3]; 4],
            id: &[0, 1, 2, 3],
            body: &[0; 4],
            material: &[0; 4],
            radius: &[0.1; 4],
            quantities: &[],
            triangles: &[[0, 1, 2], [1, 3, 2]],
            uv: &uv,
            inside: &[],
            bodies: &[body("cloth")],
            material_names: &[],
            colliders: &[],
        },
        surface: None,
        scene: &scene,
    })
    .unwrap();
    file.finish().unwrap();
    let Gltf { document, blob } = Gltf::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let blob = blob.unwrap();
    let mesh = document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob[..]));
    let corners: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    let found: Vec<[f32; 2]> = reader.read_tex_coords(0).unwrap().into_f32().collect();
    let places: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
    assert_eq!(places.len(), 5);
    let expected = [0, 1, 2, 1, 3, 2].iter().zip(uv.as_flattened());
    for (&corner, (&vertex, [u, v])) in corners.iter().zip(expected) {
        assert_eq!(
            places[corner as usize],
            position[vertex].as_vec3().to_array()
        );
        assert_eq!(found[corner as usize], [*u, 1.0 - v]);
    }
    // The surface stays smooth across the seam.
    assert_eq!(normals[corners[2] as usize], normals[corners[5] as usize]);
    assert_ne!(normals[corners[0] as usize], normals[corners[2] as usize]);
}

#[test]
fn a_file_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = GlbFile::create(&folder.path().join("a.glb"), &SceneFacts::default()).unwrap();
    drop(file);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = GlbFile::create(&folder.path().join("b/a.glb"), &SceneFacts::default());
    let told = nowhere.unwrap_err().to_string();
    assert!(told.contains("a.glb"), "{told}");
}

/// A box with edges of 1 m that gets longer along y by 0.5 m in each tenth of a second, three times.
fn growing() -> (pliant_geometry::TriangleMesh, SceneCollider) {
    let half_size = DVec3::splat(0.5);
    let mesh = topology::closed(&shapes::Box { half_size }.surface(1.0)).unwrap();
    let longer = |by: f64| {
        let places = mesh.vertices.iter();
        places.map(move |x| DVec3::new(x.x, x.y * (1.0 + by), x.z))
    };
    let places = (0..4).map(|frame| longer(0.5 * f64::from(frame)).collect());
    let course = Course {
        rate: 10.0,
        start: 0.0,
        repeats: false,
        is_smooth: false,
    };
    let moving = MovingMesh::new(&mesh, true, Frames::new(places.collect(), course));
    let collider = SceneCollider {
        name: "muscle".into(),
        shape: Arc::new(moving),
        color: [1.0; 3],
        opacity: 1.0,
        gloss: 0.0,
        placed_by: PlacedBy::Collider(0),
    };
    (mesh, collider)
}

/// Writes frames of what grows, so many a second [1/s]; it also goes along x by 1 m/s.
fn file_of_what_grows(path: &Path, numbers: std::ops::RangeInclusive<u32>, rate: f64) {
    let (_, collider) = growing();
    let scene = SceneFacts {
        frame_rate: rate,
        colliders: vec![collider.clone()],
        ..SceneFacts::default()
    };
    let mut file = GlbFile::create(path, &scene).unwrap();
    for number in numbers {
        let time = f64::from(number - 1) / rate;
        let mut shape = collider.shape.moving().unwrap().clone();
        shape.move_to(time, 0.0);
        let placed = FrameCollider {
            name: collider.name.clone(),
            shape: Arc::new(shape),
            pose: Pose {
                translation: DVec3::X * time,
                rotation: DQuat::IDENTITY,
            },
            color: collider.color,
            opacity: collider.opacity,
            gloss: collider.gloss,
            kind: SceneryKind::Collider,
        };
        file.add(&Moment {
            frame: &Frame {
                number,
                time,
                colliders: &[placed],
                ..Frame::default()
            },
            surface: None,
            scene: &scene,
        })
        .unwrap();
    }
    file.finish().unwrap();
}

#[test]
fn a_collider_that_deforms_is_read_back_as_it_was_between_the_frames_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    // Frames of the run at half and at all of the time from one file to the next, and after the last.
    file_of_what_grows(&path, 1..=9, 20.0);
    let sampling = crate::mesh::Sampling {
        animation: None,
        rate: 20.0,
    };
    let read = crate::mesh::read_animation_with(&path, &pliant_parameters::Disk, &sampling);
    let (series, rate) = read.unwrap();
    // Times are in single precision.
    assert!(series.places.len() == 9 && (rate - 20.0).abs() < 1e-5);
    let (mesh, _) = growing();
    assert_eq!(series.mesh.triangles.len(), mesh.triangles.len());
    for (frame, places) in (0..).zip(&series.places) {
        let time = f64::from(frame) / 20.0;
        let length = 1.0 + 5.0 * time.min(0.3);
        for (at_start, place) in series.places[0].iter().zip(places) {
            let expected = DVec3::new(at_start.x + time, at_start.y * length, at_start.z);
            assert!(place.distance(expected) < 1e-5, "{place} in frame {frame}");
        }
    }
}

#[test]
fn a_collider_that_deforms_for_long_has_meshes_that_take_each_others_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    // From the second frame on, as an export may begin anywhere.
    file_of_what_grows(&path, 2..=302, 1000.0);
    let Gltf { document, .. } = Gltf::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let targets = |mesh: gltf::Mesh<'_>| mesh.primitives().next().unwrap().morph_targets().count();
    assert_eq!(
        document.meshes().map(targets).collect::<Vec<_>>(),
        [199, 100]
    );
    let animation = document.animations().next().unwrap();
    let of_node = |node: usize| {
        let channels = animation.channels();
        let own = channels.filter(move |channel| channel.target().node().index() == node);
        own.map(|channel| format!("{:?}", channel.target().property()))
    };
    for node in [1, 2] {
        let animated: Vec<String> = of_node(node).collect();
        let expected = ["Translation", "Rotation", "MorphTargetWeights", "Scale"];
        assert_eq!(animated, expected);
    }
}
