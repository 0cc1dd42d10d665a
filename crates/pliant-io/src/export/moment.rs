//! What the files of a frame are written from.

use std::io;
use std::sync::Arc;

use pliant_core::measure::{Frame, FrameBody};
use pliant_geometry::Shape;
use pliant_math::DVec3;

/// One moment of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The particles, or the vertices of surfaces in their place.
    pub frame: &'a Frame<'a>,
    /// The surfaces that bodies carry, for formats that hold them beside the particles.
    pub surface: Option<&'a Frame<'a>>,
    /// The scene.
    pub scene: &'a SceneFacts,
}

/// What of a scene stays the same in all its frames.
#[derive(Clone, Debug)]
pub struct SceneFacts {
    /// Frames per second [1/s].
    pub frame_rate: f64,
    /// The axis that points up.
    pub up: UpAxis,
    /// Indices of the bodies that are made of triangles, such as cloth.
    pub with_triangles: Vec<u32>,
    /// Indices of the bodies that carry a surface.
    pub with_surface: Vec<u32>,
    /// Indices of the bodies whose triangles, or those of the surface that they carry, have texture coordinates.
    pub with_uv: Vec<u32>,
    /// The colliders and rigid bodies.
    pub colliders: Vec<SceneCollider>,
    /// All bodies; a frame has the first of them, as the others are added later.
    pub bodies: Vec<FrameBody>,
    /// How many bodies the first frame has.
    pub bodies_at_start: usize,
    /// Names of quantities that frames have which show what is added later.
    pub later_quantities: Vec<&'static str>,
}

/// An axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// The second.
    #[default]
    Y,
    /// The third.
    Z,
}

/// A collider, or a rigid body as one.
#[derive(Clone, Debug)]
pub struct SceneCollider {
    /// Its name.
    pub name: String,
    /// Its shape, in local coordinates; of one that deforms, at time zero.
    pub shape: Arc<dyn Shape>,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
    /// 1 opaque, 0 not drawn, between as glass.
    pub opacity: f32,
    /// How much it shines: 0 matt, 1 as if wet.
    pub gloss: f32,
    /// What tells where it is.
    pub placed_by: PlacedBy,
}

/// What tells where a collider is in a frame.
#[derive(Clone, Copy, Debug)]
pub enum PlacedBy {
    /// The collider of this index in the frame.
    Collider(usize),
    /// The particle of a rigid body, which is at its centre of mass, and its rotation.
    Body {
        /// Index of the body.
        body: u32,
        /// Centre of mass in local coordinates [m].
        center: DVec3,
    },
}

impl SceneCollider {
    /// Whether its form changes with the frames, which then tell it.
    pub fn deforms(&self) -> bool {
        self.shape.moving().is_some()
    }

    /// Its shape in a frame, in local coordinates; `None` if the frame does not have it.
    pub fn shape_in<'a>(&'a self, frame: &Frame<'a>) -> Option<&'a dyn Shape> {
        match self.placed_by {
            PlacedBy::Body { .. } => Some(&*self.shape),
            PlacedBy::Collider(index) => Some(&*frame.colliders.get(index)?.shape),
        }
    }
}

impl Default for SceneFacts {
    fn default() -> Self {
        Self {
            frame_rate: 24.0,
            up: UpAxis::default(),
            with_triangles: Vec::new(),
            with_surface: Vec::new(),
            with_uv: Vec::new(),
            colliders: Vec::new(),
            bodies: Vec::new(),
            bodies_at_start: usize::MAX,
            later_quantities: Vec::new(),
        }
    }
}

/// Refuses a frame in which something has no place: no program that reads it could show it, and some
/// crash.
pub(super) fn check_finite(frame: &Frame) -> io::Result<()> {
    if are_finite(frame.position, |p| p.is_finite())
        && are_finite(frame.velocity, is_finite)
        && are_finite(frame.radius, |r| r.is_finite())
    {
        return Ok(());
    }
    let position = frame.position.iter().position(|p| !p.is_finite());
    let velocity = || frame.velocity.iter().position(|v| !is_finite(v));
    let radius = || frame.radius.iter().position(|r| !r.is_finite());
    let found = (position.map(|place| ("position", place)))
        .or_else(|| velocity().map(|place| ("velocity", place)))
        .or_else(|| radius().map(|place| ("radius", place)));
    found.map_or(Ok(()), |(what, place)| Err(not_finite(frame, what, place)))
}

/// Values that are looked at before the first that is not finite is looked for: in pieces without a
/// way out of the middle, several are looked at in one instruction.
const BLOCK: usize = 1024;

fn are_finite<T>(values: &[T], is_finite: impl Fn(&T) -> bool) -> bool {
    let block_is_finite = |block: &[T]| block.iter().fold(true, |all, v| all & is_finite(v));
    values.chunks(BLOCK).all(block_is_finite)
}

fn is_finite(v: &[f32; 3]) -> bool {
    v.iter().fold(true, |all, c| all & c.is_finite())
}

fn not_finite(frame: &Frame, what: &str, place: usize) -> io::Error {
    let id = frame.id.get(place).copied().unwrap_or_default();
    let (number, body) = (frame.number, body_name(frame, place));
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!(
            "in frame {number} the {what} of particle {id} of body `{body}` is not finite; \
             take a shorter solver.time_step"
        ),
    )
}

fn body_name<'a>(frame: &Frame<'a>, place: usize) -> &'a str {
    let body = frame.body.get(place).copied().unwrap_or_default();
    frame.bodies.get(body as usize).map_or("", |b| &b.name)
}
