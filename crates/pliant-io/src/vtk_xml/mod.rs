//! VTK XML files (`.vtp`, `.vtu`): their pieces, and arrays of numbers as text or binary, inline or appended, raw or
//! base64, plain or compressed by ZLib or LZ4, in either order of bytes.
//! Format: <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

mod array;
mod bytes;
mod cells;

use roxmltree::{Document, Node};

pub(crate) use array::Values;
pub(crate) use cells::Cells;

use crate::formats::without_mark;
use array::{Compressor, Storage};
use bytes::Encoding;

/// A file whose XML has been read, its arrays not yet.
pub(crate) struct VtkXml<'a> {
    document: Document<'a>,
    storage: Storage<'a>,
}

/// A file in its two parts.
pub(crate) struct Parts<'b> {
    /// XML without the content of the appended data.
    xml: String,
    /// What follows the underscore of the appended data.
    appended: &'b [u8],
}

impl<'b> Parts<'b> {
    /// # Errors
    /// If appended data is announced and missing.
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self, String> {
        let bytes = without_mark(bytes);
        let Some(start) = find(bytes, 0, b"<AppendedData") else {
            let xml = String::from_utf8_lossy(bytes).into_owned();
            return Ok(Self { xml, appended: &[] });
        };
        let end = find(bytes, start, b">").ok_or("its appended data has no start")?;
        let underscore = find(bytes, end, b"_").ok_or("its appended data has no start")?;
        // Raw bytes are no XML.
        let head = String::from_utf8_lossy(&bytes[..end]);
        Ok(Self {
            xml: format!("{head}/></VTKFile>"),
            appended: &bytes[underscore + 1..],
        })
    }
}

fn find(bytes: &[u8], from: usize, pattern: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let offset = rest.windows(pattern.len()).position(|w| w == pattern)?;
    Some(from + offset)
}

impl<'a> VtkXml<'a> {
    /// A file that holds data of a kind (`PolyData`, `UnstructuredGrid`).
    ///
    /// # Errors
    /// If it is not XML, holds something else, or is stored in a way that is not read.
    pub(crate) fn new(parts: &'a Parts<'a>, kind: &str) -> Result<Self, String> {
        let document = Document::parse(&parts.xml).map_err(|e| e.to_string())?;
        let root = document.root_element();
        match root.attribute("type") {
            Some(found) if found == kind => {}
            Some(found) => return Err(format!("it is VTK {found}, not VTK {kind}")),
            None => return Err(format!("it is not VTK {kind}")),
        }
        let compressor = root.attribute("compressor");
        let compressor = compressor.map(|name| {
            Compressor::named(name).ok_or_else(|| {
                format!(
                    "it is compressed by `{name}`; write it with ZLib or without (in ParaView: Compressor Type)"
                )
            })
        });
        let compressor = compressor.transpose()?;
        let appended_node = elements(root, "AppendedData").next();
        let storage = Storage {
            appended: parts.appended,
            appended_encoding: match appended_node.and_then(|node| node.attribute("encoding")) {
                Some("base64") => Encoding::Base64,
                _ => Encoding::Raw,
            },
            compressor,
            is_big_endian: root.attribute("byte_order") == Some("BigEndian"),
            header_size: match root.attribute("header_type") {
                Some("UInt64") => 8,
                _ => 4,
            },
        };
        Ok(Self { document, storage })
    }

    /// The pieces, in the order of the file.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Node<'_, 'a>> {
        elements(self.document.root_element(), "Piece")
    }

    /// The arrays of a group of a piece (`Points`, `Cells`, `PointData`), by their names.
    pub(crate) fn arrays<'n>(
        &self,
        piece: Node<'n, 'a>,
        group: &'static str,
    ) -> impl Iterator<Item = (&'n str, Node<'n, 'a>)> {
        elements(piece, group)
            .flat_map(|group| elements(group, "DataArray"))
            .map(|node| (node.attribute("Name").unwrap_or_default(), node))
    }

    /// The numbers of an array.
    ///
    /// # Errors
    /// If they are cut off, or no numbers.
    pub(crate) fn values(&self, array: Node) -> Result<Values, String> {
        let name = array.attribute("Name").unwrap_or("Points");
        self.storage
            .values(array)
            .map_err(|reason| format!("its array `{name}`: {reason}"))
    }
}

/// The elements of a name below a node.
fn elements<'n, 'd: 'n>(
    node: Node<'n, 'd>,
    name: &'static str,
) -> impl Iterator<Item = Node<'n, 'd>> {
    node.descendants().filter(move |n| n.has_tag_name(name))
}

#[cfg(test)]
mod tests;
