//! Formats for people, and what texts begin with.

/// The byte order mark with which some editors begin a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A text without the byte order mark it may begin with, which would make its first keyword an unknown
/// one.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// "OBJ (.obj), glTF (.gltf, .glb)" for formats by their names and extensions.
pub(crate) fn listed<'a>(formats: impl Iterator<Item = (&'a str, &'a [&'a str])>) -> String {
    let formats: Vec<String> = formats
        .map(|(name, extensions)| format!("{name} (.{})", extensions.join(", .")))
        .collect();
    formats.join(", ")
}
