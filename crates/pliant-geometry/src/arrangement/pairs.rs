//! Which triangles of two meshes meet, and where edges go through triangles.

use pliant_math::DVec3;
use robust::{Coord3D, orient3d};

use super::{Crossing, NotGeneric};
use crate::{Aabb, TriangleMesh};

/// Pairs of triangles whose boxes overlap, increasing.
pub(super) fn near([first, second]: [&TriangleMesh; 2]) -> Vec<[u32; 2]> {
    let boxes = |mesh: &TriangleMesh| -> Vec<Aabb> {
        let triangles = 0..mesh.triangles.len();
        triangles.map(|t| Aabb::around(mesh.corners(t))).collect()
    };
    let [of_first, of_second] = [first, second].map(boxes);
    // Swept along the axis on which the second is longest, its boxes by where they begin, none longer than the longest.
    let extent = Aabb::around(second.vertices.iter().copied()).extent();
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b]));
    let axis = axis.unwrap_or_default();
    let mut order: Vec<u32> = (0..of_second.len() as u32).collect();
    let start = |k: u32| of_second[k as usize].min[axis];
    order.sort_by(|&a, &b| start(a).total_cmp(&start(b)).then(a.cmp(&b)));
    let length = |of: &Aabb| of.max[axis] - of.min[axis];
    let longest = of_second.iter().map(length).fold(0.0, f64::max);
    let mut pairs = Vec::new();
    for (number, own) in (0..).zip(&of_first) {
        let from = order.partition_point(|&k| start(k) < own.min[axis] - longest);
        let others = order[from..].iter();
        let others = others.take_while(|&&k| start(k) <= own.max[axis]);
        let overlapping = others.filter(|&&k| own.overlaps(&of_second[k as usize]));
        let at = pairs.len();
        pairs.extend(overlapping.map(|&other| [number, other]));
        pairs[at..].sort_unstable();
    }
    pairs
}

/// Where the curve of two triangles, one of each mesh, begins and ends; `None` if they do not meet.
pub(super) fn crossings(
    meshes: [&TriangleMesh; 2],
    triangles: [u32; 2],
) -> Result<Option<[(Crossing, DVec3); 2]>, NotGeneric> {
    let corners = [0, 1].map(|k: usize| meshes[k].triangles[triangles[k] as usize]);
    let places = [0, 1].map(|k: usize| meshes[k].corners(triangles[k] as usize));
    let mut heights = [[0.0; 3]; 2];
    for mesh in [0, 1] {
        for (height, place) in heights[mesh].iter_mut().zip(places[mesh]) {
            *height = orient(places[1 - mesh], place);
        }
        if heights[mesh].iter().all(|h| *h > 0.0) || heights[mesh].iter().all(|h| *h < 0.0) {
            return Ok(None);
        }
    }
    let mut found = [None; 2];
    let mut count = 0;
    for mesh in [0, 1] {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            // The lesser end first, so that both triangles of an edge find the same.
            let (i, j) = if corners[mesh][i] < corners[mesh][j] {
                (i, j)
            } else {
                (j, i)
            };
            let [from, to] = [heights[mesh][i], heights[mesh][j]];
            if from == 0.0 || to == 0.0 {
                return Err(NotGeneric);
            }
            if (from > 0.0) == (to > 0.0) {
                continue;
            }
            let ends = [places[mesh][i], places[mesh][j]];
            if !goes_through(ends, places[1 - mesh])? {
                continue;
            }
            let crossing = Crossing {
                mesh,
                edge: [corners[mesh][i], corners[mesh][j]],
                triangle: triangles[1 - mesh],
            };
            let place = ends[0] + (ends[1] - ends[0]) * (from / (from - to));
            *found.get_mut(count).ok_or(NotGeneric)? = Some((crossing, place));
            count += 1;
        }
    }
    match found {
        [Some(from), Some(to)] => Ok(Some([from, to])),
        [None, None] => Ok(None),
        _ => Err(NotGeneric),
    }
}

/// Whether a line goes through a triangle, if its ends are on both sides of it.
fn goes_through([from, to]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Result<bool, NotGeneric> {
    let turns = [[a, b], [b, c], [c, a]].map(|[p, q]| orient([from, to, p], q));
    if turns.contains(&0.0) {
        return Err(NotGeneric);
    }
    Ok(turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0))
}

/// Six times the volume of a tetrahedron; its sign is exact.
fn orient([a, b, c]: [DVec3; 3], d: DVec3) -> f64 {
    let coordinates = |x: DVec3| Coord3D {
        x: x.x,
        y: x.y,
        z: x.z,
    };
    orient3d(
        coordinates(a),
        coordinates(b),
        coordinates(c),
        coordinates(d),
    )
}
