//! PLY, binary little endian: an element `vertex`, a property a number, and an element `face` for the
//! triangles of cloth, if there are any.

use std::io::{self, Write};

use super::columns::{
    BLOCK, INSIDE, Kind, ReadColumn, ReadTriangles, UV_SIZE, columns, flags_of, take, text_lists,
    triangles, uv_of,
};
use super::{Exporter, FrameProblem, Moment, ParticleFrame};
use crate::percent;

pub(super) const EXPORTER: Exporter = Exporter {
    name: "ply",
    extension: "ply",
    doc: "PLY point cloud, binary, for Blender, Houdini, MeshLab, Open3D",
    index: None,
    holds_surfaces: false,
    holds_triangles: true,
    write,
    read: Some(read),
};

/// Start and end of the header. The text lists stand in comments, in ASCII as the format asks for.
const MAGIC: &str = "ply\nformat binary_little_endian 1.0\n";
const END: &str = "end_header\n";

/// The property of a face: the number of its corners, and these.
const CORNERS: &str = "list uchar uint vertex_indices";

/// What a face of texture has: the number of its coordinates, and u and v of each corner, as MeshLab has it.
const TEXTURE: &str = "list uchar float texcoord";

/// The properties of a column that has three.
const VECTORS: [(&str, [&str; 3]); 2] = [
    ("position", ["x", "y", "z"]),
    ("velocity", ["vx", "vy", "vz"]),
];

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let frame = moment.frame;
    let columns = columns(frame);
    write!(out, "{MAGIC}")?;
    writeln!(out, "comment frame {}", frame.number)?;
    writeln!(out, "comment time {:?}", frame.time)?;
    for (list, entries) in text_lists(frame) {
        for entry in entries {
            writeln!(out, "comment {list} {}", percent::encoded(entry))?;
        }
    }
    writeln!(out, "element vertex {}", frame.particle_count())?;
    for column in &columns {
        let type_name = type_name(column.values.kind());
        match VECTORS.iter().find(|(name, _)| *name == column.name) {
            Some((_, components)) => components
                .iter()
                .try_for_each(|component| writeln!(out, "property {type_name} {component}"))?,
            None => writeln!(out, "property {type_name} {}", column.name)?,
        }
    }
    if !frame.triangles.is_empty() {
        writeln!(out, "element face {}", frame.triangles.len())?;
        writeln!(out, "property {CORNERS}")?;
        if !frame.uv.is_empty() {
            writeln!(out, "property {TEXTURE}")?;
        }
        if !frame.inside.is_empty() {
            writeln!(out, "property uchar {INSIDE}")?;
        }
    }
    write!(out, "{END}")?;
    let mut block = Vec::new();
    for i in 0..frame.particle_count() {
        let columns = columns.iter();
        columns.for_each(|column| column.values.add(i..i + 1, &mut block));
        if (i + 1) % BLOCK == 0 {
            out.write_all(&block)?;
            block.clear();
        }
    }
    out.write_all(&block)?;
    for (number, corners) in frame.triangles.iter().enumerate() {
        out.write_all(&[3])?;
        let mut corners = corners.iter();
        corners.try_for_each(|corner| out.write_all(&corner.to_le_bytes()))?;
        if let Some(uv) = frame.uv.get(number) {
            out.write_all(&[6])?;
            let mut numbers = uv.as_flattened().iter();
            numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
        if let Some(&is_inside) = frame.inside.get(number) {
            out.write_all(&[u8::from(is_inside)])?;
        }
    }
    Ok(())
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Double3 => "double",
        Kind::Single3 | Kind::Single => "float",
        Kind::Index => "uint",
    }
}

/// What the header says.
#[derive(Default)]
struct Header {
    number: Option<u32>,
    time: Option<f64>,
    count: Option<usize>,
    faces: usize,
    has_uv: bool,
    has_inside: bool,
    properties: Vec<(String, String)>,
    lists: Vec<(String, Vec<String>)>,
}

fn read(bytes: &[u8]) -> Result<ParticleFrame, FrameProblem> {
    let end = bytes
        .windows(END.len())
        .position(|window| window == END.as_bytes())
        .ok_or_else(|| malformed("its header has no end"))?;
    let text = String::from_utf8_lossy(&bytes[..end]);
    let lines = text
        .strip_prefix(MAGIC)
        .ok_or_else(|| malformed("it is not in binary little endian format"))?;
    let mut header = Header::default();
    lines.lines().try_for_each(|line| header.add(line))?;
    let (Some(number), Some(time), Some(count)) = (header.number, header.time, header.count) else {
        return Err(malformed(
            "it does not say its frame, time and number of particles",
        ));
    };
    let layout = layout(&header.properties)?;
    let body = &bytes[end + END.len()..];
    let record_length: usize = layout.iter().map(|(_, kind)| kind.size()).sum();
    let columns = read_columns(body, count, layout)?;
    let faces = read_faces(&body[count * record_length..], &header)?;
    ParticleFrame::assemble(number, time, columns, header.lists, faces)
}

fn malformed(reason: &str) -> FrameProblem {
    FrameProblem::Malformed(reason.to_owned())
}

impl Header {
    fn add(&mut self, line: &str) -> Result<(), FrameProblem> {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        match (word(), word(), word()) {
            ("comment", "frame", value) => self.number = value.parse().ok(),
            ("comment", "time", value) => self.time = value.parse().ok(),
            ("comment", list, value) => self.add_entry(list, value),
            ("element", "vertex", value) => self.count = value.parse().ok(),
            ("element", "face", value) => {
                let malformed = |_| malformed("it does not say its number of faces");
                self.faces = value.parse().map_err(malformed)?;
            }
            ("property", "list", name) if CORNERS == format!("list {name}") => {}
            ("property", "list", name) if TEXTURE == format!("list {name}") => self.has_uv = true,
            ("property", "uchar", INSIDE) => self.has_inside = true,
            ("property", kind, name) => self.properties.push((kind.to_owned(), name.to_owned())),
            _ => return Err(malformed(&format!("its header line `{line}` is not known"))),
        }
        Ok(())
    }

    fn add_entry(&mut self, list: &str, value: &str) {
        match self.lists.iter_mut().find(|(name, _)| name == list) {
            Some((_, entries)) => entries.push(percent::decoded(value)),
            None => self
                .lists
                .push((list.to_owned(), vec![percent::decoded(value)])),
        }
    }
}

/// Names and kinds of the columns in the order of the properties.
fn layout(properties: &[(String, String)]) -> Result<Vec<(String, Kind)>, FrameProblem> {
    let mut layout = Vec::new();
    let mut rest = properties;
    while let Some((kind, name)) = rest.first() {
        let vector = VECTORS.iter().find(|(_, components)| components[0] == name);
        let (name, kind) = match (vector, kind.as_str()) {
            (Some((name, _)), "double") => (*name, Kind::Double3),
            (Some((name, _)), "float") => (*name, Kind::Single3),
            (None, "float") => (name.as_str(), Kind::Single),
            (None, "uint") => (name.as_str(), Kind::Index),
            _ => {
                return Err(malformed(&format!(
                    "its property `{name}` has an unknown type"
                )));
            }
        };
        layout.push((name.to_owned(), kind));
        rest = rest
            .get(kind.component_count()..)
            .ok_or_else(|| FrameProblem::CutOff(name.to_owned()))?;
    }
    Ok(layout)
}

/// The triangles at the start of what follows the vertices.
fn read_faces(body: &[u8], header: &Header) -> Result<ReadTriangles, FrameProblem> {
    const CORNERS: usize = 1 + 3 * 4;
    let of_uv = if header.has_uv { 1 + UV_SIZE } else { 0 };
    let length = CORNERS + of_uv + usize::from(header.has_inside);
    let all = header.faces.checked_mul(length);
    let faces = all.and_then(|all| body.get(..all));
    let faces = faces.ok_or_else(|| FrameProblem::CutOff("face".to_owned()))?;
    let faces = faces.chunks_exact(length);
    let (mut all_corners, mut all_uv, mut all_inside) = (Vec::new(), Vec::new(), Vec::new());
    for face in faces {
        let (corners, rest) = face.split_at(CORNERS);
        let (uv, inside) = rest.split_at(of_uv);
        if corners[0] != 3 || uv.first().is_some_and(|count| *count != 6) {
            return Err(malformed("it has a face that is no triangle"));
        }
        all_corners.extend_from_slice(&corners[1..]);
        all_uv.extend_from_slice(uv.get(1..).unwrap_or_default());
        all_inside.extend_from_slice(inside);
    }
    Ok(ReadTriangles {
        corners: triangles(&all_corners),
        uv: uv_of(&all_uv),
        inside: flags_of(&all_inside),
    })
}

fn read_columns(
    body: &[u8],
    count: usize,
    layout: Vec<(String, Kind)>,
) -> Result<Vec<ReadColumn>, FrameProblem> {
    let record_length: usize = layout.iter().map(|(_, kind)| kind.size()).sum();
    let length = count.checked_mul(record_length);
    let records = length.and_then(|length| body.get(..length));
    let records = records.ok_or_else(|| FrameProblem::CutOff("vertex".to_owned()))?;
    let mut start = 0;
    let mut columns = Vec::new();
    for (name, kind) in layout {
        let mut bytes = Vec::with_capacity(count.saturating_mul(kind.size()));
        for record in records.chunks_exact(record_length) {
            bytes.extend_from_slice(take(&record[start..], 1, kind, &name)?);
        }
        start += kind.size();
        columns.push(ReadColumn { name, kind, bytes });
    }
    Ok(columns)
}
