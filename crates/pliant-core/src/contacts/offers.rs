//! What a method offers to the contacts of others beside its particles as balls.

use std::ops::Range;
use std::sync::Arc;

use pliant_math::DVec3;

use super::{CloseAtRest, MethodSolids, SampledSurface};

/// What others may meet of a method, after its `find_surfaces`.
#[derive(Default)]
pub struct Offers<'a> {
    /// Particles that know where they are at rest, so that neighbours there do not meet.
    pub solids: Option<MethodSolids<'a>>,
    /// Surfaces of bodies by which those of others are met.
    pub sampled_surface: Option<SampledSurface<'a>>,
    /// Triangles and edges.
    pub triangles: Option<TriangleSurface<'a>>,
}

/// Triangles and edges, by places among their vertices.
pub struct TriangleSurface<'a> {
    /// Places of the vertices. Those of all methods follow each other.
    pub vertices: Range<usize>,
    /// Corners of the triangles.
    pub triangles: &'a [[u32; 3]],
    /// Their sides, each once.
    pub edges: &'a [[u32; 2]],
    /// Those of the triangles that bound matter. All others are sheets, of which both sides are outside: what
    /// is in a closed bag stays there.
    pub boundaries: &'a [SolidBoundary],
    /// Places of particles that these triangles enclose: others meet the triangles, they meet none.
    pub enclosed: Range<usize>,
    /// Whether each vertex is enclosed too, which no triangle has; empty if none is.
    pub inner: &'a [bool],
    /// Vertices, by their places among these, that are too close to each other at rest to meet.
    pub close_at_rest: Option<&'a Arc<CloseAtRest>>,
}

/// Triangles that enclose the matter of a body: nothing else may stay inside.
///
/// Made once for each topology. One that tears encloses nothing: then [`Self::new`] gives `None`, and the
/// triangles that are left are a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidBoundary {
    /// The triangles, by their numbers in [`TriangleSurface::triangles`]. They share no corner with others.
    pub triangles: Range<usize>,
    /// True if their corners are clockwise seen from outside.
    pub is_inverted: bool,
}

impl SolidBoundary {
    /// Of some triangles, if they are watertight, neighbours are oriented alike and they enclose a volume at
    /// rest. A cavity is oriented against the shell around it.
    ///
    /// * `all` — corners of all triangles
    /// * `rest_position` — of the vertices [m]
    pub fn new(all: &[[u32; 3]], triangles: Range<usize>, rest_position: &[DVec3]) -> Option<Self> {
        let own = &all[triangles.clone()];
        let place = |corner: u32| rest_position[corner as usize];
        let origin = place(*own.first()?.first()?);
        let volume = own.iter().map(|corners| {
            let [a, b, c] = corners.map(|corner| place(corner) - origin);
            a.dot(b.cross(c))
        });
        let volume: f64 = volume.sum();
        (is_watertight(own) && volume != 0.0).then_some(Self {
            triangles,
            is_inverted: volume < 0.0,
        })
    }
}

/// True if each side of a triangle is passed as often in one direction as in the other.
fn is_watertight(triangles: &[[u32; 3]]) -> bool {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    let mut reversed: Vec<[u32; 2]> = sides.iter().map(|&[from, to]| [to, from]).collect();
    sides.sort_unstable();
    reversed.sort_unstable();
    sides == reversed
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const CORNERS: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];

    #[test]
    fn closed_triangles_bound_matter_whichever_way_they_are_oriented() {
        let outward = SolidBoundary::new(&TETRAHEDRON, 0..4, &CORNERS);
        assert!(outward.is_some_and(|boundary| !boundary.is_inverted));
        let turned = TETRAHEDRON.map(|[a, b, c]| [a, c, b]);
        let inward = SolidBoundary::new(&turned, 0..4, &CORNERS);
        assert!(inward.is_some_and(|boundary| boundary.is_inverted));
    }

    #[test]
    fn open_flat_and_inconsistent_triangles_bound_nothing() {
        assert_eq!(SolidBoundary::new(&TETRAHEDRON, 0..3, &CORNERS), None);
        assert_eq!(SolidBoundary::new(&TETRAHEDRON, 0..0, &CORNERS), None);
        let mut mixed = TETRAHEDRON;
        mixed[0].swap(0, 1);
        assert_eq!(SolidBoundary::new(&mixed, 0..4, &CORNERS), None);
        let flat = CORNERS.map(|x| x * (DVec3::X + DVec3::Y));
        assert_eq!(SolidBoundary::new(&TETRAHEDRON, 0..4, &flat), None);
    }
}
