//! Animated files, made here, against where their vertices have to be.

use std::fmt::Write as _;
use std::path::Path;

use pliant_parameters::Disk;
use proptest::prelude::*;

use super::*;

/// A file with one buffer.
#[derive(Default)]
struct File {
    buffer: Vec<u8>,
    views: String,
    accessors: String,
    count: usize,
}

impl File {
    /// Adds an accessor of single-precision numbers; returns its number.
    fn add(&mut self, kind: &str, width: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.put(&bytes, 5126, kind, numbers.len() / width)
    }

    /// Adds an accessor of bytes.
    fn add_bytes(&mut self, kind: &str, width: usize, numbers: &[u8]) -> usize {
        self.put(numbers, 5121, kind, numbers.len() / width)
    }

    fn put(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let comma = if self.count > 0 { "," } else { "" };
        let (start, length) = (self.buffer.len(), bytes.len());
        let number = self.count;
        write!(
            self.views,
            "{comma}{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{length}}}"
        )
        .unwrap();
        // Bounds are required of positions, and not read.
        let bounds = "\"min\":[0,0,0],\"max\":[1,1,1],";
        let bounds = if kind == "VEC3" { bounds } else { "" };
        write!(
            self.accessors,
            "{comma}{{{bounds}\"bufferView\":{number},\"componentType\":{component},\"count\":{count},\"type\":\"{kind}\"}}"
        )
        .unwrap();
        self.buffer.extend(bytes);
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        self.count += 1;
        number
    }

    /// The file with further top-level members.
    fn text(&self, members: &str) -> String {
        let encoded = base64::engine::general_purpose::STANDARD.encode(&self.buffer);
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,{members},\"accessors\":[{}],\"bufferViews\":[{}],\
             \"buffers\":[{{\"uri\":\"data:application/octet-stream;base64,{encoded}\",\"byteLength\":{}}}]}}",
            self.accessors,
            self.views,
            self.buffer.len()
        )
    }
}

fn frames(
    text: &str,
    animation: Option<&str>,
    rate: f64,
) -> Result<(Vec<TriangleMesh>, f64), MeshProblem> {
    let beside = Beside {
        path: Path::new("no-such-folder/file"),
        files: &Disk,
    };
    read_animation(text.as_bytes(), &beside, &Sampling { animation, rate })
}

fn assert_at(found: DVec3, expected: [f64; 3]) {
    assert!(
        found.distance(expected.into()) < 1e-6,
        "{found} is not {expected:?}"
    );
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A triangle on a node that moves, turns and grows, below one that is a metre up.
fn moving() -> String {
    let mut file = File::default();
    let position = file.add("VEC3", 3, &TRIANGLE);
    let times = file.add("SCALAR", 1, &[1.0, 3.0]);
    let ways = file.add("VEC3", 3, &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let turns = file.add("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, HALF, HALF]);
    let sizes = file.add("VEC3", 3, &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    // From 0 with slope 1 to 1 with slope 0.
    let spline = [0.0; 3].into_iter().chain([0.0; 3]).chain([0.0, 1.0, 0.0]);
    let spline = spline
        .chain([0.0; 3])
        .chain([0.0, 1.0, 0.0])
        .chain([0.0; 3]);
    let spline: Vec<f32> = spline.collect();
    let rises = file.add("VEC3", 3, &spline);
    let sampler = |output, how| {
        format!("{{\"input\":{times},\"output\":{output},\"interpolation\":\"{how}\"}}")
    };
    let channel = |sampler, path| {
        format!("{{\"sampler\":{sampler},\"target\":{{\"node\":1,\"path\":\"{path}\"}}}}")
    };
    let move_it = format!(
        "{{\"name\":\"go\",\"samplers\":[{},{},{}],\"channels\":[{},{},{}]}}",
        sampler(ways, "LINEAR"),
        sampler(turns, "LINEAR"),
        sampler(sizes, "STEP"),
        channel(0, "translation"),
        channel(1, "rotation"),
        channel(2, "scale")
    );
    let rise = format!(
        "{{\"name\":\"rise\",\"samplers\":[{}],\"channels\":[{}]}}",
        sampler(rises, "CUBICSPLINE"),
        channel(0, "translation")
    );
    file.text(&format!(
        "\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"translation\":[0,1,0],\"children\":[1]}},{{\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{position}}}}}]}}],\"animations\":[{move_it},{rise}]"
    ))
}

#[test]
fn nodes_move_from_keyframe_to_keyframe() {
    let (all, rate) = frames(&moving(), None, 1.1).unwrap();
    assert_eq!((all.len(), rate), (3, 1.0));
    assert_at(all[0].vertices[1], [1.0, 1.0, 0.0]);
    // Half of the way, an eighth of a turn, and the size of the keyframe before.
    let half = f64::from(HALF);
    assert_at(all[1].vertices[0], [2.0, 1.0, 0.0]);
    assert_at(all[1].vertices[1], [2.0 + half, 1.0 + half, 0.0]);
    assert_at(all[2].vertices[1], [4.0, 3.0, 0.0]);
    let (rising, rate) = frames(&moving(), Some("rise"), 2.0).unwrap();
    assert_eq!((rising.len(), rate), (5, 2.0));
    for (k, mesh) in rising.iter().enumerate() {
        // Hermite: s = t/2, h01 + 2 h10.
        let s = k as f64 / 4.0;
        let (square, cube) = (s * s, s * s * s);
        let height = 3.0 * square - 2.0 * cube + 2.0 * (cube - 2.0 * square + s);
        assert_at(mesh.vertices[0], [0.0, 1.0 + height, 0.0]);
    }
}

/// A strip along x of which the half beyond x = 1 follows a joint there, which turns up by a right angle.
fn bending(joint_of_last: u8) -> String {
    let mut file = File::default();
    let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 0.0, 1.0];
    let position = file.add("VEC3", 3, &points);
    let joints = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, joint_of_last, 0, 0, 0];
    let joints = file.add_bytes("VEC4", 4, &joints);
    let weights = [
        1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
    ];
    let weights = file.add("VEC4", 4, &weights);
    let indices = file.add_bytes("SCALAR", 1, &[0, 1, 2, 1, 2, 3]);
    let identity = |x: f32| {
        let columns = [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [x, 0.0, 0.0, 1.0],
        ];
        columns.concat()
    };
    let binds = file.add("MAT4", 16, &[identity(0.0), identity(-1.0)].concat());
    let times = file.add("SCALAR", 1, &[0.0, 1.0]);
    let turns = file.add("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, HALF, HALF]);
    file.text(&format!(
        "\"scenes\":[{{\"nodes\":[0,2]}}],\"nodes\":[{{\"translation\":[0,5,0],\"children\":[1]}},{{\"translation\":[1,0,0]}},\
         {{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]}}],\"skins\":[{{\"joints\":[0,1],\"inverseBindMatrices\":{binds}}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{position},\"JOINTS_0\":{joints},\"WEIGHTS_0\":{weights}}},\
         \"indices\":{indices}}}]}}],\"animations\":[{{\"samplers\":[{{\"input\":{times},\"output\":{turns}}}],\
         \"channels\":[{{\"sampler\":0,\"target\":{{\"node\":1,\"path\":\"rotation\"}}}}]}}]"
    ))
}

#[test]
fn skinned_vertices_follow_their_joints() {
    let (all, _) = frames(&bending(1), None, 1.0).unwrap();
    assert_eq!(all[0].triangles, [[0, 1, 2], [1, 2, 3]]);
    // The node of a skinned mesh does not count, that of its joints does.
    let [first, last] = [&all[0].vertices, &all[1].vertices];
    assert_at(first[0], [0.0, 5.0, 0.0]);
    assert_at(first[2], [2.0, 5.0, 0.0]);
    assert_at(last[0], [0.0, 5.0, 0.0]);
    assert_at(last[1], [1.0, 5.0, 0.0]);
    assert_at(last[2], [1.0, 6.0, 0.0]);
    assert_at(last[3], [1.0, 6.0, 1.0]);
}

/// A triangle with two morph targets: one lifts it, one widens it.
fn morphing() -> String {
    let mut file = File::default();
    let position = file.add("VEC3", 3, &TRIANGLE);
    let lift = file.add("VEC3", 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let widen = file.add("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let times = file.add("SCALAR", 1, &[0.0, 0.5]);
    let weights = file.add("SCALAR", 1, &[0.0, 0.25, 2.0, 0.75]);
    file.text(&format!(
        "\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],\"meshes\":[{{\"weights\":[0,1],\"primitives\":[{{\
         \"attributes\":{{\"POSITION\":{position}}},\"targets\":[{{\"POSITION\":{lift}}},{{\"POSITION\":{widen}}}]}}]}}],\
         \"animations\":[{{\"samplers\":[{{\"input\":{times},\"output\":{weights}}}],\
         \"channels\":[{{\"sampler\":0,\"target\":{{\"node\":0,\"path\":\"weights\"}}}}]}}]"
    ))
}

#[test]
fn morph_targets_have_their_share() {
    let (all, rate) = frames(&morphing(), None, 4.0).unwrap();
    assert_eq!((all.len(), rate), (3, 4.0));
    for (k, mesh) in all.iter().enumerate() {
        let share = k as f64 / 2.0;
        assert_at(mesh.vertices[0], [0.0, 0.0, 2.0 * share]);
        assert_at(mesh.vertices[1], [1.25 + 0.5 * share, 0.0, 2.0 * share]);
    }
    // At rest they have the weights of the mesh.
    let beside = Beside {
        path: Path::new("no-such-folder/file"),
        files: &Disk,
    };
    let at_rest = read(morphing().as_bytes(), &beside).unwrap().textured.mesh;
    assert_at(at_rest.vertices[1], [2.0, 0.0, 0.0]);
}

#[test]
fn what_is_no_animation_is_refused_with_what_there_is() {
    let refused = |text: &str, name, words: &str| {
        let error = frames(text, name, 24.0).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&moving(), Some("fall"), "`fall`, but go, rise");
    refused(&morphing(), Some("fall"), "none with a name");
    refused(
        &moving().replace("\"animations\"", "\"unknown\""),
        None,
        "no animation",
    );
    refused(&bending(7), None, "a joint that is not there");
    let short = morphing().replace(
        "\"count\":4,\"type\":\"SCALAR\"",
        "\"count\":3,\"type\":\"SCALAR\"",
    );
    refused(&short, None, "damaged");
    let long = frames(&moving(), None, 1e9).unwrap_err().to_string();
    assert!(long.contains("frames"), "{long}");
}

proptest! {
    #[test]
    fn numbers_that_are_exchanged_give_meshes_or_errors(
        which in 0..3_usize,
        place in any::<prop::sample::Index>(),
        digit in 0..10_u8,
    ) {
        let mut text = [moving(), bending(1), morphing()][which].clone().into_bytes();
        let digits: Vec<usize> = (0..text.len()).filter(|&k| text[k].is_ascii_digit()).collect();
        text[digits[place.index(digits.len())]] = b'0' + digit;
        let text = String::from_utf8(text).unwrap();
        if let Ok((all, rate)) = frames(&text, None, 2.0) {
            prop_assert!(rate > 0.0 && !all.is_empty());
        }
    }
}
