//! A frame as Houdini's point attributes, which both kinds of BGEO hold.
//!
//! | attribute | what it is |
//! | --- | --- |
//! | `P`, `v` | position \[m\], velocity \[m/s\] |
//! | `id` | the stable id |
//! | `pscale` | radius \[m\] |
//! | `Cd` | colour of the body, linear |
//! | `orient` | rotation of rigid bodies, a quaternion x, y, z, w, where the kind has room for it |
//! | `body`, `material` | names; in the classic kind numbers |
//! | quantities | under their own names |
//! | `uv` | of vertices: texture coordinates |
//! | `N` | of vertices, in the classic kind of points: normals, where there are triangles |
//! | `inside` | of primitives: 1 for faces of cuts |
//!
//! Everything has four bytes a number, as Houdini and Partio expect it.

use std::io;
use std::ops::Range;

use pliant_core::measure::{Frame, ROTATION};
use pliant_geometry::TriangleUv;
use pliant_math::DVec3;

use super::color::linear;
use super::normals;

/// An attribute of all points.
pub(super) struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// What its numbers are.
    pub meaning: Meaning,
    values: Values<'a>,
}

/// What the numbers of an attribute are, which tells a program how to transform them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Real numbers without a direction.
    Number,
    /// A position.
    Point,
    /// A direction with a length.
    Vector,
    /// A direction across a surface.
    Normal,
    /// Texture coordinates.
    Texture,
    /// Red, green, blue.
    Color,
    /// A rotation.
    Quaternion,
    /// Integers.
    Integer,
    /// Indices into names.
    Name,
}

#[derive(Clone)]
enum Values<'a> {
    Positions(&'a [DVec3]),
    Vectors(&'a [[f32; 3]]),
    Normals(Vec<[f32; 3]>),
    Numbers(&'a [f32]),
    Integers(&'a [u32]),
    Names(&'a [u32], Vec<&'a str>),
    OfBody(&'a [u32], Vec<[f32; 3]>),
    Quaternions([&'a [f32]; 4]),
    Corners(&'a [TriangleUv]),
    Flags(&'a [bool]),
}

/// Where the numbers of a block of points go: the first of point i to `offset + i * stride`.
pub(super) struct Layout {
    pub offset: usize,
    pub stride: usize,
}

/// How rotations are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rotations {
    /// As `orient`.
    Orient,
    /// As four quantities.
    Numbers,
}

/// The attributes of a frame, `P` first.
///
/// # Errors
/// If an id is too great for them.
pub(super) fn attributes<'a>(
    frame: &Frame<'a>,
    rotations: Rotations,
) -> io::Result<Vec<Attribute<'a>>> {
    if let Some(&id) = frame.id.last().filter(|&&id| i32::try_from(id).is_err()) {
        let why = format!(
            "the id {id} of a particle is more than BGEO can hold, {}",
            i32::MAX
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    let attribute = |name, meaning, values| Attribute {
        name,
        meaning,
        values,
    };
    let bodies = frame.bodies.iter();
    let colors = bodies.clone().map(|body| linear(body.color)).collect();
    let body_names = bodies.map(|body| body.name.as_str()).collect();
    let material_names = frame.material_names.iter().map(String::as_str).collect();
    let mut attributes = vec![
        attribute("P", Meaning::Point, Values::Positions(frame.position)),
        attribute("v", Meaning::Vector, Values::Vectors(frame.velocity)),
        attribute("id", Meaning::Integer, Values::Integers(frame.id)),
        attribute("pscale", Meaning::Number, Values::Numbers(frame.radius)),
        attribute("Cd", Meaning::Color, Values::OfBody(frame.body, colors)),
        attribute("body", Meaning::Name, Values::Names(frame.body, body_names)),
        attribute(
            "material",
            Meaning::Name,
            Values::Names(frame.material, material_names),
        ),
    ];
    let numbers = |name: &str| {
        let quantity = frame.quantities.iter().find(|q| q.name == name);
        quantity.map(|quantity| quantity.values.as_slice())
    };
    let rotation = match ROTATION.map(numbers) {
        [Some(x), Some(y), Some(z), Some(w)] if rotations == Rotations::Orient => {
            let values = Values::Quaternions([x, y, z, w]);
            attributes.push(attribute("orient", Meaning::Quaternion, values));
            &ROTATION[..]
        }
        _ => &[],
    };
    let others = frame.quantities.iter();
    attributes.extend(
        others
            .filter(|q| !rotation.contains(&q.name))
            .map(|q| attribute(q.name, Meaning::Number, Values::Numbers(&q.values))),
    );
    Ok(attributes)
}

/// The normals of points, zero for those without triangles; none where no point has one.
pub(super) fn normals_of_points<'a>(frame: &Frame<'a>) -> Option<Attribute<'a>> {
    normals(frame, normals::of_points)
}

/// The attributes of the corners of triangles: `N`, and `uv`, where there are texture coordinates.
pub(super) fn of_corners<'a>(frame: &Frame<'a>) -> Vec<Attribute<'a>> {
    let uv = || Attribute {
        name: "uv",
        meaning: Meaning::Texture,
        values: Values::Corners(frame.uv),
    };
    let has_uv = !frame.uv.is_empty();
    let normals = normals(frame, normals::of_corners);
    has_uv.then(uv).into_iter().chain(normals).collect()
}

fn normals<'a>(frame: &Frame<'a>, of: fn(&Frame) -> Vec<[f32; 3]>) -> Option<Attribute<'a>> {
    let has_triangles = !frame.triangles.is_empty();
    has_triangles.then(|| Attribute {
        name: "N",
        meaning: Meaning::Normal,
        values: Values::Normals(of(frame)),
    })
}

/// The attributes of triangles: `inside`, 1 for faces of cuts, where bodies are cut.
pub(super) fn of_triangles<'a>(frame: &Frame<'a>) -> Vec<Attribute<'a>> {
    let inside = || Attribute {
        name: "inside",
        meaning: Meaning::Integer,
        values: Values::Flags(frame.inside),
    };
    let is_told = !frame.inside.is_empty();
    is_told.then(inside).into_iter().collect()
}

impl<'a> Attribute<'a> {
    /// Numbers a point.
    pub fn size(&self) -> usize {
        match self.values {
            Values::Positions(_)
            | Values::Vectors(_)
            | Values::Normals(_)
            | Values::OfBody(..)
            | Values::Corners(_) => 3,
            Values::Numbers(_) | Values::Integers(_) | Values::Names(..) | Values::Flags(_) => 1,
            Values::Quaternions(_) => 4,
        }
    }

    /// The names that its numbers are indices of.
    pub fn names(&self) -> &[&'a str] {
        match &self.values {
            Values::Names(_, names) => names,
            _ => &[],
        }
    }

    /// Puts the numbers of some points into a block of bytes, each turned into bytes by `bytes`.
    pub fn put(
        &self,
        points: Range<usize>,
        bytes: impl Fn(u32) -> [u8; 4] + Copy,
        (layout, block): (&Layout, &mut [u8]),
    ) {
        match &self.values {
            Values::Positions(v) => put(layout, block, bytes, v[points].iter().map(single)),
            Values::Vectors(v) => put(layout, block, bytes, v[points].iter().map(|&v| bits(v))),
            Values::Normals(v) => put(layout, block, bytes, v[points].iter().map(|&v| bits(v))),
            Values::Numbers(v) => put(layout, block, bytes, v[points].iter().map(|&v| bits([v]))),
            Values::Integers(v) | Values::Names(v, _) => {
                put(layout, block, bytes, v[points].iter().map(|&v| [v]));
            }
            Values::OfBody(body, colors) => {
                let color = |&body: &u32| bits(colors[body as usize]);
                put(layout, block, bytes, body[points].iter().map(color));
            }
            Values::Corners(uv) => {
                let corners = uv.as_flattened()[points].iter();
                put(
                    layout,
                    block,
                    bytes,
                    corners.map(|&[u, v]| bits([u, v, 0.0])),
                );
            }
            Values::Flags(flags) => {
                let flags = flags[points].iter().map(|&flag| [u32::from(flag)]);
                put(layout, block, bytes, flags);
            }
            Values::Quaternions(components) => {
                let quaternion = |i: usize| bits(components.map(|component| component[i]));
                put(layout, block, bytes, points.map(quaternion));
            }
        }
    }
}

fn put<const N: usize>(
    layout: &Layout,
    block: &mut [u8],
    bytes: impl Fn(u32) -> [u8; 4],
    words: impl Iterator<Item = [u32; N]>,
) {
    let records = block.chunks_exact_mut(layout.stride);
    for (record, words) in records.zip(words) {
        let place = &mut record[layout.offset..layout.offset + 4 * N];
        let (place, _) = place.as_chunks_mut::<4>();
        for (place, word) in place.iter_mut().zip(words) {
            *place = bytes(word);
        }
    }
}

fn single(position: &DVec3) -> [u32; 3] {
    bits(position.as_vec3().to_array())
}

fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}
