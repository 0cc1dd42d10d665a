//! A whole run as one glTF file (`.glb`), which pages, engines and phones show without any other program.
//!
//! Colliders and rigid bodies are meshes that are moved; cloth, surfaces of bodies, loose particles and colliders that
//! deform are meshes whose vertices are (morph targets, one a frame). Where triangles or particles come and go, a new mesh takes the
//! place of the one before. The arrays go to the disk frame by frame.

mod buffer;
mod pieces;
mod solid;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant_core::measure::{Frame, FrameBody};
use pliant_geometry::TriangleUv;
use serde_json::{Value, json};
use thiserror::Error;

use self::buffer::Buffer;
use self::pieces::{Piece, Shown};
use self::solid::Solid;
use super::color::linear;
use super::rows::Bodies;
use super::{Moment, PlacedBy, SceneCollider, SceneFacts, UpAxis};
use crate::FileError;
use crate::atomic::{PendingFile, write_file};

/// Why there is no file.
#[derive(Debug, Error)]
pub enum GlbError {
    /// It cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its arrays cannot be written.
    #[error("the file cannot be written: {0}; is there space left?")]
    Write(#[from] io::Error),
    /// The format counts bytes in 32 bits.
    #[error(
        "all frames together are larger than two gigabytes, which is more than a glb file holds; export fewer frames with --frames"
    )]
    TooLarge,
}

/// A file that frames are added to; it appears under its name when it is finished.
#[derive(Debug)]
pub struct GlbFile {
    path: PathBuf,
    /// Removed when this is dropped.
    arrays: PendingFile,
    buffer: Buffer,
    scene: SceneFacts,
    /// By the numbers of bodies.
    bodies: Vec<BodyPieces>,
    solids: Vec<Solid>,
    /// When the first frame and the last are [s].
    span: Option<[f64; 2]>,
}

/// How a body looks, and the meshes that show it one after the other.
#[derive(Debug, Default)]
struct BodyPieces {
    name: String,
    color: [f32; 3],
    opacity: f32,
    gloss: f32,
    pieces: Vec<Piece>,
    is_there: bool,
}

impl GlbFile {
    /// Begins a file that will be named `path`, in a folder that exists.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn create(path: &Path, scene: &SceneFacts) -> Result<Self, GlbError> {
        let arrays = PendingFile::new(&path.with_extension("arrays"));
        let buffer = Buffer::create(arrays.temporary());
        let mut buffer = buffer.map_err(|source| FileError::new(path, "write", source))?;
        let solids = scene.colliders.iter().map(|c| Solid::new(c, &mut buffer));
        let solids: Result<_, _> = solids.collect();
        Ok(Self {
            path: path.to_owned(),
            solids: solids.map_err(|error| named(path, error))?,
            arrays,
            buffer,
            scene: scene.clone(),
            bodies: Vec::new(),
            span: None,
        })
    }

    /// Adds a frame, later than those before.
    ///
    /// # Errors
    /// If something has no place, it cannot be written, or all together is too large.
    pub fn add(&mut self, moment: &Moment) -> Result<(), GlbError> {
        self.add_moment(moment)
            .map_err(|error| named(&self.path, error))
    }

    fn add_moment(&mut self, moment: &Moment) -> Result<(), GlbError> {
        super::check_finite(moment.frame)?;
        moment.surface.map_or(Ok(()), super::check_finite)?;
        let time = moment.frame.time;
        let [start, _] = *self.span.get_or_insert([time; 2]);
        self.span = Some([start, time]);
        let seconds = (time - start) as f32;
        let particles = Bodies::of(moment.frame);
        let surfaces = moment.surface.map(|surface| (surface, Bodies::of(surface)));
        self.bodies
            .resize_with(moment.frame.bodies.len(), BodyPieces::default);
        let placed = self.scene.colliders.iter().zip(&mut self.solids);
        for (collider, solid) in placed {
            solid.add(collider.placed_by, moment.frame, &particles, seconds);
            if collider.deforms() {
                solid.deform(collider, moment.frame, seconds, &mut self.buffer)?;
            }
        }
        for body in 0..self.bodies.len() as u32 {
            if self.is_rigid(body) {
                continue;
            }
            let has_surface = self.scene.with_surface.contains(&body);
            let shown = match surfaces.as_ref().filter(|_| has_surface) {
                Some((surface, bodies)) => self.shown_of(surface, bodies, body),
                None => self.shown_of(moment.frame, &particles, body),
            };
            self.add_body(body, &moment.frame.bodies[body as usize], shown, seconds)?;
        }
        Ok(())
    }

    fn is_rigid(&self, body: u32) -> bool {
        let mut colliders = self.scene.colliders.iter();
        colliders.any(|c| matches!(c.placed_by, PlacedBy::Body { body: of, .. } if of == body))
    }

    /// What there is of a body in a frame.
    fn shown_of(&self, frame: &Frame, bodies: &Bodies, body: u32) -> Shown {
        let rows = bodies.rows(body);
        let triangles = bodies.triangles(body);
        let mut shown = Shown {
            triangles: triangles.corners.clone(),
            ..Shown::default()
        };
        rows.for_each(|place| {
            shown.ids.push(frame.id[place]);
            shown
                .positions
                .push(frame.position[place].as_vec3().to_array());
        });
        if frame.uv.is_empty() || !self.scene.with_uv.contains(&body) {
            return shown;
        }
        let places = triangles.places.iter();
        let uv: Vec<TriangleUv> = places.map(|&place| frame.uv[place as usize]).collect();
        shown.textured(&uv)
    }

    fn add_body(
        &mut self,
        body: u32,
        facts: &FrameBody,
        shown: Shown,
        time: f32,
    ) -> Result<(), GlbError> {
        let of_body = &mut self.bodies[body as usize];
        of_body.name.clone_from(&facts.name);
        (of_body.color, of_body.opacity) = (facts.color, facts.look.opacity);
        of_body.gloss = facts.look.gloss;
        let goes_on = of_body.is_there && of_body.pieces.last().is_some_and(|p| p.takes(&shown));
        if goes_on && let Some(piece) = of_body.pieces.last_mut() {
            return piece.add(&shown, time, &mut self.buffer);
        }
        if of_body.is_there
            && let Some(piece) = of_body.pieces.last_mut()
        {
            piece.end(time);
        }
        of_body.is_there = !shown.positions.is_empty();
        if of_body.is_there {
            let piece = Piece::new(shown, time, &mut self.buffer)?;
            of_body.pieces.push(piece);
        }
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written; nothing appears under its name then.
    pub fn finish(self) -> Result<PathBuf, GlbError> {
        let path = self.path.clone();
        self.complete().map_err(|error| named(&path, error))?;
        Ok(path)
    }

    fn complete(mut self) -> Result<(), GlbError> {
        let mut document = Document::new(self.scene.up);
        for (collider, solid) in self.scene.colliders.iter().zip(&self.solids) {
            document.add_solid(collider, solid, &mut self.buffer)?;
        }
        for body in &self.bodies {
            document.add_body(body, &mut self.buffer)?;
        }
        let buffer = self.buffer.finish()?;
        let text = document.text(&buffer);
        let arrays = self.arrays.temporary();
        write_file(&self.path, |out| {
            write_glb(out, &text, arrays, buffer.length())
        })?;
        Ok(())
    }
}

/// An error that names the file which cannot be written.
fn named(path: &Path, error: GlbError) -> GlbError {
    match error {
        GlbError::Write(source) => FileError::new(path, "write", source).into(),
        other => other,
    }
}

/// What the text of a file says.
struct Document {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Document {
    /// With the node that all others are below, which turns what is up to y.
    fn new(up: UpAxis) -> Self {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let root = match up {
            UpAxis::Y => json!({ "name": "world" }),
            UpAxis::Z => json!({ "name": "world", "rotation": [-half, 0.0, 0.0, half] }),
        };
        Self {
            nodes: vec![root],
            meshes: Vec::new(),
            materials: Vec::new(),
            channels: Vec::new(),
            samplers: Vec::new(),
        }
    }

    fn add_solid(
        &mut self,
        collider: &SceneCollider,
        solid: &Solid,
        buffer: &mut Buffer,
    ) -> Result<(), GlbError> {
        let (Some(&translation), Some(&rotation)) =
            (solid.translations.first(), solid.rotations.first())
        else {
            return Ok(());
        };
        if solid.pieces.is_empty() {
            return Ok(());
        }
        let material = self.add_material(
            &collider.name,
            collider.color,
            collider.opacity,
            collider.gloss,
        );
        let placed = solid.placements(buffer)?;
        let visibility = solid.visibility(buffer)?;
        for piece in &solid.pieces {
            let node = self.add_node(&collider.name, piece.mesh(material));
            self.nodes[node]["translation"] = json!(translation);
            self.nodes[node]["rotation"] = json!(rotation);
            if let Some([times, translations, rotations]) = placed {
                self.animate(node, "translation", [times, translations], "LINEAR");
                self.animate(node, "rotation", [times, rotations], "LINEAR");
            }
            if let Some(sampled) = piece.weights(buffer)? {
                self.animate(node, "weights", sampled, "LINEAR");
            }
            // What comes and goes is a rigid body, which is one piece.
            if let Some(sampled) = piece.visibility(0.0, buffer)?.or(visibility) {
                self.animate(node, "scale", sampled, "STEP");
            }
        }
        Ok(())
    }

    fn add_body(&mut self, body: &BodyPieces, buffer: &mut Buffer) -> Result<(), GlbError> {
        if body.pieces.is_empty() {
            return Ok(());
        }
        let material = self.add_material(&body.name, body.color, body.opacity, body.gloss);
        for piece in &body.pieces {
            let node = self.add_node(&body.name, piece.mesh(material));
            if let Some(sampled) = piece.weights(buffer)? {
                self.animate(node, "weights", sampled, "LINEAR");
            }
            if let Some(sampled) = piece.visibility(0.0, buffer)? {
                self.animate(node, "scale", sampled, "STEP");
            }
        }
        Ok(())
    }

    fn add_material(&mut self, name: &str, color: [f32; 3], opacity: f32, gloss: f32) -> usize {
        let [r, g, b] = linear(color);
        let mut material = json!({
            "name": name, "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, opacity], "metallicFactor": 0.0,
                "roughnessFactor": 1.0 - 0.8 * gloss,
            },
        });
        if opacity < 1.0 {
            material["alphaMode"] = "BLEND".into();
        }
        self.materials.push(material);
        self.materials.len() - 1
    }

    fn add_node(&mut self, name: &str, mesh: Value) -> usize {
        self.meshes.push(mesh);
        let mesh = self.meshes.len() - 1;
        self.nodes.push(json!({ "name": name, "mesh": mesh }));
        self.nodes.len() - 1
    }

    fn animate(&mut self, node: usize, path: &str, sampled: [usize; 2], interpolation: &str) {
        let [input, output] = sampled;
        let sampler = self.samplers.len();
        self.samplers.push(json!({
            "input": input, "output": output, "interpolation": interpolation,
        }));
        self.channels
            .push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    fn text(mut self, buffer: &Buffer) -> String {
        let children: Vec<usize> = (1..self.nodes.len()).collect();
        if !children.is_empty() {
            self.nodes[0]["children"] = children.into();
        }
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Pliant" },
            "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": self.nodes,
        });
        // The format has no empty lists.
        let lists = [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", buffer.accessors.clone()),
            ("bufferViews", buffer.views.clone()),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[name] = list.into();
        }
        if buffer.length() > 0 {
            document["buffers"] = json!([{ "byteLength": buffer.length() }]);
        }
        if !self.channels.is_empty() {
            document["animations"] = json!([{
                "name": "run", "channels": self.channels, "samplers": self.samplers,
            }]);
        }
        document.to_string()
    }
}

/// Header, text and arrays, each part a multiple of four bytes.
fn write_glb(out: &mut dyn Write, text: &str, arrays: &Path, length: u64) -> io::Result<()> {
    let padding = text.len().next_multiple_of(4) - text.len();
    let of_text = (text.len() + padding) as u32;
    let of_arrays = length as u32;
    let all = 12 + 8 + of_text + if of_arrays > 0 { 8 + of_arrays } else { 0 };
    out.write_all(b"glTF")?;
    out.write_all(&[2, all].map(u32::to_le_bytes).concat())?;
    out.write_all(&of_text.to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(text.as_bytes())?;
    out.write_all(&b"   "[..padding])?;
    if of_arrays > 0 {
        out.write_all(&of_arrays.to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        io::copy(&mut File::open(arrays)?, out)?;
    }
    Ok(())
}
