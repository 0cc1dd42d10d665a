//! Colliders and rigid bodies: a mesh, where it is from frame to frame, and how it deforms.

use pliant_core::measure::Frame;
use pliant_geometry::Shape;
use pliant_math::DVec3;

use super::super::placement::Placement;
use super::super::rows::Bodies;
use super::super::{PlacedBy, SceneCollider};
use super::GlbError;
use super::buffer::Buffer;
use super::pieces::{Piece, Shown, sampled_sizes};

/// A collider or rigid body.
#[derive(Debug)]
pub(super) struct Solid {
    /// Its mesh; of one that deforms those that show it one after the other.
    pub pieces: Vec<Piece>,
    times: Vec<f32>,
    /// Where it is [m], and how it is turned (x, y, z, w), at the times when it is there [s].
    pub translations: Vec<[f32; 3]>,
    pub rotations: Vec<[f32; 4]>,
    /// When it comes and goes [s], in turn.
    turns: Vec<f32>,
}

impl Solid {
    pub fn new(collider: &SceneCollider, buffer: &mut Buffer) -> Result<Self, GlbError> {
        let mut solid = Self {
            pieces: Vec::new(),
            times: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            turns: Vec::new(),
        };
        if !collider.deforms()
            && let Some(shown) = shown_of_shape(collider, &*collider.shape)
        {
            solid.pieces.push(Piece::new(shown, 0.0, buffer)?);
        }
        Ok(solid)
    }

    /// Adds the form that one that deforms has in a frame.
    pub fn deform(
        &mut self,
        collider: &SceneCollider,
        frame: &Frame,
        time: f32,
        buffer: &mut Buffer,
    ) -> Result<(), GlbError> {
        let shape = collider.shape_in(frame);
        let Some(shown) = shape.and_then(|shape| shown_of_shape(collider, shape)) else {
            return Ok(());
        };
        if let Some(piece) = self.pieces.last_mut() {
            if piece.takes(&shown) {
                return piece.add(&shown, time, buffer);
            }
            piece.end(time);
        }
        self.pieces.push(Piece::new(shown, time, buffer)?);
        Ok(())
    }

    /// Adds where it is, if it is there.
    pub fn add(&mut self, placed_by: PlacedBy, frame: &Frame, particles: &Bodies, time: f32) {
        let placement = Placement::of(placed_by, frame, |body| particles.first(body));
        let was_there = !self.turns.len().is_multiple_of(2);
        if was_there != placement.is_some() {
            self.turns.push(time);
        }
        let Some(Placement {
            translation,
            rotation,
        }) = placement
        else {
            return;
        };
        // The shorter way around from the rotation before.
        let before = self.rotations.last().copied().unwrap_or(rotation);
        let dot: f32 = (0..4).map(|k| before[k] * rotation[k]).sum();
        self.times.push(time);
        self.translations.push(translation.map(|c| c as f32));
        self.rotations
            .push(rotation.map(|x| if dot < 0.0 { -x } else { x }));
    }

    /// Times and sizes that show it while it is there; `None` if it always is.
    pub fn visibility(&self, buffer: &mut Buffer) -> Result<Option<[usize; 2]>, GlbError> {
        let is_there = [1.0, 0.0].into_iter().cycle();
        let mut keys: Vec<(f32, f32)> = self.turns.iter().copied().zip(is_there).collect();
        if keys.first().is_some_and(|&(first, _)| first > 0.0) {
            keys.insert(0, (0.0, 0.0));
        }
        sampled_sizes(&keys, buffer)
    }

    /// Times, places and rotations; `None` if it stays where it is.
    pub fn placements(&self, buffer: &mut Buffer) -> Result<Option<[usize; 3]>, GlbError> {
        if !self.moves() {
            return Ok(None);
        }
        let count = self.times.len();
        let times = buffer.add_times(&self.times)?;
        let translations = buffer.add_values("VEC3", self.translations.as_flattened(), count)?;
        let rotations = buffer.add_values("VEC4", self.rotations.as_flattened(), count)?;
        Ok(Some([times, translations, rotations]))
    }

    fn moves(&self) -> bool {
        let differs = |pair: &[[f32; 3]]| pair[0] != pair[1];
        let turns = |pair: &[[f32; 4]]| pair[0] != pair[1];
        self.translations.windows(2).any(differs) || self.rotations.windows(2).any(turns)
    }
}

/// The surface of a collider about the place that it turns about, if it is seen and has triangles.
fn shown_of_shape(collider: &SceneCollider, shape: &dyn Shape) -> Option<Shown> {
    // What has no bounds, as a plane has none, would be a square of any size.
    let bounds = shape.bounds().filter(|_| collider.opacity > 0.0)?;
    let center = match collider.placed_by {
        PlacedBy::Collider(_) => DVec3::ZERO,
        PlacedBy::Body { center, .. } => center,
    };
    let surface = shape.surface(bounds.extent().max_element());
    let vertices = surface.vertices.iter();
    let shown = Shown {
        ids: (0..surface.vertices.len() as u32).collect(),
        positions: vertices
            .map(|&v| (v - center).as_vec3().to_array())
            .collect(),
        triangles: surface.triangles,
        ..Shown::default()
    };
    (!shown.triangles.is_empty()).then_some(shown)
}
