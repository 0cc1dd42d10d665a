//! Displacements of vertices that move contacts apart, spread over what is around so that small triangles keep their
//! shape.

use pliant_math::DVec3;

use super::super::vertex_neighbors::VertexNeighbors;
use super::RestSurface;
use super::disc::Disc;

/// What is so near to a contact along the surface [spacings] is moved as far as it.
const PLATEAU: f64 = 0.4;

/// Two points of a surface that are to be apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// The corners of a triangle around each.
    pub vertices: [[u32; 3]; 2],
    /// Of these, so that each point is their sum.
    pub weights: [[f64; 3]; 2],
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// How much farther apart they should be along that [m].
    pub lacking: f64,
}

/// How far a vertex is moved.
#[derive(Clone, Copy, Debug, Default)]
struct Displacement {
    /// Where to, any length.
    way: DVec3,
    /// How far [m].
    length: f64,
}

/// Moves vertices [m] at contacts apart, and what is around.
pub(super) fn spread(
    surface: &RestSurface<'_>,
    neighbors: &VertexNeighbors,
    contacts: &[Contact],
    vertices: &mut [DVec3],
) {
    let mut displacements = vec![Displacement::default(); vertices.len()];
    let mut disc = Disc::new(surface, neighbors);
    for contact in contacts {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let corners = contact.vertices[side];
            let places = corners.map(|k| surface.vertices[k as usize]);
            let middle = (places.into_iter().zip(contact.weights[side]))
                .map(|(x, w)| x * w)
                .sum();
            disc.for_each(
                &corners,
                middle,
                PLATEAU * surface.spacing,
                |vertex, part| {
                    let length = 0.5 * contact.lacking * part;
                    let displacement = &mut displacements[vertex as usize];
                    displacement.way += contact.normal * (sign * length * length);
                    displacement.length = displacement.length.max(length);
                },
            );
        }
    }
    for (x, displacement) in vertices.iter_mut().zip(&displacements) {
        *x += displacement.way.normalize_or_zero() * displacement.length;
    }
}
