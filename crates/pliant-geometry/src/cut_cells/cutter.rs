//! Faces cut by planes across an axis, one after the other.
//!
//! A vertex is below a plane or not, never on it; each edge that crosses makes one vertex, whoever has the edge. Where a
//! plane cuts faces, the new edges close them, and reversed they are the cap.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use super::{Edges, Face};

/// A plane across an axis.
#[derive(Clone, Copy)]
pub struct Plane {
    pub axis: usize,
    /// Where [m].
    pub at: f64,
}

/// What cutting makes.
pub struct Cutter {
    /// Those that were given, and those that it has made [m].
    pub vertices: Vec<DVec3>,
    /// The vertex that an edge has made where it crosses a plane, by its ends, the lesser first.
    crossings: FxHashMap<[u32; 2], u32>,
}

impl Cutter {
    /// For faces between vertices [m].
    pub fn new(vertices: Vec<DVec3>) -> Self {
        Self {
            vertices,
            crossings: FxHashMap::default(),
        }
    }

    /// The planes of an axis are done: those of the next one cross other places of the same edges.
    pub fn end_axis(&mut self) {
        self.crossings.clear();
    }

    /// Cuts faces by parallel planes in order: what is between them, without what is empty.
    pub fn cut(&mut self, faces: Vec<Face>, planes: &[Plane], parts: &mut Vec<Vec<Face>>) {
        let Some((&plane, _)) = planes.split_first() else {
            parts.push(faces);
            return;
        };
        // In the middle, so that each face is looked at a few times only.
        let middle = planes.len() / 2;
        let plane = planes.get(middle).copied().unwrap_or(plane);
        let [low, high] = self.split(faces, plane);
        if !low.is_empty() {
            self.cut(low, &planes[..middle], parts);
        }
        if !high.is_empty() {
            self.cut(high, &planes[middle + 1..], parts);
        }
    }

    /// The faces below a plane and those above, each with a cap.
    fn split(&mut self, faces: Vec<Face>, plane: Plane) -> [Vec<Face>; 2] {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let (mut low_cap, mut high_cap) = (Vec::new(), Vec::new());
        for face in faces {
            let is_low = |vertex: u32| self.vertices[vertex as usize][plane.axis] < plane.at;
            let below = face.edges.iter().filter(|edge| is_low(edge[0])).count();
            if below == face.edges.len() {
                low.push(face);
            } else if below == 0 {
                high.push(face);
            } else {
                let (under, over, closing) = self.split_face(&face.edges, plane);
                low_cap.extend(closing.iter().map(|&[from, to]| [to, from]));
                high_cap.extend(closing);
                low.push(face.with(under));
                high.push(face.with(over));
            }
        }
        if !low_cap.is_empty() {
            low.push(Face::cap(low_cap));
            high.push(Face::cap(high_cap));
        }
        [low, high]
    }

    /// A face below and above a plane, and the edges that close what is below.
    fn split_face(&mut self, face: &[[u32; 2]], plane: Plane) -> (Edges, Edges, Edges) {
        let (mut low, mut high) = (Edges::new(), Edges::new());
        let (mut exits, mut entries) = (Vec::new(), Vec::new());
        for &[from, to] in face {
            let [a, b] = [from, to].map(|v| self.vertices[v as usize][plane.axis] < plane.at);
            match (a, b) {
                (true, true) => low.push([from, to]),
                (false, false) => high.push([from, to]),
                (true, false) => {
                    let at = self.crossing([from, to], plane);
                    low.push([from, at]);
                    high.push([at, to]);
                    exits.push(at);
                }
                (false, true) => {
                    let at = self.crossing([from, to], plane);
                    high.push([from, at]);
                    low.push([at, to]);
                    entries.push(at);
                }
            }
        }
        // Along the line in which the face meets the plane, ways out and in take turns.
        let along = self.direction(&exits, &entries);
        for crossed in [&mut exits, &mut entries] {
            let place = |&v: &u32| self.vertices[v as usize].dot(along);
            crossed.sort_by(|a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
        }
        let closing: Edges = exits.iter().zip(&entries).map(|(&a, &b)| [a, b]).collect();
        low.extend(&closing);
        high.extend(closing.iter().map(|&[from, to]| [to, from]));
        (low, high, closing)
    }

    /// The direction between the two crossings of a face that are farthest along an axis.
    fn direction(&self, exits: &[u32], entries: &[u32]) -> DVec3 {
        if exits.len() < 2 {
            return DVec3::X;
        }
        let all = exits.iter().chain(entries);
        let places = all.map(|&v| self.vertices[v as usize]);
        let (min, max) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), x| {
            (min.min(x), max.max(x))
        });
        let extent = max - min;
        let longest = (0..3).fold(0, |best, axis| {
            if extent[axis] > extent[best] {
                axis
            } else {
                best
            }
        });
        DVec3::AXES[longest]
    }

    /// The vertex where an edge crosses a plane.
    fn crossing(&mut self, [from, to]: [u32; 2], plane: Plane) -> u32 {
        let ends = [from.min(to), from.max(to)];
        let next = self.vertices.len() as u32;
        let vertices = &mut self.vertices;
        *self.crossings.entry(ends).or_insert_with(|| {
            let [a, b] = ends.map(|v| vertices[v as usize]);
            let share = (plane.at - a[plane.axis]) / (b[plane.axis] - a[plane.axis]);
            let mut x = a + (b - a) * share;
            x[plane.axis] = plane.at;
            vertices.push(x);
            next
        })
    }
}
