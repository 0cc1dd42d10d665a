//! A moment of a simulation, as small as it can be kept.

use std::sync::Arc;

use pliant_core::measure::{Frame, FrameBody, FrameBuffers, FrameCollider, FrameColumns, Quantity};
use pliant_math::DVec3;

/// Bytes that a triangle of a collider takes which deforms: its vertices, their velocities, and the tree around them.
const BYTES_OF_DEFORMED: usize = 400;

/// A moment. Columns that are those of the moment before it are shared with that.
#[derive(Debug)]
pub(super) struct Moment {
    pub number: u32,
    /// Simulated time [s].
    pub time: f64,
    /// What it takes of memory beyond what it shares [bytes].
    pub bytes: usize,
    particles: Columns,
    surface: Option<Columns>,
    bodies: Vec<FrameBody>,
    material_names: Vec<String>,
    colliders: Vec<FrameCollider>,
}

/// The columns of particles or of a surface.
#[derive(Debug)]
struct Columns {
    /// As files have them [m].
    position: Vec<[f32; 3]>,
    velocity: Vec<[f32; 3]>,
    quantities: Vec<Quantity>,
    id: Arc<[u32]>,
    body: Arc<[u32]>,
    material: Arc<[u32]>,
    radius: Arc<[f32]>,
    triangles: Arc<[[u32; 3]]>,
}

impl Moment {
    /// The moment that buffers have read.
    ///
    /// * `before` — the moment before it
    pub fn of(number: u32, buffers: &FrameBuffers, before: Option<&Self>) -> Self {
        let frame = buffers.frame();
        let mut bytes = size_of::<Self>() + bytes_of_scenery(&frame);
        let particles = Columns::of(&frame, before.map(|moment| &moment.particles), &mut bytes);
        let surface = buffers.surface().map(|surface| {
            let before = before.and_then(|moment| moment.surface.as_ref());
            Columns::of(&surface, before, &mut bytes)
        });
        Self {
            number,
            time: frame.time,
            bytes,
            particles,
            surface,
            bodies: frame.bodies.to_vec(),
            material_names: frame.material_names.to_vec(),
            colliders: frame.colliders.to_vec(),
        }
    }

    /// Reads it as a frame, and the surfaces that bodies carry if they are wanted.
    pub fn read<R>(
        &self,
        surfaces: bool,
        read: impl FnOnce(&Frame<'_>, Option<&Frame<'_>>) -> R,
    ) -> R {
        let particles = self.particles.widened();
        let surface = self.surface.as_ref().filter(|_| surfaces);
        let surface = surface.map(Columns::widened);
        let surface = surface.as_ref().map(|columns| self.frame(columns));
        read(&self.frame(&particles), surface.as_ref())
    }

    fn frame<'a>(&'a self, columns: &'a FrameColumns) -> Frame<'a> {
        columns.shown_in(&Frame {
            number: self.number,
            time: self.time,
            bodies: &self.bodies,
            material_names: &self.material_names,
            colliders: &self.colliders,
            ..Frame::default()
        })
    }
}

impl Columns {
    fn of(frame: &Frame<'_>, before: Option<&Self>, bytes: &mut usize) -> Self {
        let single = |x: &DVec3| x.as_vec3().to_array();
        *bytes += frame.particle_count() * (24 + 4 * frame.quantities.len());
        Self {
            position: frame.position.iter().map(single).collect(),
            velocity: frame.velocity.to_vec(),
            quantities: frame.quantities.to_vec(),
            id: shared(frame.id, before.map(|own| &own.id), bytes),
            body: shared(frame.body, before.map(|own| &own.body), bytes),
            material: shared(frame.material, before.map(|own| &own.material), bytes),
            radius: shared(frame.radius, before.map(|own| &own.radius), bytes),
            triangles: shared(frame.triangles, before.map(|own| &own.triangles), bytes),
        }
    }

    fn widened(&self) -> FrameColumns {
        let double = |x: &[f32; 3]| DVec3::from_array(x.map(f64::from));
        FrameColumns {
            position: self.position.iter().map(double).collect(),
            velocity: self.velocity.clone(),
            id: self.id.to_vec(),
            body: self.body.to_vec(),
            material: self.material.to_vec(),
            radius: self.radius.to_vec(),
            quantities: self.quantities.clone(),
            triangles: self.triangles.to_vec(),
            uv: Vec::new(),
            inside: Vec::new(),
        }
    }
}

/// A column, which is that of the moment before if it is the same.
fn shared<T: Copy + PartialEq>(
    column: &[T],
    before: Option<&Arc<[T]>>,
    bytes: &mut usize,
) -> Arc<[T]> {
    match before {
        Some(before) if **before == *column => Arc::clone(before),
        _ => {
            *bytes += size_of_val(column);
            column.into()
        }
    }
}

fn bytes_of_scenery(frame: &Frame<'_>) -> usize {
    let bodies = frame.bodies.iter();
    let bodies = bodies.map(|body| size_of_val(body) + body.name.len());
    let colliders = frame.colliders.iter().map(|collider| {
        let moving = collider.shape.moving().is_some();
        let triangles = moving.then(|| collider.shape.surface(1.0).triangles.len());
        size_of_val(collider)
            + collider.name.len()
            + BYTES_OF_DEFORMED * triangles.unwrap_or_default()
    });
    bodies.chain(colliders).sum()
}
