//! What is to be seen in a frame, in bytes.
//!
//! Little-endian: [`MAGIC`]; the frame, the loose particles, the vertices and the triangles in 32-bit numbers; the
//! particles in the world in 64; the time [s]. Then the legend: 0, or 1 with title, unit, both ends of its range and its
//! colour map. Then the columns in the order of [`Snapshot`]'s fields, and the colliders.

use pliant_render::{ColorMap, Legend};

use super::bytes::{Malformed, Reader, add_text};
use super::scenery::{SceneryIn, SceneryOut};
use crate::live::Snapshot;

/// What the bytes begin with: a name, and the version of the form.
const MAGIC: [u8; 8] = *b"PLIANT\0\x01";

/// Colour maps by their numbers.
const COLOR_MAPS: [ColorMap; 3] = [ColorMap::Dusk, ColorMap::Ember, ColorMap::Balance];

/// The bytes of a moment.
///
/// * `known` — the key of the colliders' surfaces that the window has; none are sent if they are the same
pub(crate) fn encode(shown: &Snapshot, scenery: &mut SceneryOut, known: Option<u64>) -> Vec<u8> {
    let size = 128 + 24 * shown.spheres.len() + 32 * shown.vertices.len();
    let mut bytes = Vec::with_capacity(size + 12 * shown.triangles.len());
    bytes.extend(MAGIC);
    let counts = [shown.spheres.len(), shown.vertices.len()];
    let counts = counts.into_iter().chain([shown.triangles.len()]);
    bytes.extend(shown.frame.to_le_bytes());
    bytes.extend(counts.flat_map(|count| (count as u32).to_le_bytes()));
    bytes.extend((shown.particles as u64).to_le_bytes());
    bytes.extend(shown.time.to_le_bytes());
    add_legend(&mut bytes, shown.legend.as_ref());
    add_numbers(&mut bytes, shown.spheres.as_flattened());
    bytes.extend(shown.sphere_colors.as_flattened());
    bytes.extend(shown.sphere_ids.iter().flat_map(|id| id.to_le_bytes()));
    add_numbers(&mut bytes, shown.vertices.as_flattened());
    add_numbers(&mut bytes, shown.normals.as_flattened());
    bytes.extend(shown.vertex_colors.as_flattened());
    let corners = shown.triangles.as_flattened().iter();
    bytes.extend(corners.flat_map(|corner| corner.to_le_bytes()));
    scenery.add(&mut bytes, &shown.colliders, known);
    bytes
}

/// The moment that bytes are.
///
/// # Errors
/// If they are none, or if something in them does not fit the rest.
pub(crate) fn decode(bytes: &[u8], scenery: &mut SceneryIn) -> Result<Snapshot, Malformed> {
    let mut reader = Reader::of(bytes);
    let [magic] = reader
        .column::<u8, 8, 1>(1, "head")?
        .try_into()
        .unwrap_or([[0; 8]]);
    if magic != MAGIC {
        return Err(Malformed(
            "it is none that this version of Pliant reads".to_owned(),
        ));
    }
    let frame = reader.number("frame")?;
    let mut count = |what| reader.number::<u32, 4>(what).map(|count| count as usize);
    let spheres = count("number of balls")?;
    let vertices = count("number of vertices")?;
    let triangles = count("number of triangles")?;
    let particles: u64 = reader.number("number of particles")?;
    let time = reader.finite("time")?;
    let shown = Snapshot {
        frame,
        time,
        particles: usize::try_from(particles).unwrap_or(usize::MAX),
        legend: legend(&mut reader)?,
        spheres: reader.finite_column(spheres, "balls")?,
        sphere_colors: reader.column(spheres, "colours of balls")?,
        sphere_ids: ids(&mut reader, spheres)?,
        vertices: reader.finite_column(vertices, "vertices")?,
        normals: reader.finite_column(vertices, "normals")?,
        vertex_colors: reader.column(vertices, "colours of vertices")?,
        triangles: corners(&mut reader, triangles, vertices)?,
        colliders: scenery.read(&mut reader)?,
    };
    reader.end()?;
    Ok(shown)
}

fn add_numbers(bytes: &mut Vec<u8>, numbers: &[f32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn add_legend(bytes: &mut Vec<u8>, legend: Option<&Legend>) {
    bytes.extend(u32::from(legend.is_some()).to_le_bytes());
    let Some(legend) = legend else { return };
    add_text(bytes, &legend.title);
    add_text(bytes, &legend.unit);
    add_numbers(bytes, &legend.range);
    let mut maps = (0_u32..).zip(COLOR_MAPS);
    let number = maps.find(|(_, map)| *map == legend.color_map);
    bytes.extend(number.map_or(0, |(number, _)| number).to_le_bytes());
}

fn legend(reader: &mut Reader<'_>) -> Result<Option<Legend>, Malformed> {
    let has_legend: u32 = reader.number("legend")?;
    if has_legend == 0 {
        return Ok(None);
    }
    let title = reader.text("legend")?;
    let unit = reader.text("legend")?;
    let range: Vec<[f32; 2]> = reader.column(1, "legend")?;
    let number: u32 = reader.number("legend")?;
    let color_map = COLOR_MAPS.get(number as usize);
    let color_map = color_map.ok_or_else(|| Malformed(format!("it has a colour map {number}")))?;
    Ok(Some(Legend {
        title,
        unit,
        range: range[0],
        color_map: *color_map,
    }))
}

fn ids(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u32>, Malformed> {
    let ids: Vec<[u32; 1]> = reader.column(count, "ids of particles")?;
    Ok(ids.into_iter().flatten().collect())
}

/// Triangles, whose corners are among so many vertices.
pub(super) fn corners(
    reader: &mut Reader<'_>,
    count: usize,
    vertices: usize,
) -> Result<Vec<[u32; 3]>, Malformed> {
    let triangles: Vec<[u32; 3]> = reader.column(count, "triangles")?;
    let mut all = triangles.as_flattened().iter();
    match all.find(|&&corner| corner as usize >= vertices) {
        None => Ok(triangles),
        Some(corner) => Err(Malformed(format!(
            "a triangle has vertex {corner} as a corner, but there are only {vertices}"
        ))),
    }
}
