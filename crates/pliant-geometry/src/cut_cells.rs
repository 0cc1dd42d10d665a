//! A closed mesh cut by a grid: one cell for each connected piece, exact volumes.
//!
//! A face is a set of directed edges between vertices that faces share; nothing is triangulated, so that holes and
//! several loops are no special case. Planes are cut one after the other, along x, then y, then z. A vertex is
//! below a plane or not, never on it; each edge that crosses makes one vertex, whoever has the edge. Where a plane
//! cuts faces, the new edges close them, and reversed they are the cap. (Müller et al. 2022, sec. 4.1, do not say
//! how they cut.)

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use crate::TriangleMesh;

/// The cells of a mesh cut by a grid.
#[derive(Clone, Debug, Default)]
pub struct CutCells {
    /// The vertices of the mesh, and those that the cuts have made [m].
    pub vertices: Vec<DVec3>,
    /// The cells, piece by piece.
    pub cells: Vec<CutCell>,
}

/// A connected piece of the matter in a cell of the grid.
#[derive(Clone, Debug, Default)]
pub struct CutCell {
    /// Its vertices, increasing.
    pub vertices: Vec<u32>,
    /// Its volume [m3], > 0.
    pub volume: f64,
}

/// Directed edges of a face, in any order.
type Face = Vec<[u32; 2]>;

/// A grid of planes.
#[derive(Clone, Copy, Debug)]
pub struct CutGrid {
    /// A corner [m].
    pub origin: DVec3,
    /// Sides of the cells [m], > 0.
    pub side: DVec3,
}

impl CutCells {
    /// Cuts a mesh that is closed and whose triangles are counter-clockwise seen from outside.
    pub fn new(mesh: &TriangleMesh, grid: CutGrid) -> Self {
        let sides = |&[a, b, c]: &[u32; 3]| vec![[a, b], [b, c], [c, a]];
        let mut parts: Vec<Vec<Face>> = vec![mesh.triangles.iter().map(sides).collect()];
        let mut cutter = Cutter {
            vertices: mesh.vertices.clone(),
            crossings: FxHashMap::default(),
        };
        let bounds = mesh.bounds();
        for axis in 0..3 {
            cutter.crossings.clear();
            let first =
                ((bounds.min[axis] - grid.origin[axis]) / grid.side[axis]).floor() as i64 + 1;
            let end = ((bounds.max[axis] - grid.origin[axis]) / grid.side[axis]).ceil() as i64;
            let planes: Vec<Plane> = (first..end)
                .map(|k| Plane {
                    axis,
                    at: grid.origin[axis] + k as f64 * grid.side[axis],
                })
                .collect();
            let mut cut = Vec::new();
            for part in parts {
                cutter.cut(part, &planes, &mut cut);
            }
            parts = cut;
        }
        let pieces = parts.iter().flat_map(|faces| cutter.pieces(faces));
        let cells = pieces.collect();
        Self {
            vertices: cutter.vertices,
            cells,
        }
    }

    /// Joins cells of less than a volume [m3] with the neighbour that they share most vertices with.
    pub fn merged(mut self, least: f64) -> Self {
        let mut by_volume: Vec<usize> = (0..self.cells.len()).collect();
        by_volume.sort_by(|&a, &b| self.cells[a].volume.total_cmp(&self.cells[b].volume));
        let mut cells_of: Vec<Vec<u32>> = vec![Vec::new(); self.vertices.len()];
        for (number, cell) in (0..).zip(&self.cells) {
            for &vertex in &cell.vertices {
                cells_of[vertex as usize].push(number);
            }
        }
        for number in by_volume {
            if self.cells[number].volume >= least {
                continue;
            }
            let Some(other) = self.most_shared(number, &cells_of) else {
                continue;
            };
            let sliver = std::mem::take(&mut self.cells[number]);
            for &vertex in &sliver.vertices {
                let cells = &mut cells_of[vertex as usize];
                cells.retain(|&cell| cell != number as u32);
                if !cells.contains(&other) {
                    cells.push(other);
                }
            }
            let joined = &mut self.cells[other as usize];
            joined.volume += sliver.volume;
            joined.vertices.extend(sliver.vertices);
            joined.vertices.sort_unstable();
            joined.vertices.dedup();
        }
        self.cells.retain(|cell| !cell.vertices.is_empty());
        self
    }

    /// The cell that shares most vertices with another; the first of equal ones.
    fn most_shared(&self, number: usize, cells_of: &[Vec<u32>]) -> Option<u32> {
        let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
        for &vertex in &self.cells[number].vertices {
            for &cell in &cells_of[vertex as usize] {
                if cell as usize != number {
                    *shared.entry(cell).or_default() += 1;
                }
            }
        }
        let best = shared
            .into_iter()
            .max_by_key(|&(cell, count)| (count, std::cmp::Reverse(cell)));
        best.map(|(cell, _)| cell)
    }
}

/// A plane across an axis.
#[derive(Clone, Copy)]
struct Plane {
    axis: usize,
    /// Where [m].
    at: f64,
}

/// What cutting makes.
struct Cutter {
    vertices: Vec<DVec3>,
    /// The vertex that an edge has made where it crosses a plane, by its ends, the lesser first.
    crossings: FxHashMap<[u32; 2], u32>,
}

impl Cutter {
    /// Cuts faces by parallel planes in order: what is between them, without what is empty.
    fn cut(&mut self, faces: Vec<Face>, planes: &[Plane], parts: &mut Vec<Vec<Face>>) {
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
        let (mut low_cap, mut high_cap) = (Face::new(), Face::new());
        for face in faces {
            let is_low = |vertex: u32| self.vertices[vertex as usize][plane.axis] < plane.at;
            let below = face.iter().filter(|edge| is_low(edge[0])).count();
            if below == face.len() {
                low.push(face);
            } else if below == 0 {
                high.push(face);
            } else {
                let (under, over, closing) = self.split_face(&face, plane);
                low_cap.extend(closing.iter().map(|&[from, to]| [to, from]));
                high_cap.extend(closing);
                low.push(under);
                high.push(over);
            }
        }
        if !low_cap.is_empty() {
            low.push(low_cap);
            high.push(high_cap);
        }
        [low, high]
    }

    /// A face below and above a plane, and the edges that close what is below.
    fn split_face(&mut self, face: &[[u32; 2]], plane: Plane) -> (Face, Face, Face) {
        let (mut low, mut high) = (Face::new(), Face::new());
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
        let closing: Face = exits.iter().zip(&entries).map(|(&a, &b)| [a, b]).collect();
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

    /// The connected pieces of faces; cavities belong to the piece around them.
    fn pieces(&self, faces: &[Face]) -> Vec<CutCell> {
        let mut shells: Vec<Shell> = Vec::new();
        for face_numbers in connected(faces) {
            let mut vertices: Vec<u32> = Vec::new();
            let of_shell = face_numbers.iter().map(|&f| &faces[f]);
            vertices.extend(of_shell.clone().flatten().map(|edge| edge[0]));
            vertices.sort_unstable();
            vertices.dedup();
            let volume = self.volume(of_shell);
            shells.push(Shell { vertices, volume });
        }
        let mut cells: Vec<CutCell> = Vec::new();
        let (around, cavities): (Vec<_>, Vec<_>) = shells.into_iter().partition(|s| s.volume > 0.0);
        cells.extend(around.into_iter().map(|shell| CutCell {
            vertices: shell.vertices,
            volume: shell.volume,
        }));
        for cavity in cavities {
            let inside = |cell: &&mut CutCell| self.holds(&cell.vertices, &cavity.vertices);
            let mut enclosing: Vec<&mut CutCell> = cells.iter_mut().filter(inside).collect();
            enclosing.sort_by(|a, b| a.volume.total_cmp(&b.volume));
            if let Some(cell) = enclosing.into_iter().next() {
                cell.volume += cavity.volume;
                cell.vertices.extend(cavity.vertices);
                cell.vertices.sort_unstable();
                cell.vertices.dedup();
            }
        }
        cells.retain(|cell| cell.volume > 0.0);
        cells
    }

    /// Whether the box around vertices holds that around others.
    fn holds(&self, outer: &[u32], inner: &[u32]) -> bool {
        let bounds = |list: &[u32]| {
            let places = list.iter().map(|&v| self.vertices[v as usize]);
            places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), x| {
                (min.min(x), max.max(x))
            })
        };
        let ((a, b), (c, d)) = (bounds(outer), bounds(inner));
        a.cmple(c).all() && d.cmple(b).all()
    }

    /// The volume that faces enclose [m3]: a third of the sum of o . A over the faces, A being the area of a
    /// face and o a point of it.
    fn volume<'a>(&self, faces: impl Iterator<Item = &'a Face> + Clone) -> f64 {
        let first = faces.clone().flatten().next();
        let base = first.map_or(DVec3::ZERO, |edge| self.vertices[edge[0] as usize]);
        let of_face = |face: &Face| {
            let origin = self.vertices[face[0][0] as usize];
            let area = face.iter().fold(DVec3::ZERO, |sum, &[p, q]| {
                let [p, q] = [p, q].map(|v| self.vertices[v as usize] - origin);
                sum + p.cross(q)
            });
            (origin - base).dot(area) / 6.0
        };
        faces.map(of_face).sum()
    }
}

/// A closed surface of a part.
struct Shell {
    vertices: Vec<u32>,
    /// Negative for a cavity [m3].
    volume: f64,
}

/// Faces that hang together by their vertices, group by group.
fn connected(faces: &[Face]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..faces.len()).collect();
    fn root(group: &mut [usize], mut k: usize) -> usize {
        while group[k] != k {
            group[k] = group[group[k]];
            k = group[k];
        }
        k
    }
    let mut first_with: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, face) in faces.iter().enumerate() {
        for edge in face {
            let other = *first_with.entry(edge[0]).or_insert(number);
            let (a, b) = (root(&mut group, number), root(&mut group, other));
            group[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut number_of: FxHashMap<usize, usize> = FxHashMap::default();
    for face in 0..faces.len() {
        let root = root(&mut group, face);
        let number = *number_of.entry(root).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(face);
    }
    groups
}

#[cfg(test)]
mod tests;
