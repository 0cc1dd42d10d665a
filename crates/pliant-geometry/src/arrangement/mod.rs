//! Two triangle meshes cut along the curves in which they meet (a mesh arrangement, Zhou et al. 2016).
//!
//! Which edge of one mesh goes through which triangle of the other is decided by exact predicates (Shewchuk
//! 1997), so that the parts of both fit along the curves whatever the rounding. Meshes must be in general
//! position: no vertex of one in the plane of a triangle of the other that it is near.

mod inside;
mod pairs;
mod subdivision;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use pliant_math::DVec3;

use crate::TriangleMesh;

/// Two meshes in parts.
///
/// Points are numbered: the vertices of the first mesh, those of the second, then where they cross.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// All of them [m].
    pub points: Vec<DVec3>,
    /// Of those after the vertices, what crosses there.
    pub crossings: Vec<Crossing>,
    /// The triangles of each mesh, whole ones too, turned as these are.
    pub parts: [Vec<Part>; 2],
    /// The curves in which they meet, piece by piece.
    pub curves: Vec<Segment>,
}

/// An edge of one mesh that goes through a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// Which mesh the edge is of: 0 or 1.
    pub mesh: usize,
    /// Its ends, by their numbers in that mesh, the lesser first.
    pub edge: [u32; 2],
    /// The triangle of the other mesh.
    pub triangle: u32,
}

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Numbers of points.
    pub corners: [u32; 3],
    /// The triangle that it is of.
    pub triangle: u32,
}

/// A piece of a curve: in one triangle of each mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Numbers of points.
    pub ends: [u32; 2],
    /// The triangle of each mesh.
    pub triangles: [u32; 2],
}

/// Meshes that are not in general position, or so near to it that rounding decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a vertex or an edge of one mesh touches the other mesh")]
pub struct NotGeneric;

impl Arrangement {
    /// Cuts two meshes along the curves in which they meet.
    ///
    /// # Errors
    /// [`NotGeneric`] if a vertex of one lies in a triangle of the other, or edges meet: with vertices moved a
    /// little it is tried again.
    pub fn new(first: &TriangleMesh, second: &TriangleMesh) -> Result<Self, NotGeneric> {
        let meshes = [first, second];
        let mut arrangement = Self {
            points: [&first.vertices[..], &second.vertices[..]].concat(),
            ..Self::default()
        };
        let mut numbers = BTreeMap::new();
        for triangles in pairs::near(meshes) {
            let Some(crossings) = pairs::crossings(meshes, triangles)? else {
                continue;
            };
            let ends = crossings.map(|(crossing, place)| {
                *numbers.entry(crossing).or_insert_with(|| {
                    arrangement.points.push(place);
                    arrangement.crossings.push(crossing);
                    arrangement.points.len() as u32 - 1
                })
            });
            arrangement.curves.push(Segment { ends, triangles });
        }
        arrangement.parts = [
            arrangement.parts_of(meshes, 0)?,
            arrangement.parts_of(meshes, 1)?,
        ];
        Ok(arrangement)
    }

    /// What crosses at a point; `None` at vertices.
    pub fn crossing(&self, point: u32) -> Option<&Crossing> {
        let vertices = self.points.len() - self.crossings.len();
        let number = (point as usize).checked_sub(vertices)?;
        self.crossings.get(number)
    }

    fn parts_of(&self, meshes: [&TriangleMesh; 2], which: usize) -> Result<Vec<Part>, NotGeneric> {
        let mesh = meshes[which];
        let before = if which == 0 {
            0
        } else {
            meshes[0].vertices.len() as u32
        };
        let mut segments: Vec<(u32, [u32; 2])> = self
            .curves
            .iter()
            .map(|segment| (segment.triangles[which], segment.ends))
            .collect();
        segments.sort_unstable();
        let mut parts = Vec::with_capacity(mesh.triangles.len());
        let mut rest = &segments[..];
        for (triangle, corners) in (0..).zip(&mesh.triangles) {
            let count = rest.partition_point(|(of, _)| *of == triangle);
            let (own, after) = rest.split_at(count);
            rest = after;
            let corners = corners.map(|corner| before + corner);
            if own.is_empty() {
                parts.push(Part { corners, triangle });
                continue;
            }
            let ends: Vec<[u32; 2]> = own.iter().map(|(_, ends)| *ends).collect();
            let of = subdivision::Triangle {
                arrangement: self,
                mesh: which,
                before,
                corners,
            };
            let subdivided = of.subdivided(&ends)?;
            parts.extend(
                subdivided
                    .into_iter()
                    .map(|corners| Part { corners, triangle }),
            );
        }
        Ok(parts)
    }
}
