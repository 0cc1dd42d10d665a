//! The binary part of a file: arrays one after the other, and what tells a reader where they are.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::GlbError;

/// Types of numbers, as the format calls them.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// What an array is for.
const VERTICES: u32 = 34962;
const CORNERS: u32 = 34963;

/// Arrays in a file that grows.
#[derive(Debug)]
pub(super) struct Buffer {
    out: BufWriter<File>,
    /// Bytes so far; a multiple of four.
    length: u64,
    /// `bufferViews` of the format.
    pub views: Vec<Value>,
    /// `accessors` of the format.
    pub accessors: Vec<Value>,
}

impl Buffer {
    /// Starts one in a new file.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::new(File::create(path)?),
            length: 0,
            views: Vec::new(),
            accessors: Vec::new(),
        })
    }

    /// Bytes so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Adds positions or normals of vertices, with their bounds; returns the number of their accessor.
    pub fn add_vertices(&mut self, values: &[[f32; 3]]) -> Result<usize, GlbError> {
        let bound = |of: fn(f32, f32) -> f32| {
            let all = values.iter().copied();
            all.reduce(|a, b| [0, 1, 2].map(|k| of(a[k], b[k])))
                .unwrap_or_default()
        };
        let (min, max) = (bound(f32::min), bound(f32::max));
        self.add_bytes(values.as_flattened().iter().map(|x| x.to_le_bytes()))?;
        self.view(12 * values.len() as u64, Some(VERTICES));
        Ok(self.accessor(json!({
            "componentType": FLOAT, "count": values.len(), "type": "VEC3", "min": min, "max": max,
        })))
    }

    /// Adds texture coordinates of vertices, v downwards.
    pub fn add_uv(&mut self, uv: &[[f32; 2]]) -> Result<usize, GlbError> {
        self.add_bytes(uv.as_flattened().iter().map(|x| x.to_le_bytes()))?;
        self.view(8 * uv.len() as u64, Some(VERTICES));
        Ok(self.accessor(json!({ "componentType": FLOAT, "count": uv.len(), "type": "VEC2" })))
    }

    /// Adds corners of triangles.
    pub fn add_corners(&mut self, triangles: &[[u32; 3]]) -> Result<usize, GlbError> {
        let corners = triangles.as_flattened();
        self.add_bytes(corners.iter().map(|corner| corner.to_le_bytes()))?;
        self.view(4 * corners.len() as u64, Some(CORNERS));
        Ok(self.accessor(json!({
            "componentType": UNSIGNED_INT, "count": corners.len(), "type": "SCALAR",
        })))
    }

    /// Adds times of keyframes [s], increasing.
    pub fn add_times(&mut self, times: &[f32]) -> Result<usize, GlbError> {
        let (first, last) = (times.first(), times.last());
        self.add_numbers(times)?;
        Ok(self.accessor(json!({
            "componentType": FLOAT, "count": times.len(), "type": "SCALAR",
            "min": [first.copied().unwrap_or(0.0)], "max": [last.copied().unwrap_or(0.0)],
        })))
    }

    /// Adds the values of keyframes, `"SCALAR"`, `"VEC3"` or `"VEC4"`.
    pub fn add_values(
        &mut self,
        kind: &str,
        numbers: &[f32],
        count: usize,
    ) -> Result<usize, GlbError> {
        self.add_numbers(numbers)?;
        Ok(self.accessor(json!({ "componentType": FLOAT, "count": count, "type": kind })))
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<Self> {
        self.out.flush()?;
        Ok(self)
    }

    fn add_numbers(&mut self, numbers: &[f32]) -> Result<(), GlbError> {
        self.add_bytes(numbers.iter().map(|x| x.to_le_bytes()))?;
        self.view(4 * numbers.len() as u64, None);
        Ok(())
    }

    fn add_bytes(&mut self, words: impl Iterator<Item = [u8; 4]>) -> Result<(), GlbError> {
        for word in words {
            self.out.write_all(&word)?;
            self.length += 4;
        }
        if self.length > u64::from(u32::MAX / 2) {
            return Err(GlbError::TooLarge);
        }
        Ok(())
    }

    fn view(&mut self, bytes: u64, target: Option<u32>) {
        let mut view =
            json!({ "buffer": 0, "byteOffset": self.length - bytes, "byteLength": bytes });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
    }

    /// Of the last view.
    fn accessor(&mut self, mut accessor: Value) -> usize {
        accessor["bufferView"] = (self.views.len() - 1).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
