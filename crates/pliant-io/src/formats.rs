//! Formats for people.

/// "OBJ (.obj), glTF (.gltf, .glb)" for formats by their names and extensions.
pub(crate) fn listed<'a>(formats: impl Iterator<Item = (&'a str, &'a [&'a str])>) -> String {
    let formats: Vec<String> = formats
        .map(|(name, extensions)| format!("{name} (.{})", extensions.join(", .")))
        .collect();
    formats.join(", ")
}
