//! What is around a point of a surface and hangs together with it.

use pliant_math::DVec3;

use super::super::vertex_neighbors::VertexNeighbors;
use super::RestSurface;

/// Beyond a disc there is a margin of so many spacings.
const MARGIN: f64 = 0.8;

/// Visits vertices around points.
pub(super) struct Disc<'a> {
    surface: &'a RestSurface<'a>,
    neighbors: &'a VertexNeighbors,
    /// The last visit to each vertex.
    seen: Vec<u32>,
    visit: u32,
    waiting: Vec<u32>,
}

impl<'a> Disc<'a> {
    /// Of a surface.
    pub fn new(surface: &'a RestSurface<'a>, neighbors: &'a VertexNeighbors) -> Self {
        Self {
            seen: vec![0; surface.vertices.len()],
            visit: 0,
            waiting: Vec::new(),
            surface,
            neighbors,
        }
    }

    /// Calls `f(vertex, part)` for each vertex around a point [m] at rest that hangs together with some vertices; the
    /// part is 1 within a radius [m], and falls to 0 beyond.
    pub fn for_each(
        &mut self,
        from: &[u32],
        middle: DVec3,
        radius: f64,
        mut f: impl FnMut(u32, f64),
    ) {
        self.visit += 1;
        self.waiting.extend(from);
        for &vertex in from {
            self.seen[vertex as usize] = self.visit;
        }
        while let Some(vertex) = self.waiting.pop() {
            let distance = self.surface.vertices[vertex as usize].distance(middle);
            let beyond = (distance - radius) / (MARGIN * self.surface.spacing);
            let part = (1.0 - beyond.max(0.0).powi(2)).max(0.0);
            if part == 0.0 {
                continue;
            }
            f(vertex, part * part);
            for next in self.neighbors.of_vertex(vertex) {
                if self.seen[next as usize] != self.visit {
                    self.seen[next as usize] = self.visit;
                    self.waiting.push(next);
                }
            }
        }
    }
}
