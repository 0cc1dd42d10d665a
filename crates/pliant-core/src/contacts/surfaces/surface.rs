//! All triangles and edges by which bodies are met.

use std::ops::Range;
use std::sync::Arc;

use pliant_math::DVec3;

use crate::contacts::{CloseAtRest, SolidBoundary, TiedParticles, TriangleSurface};

/// Triangles and edges of all methods, by places in the columns of the particles.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of the edges.
    pub edges: Vec<[u32; 2]>,
    /// Places of their vertices.
    pub vertices: Range<usize>,
    /// Triangles that bound matter, by their numbers here.
    pub boundaries: Vec<SolidBoundary>,
    /// Places of particles that are enclosed by triangles and meet none.
    pub enclosed: Vec<Range<usize>>,
    /// Whether vertices do so, of which none is a corner of a triangle; it ends with the last that does.
    pub inner: Vec<bool>,
    /// Bodies whose parts pass through each other.
    pub passing: Vec<u32>,
    /// What is too close at rest to meet, and the place of the first vertex of each.
    pub close_at_rest: Vec<(u32, Arc<CloseAtRest>)>,
    /// Who is tied to whom.
    pub tied: TiedParticles,
    /// Particles from this place on meet no surface: those of rigid bodies.
    pub met: usize,
}

impl Surface {
    /// Adds what a method offers, whose vertices follow those that there are.
    pub fn add(&mut self, offer: &TriangleSurface<'_>) {
        let before = self.triangles.len();
        let place = |vertex: u32| offer.vertices.start as u32 + vertex;
        let boundaries = offer.boundaries.iter().map(|boundary| SolidBoundary {
            triangles: before + boundary.triangles.start..before + boundary.triangles.end,
            ..*boundary
        });
        self.boundaries.extend(boundaries);
        self.triangles
            .extend(offer.triangles.iter().map(|t| t.map(place)));
        self.edges.extend(offer.edges.iter().map(|e| e.map(place)));
        if let Some(close) = offer.close_at_rest.filter(|close| !close.is_empty()) {
            let first = offer.vertices.start as u32;
            self.close_at_rest.push((first, Arc::clone(close)));
        }
        if !offer.enclosed.is_empty() {
            self.enclosed.push(offer.enclosed.clone());
        }
        if self.vertices.is_empty() {
            self.vertices.start = offer.vertices.start;
        }
        if !offer.inner.is_empty() {
            let before = offer.vertices.start - self.vertices.start;
            self.inner.resize(before, false);
            self.inner.extend_from_slice(offer.inner);
        }
        self.vertices.end = offer.vertices.end;
    }

    /// Lists the places, of so many, of all particles but those that are enclosed: ranges in their order.
    pub fn list_met(&self, count: usize, met: &mut Vec<Range<usize>>) {
        met.clear();
        let mut start = 0;
        for enclosed in &self.enclosed {
            debug_assert!(start <= enclosed.start, "they are listed in their order");
            met.push(start..enclosed.start);
            start = enclosed.end;
        }
        met.push(start..count);
    }

    /// True if a particle meets no triangles.
    #[inline]
    pub fn encloses(&self, place: usize) -> bool {
        let vertex = place.wrapping_sub(self.vertices.start);
        self.enclosed.iter().any(|range| range.contains(&place))
            || self.inner.get(vertex).is_some_and(|is_inner| *is_inner)
    }

    /// True if its triangles are those of another one and meet the same, also if all places have moved on together.
    pub fn has_topology_of(&self, other: &Self) -> bool {
        let shape = |s: &Self| (s.triangles.len(), s.edges.len(), s.vertices.len());
        let shift = self.vertices.start.wrapping_sub(other.vertices.start) as u32;
        let mut pairs = self.triangles.iter().zip(&other.triangles);
        shape(self) == shape(other)
            && self.passing == other.passing
            && self.boundaries == other.boundaries
            && pairs.all(|(now, then)| *now == then.map(|corner| corner.wrapping_add(shift)))
    }

    /// The root of the mean area of its triangles [m].
    pub fn mean_size(&self, position: &[DVec3]) -> f64 {
        let areas = self.triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|i| position[i as usize]);
            0.5 * (b - a).cross(c - a).length()
        });
        libm::sqrt(areas.sum::<f64>() / self.triangles.len().max(1) as f64)
    }
}
