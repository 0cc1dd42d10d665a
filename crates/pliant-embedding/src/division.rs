//! A mesh and the sheet that it is cut along, in parts, and which corners of these are one.

use std::collections::BTreeMap;

use pliant_geometry::topology::DisjointSets;
use pliant_geometry::{Arrangement, Part, TriangleMesh};
use pliant_math::DVec3;

use super::sheet::{On, Sheet};

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Corner {
    /// A vertex of the mesh.
    Vertex(u32),
    /// The copy of a point of the arrangement on the side of a node.
    Copy(u32, u32),
}

/// The ends of an edge, the lesser first.
pub(super) fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// A mesh, and what of a sheet is inside of it, in parts.
pub(super) struct Division<'a> {
    pub mesh: &'a TriangleMesh,
    pub sheet: &'a Sheet,
    /// Vertices of the mesh, then points of the sheet [m].
    points: Vec<DVec3>,
    /// Of those what each lies in.
    on: Vec<On>,
    /// Of both.
    pub parts: [Vec<Part>; 2],
    /// Sides of parts in which both meet, and the triangles of the sheet.
    curves: BTreeMap<[u32; 2], u32>,
}

impl<'a> Division<'a> {
    /// Of an arrangement, without the parts of the sheet that are not inside of the mesh.
    pub fn new(
        mesh: &'a TriangleMesh,
        sheet: &'a Sheet,
        arrangement: &Arrangement,
        inside: &[bool],
    ) -> Self {
        let [skin, faces] = &arrangement.parts;
        let faces = faces.iter().zip(inside).filter(|(_, is)| **is);
        let curves = arrangement.curves.iter();
        let vertices = (0..sheet.mesh.vertices.len() as u32).map(On::Vertex);
        let crossings = arrangement
            .crossings
            .iter()
            .map(|crossing| match crossing.mesh {
                0 => On::Triangle(crossing.triangle),
                _ => On::Edge(crossing.edge),
            });
        Self {
            mesh,
            sheet,
            points: arrangement.points.clone(),
            on: vertices.chain(crossings).collect(),
            parts: [skin.clone(), faces.map(|(part, _)| *part).collect()],
            curves: curves
                .map(|of| (sorted(of.ends), of.triangles[1]))
                .collect(),
        }
    }

    /// Where a point is [m].
    pub fn place(&self, point: u32) -> DVec3 {
        self.points[point as usize]
    }

    /// What a point of the sheet lies in.
    pub fn on(&self, point: u32) -> On {
        self.on[point as usize - self.mesh.vertices.len()]
    }

    /// Puts a point on each side of a part that has two faces but ends of which each has one copy alone, as where
    /// it leads from one end of the sheet to another: both faces would share it.
    pub fn split_chords(&mut self) {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for part in &self.parts[1] {
            for k in 0..3 {
                let edge = sorted([part.corners[k], part.corners[(k + 1) % 3]]);
                let [from, to] = edge.map(|point| self.on(point));
                let on = from.between(to, part.triangle);
                let copies = |side| edge.map(|point| self.copy(point, part.triangle, side));
                let is_chord = copies(0) == copies(1) && !self.sheet.is_end(on);
                if is_chord && !middles.contains_key(&edge) {
                    middles.insert(edge, self.points.len() as u32);
                    let ends = edge.map(|point| self.place(point));
                    self.points.push(0.5 * (ends[0] + ends[1]));
                    self.on.push(on);
                }
            }
        }
        for (&edge, &middle) in &middles {
            if let Some(triangle) = self.curves.remove(&edge) {
                for end in edge {
                    self.curves.insert(sorted([end, middle]), triangle);
                }
            }
        }
        for parts in &mut self.parts {
            *parts = parts
                .iter()
                .flat_map(|part| halved(part, &middles))
                .collect();
        }
    }

    /// The copy of a point that is on a side of a triangle of the sheet.
    fn copy(&self, point: u32, triangle: u32, side: usize) -> Corner {
        Corner::Copy(point, self.sheet.side(self.on(point), triangle, side))
    }

    /// Both faces of a part of the sheet.
    pub fn faces(&self, part: &Part) -> [[Corner; 3]; 2] {
        let [a, b, c] = part.corners;
        // What lies on the first side is bounded by it, and seen from the second.
        [([a, b, c], 0), ([a, c, b], 1)]
            .map(|(corners, side)| corners.map(|point| self.copy(point, part.triangle, side)))
    }

    /// The triangles of the mesh, apart along the curves.
    pub fn skin(&self) -> Vec<[Corner; 3]> {
        let parts = &self.parts[0];
        let vertices = self.mesh.vertices.len() as u32;
        // Sides of triangles at points of curves: corners that are at one point without a curve between are one.
        let mut sides: Vec<([u32; 2], u32)> = Vec::new();
        for (number, part) in (0..).zip(parts) {
            for k in 0..3 {
                let edge = [part.corners[k], part.corners[(k + 1) % 3]];
                if edge.iter().any(|point| *point >= vertices) {
                    sides.push((sorted(edge), 3 * number + k as u32));
                }
            }
        }
        sides.sort_unstable();
        let mut sets = DisjointSets::new(3 * parts.len());
        let mut told: Vec<(u32, Corner)> = Vec::new();
        for at_edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let corners = |side: u32| {
                let (part, k) = (side / 3, side % 3);
                [3 * part + k, 3 * part + (k + 1) % 3]
            };
            let point = |corner: u32| parts[corner as usize / 3].corners[corner as usize % 3];
            if let Some(&triangle) = self.curves.get(&at_edge[0].0) {
                for &(_, side) in at_edge {
                    let on = self.side(&parts[side as usize / 3], side as usize % 3, triangle);
                    for corner in corners(side) {
                        told.push((corner, self.copy(point(corner), triangle, on)));
                    }
                }
                continue;
            }
            for pair in at_edge.windows(2) {
                for one in corners(pair[0].1) {
                    let others = corners(pair[1].1);
                    let same = others.into_iter().find(|&other| point(other) == point(one));
                    sets.join(one, same.unwrap_or(one));
                }
            }
        }
        let mut copies: BTreeMap<u32, Corner> = BTreeMap::new();
        for (corner, copy) in told {
            copies.entry(sets.root(corner)).or_insert(copy);
        }
        let mut corner = |number: u32| {
            let point = parts[number as usize / 3].corners[number as usize % 3];
            if point < vertices {
                return Corner::Vertex(point);
            }
            let copy = copies.get(&sets.root(number)).copied();
            copy.unwrap_or(Corner::Copy(point, self.sheet.nodes(self.on(point))[0]))
        };
        let numbers = (0..parts.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        numbers.map(|three| three.map(&mut corner)).collect()
    }

    /// On which side of a triangle of the sheet a part of the mesh is that has one of its sides in it.
    fn side(&self, part: &Part, k: usize, triangle: u32) -> usize {
        let [from, to] = [k, (k + 1) % 3].map(|k| self.place(part.corners[k]));
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).normalize_or_zero();
        let of_mesh = normal(self.mesh.corners(part.triangle as usize));
        let of_sheet = normal(self.sheet.mesh.corners(triangle as usize));
        // The part is on the left of its side, seen from outside.
        let left = of_mesh.cross(to - from);
        usize::from(left.dot(of_sheet) > 0.0)
    }
}

/// The parts of a part whose sides may have a point in their middle.
fn halved(part: &Part, middles: &BTreeMap<[u32; 2], u32>) -> Vec<Part> {
    let [a, b, c] = part.corners;
    let of = [[a, b], [b, c], [c, a]].map(|edge| middles.get(&sorted(edge)).copied());
    // Turned so that what has one or two of them begins with these.
    let turn = match of {
        [Some(_), _, None] | [Some(_), Some(_), Some(_)] | [None, None, None] => 0,
        [_, Some(_), None] | [None, Some(_), _] => 1,
        [_, None, Some(_)] => 2,
    };
    let corners = [0, 1, 2].map(|k| part.corners[(k + turn) % 3]);
    let of = [0, 1, 2].map(|k| of[(k + turn) % 3]);
    let [a, b, c] = corners;
    let all: &[[u32; 3]] = match of {
        [Some(ab), Some(bc), Some(ca)] => &[[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
        [Some(ab), Some(bc), None] => &[[ab, b, bc], [a, ab, bc], [a, bc, c]],
        [Some(ab), None, None] => &[[a, ab, c], [ab, b, c]],
        _ => &[[a, b, c]],
    };
    let part = |&corners: &[u32; 3]| Part { corners, ..*part };
    all.iter().map(part).collect()
}
