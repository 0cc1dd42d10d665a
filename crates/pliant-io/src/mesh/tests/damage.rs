//! Malformed files.

use proptest::prelude::*;

use super::*;

#[test]
fn coordinates_must_be_finite() {
    let mut stl = stl_binary();
    stl[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    for (name, bytes) in [
        ("a.obj", b"v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n".to_vec()),
        (
            "a.obj",
            b"v 0 0 0\nv 1 1e999 0\nv 0 1 0\nf 1 2 3\n".to_vec(),
        ),
        ("a.stl", stl),
    ] {
        let text = read_as(name, &bytes).unwrap_err().to_string();
        assert!(text.contains("finite") && text.contains(name), "{text}");
    }
}

#[test]
fn indices_must_be_in_range() {
    let ply = String::from_utf8(ply_ascii()).unwrap();
    let gltf_indices = gltf_buffer();
    let gltf = String::from_utf8(gltf_with_data_uri()).unwrap();
    let mut bytes = glb();
    let at = bytes.len() - gltf_indices.len() + 48;
    bytes[at] = 200;
    for (name, bytes) in [
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n".to_vec()),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n".to_vec()),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n".to_vec()),
        ("a.ply", ply.replace("3 0 2 1", "3 0 2 9").into_bytes()),
        ("a.ply", ply.replace("3 0 2 1", "3 0 2 -1").into_bytes()),
        ("a.glb", bytes),
        (
            "a.gltf",
            gltf.replace("\"POSITION\":0", "\"POSITION\":9")
                .into_bytes(),
        ),
        (
            "a.gltf",
            gltf.replace("\"indices\":1", "\"indices\":9").into_bytes(),
        ),
    ] {
        let error = read_as(name, &bytes).unwrap_err();
        assert!(matches!(error, MeshFileError::Unusable { .. }), "{error}");
    }
}

#[test]
fn counts_beyond_the_file_are_refused_before_memory_is_taken() {
    let mut stl = stl_binary();
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    stl[..5].copy_from_slice(b"-----");
    let ply = String::from_utf8(ply_ascii()).unwrap();
    let huge = "element vertex 99999999999";
    let gltf = String::from_utf8(gltf_with_data_uri()).unwrap();
    for (name, bytes) in [
        ("a.stl", stl),
        ("a.ply", ply.replace("element vertex 4", huge).into_bytes()),
        (
            "a.ply",
            ply.replace("element edge 1\nproperty int vertex1", &format!("{huge}9"))
                .into_bytes(),
        ),
        (
            "a.gltf",
            gltf.replace("\"count\":4", "\"count\":4000000000")
                .into_bytes(),
        ),
        (
            "a.gltf",
            gltf.replace("\"byteOffset\":48", "\"byteOffset\":18446744073709551615")
                .into_bytes(),
        ),
    ] {
        let error = read_as(name, &bytes).unwrap_err();
        assert!(
            matches!(error, MeshFileError::Unusable { .. }),
            "{name}: {error}"
        );
    }
}

#[test]
fn files_without_triangles_are_refused() {
    let empty_stl = [&[b' '; 80][..], &[0; 4]].concat();
    for (name, bytes) in [
        ("a.obj", &b""[..]),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nl 1 2\n"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\nl 3 2 1 1\n"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n"),
        ("a.stl", &empty_stl),
        ("a.stl", b"solid\nendsolid\n"),
        ("a.gltf", br#"{"asset":{"version":"2.0"}}"#),
        ("a.usda", b"#usda 1.0\n"),
    ] {
        let error = read_as(name, bytes).unwrap_err();
        assert!(
            error.to_string().contains("no triangles"),
            "{name}: {error}"
        );
    }
}

#[test]
fn every_truncation_of_a_binary_file_is_noticed() {
    for (format, name, bytes) in samples() {
        let is_text = bytes.ends_with(b"\n") || bytes.ends_with(b"}");
        for end in 0..bytes.len() {
            let result = parse_as(format, &bytes[..end]);
            assert!(is_text || result.is_err(), "{name} cut to {end} bytes");
        }
    }
}

/// What holds for every mesh that was accepted.
fn assert_sound(mesh: &TriangleMesh) {
    assert!(!mesh.triangles.is_empty());
    assert!(mesh.vertices.iter().all(|v| v.is_finite()));
    let count = mesh.vertices.len() as u32;
    assert!(mesh.triangles.iter().flatten().all(|&i| i < count));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn mutated_files_give_sound_meshes_or_errors(
        sample in 0..9_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (format, _, mut bytes) = samples().swap_remove(sample);
        for (place, byte) in changes {
            let i = place.index(bytes.len());
            bytes[i] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mesh) = parse_as(format, &bytes) {
            assert_sound(&mesh);
        }
    }

    #[test]
    fn text_with_words_exchanged_gives_sound_meshes_or_errors(
        sample in 0..9_usize,
        word in prop::sample::select(vec![
            "-1", "0", "99999999999999999999", "1e400", "nan", "-", "/", "1//", "\\", "", "solid", "f", "v",
            "4294967295", "4294967296", "18446744073709551615", "element vertex 3", "{", "null",
        ]),
        place in any::<prop::sample::Index>(),
    ) {
        let (format, _, bytes) = samples().swap_remove(sample);
        let separators: Vec<usize> = (0..bytes.len())
            .filter(|&i| matches!(bytes[i], b' ' | b'\n' | b':' | b',' | b'['))
            .collect();
        let start = separators[place.index(separators.len())] + 1;
        let end = (start..bytes.len())
            .find(|&i| matches!(bytes[i], b' ' | b'\n' | b',' | b'}' | b']'))
            .unwrap_or(bytes.len());
        let changed = [&bytes[..start], word.as_bytes(), &bytes[end..]].concat();
        if let Ok(mesh) = parse_as(format, &changed) {
            assert_sound(&mesh);
        }
    }

    #[test]
    fn noise_is_refused(format in 0..5_usize, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(parse_as(&FORMATS[format], &bytes).is_err());
    }
}
