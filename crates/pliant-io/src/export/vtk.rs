//! VTK: PolyData XML (`.vtp`) with appended raw binary, a vertex cell a particle and a polygon a
//! triangle of cloth.

use std::io::{self, Write};
use std::str::FromStr;

use pliant_core::measure::Frame;
use roxmltree::{Document, Node};

use super::columns::{
    Column, INSIDE, Kind, ReadColumn, ReadTriangles, UV, UV_SIZE, columns, flag_bytes, flags_of,
    text_lists, triangles, uv_bytes, uv_of, write_indices,
};
use super::{Exporter, FrameProblem, Moment, ParticleFrame, pvd};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "vtk",
    extension: "vtp",
    doc: "VTK PolyData for ParaView, VisIt, PyVista; with particles.pvd for the times",
    index: Some(pvd::INDEX),
    holds_surfaces: false,
    holds_triangles: true,
    write,
    read: Some(read),
};

const APPENDED: &str = "  <AppendedData encoding=\"raw\">\n   _";

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let frame = moment.frame;
    let columns = columns(frame);
    let count = frame.particle_count();
    let of_triangles = of_triangles(frame);
    write_header(frame, (&columns, &of_triangles), out)?;
    out.write_all(APPENDED.as_bytes())?;
    for column in &columns {
        write_length(count * column.values.kind().size(), out)?;
        column.values.write(out)?;
    }
    // Each cell is one point: corners 0, 1, 2, ..., ends 1, 2, 3, ...
    for first in [0, 1] {
        write_length(count * 4, out)?;
        write_indices(first..first + count as u32, out)?;
    }
    let corners = frame.triangles.as_flattened();
    write_length(corners.len() * 4, out)?;
    write_indices(corners.iter().copied(), out)?;
    write_length(frame.triangles.len() * 4, out)?;
    write_indices((1..=frame.triangles.len() as u32).map(|k| 3 * k), out)?;
    for array in &of_triangles {
        write_length(array.bytes.len(), out)?;
        out.write_all(&array.bytes)?;
    }
    out.write_all(b"\n  </AppendedData>\n</VTKFile>\n")
}

fn write_header(
    frame: &Frame,
    (columns, of_triangles): (&[Column], &[OfTriangles]),
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = frame.particle_count();
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  \
         <PolyData>"
    )?;
    let end = end_of_particle_arrays(frame, columns);
    write_field_data(frame, (of_triangles, end), out)?;
    writeln!(
        out,
        "    <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\" NumberOfLines=\"0\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
        frame.triangles.len()
    )?;
    let mut offset = 0;
    for (i, column) in columns.iter().enumerate() {
        match i {
            0 => writeln!(out, "      <Points>")?,
            1 => writeln!(out, "      <PointData Vectors=\"velocity\">")?,
            _ => {}
        }
        let kind = column.values.kind();
        write_array(
            column.name,
            type_name(kind),
            kind.component_count(),
            offset,
            out,
        )?;
        offset += 8 + count * kind.size();
        if i == 0 {
            writeln!(out, "      </Points>")?;
        }
    }
    writeln!(out, "      </PointData>\n      <Verts>")?;
    write_array("connectivity", "Int32", 1, offset, out)?;
    write_array("offsets", "Int32", 1, offset + 8 + count * 4, out)?;
    writeln!(out, "      </Verts>\n      <Polys>")?;
    offset += 2 * (8 + count * 4);
    write_array("connectivity", "Int32", 1, offset, out)?;
    offset += 8 + frame.triangles.len() * 12;
    write_array("offsets", "Int32", 1, offset, out)?;
    writeln!(out, "      </Polys>\n    </Piece>\n  </PolyData>")
}

/// Where the appended arrays of particles and the corners of triangles end.
fn end_of_particle_arrays(frame: &Frame, columns: &[Column]) -> usize {
    let (count, triangles) = (frame.particle_count(), frame.triangles.len());
    let of_columns = columns.iter().map(|c| 8 + count * c.values.kind().size());
    let of_verts = 2 * (8 + count * 4);
    let of_polys = 8 + triangles * 12 + 8 + triangles * 4;
    of_columns.sum::<usize>() + of_verts + of_polys
}

/// An array with values of triangles: VTK has none of triangles alone.
struct OfTriangles {
    name: &'static str,
    type_name: &'static str,
    component_count: usize,
    bytes: Vec<u8>,
}

/// What triangles have beside corners.
fn of_triangles(frame: &Frame) -> Vec<OfTriangles> {
    let uv = OfTriangles {
        name: UV,
        type_name: "Float32",
        component_count: 6,
        bytes: uv_bytes(frame.uv),
    };
    let inside = OfTriangles {
        name: INSIDE,
        type_name: "UInt8",
        component_count: 1,
        bytes: flag_bytes(frame.inside),
    };
    let all = [uv, inside].into_iter();
    all.filter(|array| !array.bytes.is_empty()).collect()
}

/// Time, frame number and names, which belong to no particle, and what triangles have.
///
/// * `offset` — where the arrays of triangles begin, which follow all others
fn write_field_data(
    frame: &Frame,
    (of_triangles, mut offset): (&[OfTriangles], usize),
    out: &mut dyn Write,
) -> io::Result<()> {
    let field = "NumberOfTuples=\"1\" format=\"ascii\"";
    writeln!(out, "    <FieldData>")?;
    writeln!(
        out,
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" {field}>{:?}</DataArray>",
        frame.time
    )?;
    writeln!(
        out,
        "      <DataArray type=\"UInt32\" Name=\"frame\" {field}>{}</DataArray>",
        frame.number
    )?;
    for (name, entries) in text_lists(frame) {
        write!(
            out,
            "      <DataArray type=\"String\" Name=\"{name}\" NumberOfTuples=\"{}\" format=\"ascii\">",
            entries.len()
        )?;
        // Text is spelled as its bytes, each entry ended by a zero.
        for entry in entries {
            entry.bytes().try_for_each(|byte| write!(out, "{byte} "))?;
            write!(out, "0 ")?;
        }
        writeln!(out, "</DataArray>")?;
    }
    for array in of_triangles {
        let OfTriangles {
            name,
            type_name,
            component_count,
            bytes,
        } = array;
        writeln!(
            out,
            "      <DataArray type=\"{type_name}\" Name=\"{name}\" NumberOfTuples=\"{}\" \
             NumberOfComponents=\"{component_count}\" format=\"appended\" offset=\"{offset}\"/>",
            frame.triangles.len()
        )?;
        offset += 8 + bytes.len();
    }
    writeln!(out, "    </FieldData>")
}

fn write_array(
    name: &str,
    type_name: &str,
    component_count: usize,
    offset: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "        <DataArray type=\"{type_name}\" Name=\"{name}\" NumberOfComponents=\"{component_count}\" \
         format=\"appended\" offset=\"{offset}\"/>"
    )
}

fn write_length(length: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(length as u64).to_le_bytes())
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Double3 => "Float64",
        Kind::Single3 | Kind::Single => "Float32",
        Kind::Index => "UInt32",
    }
}

fn read(bytes: &[u8]) -> Result<ParticleFrame, FrameProblem> {
    let marker = APPENDED.as_bytes();
    let header_end = bytes
        .windows(marker.len())
        .position(|window| window == marker)
        .ok_or_else(|| malformed("it has no appended raw data"))?;
    let header = String::from_utf8_lossy(&bytes[..header_end]);
    // Without its binary part the file is XML.
    let xml = format!("{header}</VTKFile>");
    let document = Document::parse(&xml).map_err(|e| malformed(&e.to_string()))?;
    let data = &bytes[header_end + marker.len()..];

    let piece = find(&document, "Piece")?;
    let count = number(&piece, "NumberOfPoints")?;
    let points = find(&document, "Points")?;
    let point_data = find(&document, "PointData")?;
    let arrays = points.children().chain(point_data.children());
    let columns = arrays
        .filter(Node::is_element)
        .map(|array| read_array(&array, count, data))
        .collect::<Result<Vec<_>, _>>()?;

    let fields = find(&document, "FieldData")?;
    ParticleFrame::assemble(
        field_number(&fields, "frame")?,
        field_number(&fields, "TimeValue")?,
        columns,
        text_fields(&fields),
        read_triangles(&document, number(&piece, "NumberOfPolys")?, data)?,
    )
}

/// So many triangles among the polygons.
fn read_triangles(
    document: &Document,
    count: usize,
    data: &[u8],
) -> Result<ReadTriangles, FrameProblem> {
    if count == 0 {
        return Ok(ReadTriangles::default());
    }
    let polygons = find(document, "Polys")?;
    let mut arrays = polygons.children();
    let corners = arrays
        .find(|array| array.attribute("Name") == Some("connectivity"))
        .ok_or_else(|| malformed("its polygons have no `connectivity`"))?;
    let length = (count as u64).saturating_mul(12);
    let bytes = block(&corners, length, data, "connectivity")?;
    let fields = find(document, "FieldData")?;
    let field = |name: &str, size: usize| {
        let mut fields = fields.children();
        let field = fields.find(|field| field.attribute("Name") == Some(name));
        let length = (count as u64).saturating_mul(size as u64);
        field.map_or(Ok(&[][..]), |field| block(&field, length, data, name))
    };
    Ok(ReadTriangles {
        corners: triangles(bytes),
        uv: uv_of(field(UV, UV_SIZE)?),
        inside: flags_of(field(INSIDE, 1)?),
    })
}

/// The bytes of an array, which must be so many.
fn block<'d>(
    array: &Node,
    length: u64,
    data: &'d [u8],
    name: &str,
) -> Result<&'d [u8], FrameProblem> {
    let block = data.get(number(array, "offset")?..).unwrap_or_default();
    let stored_length = block.first_chunk().copied().map(u64::from_le_bytes);
    let end = usize::try_from(length.saturating_add(8)).unwrap_or(usize::MAX);
    let bytes = block.get(8..end).filter(|_| stored_length == Some(length));
    bytes.ok_or_else(|| FrameProblem::CutOff(name.to_owned()))
}

fn malformed(reason: &str) -> FrameProblem {
    FrameProblem::Malformed(reason.to_owned())
}

fn find<'d>(document: &'d Document, name: &str) -> Result<Node<'d, 'd>, FrameProblem> {
    document
        .descendants()
        .find(|node| node.has_tag_name(name))
        .ok_or_else(|| malformed(&format!("it has no element `{name}`")))
}

fn number(node: &Node, attribute: &str) -> Result<usize, FrameProblem> {
    node.attribute(attribute)
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| malformed(&format!("it lacks a number `{attribute}`")))
}

fn read_array(array: &Node, count: usize, data: &[u8]) -> Result<ReadColumn, FrameProblem> {
    let name = array.attribute("Name").unwrap_or_default();
    let type_name = array.attribute("type").unwrap_or_default();
    let kind = match (type_name, number(array, "NumberOfComponents")?) {
        ("Float64", 3) => Kind::Double3,
        ("Float32", 3) => Kind::Single3,
        ("Float32", 1) => Kind::Single,
        ("UInt32", 1) => Kind::Index,
        _ => {
            return Err(malformed(&format!(
                "its array `{name}` has an unknown type"
            )));
        }
    };
    let length = (count as u64).saturating_mul(kind.size() as u64);
    let bytes = block(array, length, data, name)?.to_vec();
    Ok(ReadColumn {
        name: name.to_owned(),
        kind,
        bytes,
    })
}

/// The one number of a field.
fn field_number<T: FromStr>(fields: &Node, name: &str) -> Result<T, FrameProblem> {
    let field = fields
        .children()
        .find(|child| child.attribute("Name") == Some(name));
    field
        .and_then(|field| field.text()?.trim().parse().ok())
        .ok_or_else(|| malformed(&format!("it has no field `{name}` with a number")))
}

/// The lists of text among the fields.
fn text_fields(fields: &Node) -> Vec<(String, Vec<String>)> {
    let lists = fields
        .children()
        .filter(|child| child.attribute("type") == Some("String"));
    lists
        .map(|field| {
            let name = field.attribute("Name").unwrap_or_default().to_owned();
            (name, entries(field.text().unwrap_or_default()))
        })
        .collect()
}

/// The entries of a list of text spelled as bytes.
fn entries(text: &str) -> Vec<String> {
    let bytes: Vec<u8> = text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let mut entries: Vec<String> = bytes
        .split(|&byte| byte == 0)
        .map(|entry| String::from_utf8_lossy(entry).into_owned())
        .collect();
    // What follows the last zero is no entry.
    entries.pop();
    entries
}
