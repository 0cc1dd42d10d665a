//! Characters that cannot be skinned.

use super::*;

/// What is said of the leg with one text in the place of another one.
fn told(from: &str, to: &str) -> String {
    let text = leg();
    assert!(text.contains(from), "{from}");
    let text = text.replace(from, to);
    let error = frames_of(text.as_bytes(), None, 1.0)
        .map(|_| text)
        .unwrap_err();
    error.to_string()
}

#[test]
fn what_is_wrong_with_a_skeleton_is_told_with_prim_attribute_and_value() {
    let wrong = [
        (
            "rel skel:skeleton = </Leg/Bones>",
            "",
            "`primvars:skel:jointIndices` of the Mesh /Leg/Shin",
        ),
        (
            "</Leg/Bones>",
            "</Leg/Bone>",
            "of the Mesh /Leg/Shin leads to /Leg/Bone, which is not there",
        ),
        (
            "</Leg/Bones>",
            "</Leg/Bend>",
            "leads to /Leg/Bend, which is a SkelAnimation; let it lead to a Skeleton",
        ),
        (
            "</Leg/Bones>",
            "[</Leg/Bones>, </Leg/Bend>]",
            "of /Leg/Shin leads to 2 prims",
        ),
        (
            "</Leg/Bend>",
            "</Leg/Bones>",
            "of the Skeleton /Leg/Bones leads to /Leg/Bones, which is a Skeleton",
        ),
        (
            "SkelRoot",
            "Xform",
            "the Mesh /Leg/Shin has primvars:skel:jointIndices, but lies below no SkelRoot",
        ),
        (
            "[0, 0, 0, 1, 1, 1]",
            "[0, 0, 0, 1, 1, 2]",
            "has 2 as number 5, counted from 0, but there are 2 in the joints",
        ),
        (
            "[0, 0, 0, 1, 1, 1]",
            "[0, 0, 0, -1, 1, 1]",
            "has -1 as number 3",
        ),
        (
            "[0, 0, 0, 1, 1, 1]",
            "[0, 0, 0, 1]",
            "has 4 values, where 6, elementSize of them for each point",
        ),
        ("elementSize = 2", "elementSize = 0", "has elementSize 0"),
        (
            "elementSize = 2",
            "elementSize = 3",
            "where 9, elementSize of them",
        ),
        (
            "\"vertex\"",
            "\"varying\"",
            "has interpolation `varying`, where `vertex` or `constant`",
        ),
        (
            "0.75, 0.25] (\n        elementSize = 2",
            "0.75, 0.25] (\n        elementSize = 1",
            "write the same of both",
        ),
        (
            "[1, 0, 0.5, 0.5, 0.75, 0.25]",
            "[1, 0, 0, 0, 1, 0]",
            "adds up to 0 at point 1",
        ),
        (
            "[1, 0, 0.5, 0.5, 0.75, 0.25]",
            "[1, 0, nan, 1, 1, 0]",
            "`primvars:skel:jointWeights` of the Mesh /Leg/Shin has NaN as number 2",
        ),
        (
            "primvars:skel:jointWeights",
            "primvars:other",
            "`primvars:skel:jointWeights` of the Mesh /Leg/Shin is missing",
        ),
        (
            "rel skel:skeleton",
            "uniform token[] skel:joints = [\"hip\", \"toe\"]\n rel skel:skeleton",
            "has `toe`, which points follow, but its skeleton has no such joint",
        ),
        (
            "rel skel:skeleton",
            "token primvars:skel:skinningMethod = \"best\"\n rel skel:skeleton",
            "is `best`, where `classicLinear` or `dualQuaternion`",
        ),
        (
            "rel skel:skeleton",
            "matrix4d primvars:skel:geomBindTransform = 3\n rel skel:skeleton",
            "`primvars:skel:geomBindTransform` of the Mesh /Leg/Shin has 1 values",
        ),
        (
            "[\"hip\", \"hip/knee\"]",
            "[\"hip/knee\", \"hip\"]",
            "`joints` of the Skeleton /Leg/Bones has `hip/knee` before `hip`",
        ),
        (
            "[\"hip\", \"hip/knee\"]",
            "[\"hip\", \"hip\"]",
            "has `hip` twice",
        ),
        (
            "[\"hip\", \"hip/knee\"]",
            "[\"hip\", \"hip/knee\", \"toe\"]",
            "`bindTransforms` of the Skeleton /Leg/Bones has 2 values, where 3",
        ),
        (
            "uniform matrix4d[] bindTransforms = [((1,",
            "uniform matrix4d[] bindTransforms = [((0,",
            "makes the joint `hip` flat",
        ),
        (
            "uniform matrix4d[] restTransforms",
            "uniform matrix4d[] other",
            "`restTransforms` of the Skeleton /Leg/Bones is missing, and no animation moves the joint `hip`",
        ),
    ];
    for (from, to, wanted) in wrong {
        let error = told(from, to);
        assert!(error.contains(wanted), "{to}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_pose_or_a_shape_is_told_with_prim_attribute_and_value() {
    let wrong = [
        (
            "float3[] translations = [(0, 1, 0)]",
            "",
            "`translations` of the SkelAnimation /Leg/Bend is missing",
        ),
        (
            "[(1, 1, 1)]",
            "[(1, 1, 1), (1, 1, 1)]",
            "`scales` of the SkelAnimation /Leg/Bend has 2 values, where 1, one for each of its joints",
        ),
        ("[(1, 1, 1)]", "[(1, inf, 1)]", "has inf as number 1"),
        (
            "[(1, 0, 0, 0)]",
            "[(0, 0, 0, 0)]",
            "for the joint `hip/knee`, which turns nothing",
        ),
        (
            "24: [1, 0]",
            "24: [1]",
            "`blendShapeWeights` of the SkelAnimation /Leg/Bend has 1 values, where 2",
        ),
        (
            "[\"fat\"]",
            "[\"fat\", \"thin\"]",
            "`skel:blendShapes` of the Mesh /Leg/Shin has 2 values, where 1",
        ),
        (
            "<Fat>",
            "<Thin>",
            "leads to /Leg/Shin/Thin, which is not there",
        ),
        (
            "<Fat>",
            "</Leg/Bones>",
            "which is a Skeleton; let it lead to a BlendShape",
        ),
        (
            "pointIndices = [0]",
            "pointIndices = [3]",
            "`pointIndices` of the BlendShape /Leg/Shin/Fat has 3 as number 0, but its mesh has 3 points",
        ),
        (
            "uniform int[] pointIndices = [0]",
            "",
            "`offsets` of the BlendShape /Leg/Shin/Fat has 1 values, where 3, one for each point",
        ),
        (
            "pointIndices = [0]",
            "pointIndices = [0, 1]",
            "has 1 values, where 2, one for each of its pointIndices",
        ),
        ("[(0, 0, 4)]", "[(0, nan, 4)]", "has NaN as number 1"),
        (
            "weight = 0.5",
            "",
            "`inbetweens:half` of the BlendShape /Leg/Shin/Fat has no weight",
        ),
        (
            "weight = 0.5",
            "weight = 1",
            "has the weight 1, at which the shape is known already",
        ),
    ];
    for (from, to, wanted) in wrong {
        let error = told(from, to);
        assert!(error.contains(wanted), "{to}: {error}");
    }
    let flat = leg().replace("[(1, 1, 1)]", "[(1, 0, 1)]").replace(
        "rel skel:skeleton",
        "token primvars:skel:skinningMethod = \"dualQuaternion\"\n rel skel:skeleton",
    );
    let error = frames_of(flat.as_bytes(), None, 1.0)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("joints without a size, as `hip/knee` is; write classicLinear"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn damaged_characters_give_meshes_or_errors(
        is_text: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        time in -1.0..9.0,
    ) {
        let mut bytes = if is_text { leg().into_bytes() } else { BINARY.to_vec() };
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let read = in_folder(Path::new("no-such-folder"), |beside| {
            let stage = Stage::open(&bytes, beside)?;
            animated(&stage, beside)?;
            triangles(&stage, Moment::Code(time))
        });
        if let Ok(written) = read {
            let mesh = written.textured.mesh;
            let count = mesh.vertices.len() as u32;
            prop_assert!(mesh.triangles.iter().flatten().all(|&i| i < count));
        }
    }
}
