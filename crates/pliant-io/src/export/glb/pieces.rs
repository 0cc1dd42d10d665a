//! Bodies of triangles and of loose particles: a mesh and how its vertices move from frame to frame.

use std::collections::HashMap;

use pliant_geometry::TriangleUv;
use pliant_math::Vec3;
use serde_json::{Value, json};

use super::GlbError;
use super::buffer::Buffer;

/// Frames of a piece at most: viewers hold all of them on the graphics card, with a weight for each.
const MOST_FRAMES: usize = 200;

/// What a body is in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shown {
    /// Ids of its particles or vertices.
    pub ids: Vec<u32>,
    /// Where they are [m].
    pub positions: Vec<[f32; 3]>,
    /// Triangles; empty for loose particles.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates, v downwards; empty if there are none.
    pub uv: Vec<[f32; 2]>,
    /// For each vertex the first that is the same but for those; empty if there are none.
    pub first: Vec<u32>,
}

impl Shown {
    /// With texture coordinates: a vertex whose triangles have different ones becomes as many.
    pub fn textured(&self, uv: &[TriangleUv]) -> Self {
        let mut numbers: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
        let mut first: HashMap<u32, u32> = HashMap::new();
        let mut textured = Self::default();
        for (corners, uv) in self.triangles.iter().zip(uv) {
            let mut own = [0; 3];
            for ((own, &corner), [u, v]) in own.iter_mut().zip(corners).zip(*uv) {
                *own = *numbers
                    .entry((corner, [u, v].map(f32::to_bits)))
                    .or_insert_with(|| {
                        let number = textured.ids.len() as u32;
                        textured.ids.push(self.ids[corner as usize]);
                        textured.positions.push(self.positions[corner as usize]);
                        // The first row of a picture is its upper one here.
                        textured.uv.push([u, 1.0 - v]);
                        textured.first.push(*first.entry(corner).or_insert(number));
                        number
                    });
            }
            textured.triangles.push(own);
        }
        textured
    }
}

/// The frames of a body in which it has the same vertices and triangles.
#[derive(Debug)]
pub(super) struct Piece {
    first: Shown,
    normals: Vec<[f32; 3]>,
    /// Accessors of positions, normals and corners.
    attributes: Value,
    corners: Option<usize>,
    targets: Vec<Value>,
    /// When its frames are [s].
    times: Vec<f32>,
    /// When it is there no longer [s]; `None` up to the end.
    end: Option<f32>,
}

impl Piece {
    /// Begins with a frame.
    pub fn new(first: Shown, time: f32, buffer: &mut Buffer) -> Result<Self, GlbError> {
        let normals = normals(&first);
        let mut attributes = json!({ "POSITION": buffer.add_vertices(&first.positions)? });
        let mut corners = None;
        if !first.triangles.is_empty() {
            attributes["NORMAL"] = buffer.add_vertices(&normals)?.into();
            corners = Some(buffer.add_corners(&first.triangles)?);
            if !first.uv.is_empty() {
                attributes["TEXCOORD_0"] = buffer.add_uv(&first.uv)?.into();
            }
        }
        Ok(Self {
            first,
            normals,
            attributes,
            corners,
            targets: Vec::new(),
            times: vec![time],
            end: None,
        })
    }

    /// Whether a frame can be added.
    pub fn takes(&self, shown: &Shown) -> bool {
        self.times.len() < MOST_FRAMES
            && self.first.ids == shown.ids
            && self.first.triangles == shown.triangles
            && self.first.uv == shown.uv
    }

    /// Adds a frame.
    pub fn add(&mut self, shown: &Shown, time: f32, buffer: &mut Buffer) -> Result<(), GlbError> {
        let moved = differences(&shown.positions, &self.first.positions);
        let mut target = json!({ "POSITION": buffer.add_vertices(&moved)? });
        if self.corners.is_some() {
            let turned = differences(&normals(shown), &self.normals);
            target["NORMAL"] = buffer.add_vertices(&turned)?.into();
        }
        self.targets.push(target);
        self.times.push(time);
        Ok(())
    }

    /// Ends it, as another one takes its place.
    pub fn end(&mut self, time: f32) {
        self.end = Some(time);
    }

    /// Its mesh.
    pub fn mesh(&self, material: usize) -> Value {
        const POINTS: u32 = 0;
        let mut primitive = json!({ "attributes": self.attributes, "material": material });
        match self.corners {
            Some(corners) => primitive["indices"] = corners.into(),
            None => primitive["mode"] = POINTS.into(),
        }
        let mut mesh = json!({ "primitives": [primitive] });
        if !self.targets.is_empty() {
            mesh["primitives"][0]["targets"] = self.targets.clone().into();
            mesh["weights"] = vec![0.0; self.targets.len()].into();
        }
        mesh
    }

    /// Times and weights of its targets: each frame is its own. `None` for a single frame.
    pub fn weights(&self, buffer: &mut Buffer) -> Result<Option<[usize; 2]>, GlbError> {
        let count = self.targets.len();
        if count == 0 {
            return Ok(None);
        }
        let mut weights = vec![0.0; self.times.len() * count];
        for frame in 1..self.times.len() {
            weights[frame * count + frame - 1] = 1.0;
        }
        let times = buffer.add_times(&self.times)?;
        let values = buffer.add_values("SCALAR", &weights, weights.len())?;
        Ok(Some([times, values]))
    }

    /// Times and sizes that show it while it is there; `None` if it always is.
    ///
    /// * `start` — of the film [s]
    pub fn visibility(
        &self,
        start: f32,
        buffer: &mut Buffer,
    ) -> Result<Option<[usize; 2]>, GlbError> {
        let mut keys = Vec::new();
        if self.times[0] > start {
            keys.push((start, 0.0));
        }
        keys.push((self.times[0], 1.0));
        keys.extend(self.end.map(|end| (end, 0.0)));
        sampled_sizes(&keys, buffer)
    }
}

/// Times [s] and sizes of something that is shown from the first of them on; `None` if there are no others.
pub(super) fn sampled_sizes(
    keys: &[(f32, f32)],
    buffer: &mut Buffer,
) -> Result<Option<[usize; 2]>, GlbError> {
    if keys.len() <= 1 {
        return Ok(None);
    }
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    let sizes: Vec<f32> = keys.iter().flat_map(|key| [key.1; 3]).collect();
    let times = buffer.add_times(&times)?;
    let sizes = buffer.add_values("VEC3", &sizes, keys.len())?;
    Ok(Some([times, sizes]))
}

fn differences(to: &[[f32; 3]], from: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let pairs = to.iter().zip(from);
    pairs.map(|(a, b)| [0, 1, 2].map(|k| a[k] - b[k])).collect()
}

/// Unit normals of vertices, mean of those of their triangles by area; along z where there are none.
fn normals(shown: &Shown) -> Vec<[f32; 3]> {
    let at = |corner: u32| Vec3::from_array(shown.positions[corner as usize]);
    let first = |corner: u32| shown.first.get(corner as usize).copied().unwrap_or(corner);
    let mut normals = vec![Vec3::ZERO; shown.positions.len()];
    for &[a, b, c] in &shown.triangles {
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        for corner in [a, b, c] {
            normals[first(corner) as usize] += normal;
        }
    }
    let unit = |vertex: u32| {
        normals[first(vertex) as usize]
            .normalize_or(Vec3::Z)
            .to_array()
    };
    (0..normals.len() as u32).map(unit).collect()
}
