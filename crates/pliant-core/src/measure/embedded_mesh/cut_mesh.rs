//! A mesh cut along a sheet: closed again where it was closed, with vertices that its parts share.
//!
//! The mesh is divided along the curves in which the sheet meets it, and apart there; inside of it the sheet has two
//! faces. Points of the sheet have a copy for each side that they have, and are one where it ends.

use std::collections::BTreeMap;

use pliant_geometry::topology::DisjointSets;
use pliant_geometry::{Arrangement, NotGeneric, Part, TriangleMesh};
use pliant_math::DVec3;

use super::crack_sides::{Bound, CrackSides};
use super::sheet::{CrackLattice, On, Sheet};
use super::welded::Welded;
use crate::parallel;

/// A mesh at rest that knows what carries each vertex.
#[derive(Debug, Default)]
pub(super) struct BoundMesh {
    /// The vertices of the mesh that was cut come first, in their order.
    pub mesh: TriangleMesh,
    /// What carries each vertex; nothing where nothing is near.
    pub bound: Vec<Bound>,
    /// How many vertices the mesh had.
    pub skin: usize,
}

impl BoundMesh {
    /// Gives each fan of triangles around a vertex one of its own, from a vertex on: where two sheets end in one
    /// point, the surface touches itself there.
    fn separate_fans(&mut self, from: u32) {
        let corners = self.mesh.triangles.as_flattened();
        let mut sides: Vec<([u32; 2], [u32; 2])> = Vec::new();
        for first in (0..corners.len() as u32).step_by(3) {
            for [one, other] in [[0, 1], [1, 2], [2, 0]].map(|side| side.map(|k| first + k)) {
                let [a, b] = [one, other].map(|corner| corners[corner as usize]);
                if a.max(b) >= from {
                    sides.push((
                        sorted([a, b]),
                        if a < b { [one, other] } else { [other, one] },
                    ));
                }
            }
        }
        sides.sort_unstable();
        let mut sets = DisjointSets::new(corners.len());
        for pair in sides.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            sets.join(pair[0].1[0], pair[1].1[0]);
            sets.join(pair[0].1[1], pair[1].1[1]);
        }
        let mut fan_of: BTreeMap<u32, u32> = BTreeMap::new();
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for (k, corner) in (0..).zip(self.mesh.triangles.as_flattened_mut()) {
            let (vertex, fan) = (*corner, sets.root(k));
            if vertex < from || *fan_of.entry(vertex).or_insert(fan) == fan {
                continue;
            }
            *corner = *numbers.entry(fan).or_insert_with(|| {
                self.mesh.vertices.push(self.mesh.vertices[vertex as usize]);
                self.bound.push(self.bound[vertex as usize].clone());
                self.mesh.vertices.len() as u32 - 1
            });
        }
    }

    /// Moves the faces of cuts into what they bound, so that those on both sides do not touch: by a distance [m], or
    /// less where triangles are so small that they would turn over.
    ///
    /// * `first` — the first triangle of such a face
    fn draw_apart(&mut self, first: usize, distance: f64) {
        const SHARE: f64 = 0.25;
        let vertices = self.mesh.vertices.len();
        let mut inward = vec![DVec3::ZERO; vertices];
        let mut area = vec![f64::MIN_POSITIVE; vertices];
        let mut most = vec![distance; vertices];
        for (number, triangle) in self.mesh.triangles.iter().enumerate() {
            let corners = self.mesh.corners(number);
            let [a, b, c] = corners;
            for (&vertex, height) in triangle.iter().zip(heights(corners)) {
                let most = &mut most[vertex as usize];
                *most = most.min(SHARE * height);
                if number >= first {
                    let normal = (b - a).cross(c - a);
                    inward[vertex as usize] -= normal;
                    area[vertex as usize] += normal.length();
                }
            }
        }
        for (vertex, x) in self.mesh.vertices.iter_mut().enumerate() {
            // Nothing where the cut ends, whose faces look against each other.
            *x += inward[vertex] * (most[vertex] / area[vertex]);
        }
    }

    /// Lets the vertices of the original be carried as the first at their place is.
    fn unweld(&mut self, welded: &Welded<'_>) {
        for vertex in 0..welded.mesh.vertices.len() {
            let first = welded.first(vertex);
            if first != vertex {
                self.bound[vertex] = self.bound[first].clone();
            }
        }
    }
}

/// Distances of the corners of a triangle from the opposite sides [m].
fn heights([a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let area = (b - a).cross(c - a).length();
    [[b, c], [c, a], [a, b]].map(|[from, to]| area / from.distance(to))
}

/// What a mesh is cut along.
pub(super) struct Cut<'a> {
    pub sides: &'a CrackSides<'a>,
    pub lattice: &'a CrackLattice,
    /// Whether each edge of the mesh has two triangles.
    pub is_closed: bool,
    /// How far both faces of a cut are from where they meet [m].
    pub gap: f64,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Corner {
    /// A vertex of the mesh.
    Vertex(u32),
    /// The copy of a point of the arrangement on the side of a node.
    Copy(u32, u32),
}

impl Cut<'_> {
    /// A mesh that is cut.
    ///
    /// * `is_inside` — whether a point [m] lies inside of it
    ///
    /// # Errors
    /// [`NotGeneric`] if a vertex of mesh or sheet lies in a face of the other.
    pub fn cut(
        &self,
        welded: &Welded<'_>,
        sheet: &Sheet,
        is_inside: impl Fn(DVec3) -> bool,
    ) -> Result<BoundMesh, NotGeneric> {
        let mesh = &welded.mesh;
        let arrangement = Arrangement::new(mesh, &sheet.mesh)?;
        let inside = if self.is_closed {
            arrangement.inside_first(mesh, is_inside)
        } else {
            let parts = arrangement.parts[1].iter();
            parts
                .map(|part| is_inside(arrangement.middle(part)))
                .collect()
        };
        let mut division = Division::new(mesh, sheet, &arrangement, &inside);
        division.split_chords();
        let mut triangles = division.skin();
        let faces = division.parts[1].iter();
        triangles.extend(faces.flat_map(|part| division.faces(part)));
        let mut bound = self.bound(&division, &triangles);
        for (corners, part) in bound.mesh.triangles.iter_mut().zip(&division.parts[0]) {
            let of_mesh = |corner: &&mut u32| (**corner as usize) < mesh.vertices.len();
            for corner in corners.iter_mut().filter(of_mesh) {
                *corner = welded.original(part.triangle, *corner);
            }
        }
        bound.unweld(welded);
        Ok(bound)
    }

    /// The mesh of some triangles.
    fn bound(&self, division: &Division<'_>, triangles: &[[Corner; 3]]) -> BoundMesh {
        let mut vertices = division.mesh.vertices.clone();
        let mut bound: Vec<Option<Bound>> = vec![None; vertices.len()];
        let mut numbers = BTreeMap::new();
        let mut number = |corner: Corner| match corner {
            Corner::Vertex(vertex) => vertex,
            Corner::Copy(point, node) => *numbers.entry(corner).or_insert_with(|| {
                let place = division.place(point);
                let on = division.on(point);
                let side = division.sheet.side_of(on, node);
                bound.push(Some(self.sides.carriers(place, &self.around(&side))));
                vertices.push(place);
                vertices.len() as u32 - 1
            }),
        };
        let triangles = triangles.iter().map(|corners| corners.map(&mut number));
        let triangles = triangles.collect();
        let mesh = TriangleMesh {
            vertices,
            triangles,
        };
        let mut bound = BoundMesh {
            bound: self.spread(&mesh, bound),
            mesh,
            skin: division.mesh.vertices.len(),
        };
        bound.separate_fans(bound.skin as u32);
        bound.draw_apart(division.parts[0].len(), self.gap);
        bound
    }

    /// The particles around some nodes.
    fn around(&self, nodes: &[u32]) -> Bound {
        let of = nodes
            .iter()
            .map(|&node| &self.lattice.side[node as usize].bound);
        union(of)
    }

    /// Tells what carries vertices near cracks by those beside them, from the cracks on, and others by where they
    /// are.
    fn spread(&self, mesh: &TriangleMesh, mut bound: Vec<Option<Bound>>) -> Vec<Bound> {
        let vertices = mesh.vertices.len();
        let mut beside: Vec<[u32; 2]> = Vec::with_capacity(6 * mesh.triangles.len());
        for &[a, b, c] in &mesh.triangles {
            beside.extend([[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]);
        }
        beside.sort_unstable();
        beside.dedup();
        let mut starts = vec![0; vertices + 1];
        for &[from, _] in &beside {
            starts[from as usize + 1] += 1;
        }
        for k in 0..vertices {
            starts[k + 1] += starts[k];
        }
        let beside = |vertex: u32| {
            let of: &[[u32; 2]] = &beside[starts[vertex as usize]..starts[vertex as usize + 1]];
            of.iter().map(|[_, to]| *to)
        };
        let mut last: Vec<u32> = (0..vertices as u32)
            .filter(|&v| bound[v as usize].is_some())
            .collect();
        while !last.is_empty() {
            let mut next: Vec<u32> = last.iter().flat_map(|&v| beside(v)).collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|&v| {
                bound[v as usize].is_none() && self.sides.is_near_crack(mesh.vertices[v as usize])
            });
            let mut found = vec![Bound::new(); next.len()];
            parallel::for_chunks(&mut found, |first, found| {
                for (found, &vertex) in found.iter_mut().zip(&next[first..]) {
                    let known = beside(vertex).filter_map(|v| bound[v as usize].as_ref());
                    *found = self
                        .sides
                        .carriers(mesh.vertices[vertex as usize], &union(known));
                }
            });
            for (&vertex, found) in next.iter().zip(found) {
                bound[vertex as usize] = Some(found);
            }
            last = next;
        }
        let known = bound;
        let mut bound = vec![Bound::new(); vertices];
        parallel::for_chunks(&mut bound, |first, bound| {
            for (k, bound) in bound.iter_mut().enumerate() {
                let place = mesh.vertices[first + k];
                *bound = match &known[first + k] {
                    Some(known) => known.clone(),
                    None => self.sides.at(place).bound,
                };
            }
        });
        bound
    }
}

/// All particles that carry something, with one of their weights.
fn union<'a>(all: impl Iterator<Item = &'a Bound>) -> Bound {
    let mut around: Bound = all.flatten().copied().collect();
    around.sort_by_key(|(particle, _)| *particle);
    around.dedup_by_key(|(particle, _)| *particle);
    around
}

/// A mesh, and what of a sheet is inside of it, in parts.
struct Division<'a> {
    mesh: &'a TriangleMesh,
    sheet: &'a Sheet,
    /// Vertices of the mesh, then points of the sheet [m].
    points: Vec<DVec3>,
    /// Of those what each lies in.
    on: Vec<On>,
    parts: [Vec<Part>; 2],
    /// Sides of parts in which both meet, and the triangles of the sheet.
    curves: BTreeMap<[u32; 2], u32>,
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl<'a> Division<'a> {
    fn new(
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

    fn place(&self, point: u32) -> DVec3 {
        self.points[point as usize]
    }

    /// What a point of the sheet lies in.
    fn on(&self, point: u32) -> On {
        self.on[point as usize - self.mesh.vertices.len()]
    }

    /// Puts a point on each side of a part that has two faces but ends of which each has one copy alone, as where
    /// it leads from one end of the sheet to another: both faces would share it.
    fn split_chords(&mut self) {
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
    fn faces(&self, part: &Part) -> [[Corner; 3]; 2] {
        let [a, b, c] = part.corners;
        // What lies on the first side is bounded by it, and seen from the second.
        [([a, b, c], 0), ([a, c, b], 1)]
            .map(|(corners, side)| corners.map(|point| self.copy(point, part.triangle, side)))
    }

    /// The triangles of the mesh, apart along the curves.
    fn skin(&self) -> Vec<[Corner; 3]> {
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
