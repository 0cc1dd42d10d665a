//! A small layer as bytes.

use super::*;

/// The place of a section of a file, from its table of contents.
fn section<'b>(file: &'b [u8], name: &str) -> &'b [u8] {
    let number = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
    let contents = number(16);
    let entries = (0..number(contents)).map(|i| contents + 8 + 32 * i);
    let mut found = entries.filter(|&at| file[at..].starts_with(name.as_bytes()));
    let at = found.next().unwrap_or_else(|| panic!("no section {name}"));
    &file[number(at + 16)..][..number(at + 24)]
}

fn file_of(layer: &Layer) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(layer, &mut bytes).unwrap();
    bytes
}

fn layer(values: Vec<[f32; 3]>) -> Layer<'static> {
    let attribute = |name: &str, kind, value| Attribute {
        name: name.to_owned(),
        kind,
        value,
    };
    let prim = Prim {
        name: "sand".to_owned(),
        type_name: Some("Points"),
        attributes: vec![
            attribute(
                "points",
                AttributeKind::varying("point3f[]"),
                Held::At(2.0, Value::float3s(values)),
            ),
            attribute("purpose", AttributeKind::uniform("token"), Held::Never),
        ],
        children: Vec::new(),
    };
    Layer {
        default_prim: "sand",
        time_codes_per_second: None,
        prims: vec![prim],
    }
}

#[test]
fn head_sections_and_tokens_are_where_the_format_has_them() {
    let file = file_of(&layer(vec![[1.0, 2.0, 3.0]]));
    assert_eq!(&file[..16], b"PXR-USDC\x00\x08\x00\x00\x00\x00\x00\x00");
    let tokens = section(&file, "TOKENS");
    let texts = [
        "/",
        "sand",
        "defaultPrim",
        "primChildren",
        "Points",
        "points",
        "purpose",
        "specifier",
        "typeName",
        "properties",
        "point3f[]",
        "timeSamples",
        "token",
        "variability",
    ];
    let joined: Vec<u8> = texts.iter().flat_map(|t| t.bytes().chain([0])).collect();
    assert_eq!(tokens[..8], (texts.len() as u64).to_le_bytes());
    assert_eq!(tokens[8..16], (joined.len() as u64).to_le_bytes());
    assert!(tokens.ends_with(&joined));
    // Four paths: the root, the prim, its attributes.
    assert_eq!(
        section(&file, "PATHS")[..16],
        [4_u64.to_le_bytes(); 2].concat()
    );
    assert_eq!(section(&file, "SPECS")[..8], 4_u64.to_le_bytes());
    assert_eq!(section(&file, "STRINGS"), [0; 8]);
}

#[test]
fn steps_of_the_tree_of_paths_tell_where_siblings_are() {
    let file = file_of(&layer(vec![[0.0; 3]]));
    let integers = |values: &[i32]| {
        let packed = encoding::packed_integers(values);
        [(packed.len() as u64).to_le_bytes().to_vec(), packed].concat()
    };
    let paths = &section(&file, "PATHS")[16..];
    // Root and prim have children only, the first attribute a sibling only, the last neither; names
    // of attributes are negative.
    let expected = [
        integers(&[0, 1, 2, 3]),
        integers(&[0, 1, -5, -6]),
        integers(&[-1, -1, 0, -2]),
    ];
    assert_eq!(paths, expected.concat());
}

#[test]
fn arrays_follow_their_length_and_are_aligned() {
    let file = file_of(&layer(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
    let numbers: Vec<u8> = (1..=6_u8)
        .flat_map(|n| f32::from(n).to_le_bytes())
        .collect();
    let place = file
        .windows(numbers.len())
        .position(|w| w == numbers)
        .unwrap();
    assert_eq!(place % 8, 0);
    assert_eq!(file[place - 8..place], 2_u64.to_le_bytes());
    let value = 1 << 63 | 24 << 48 | (place as u64 - 8);
    let samples = file
        .windows(8)
        .position(|w| w == value.to_le_bytes())
        .unwrap();
    // After the distances and the number of values.
    let number = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().unwrap());
    assert_eq!([number(samples - 8), number(samples - 16)], [1, 8]);
    let times = (number(samples - 24) & ((1 << 48) - 1)) as usize;
    assert_eq!(number(times), 1);
    assert_eq!(f64::from_bits(number(times + 8)), 2.0);
}

#[test]
fn an_array_of_nothing_has_no_place() {
    let file = file_of(&layer(Vec::new()));
    let value: u64 = 1 << 63 | 24 << 48;
    assert!(file.windows(8).any(|w| w == value.to_le_bytes()));
}
