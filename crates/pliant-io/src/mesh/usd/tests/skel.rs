//! Meshes that follow skeletons and blend shapes, against what OpenUSD evaluates and where they have to be.

mod malformed;

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

/// A skeleton along y: its second joint is 1 above the first.
const SKELETON: &str = "def Skeleton \"Bones\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {
    uniform token[] joints = [\"hip\", \"hip/knee\"]
    uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    rel skel:animationSource = </Leg/Bend>
}";

/// Bends it by a right angle about z, and lets it swell.
const ANIMATION: &str = "def SkelAnimation \"Bend\" {
    uniform token[] joints = [\"hip/knee\"]
    float3[] translations = [(0, 1, 0)]
    quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 24: [(0.70710678, 0, 0, 0.70710678)] }
    half3[] scales = [(1, 1, 1)]
    uniform token[] blendShapes = [\"fat\", \"thin\"]
    float[] blendShapeWeights.timeSamples = { 0: [0, 0], 24: [1, 0] }
}";

/// A triangle from the first joint to 2 along y, of which the last point follows the second joint and the middle one both.
const SHIN: &str = "def Mesh \"Shin\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
    rel skel:skeleton = </Leg/Bones>
    int[] primvars:skel:jointIndices = [0, 0, 0, 1, 1, 1] (
        elementSize = 2
        interpolation = \"vertex\"
    )
    float[] primvars:skel:jointWeights = [1, 0, 0.5, 0.5, 0.75, 0.25] (
        elementSize = 2
        interpolation = \"vertex\"
    )
    uniform token[] skel:blendShapes = [\"fat\"]
    rel skel:blendShapeTargets = <Fat>
    def BlendShape \"Fat\" {
        uniform vector3f[] offsets = [(0, 0, 4)]
        uniform int[] pointIndices = [0]
        uniform vector3f[] inbetweens:half = [(0, 0, 1)] (
            weight = 0.5
        )
    }
}";

fn leg() -> String {
    layer(&format!(
        "def SkelRoot \"Leg\" {{\n{SKELETON}\n{ANIMATION}\n{SHIN}\n}}"
    ))
}

#[test]
fn points_follow_their_joints_and_shapes_between_keyframes() {
    let (frames, rate) = frames_of(leg().as_bytes(), None, 4.0).unwrap();
    assert_eq!((frames.len(), rate), (5, 4.0));
    for (number, mesh) in (0..).zip(&frames) {
        let share = f64::from(number) / 4.0;
        // At an even rate, as rotations go. The point at 2 is one beyond the second joint.
        let (sine, cosine) = (90.0 * share).to_radians().sin_cos();
        assert!(has_vertex(mesh, [-sine, 1.0 + cosine, 0.0]), "{number}");
        assert!(has_vertex(mesh, [0.0, 1.0, 0.0]), "{number}");
        // The shape goes to 1 at its middle and on to 4.
        let swollen = match share <= 0.5 {
            true => 2.0 * share,
            false => 1.0 + 3.0 * (2.0 * share - 1.0),
        };
        assert!(has_vertex(mesh, [0.0, 0.0, swollen]), "{number}");
    }
}

#[test]
fn a_skeleton_without_an_animation_is_at_rest() {
    let still = leg().replace("rel skel:animationSource = </Leg/Bend>", "");
    let knee_up = "(0,0,1,0),(0,1,0,1))]\n    rel";
    assert!(!still.contains(knee_up));
    // The rest pose, of which the second joint is 3 above the first, counts, and not how meshes were bound.
    let (binds, rest) = still.split_once("restTransforms").unwrap();
    let still = format!(
        "{binds}restTransforms{}",
        rest.replacen("(0,1,0,1))]", "(0,3,0,1))]", 1)
    );
    let mesh = mesh_of(still.as_bytes()).unwrap();
    assert!(has_vertex(&mesh, [0.0, 0.0, 0.0]) && has_vertex(&mesh, [0.0, 2.0, 0.0]));
    assert!(has_vertex(&mesh, [0.0, 4.0, 0.0]));
    let error = frames_of(still.as_bytes(), None, 1.0).unwrap_err();
    assert!(error.to_string().contains("nothing in it moves"), "{error}");
    // A relationship to nothing hides that of the prim above.
    let hidden = leg().replace("</Leg/Bend>", "None").replace(
        "SkelRoot \"Leg\" {",
        "SkelRoot \"Leg\" { rel skel:animationSource = </Leg/Bend>",
    );
    assert!(frames_of(hidden.as_bytes(), None, 1.0).is_err());
    let above = hidden.replace("rel skel:animationSource = None", "");
    assert_eq!(frames_of(above.as_bytes(), None, 4.0).unwrap().0.len(), 5);
}

#[test]
fn only_animations_that_meshes_follow_tell_how_long_it_takes() {
    let longer = ANIMATION.replace("Bend", "Other").replace("24:", "240:");
    let both = leg().replace(ANIMATION, &format!("{ANIMATION}\n{longer}"));
    assert_eq!(frames_of(both.as_bytes(), None, 4.0).unwrap().0.len(), 5);
}

#[test]
fn the_place_of_the_skeleton_counts_and_not_that_of_the_mesh() {
    const MOVED: &str = "double3 xformOp:translate = (10, 0, 0)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
    let moved = leg()
        .replace(
            "int[] faceVertexCounts",
            &format!("{MOVED} int[] faceVertexCounts"),
        )
        .replace(
            "uniform token[] joints = [\"hip\"",
            &format!(
                "{} uniform token[] joints = [\"hip\"",
                MOVED.replace("10", "0, 7").replace(", 0, 0)", ", 0)")
            ),
        );
    let mesh = mesh_of(moved.as_bytes()).unwrap();
    assert!(has_vertex(&mesh, [0.0, 7.0, 0.0]) && has_vertex(&mesh, [0.0, 9.0, 0.0]));
}

#[test]
fn joints_may_have_an_order_of_their_own_and_come_from_the_prim_above() {
    let ordered = leg()
        .replace("[0, 0, 0, 1, 1, 1]", "[1, 1, 1, 0, 0, 0]")
        .replace("rel skel:skeleton = </Leg/Bones>", "")
        .replace(
            "SkelRoot \"Leg\" {",
            "SkelRoot \"Leg\" { rel skel:skeleton = <Bones>\n uniform token[] skel:joints = [\"hip/knee\", \"hip\"]",
        );
    let [plain, ordered] =
        [leg(), ordered].map(|text| frames_of(text.as_bytes(), None, 4.0).unwrap().0);
    assert!(
        plain
            .iter()
            .zip(&ordered)
            .all(|(a, b)| a.vertices == b.vertices)
    );
}

#[test]
fn one_weight_for_all_points_moves_them_as_one() {
    let rigid = leg()
        .replace("[0, 0, 0, 1, 1, 1]", "[1]")
        .replace("[1, 0, 0.5, 0.5, 0.75, 0.25]", "[1]")
        .replace("elementSize = 2", "")
        .replace("\"vertex\"", "\"constant\"");
    let (frames, _) = frames_of(rigid.as_bytes(), None, 1.0).unwrap();
    // About the second joint, (0, 1, 0), with the shape of the first point.
    for point in [[1.0, 1.0, 4.0], [0.0, 1.0, 0.0], [-1.0, 1.0, 0.0]] {
        assert!(has_vertex(&frames[1], point), "{point:?}");
    }
}

#[test]
fn dual_quaternions_keep_the_length_of_what_is_twisted() {
    let turned = |method: &str| {
        let text = leg()
            .replace("[1, 0, 0.5, 0.5, 0.75, 0.25]", "[1, 0, 0.5, 0.5, 0.5, 0.5]")
            .replace("[0, 0, 0, 1, 1, 1]", "[0, 0, 0, 1, 0, 1]")
            .replace(
                "rel skel:skeleton",
                &format!("token primvars:skel:skinningMethod = \"{method}\"\n rel skel:skeleton"),
            );
        frames_of(text.as_bytes(), None, 1.0)
            .unwrap()
            .0
            .swap_remove(1)
    };
    // Half of a right angle about the second joint: the mean of both ends is nearer to it than they are.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(has_vertex(
        &turned("dualQuaternion"),
        [-half, 1.0 + half, 0.0]
    ));
    assert!(has_vertex(&turned("classicLinear"), [-0.5, 1.5, 0.0]));
}

#[test]
fn dual_quaternions_mirror_as_those_of_openusd() {
    // Evaluated by OpenUSD 26.11: the second joint turns by a right angle about z and is mirrored.
    let text = leg()
        .replace(
            "[1, 0, 0.5, 0.5, 0.75, 0.25]",
            "[1, 0, 0.5, 0.5, 0.25, 0.75]",
        )
        .replace("[0, 0, 0, 1, 1, 1]", "[0, 1, 0, 1, 0, 1]")
        .replace(
            "[(0, 0, 0), (0, 1, 0), (0, 2, 0)]",
            "[(1, 0, 0), (2, 0, 0), (1, 3, 0)]",
        )
        .replace("(0,1,0,1))]", "(1,0,0,1))]")
        .replace("[\"hip/knee\"]", "[\"hip\", \"hip/knee\"]")
        .replace("[(0, 1, 0)]", "[(0, 0, 5), (2, 0, 0)]")
        .replace("[(1, 0, 0, 0)]", "[(1, 0, 0, 0), (1, 0, 0, 0)]")
        .replace(
            "[(0.70710678, 0, 0, 0.70710678)]",
            "[(1, 0, 0, 0), (0.70710678, 0, 0, 0.70710678)]",
        )
        .replace("[(1, 1, 1)]", "[(1, 1, 1), (-2, 1, 0.5)]")
        .replace("24: [1, 0]", "24: [0, 0]")
        .replace(
            "rel skel:skeleton",
            "token primvars:skel:skinningMethod = \"dualQuaternion\"\n rel skel:skeleton",
        );
    let (frames, _) = frames_of(text.as_bytes(), None, 1.0).unwrap();
    let wanted = [
        [1.0, 0.0, 5.0],
        [0.5, 0.5, 5.70711],
        [0.325, 0.525, 4.89393],
    ];
    for (own, wanted) in frames[1].vertices.iter().zip(wanted) {
        assert!(
            own.distance(wanted.into()) < 1e-5,
            "{own} and not {wanted:?}"
        );
    }
}

#[test]
fn characters_are_where_they_are_referred_to_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("leg.usda"), leg()).unwrap();
    let up = |height: f64| {
        format!(
            "double3 xformOp:translate = (0, {height}, 0)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]"
        )
    };
    let crowd = layer(&format!(
        "def Xform \"a\" (references = @leg.usda@</Leg>) {{ {} }}
         def Xform \"b\" (instanceable = true\n references = @leg.usda@</Leg> (offset = 24)) {{ {} }}
         def PointInstancer \"many\" {{
             int[] protoIndices = [0, 0]
             point3f[] positions = [(0, 20, 0), (0, 30, 0)]
             rel prototypes = </many/Leg>
             def Xform \"Leg\" (references = @leg.usda@</Leg>) {{ {} }}
         }}",
        up(5.0),
        up(10.0),
        up(1.0)
    ));
    // The type of what is referred to is told by the stronger layer.
    let crowd = crowd.replace("def Xform", "def");
    let wanted = Sampling {
        animation: None,
        rate: 1.0,
    };
    let (frames, _) = in_folder(folder.path(), |beside| {
        read_animation(crowd.as_bytes(), beside, &wanted)
    })
    .unwrap();
    let [_, middle, end] = &frames[..] else {
        panic!("{} frames", frames.len())
    };
    for height in [5.0, 21.0, 31.0] {
        assert!(has_vertex(middle, [-1.0, height + 1.0, 0.0]), "{height}");
        assert!(has_vertex(end, [-1.0, height + 1.0, 0.0]), "{height}");
    }
    assert!(has_vertex(middle, [0.0, 12.0, 0.0]) && has_vertex(end, [-1.0, 11.0, 0.0]));
}

#[test]
fn poses_may_lie_in_value_clips() {
    let folder = tempfile::tempdir().unwrap();
    let clip = "#usda 1.0\nover \"Bend\" {
        quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 24: [(0.70710678, 0, 0, 0.70710678)] }
    }\n";
    fs::write(folder.path().join("clip.usda"), clip).unwrap();
    let taken = ANIMATION.lines().filter(|line| !line.contains("rotations"));
    let taken = taken.collect::<Vec<_>>().join("\n").replace(
        "\"Bend\"",
        "\"Bend\" (clips = { dictionary default = {\nstring primPath = \"/Bend\"\nasset[] assetPaths = [@clip.usda@]\n\
         double2[] active = [(0, 0)] } })",
    );
    let text = leg().replace(ANIMATION, &taken);
    let wanted = Sampling {
        animation: None,
        rate: 4.0,
    };
    let read = in_folder(folder.path(), |beside| {
        read_animation(text.as_bytes(), beside, &wanted)
    });
    let [own, wanted] = [
        read.unwrap().0,
        frames_of(leg().as_bytes(), None, 4.0).unwrap().0,
    ];
    assert!(
        own.iter()
            .zip(&wanted)
            .all(|(a, b)| a.vertices == b.vertices)
    );
}

#[test]
fn a_mirrored_character_is_not_turned_inside_out() {
    let volume = |scale: &str| {
        let body = SHIN
            .replace("int[] faceVertexCounts = [3]\n    int[] faceVertexIndices = [0, 1, 2]\n    point3f[] points = [(0, 0, 0), (0, 1, 0), (0, 2, 0)]", CORNER)
            .replace("[0, 0, 0, 1, 1, 1]", "[0, 0, 0, 0, 0, 0, 0, 0]")
            .replace("[1, 0, 0.5, 0.5, 0.75, 0.25]", "[1, 0, 1, 0, 1, 0, 1, 0]");
        let text = leg().replace(SHIN, &body).replace(
            "SkelRoot \"Leg\" {",
            &format!("SkelRoot \"Leg\" {{ float3 xformOp:scale = {scale}\n uniform token[] xformOpOrder = [\"xformOp:scale\"]"),
        );
        mesh_of(text.as_bytes()).unwrap().volume()
    };
    for scale in ["(1, 1, 1)", "(-1, 1, 1)"] {
        assert!((volume(scale) - 1.0 / 6.0).abs() < 1e-9, "{scale}");
    }
}
