//! VTK PolyData XML (`.vtp`): points and point data as text, or as raw or base64 binary without
//! compression.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pliant_math::DVec3;
use roxmltree::{Document, Node};

use super::arrays::{Array, NumberRows};
use super::{ParticleFormat, ParticleProblem};

pub(super) const FORMAT: ParticleFormat = ParticleFormat {
    name: "VTP",
    extension: "vtp",
    positions: "the array of the element `Points`",
    read,
};

/// The file in its two parts.
struct File<'b> {
    /// XML without the appended data.
    xml: String,
    /// What follows the underscore of the appended data.
    appended: &'b [u8],
}

/// How binary arrays are stored.
#[derive(Clone, Copy)]
struct Storage<'b> {
    appended: &'b [u8],
    /// Bytes of the length before each array.
    length_size: usize,
}

fn read(bytes: &[u8]) -> Result<Vec<Array>, ParticleProblem> {
    let file = split(bytes)?;
    let document = Document::parse(&file.xml).map_err(|e| malformed(&e.to_string()))?;
    let root = document.root_element();
    if root.attribute("type") != Some("PolyData") {
        return Err(malformed("it is not VTK PolyData"));
    }
    if root.has_attribute("compressor") {
        return Err(malformed(
            "it is compressed; write it without (in ParaView: Compressor Type None)",
        ));
    }
    if root.attribute("byte_order") == Some("BigEndian") {
        return Err(malformed(
            "its numbers are big endian; write them little endian",
        ));
    }
    let storage = Storage {
        appended: file.appended,
        length_size: match root.attribute("header_type") {
            Some("UInt64") => 8,
            _ => 4,
        },
    };
    let pieces: Vec<Node> = elements(&root, "Piece").collect();
    let [piece] = pieces[..] else {
        let message = format!("it has {} pieces; one is read", pieces.len());
        return Err(malformed(&message));
    };
    let points = elements(&piece, "Points").map(|group| (group, Some("position")));
    let data = elements(&piece, "PointData").map(|group| (group, None));
    let mut arrays = Vec::new();
    for (group, name) in points.chain(data) {
        for node in elements(&group, "DataArray") {
            let own = node.attribute("Name").unwrap_or_default();
            arrays.push(Array {
                name: name.unwrap_or(own).to_owned(),
                rows: rows(&node, storage)?,
            });
        }
    }
    Ok(arrays)
}

fn malformed(reason: &str) -> ParticleProblem {
    ParticleProblem::Malformed(reason.to_owned())
}

/// The elements of a name below a node.
fn elements<'a, 'd: 'a>(
    node: &Node<'a, 'd>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'd>> {
    let below: Vec<Node> = node
        .descendants()
        .filter(|n| n.has_tag_name(name))
        .collect();
    below.into_iter()
}

fn split(bytes: &[u8]) -> Result<File<'_>, ParticleProblem> {
    let find = |from: usize, pattern: &[u8]| {
        let rest = bytes.get(from..)?;
        let offset = rest.windows(pattern.len()).position(|w| w == pattern)?;
        Some(from + offset)
    };
    let Some(start) = find(0, b"<AppendedData") else {
        let xml = String::from_utf8_lossy(bytes).into_owned();
        return Ok(File { xml, appended: &[] });
    };
    let underscore =
        find(start, b"_").ok_or_else(|| malformed("its appended data has no start"))?;
    let tag = String::from_utf8_lossy(&bytes[start..underscore]);
    if !tag.contains("\"raw\"") {
        return Err(malformed(
            "its appended data is not raw; write raw, ASCII or inline binary data",
        ));
    }
    // Without its binary part the file is XML.
    let xml = String::from_utf8_lossy(&bytes[..start]);
    Ok(File {
        xml: format!("{xml}</VTKFile>"),
        appended: &bytes[underscore + 1..],
    })
}

fn rows(node: &Node, storage: Storage<'_>) -> Result<NumberRows, ParticleProblem> {
    let kind = node.attribute("type").unwrap_or_default();
    let components = node.attribute("NumberOfComponents").unwrap_or("1");
    let size = match (kind, components) {
        ("Float32", "3") => 4,
        ("Float64", "3") => 8,
        _ => {
            let other = format!("of type {kind} with {components} components");
            return Ok(NumberRows::Other(other));
        }
    };
    let text = node.text().unwrap_or_default();
    let name = node.attribute("Name").unwrap_or_default();
    match node.attribute("format") {
        Some("appended") => {
            let offset = node.attribute("offset").and_then(|o| o.parse().ok());
            let block = offset.and_then(|offset: usize| storage.appended.get(offset..));
            block_rows(block.unwrap_or_default(), storage.length_size, size, name)
        }
        Some("binary") => {
            let block = BASE64_STANDARD
                .decode(text.trim())
                .map_err(|e| malformed(&e.to_string()))?;
            block_rows(&block, storage.length_size, size, name)
        }
        _ => text_rows(text, name),
    }
}

/// Rows that follow their length in bytes.
fn block_rows(
    block: &[u8],
    length_size: usize,
    size: usize,
    name: &str,
) -> Result<NumberRows, ParticleProblem> {
    let length = match length_size {
        8 => block.first_chunk().copied().map(u64::from_le_bytes),
        _ => block
            .first_chunk()
            .copied()
            .map(|b| u64::from(u32::from_le_bytes(b))),
    };
    let length = length.and_then(|length| usize::try_from(length).ok());
    let end = length.and_then(|length| length.checked_add(length_size));
    match end.and_then(|end| block.get(length_size..end)) {
        Some(bytes) if bytes.len() % (3 * size) == 0 => Ok(NumberRows::from_bytes(bytes, size)),
        _ => Err(malformed(&format!("its array `{name}` is cut off"))),
    }
}

fn text_rows(text: &str, name: &str) -> Result<NumberRows, ParticleProblem> {
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let numbers = numbers.map_err(|e| malformed(&format!("its array `{name}`: {e}")))?;
    if numbers.len() % 3 != 0 {
        return Err(malformed(&format!("its array `{name}` is cut off")));
    }
    Ok(NumberRows::Vectors(
        numbers.chunks_exact(3).map(DVec3::from_slice).collect(),
    ))
}
