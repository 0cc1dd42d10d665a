//! NPZ: NumPy arrays in an uncompressed ZIP archive. `numpy.load(file)["velocity"]` has shape
//! (particles, 3).

use std::io::{self, Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::columns::{
    Kind, ReadColumn, ReadTriangles, columns, flag_bytes, flags_of, take, text_lists, triangles,
    uv_bytes, uv_of,
};
use super::{Exporter, FrameProblem, Moment, ParticleFrame};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "npz",
    extension: "npz",
    doc: "NumPy archive for Python: one array a quantity, `time` and `frame`, `triangles` of cloth and of surfaces",
    index: None,
    holds_surfaces: false,
    holds_triangles: true,
    write,
    read: Some(read),
};

const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Texture coordinates of triangles, and which of them are faces of cuts.
const OF_TRIANGLES: [&str; 2] = ["triangles_uv", "triangles_inside"];

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let frame = moment.frame;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    start_array(&mut archive, "time", "<f8", "()")?;
    archive.write_all(&frame.time.to_le_bytes())?;
    start_array(&mut archive, "frame", "<u4", "()")?;
    archive.write_all(&frame.number.to_le_bytes())?;
    for column in columns(frame) {
        let count = column.values.len();
        let (type_name, shape) = match column.values.kind() {
            Kind::Double3 => ("<f8", format!("({count}, 3)")),
            Kind::Single3 => ("<f4", format!("({count}, 3)")),
            Kind::Single => ("<f4", format!("({count},)")),
            Kind::Index => ("<u4", format!("({count},)")),
        };
        start_array(&mut archive, column.name, type_name, &shape)?;
        // The archive computes a checksum a call: large pieces are faster.
        let mut bytes = Vec::with_capacity(count * column.values.kind().size());
        column.values.write(&mut bytes)?;
        archive.write_all(&bytes)?;
    }
    if !frame.triangles.is_empty() {
        let shape = format!("({}, 3)", frame.triangles.len());
        start_array(&mut archive, "triangles", "<u4", &shape)?;
        let corners = frame.triangles.as_flattened().iter();
        let bytes: Vec<u8> = corners.flat_map(|corner| corner.to_le_bytes()).collect();
        archive.write_all(&bytes)?;
    }
    if !frame.uv.is_empty() {
        let shape = format!("({}, 3, 2)", frame.uv.len());
        start_array(&mut archive, OF_TRIANGLES[0], "<f4", &shape)?;
        archive.write_all(&uv_bytes(frame.uv))?;
    }
    if !frame.inside.is_empty() {
        let shape = format!("({},)", frame.inside.len());
        start_array(&mut archive, OF_TRIANGLES[1], "|b1", &shape)?;
        archive.write_all(&flag_bytes(frame.inside))?;
    }
    for (name, entries) in text_lists(frame) {
        write_text_list(&mut archive, name, &entries)?;
    }
    out.write_all(archive.finish()?.get_ref())
}

/// Starts an entry of the archive and writes its array header, padded so that data is aligned.
fn start_array<W: Write + io::Seek>(
    archive: &mut ZipWriter<W>,
    name: &str,
    type_name: &str,
    shape: &str,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true);
    archive.start_file(format!("{name}.npy"), options)?;
    let mut header =
        format!("{{'descr': '{type_name}', 'fortran_order': False, 'shape': {shape}, }}");
    let unpadded = MAGIC.len() + 2 + header.len() + 1;
    header.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    archive.write_all(MAGIC)?;
    archive.write_all(&(header.len() as u16).to_le_bytes())?;
    archive.write_all(header.as_bytes())
}

/// An array of text: four bytes a character, entries padded with zeros to the longest.
fn write_text_list<W: Write + io::Seek>(
    archive: &mut ZipWriter<W>,
    name: &str,
    entries: &[&str],
) -> io::Result<()> {
    let width = entries.iter().map(|entry| entry.chars().count()).max();
    let width = width.unwrap_or(0).max(1);
    let shape = format!("({},)", entries.len());
    start_array(archive, name, &format!("<U{width}"), &shape)?;
    for entry in entries {
        let characters = entry.chars().chain(std::iter::repeat('\0')).take(width);
        for character in characters {
            archive.write_all(&u32::from(character).to_le_bytes())?;
        }
    }
    Ok(())
}

/// An array as it stands in the file.
pub(crate) struct Array {
    pub name: String,
    /// As NumPy spells it: `<f4`.
    pub type_name: String,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

fn read(bytes: &[u8]) -> Result<ParticleFrame, FrameProblem> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let (mut number, mut time) = (None, None);
    let (mut columns, mut lists, mut cloth) = (Vec::new(), Vec::new(), ReadTriangles::default());
    for i in 0..archive.len() {
        let array = read_array(&mut archive, i, bytes.len())?;
        match (array.name.as_str(), array.type_name.as_str()) {
            ("time", "<f8") => time = array.bytes.first_chunk().copied().map(f64::from_le_bytes),
            ("frame", "<u4") => number = array.bytes.first_chunk().copied().map(u32::from_le_bytes),
            ("triangles", "<u4") => cloth.corners = triangles_of(&array)?,
            (name, "<f4") if name == OF_TRIANGLES[0] => cloth.uv = uv_of(&array.bytes),
            (name, "|b1") if name == OF_TRIANGLES[1] => cloth.inside = flags_of(&array.bytes),
            (_, kind) if kind.starts_with("<U") => lists.push(text_list(array)?),
            _ => columns.push(column(array)?),
        }
    }
    let (Some(number), Some(time)) = (number, time) else {
        return Err(malformed("it lacks the arrays `time` and `frame`"));
    };
    ParticleFrame::assemble(number, time, columns, lists, cloth)
}

fn triangles_of(array: &Array) -> Result<Vec<[u32; 3]>, FrameProblem> {
    match array.shape[..] {
        [count, 3] if count.checked_mul(12) == Some(array.bytes.len()) => {
            Ok(triangles(&array.bytes))
        }
        _ => Err(FrameProblem::CutOff(array.name.clone())),
    }
}

fn malformed(reason: impl ToString) -> FrameProblem {
    FrameProblem::Malformed(reason.to_string())
}

/// Reads an entry of an archive in which nothing is compressed.
pub(crate) fn read_array(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    i: usize,
    file_length: usize,
) -> Result<Array, FrameProblem> {
    let entry = archive.by_index(i).map_err(malformed)?;
    let name = entry
        .name()
        .map_err(malformed)?
        .trim_end_matches(".npy")
        .to_owned();
    // Nothing is compressed, so no entry is longer than the file, whatever it says.
    let mut content = Vec::new();
    entry
        .take(file_length as u64)
        .read_to_end(&mut content)
        .map_err(malformed)?;
    parse_array(&name, &content)
        .ok_or_else(|| malformed(format!("its array `{name}` has a header that is not known")))
}

/// Parses an array header as this module and NumPy write it.
fn parse_array(name: &str, content: &[u8]) -> Option<Array> {
    let rest = content.strip_prefix(MAGIC)?;
    let length = usize::from(u16::from_le_bytes(*rest.first_chunk()?));
    let header = std::str::from_utf8(rest.get(2..2 + length)?).ok()?;
    let between = |start: &str, end: &str| {
        let (_, tail) = header.split_once(start)?;
        Some(tail.split_once(end)?.0)
    };
    if !header.contains("'fortran_order': False") {
        return None;
    }
    let shape = between("'shape': (", ")")?
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(|size| size.parse().ok())
        .collect::<Option<Vec<usize>>>()?;
    Some(Array {
        name: name.to_owned(),
        type_name: between("'descr': '", "'")?.to_owned(),
        shape,
        bytes: rest[2 + length..].to_vec(),
    })
}

fn column(array: Array) -> Result<ReadColumn, FrameProblem> {
    let (kind, count) = match (array.type_name.as_str(), array.shape.as_slice()) {
        ("<f8", &[count, 3]) => (Kind::Double3, count),
        ("<f4", &[count, 3]) => (Kind::Single3, count),
        ("<f4", &[count]) => (Kind::Single, count),
        ("<u4", &[count]) => (Kind::Index, count),
        _ => {
            let reason = format!("its array `{}` has an unknown type or shape", array.name);
            return Err(malformed(reason));
        }
    };
    let bytes = take(&array.bytes, count, kind, &array.name)?.to_vec();
    Ok(ReadColumn {
        name: array.name,
        kind,
        bytes,
    })
}

fn text_list(array: Array) -> Result<(String, Vec<String>), FrameProblem> {
    let width: Option<usize> = array.type_name[2..].parse().ok();
    let (Some(width), &[count]) = (width, array.shape.as_slice()) else {
        return Err(malformed(format!(
            "its array `{}` is no list of text",
            array.name
        )));
    };
    let length = width.checked_mul(4).filter(|&length| length > 0);
    let cut_off = || FrameProblem::CutOff(array.name.clone());
    let length = length.ok_or_else(cut_off)?;
    let total = length.checked_mul(count).ok_or_else(cut_off)?;
    let bytes = array.bytes.get(..total).ok_or_else(cut_off)?;
    let entry = |bytes: &[u8]| {
        let (characters, _) = bytes.as_chunks::<4>();
        let characters = characters.iter().map(|&c| u32::from_le_bytes(c));
        let text = characters
            .take_while(|&c| c != 0)
            .filter_map(char::from_u32);
        text.collect::<String>()
    };
    let entries = bytes.chunks_exact(length).map(entry).collect();
    Ok((array.name, entries))
}
