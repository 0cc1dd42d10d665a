//! The values of a frame.

use std::sync::Arc;

use pliant_core::measure::Frame;

use super::super::Moment;
use super::super::rows::{Bodies, Rows, Triangles};
use super::shape;
use super::stage::{
    EXTENT, FACE_CORNERS, FACE_COUNTS, IDS, INSIDE, Kind, MESH_IDS, POINTS, Stage, Thing, UV,
    VELOCITIES, WIDTHS, WORLD, primvar,
};
use crate::usdc::{Array, Element, Layer, Prim, Value};

/// Numbers that are turned into bytes at a time.
const BLOCK: usize = 8192;

/// The layer of a frame: the values of all that varies, at its time code.
pub(super) fn layer<'a>(moment: &Moment<'a>, stage: &Stage) -> Layer<'a> {
    let particles = Bodies::of(moment.frame);
    let surfaces = moment.surface.map(Bodies::of);
    let of_body = |frame: &'a Frame<'a>, bodies: &Bodies, body: u32| OfBody {
        frame,
        is_points: false,
        rows: bodies.rows(body).clone(),
        triangles: bodies.triangles(body).clone(),
    };
    let prim = |thing: &Thing| {
        let values = match (thing.kind, moment.surface, &surfaces) {
            (Kind::Collider { .. }, ..) => None,
            (Kind::Points { body, .. } | Kind::Triangles { body }, ..) => Some(OfBody {
                is_points: matches!(thing.kind, Kind::Points { .. }),
                ..of_body(moment.frame, &particles, body)
            }),
            (Kind::Surface { body }, Some(frame), Some(bodies)) => {
                Some(of_body(frame, bodies, body))
            }
            // There is nothing left of any surface.
            (Kind::Surface { .. }, ..) => Some(OfBody {
                frame: moment.frame,
                is_points: false,
                rows: Arc::new(Rows::Range(0..0)),
                triangles: Arc::default(),
            }),
        };
        let in_clips = thing.in_clips(moment).into_iter();
        let attributes = in_clips.filter_map(|varying| {
            let value = values.as_ref()?.value(&varying.name);
            Some(varying.at(moment.frame.number, value))
        });
        Prim {
            name: thing.name.clone(),
            type_name: None,
            attributes: attributes.collect(),
            children: match thing.kind {
                Kind::Collider { index } => shape::of_frame(moment, index),
                _ => Vec::new(),
            },
        }
    };
    let world = Prim {
        name: WORLD.to_owned(),
        type_name: None,
        attributes: Vec::new(),
        children: stage.things.iter().map(prim).collect(),
    };
    Layer {
        default_prim: WORLD,
        time_codes_per_second: None,
        prims: vec![world],
    }
}

/// The particles or vertices of a body in a frame.
struct OfBody<'a> {
    frame: &'a Frame<'a>,
    /// Whether each takes room.
    is_points: bool,
    rows: Arc<Rows>,
    triangles: Arc<Triangles>,
}

impl<'a> OfBody<'a> {
    /// The value of an attribute.
    fn value(&self, name: &str) -> Value<'a> {
        let (frame, rows) = (self.frame, &self.rows);
        let single = |values: &'a [f32]| rows.array(Element::Float, |i| [values[i].to_bits()]);
        match name {
            EXTENT => self.extent(),
            IDS => rows.array(Element::Int64, |i| [frame.id[i], 0]),
            MESH_IDS => rows.array(Element::Int, |i| [frame.id[i]]),
            POINTS => rows.array(Element::Float3, |i| {
                frame.position[i].as_vec3().to_array().map(f32::to_bits)
            }),
            VELOCITIES => rows.array(Element::Float3, |i| frame.velocity[i].map(f32::to_bits)),
            // Diameters.
            WIDTHS => rows.array(Element::Float, |i| [(2.0 * frame.radius[i]).to_bits()]),
            FACE_COUNTS => self.face_counts(),
            FACE_CORNERS => self.face_corners(),
            UV => self.of_faces(Element::Float2, |frame, face| {
                frame
                    .uv
                    .get(face)
                    .map(|uv| uv.map(|uv| uv.map(f32::to_bits)))
                    .unwrap_or_default()
            }),
            INSIDE => self.of_faces(Element::Int, |frame, face| {
                [[u32::from(frame.inside.get(face) == Some(&true))]]
            }),
            name => {
                let mut quantities = frame.quantities.iter();
                let found = quantities.find(|quantity| primvar(quantity.name) == name);
                single(found.map_or(&[][..], |quantity| &quantity.values))
            }
        }
    }

    /// The corners of a box around them, each particle with its radius; of nothing, one that is empty.
    fn extent(&self) -> Value<'a> {
        let (frame, rows) = (self.frame, self.rows.clone());
        let is_points = self.is_points;
        Value::Array(Array {
            element: Element::Float3,
            count: 2,
            write: Box::new(move |out| {
                let mut least = [f32::MAX; 3];
                let mut greatest = [f32::MIN; 3];
                rows.for_each(|place| {
                    let position = frame.position[place].as_vec3().to_array();
                    let margin = if is_points { frame.radius[place] } else { 0.0 };
                    for axis in 0..3 {
                        least[axis] = least[axis].min(position[axis] - margin);
                        greatest[axis] = greatest[axis].max(position[axis] + margin);
                    }
                });
                let corners = [least, greatest].map(|corner| corner.map(f32::to_le_bytes));
                out.write_all(corners.as_flattened().as_flattened())
            }),
        })
    }

    /// An array with so many elements a face, each of some words of four bytes, by its place in the frame.
    fn of_faces<const WORDS: usize, const EACH: usize>(
        &self,
        element: Element,
        words: impl Fn(&Frame<'_>, usize) -> [[u32; WORDS]; EACH] + 'a,
    ) -> Value<'a> {
        let (frame, triangles) = (self.frame, self.triangles.clone());
        Value::Array(Array {
            element,
            count: EACH * triangles.places.len(),
            write: Box::new(move |out| {
                let mut blocks = triangles.places.chunks(BLOCK);
                blocks.try_for_each(|block| {
                    let mut bytes = Vec::with_capacity(4 * WORDS * EACH * block.len());
                    for &place in block {
                        let words =
                            words(frame, place as usize).map(|words| words.map(u32::to_le_bytes));
                        bytes.extend_from_slice(words.as_flattened().as_flattened());
                    }
                    out.write_all(&bytes)
                })
            }),
        })
    }

    fn face_counts(&self) -> Value<'static> {
        let count = self.triangles.corners.len();
        Value::Array(Array {
            element: Element::Int,
            count,
            write: Box::new(move |out| {
                let threes = 3_i32.to_le_bytes().repeat(BLOCK.min(count));
                let mut starts = (0..count).step_by(BLOCK);
                starts.try_for_each(|start| out.write_all(&threes[..4 * BLOCK.min(count - start)]))
            }),
        })
    }

    fn face_corners(&self) -> Value<'static> {
        let triangles = self.triangles.clone();
        Value::Array(Array {
            element: Element::Int,
            count: 3 * triangles.corners.len(),
            write: Box::new(move |out| {
                let mut blocks = triangles.corners.as_flattened().chunks(BLOCK);
                blocks.try_for_each(|block| {
                    let bytes: Vec<u8> = block.iter().flat_map(|c| c.to_le_bytes()).collect();
                    out.write_all(&bytes)
                })
            }),
        })
    }
}
