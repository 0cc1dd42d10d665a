//! The surface of cut cells, also where some are gone: it closes with the faces that planes have made.
//!
//! Where cells are gone, triangles of the mesh that they had a part of are in parts; all others stay whole, but for the
//! points on their sides that parts beside them have, so that what is left is watertight.

use pliant_math::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

use super::pieces::doubled_area;
use super::{CutCells, Edges, Face};
use crate::TriangleMesh;
use crate::planar::{Flat, axes_across, triangulated};

/// The faces of cut cells as triangles.
#[derive(Clone, Debug, Default)]
pub struct CutSurface {
    /// The mesh that was cut.
    triangles: Vec<[u32; 3]>,
    /// Vertices of the mesh, which come first.
    mesh_vertices: u32,
    faces: Vec<CutFace>,
}

/// A face of one cell or of two.
#[derive(Clone, Debug)]
struct CutFace {
    /// Turned as they are in its first cell.
    triangles: Vec<[u32; 3]>,
    cells: [u32; 2],
    origin: Option<u32>,
}

/// In the place of a second cell.
const OUTSIDE: u32 = u32::MAX;

impl CutSurface {
    /// Of the cells of a mesh.
    pub fn new(mesh: &TriangleMesh, cells: &CutCells) -> Self {
        let mut faces: Vec<CutFace> = Vec::new();
        let mut waiting: FxHashMap<Edges, usize> = FxHashMap::default();
        for (number, cell) in (0..).zip(&cells.cells) {
            for face in &cell.faces {
                let edges = undirected(&face.edges);
                if let Some(other) = waiting.remove(&edges) {
                    faces[other].cells[1] = number;
                    continue;
                }
                waiting.insert(edges, faces.len());
                faces.push(CutFace {
                    triangles: triangles_of(&cells.vertices, face),
                    cells: [number, OUTSIDE],
                    origin: face.origin,
                });
            }
        }
        // Inside of joined cells.
        faces.retain(|face| face.cells[0] != face.cells[1]);
        Self {
            triangles: mesh.triangles.clone(),
            mesh_vertices: mesh.vertices.len() as u32,
            faces,
        }
    }

    /// The triangles of what is left, counter-clockwise seen from outside.
    ///
    /// * `vertices` — of the cells [m]
    /// * `is_gone` — whether each cell is
    pub fn of_rest(&self, vertices: &[DVec3], is_gone: &[bool]) -> Vec<[u32; 3]> {
        if !is_gone.contains(&true) {
            return self.triangles.clone();
        }
        let is_there = |cell: u32| cell != OUTSIDE && !is_gone[cell as usize];
        let mut is_whole = vec![true; self.triangles.len()];
        for face in self.faces.iter().filter(|face| !is_there(face.cells[0])) {
            if let Some(origin) = face.origin {
                is_whole[origin as usize] = false;
            }
        }
        let is_part_of_whole = |face: &CutFace| face.origin.is_some_and(|o| is_whole[o as usize]);
        let mut left: Vec<[u32; 3]> = Vec::new();
        let mut wholes: FxHashMap<u32, Vec<[u32; 3]>> = FxHashMap::default();
        for face in &self.faces {
            let triangles = face.triangles.iter().copied();
            match face.cells.map(is_there) {
                [true, false] if is_part_of_whole(face) => {
                    let origin = face.origin.unwrap_or_default();
                    wholes.entry(origin).or_default().extend(triangles);
                }
                [true, false] => left.extend(triangles),
                [false, true] => left.extend(triangles.map(|[a, b, c]| [a, c, b])),
                _ => {}
            }
        }
        let used: FxHashSet<u32> = left.iter().flatten().copied().collect();
        for (number, &whole) in (0..).zip(&self.triangles) {
            if let Some(parts) = wholes.get(&number) {
                self.add_whole(vertices, (whole, parts), &used, &mut left);
            }
        }
        left
    }

    /// Adds a triangle of the mesh, with the points on its sides that others use.
    fn add_whole(
        &self,
        vertices: &[DVec3],
        (whole, parts): ([u32; 3], &[[u32; 3]]),
        used: &FxHashSet<u32>,
        left: &mut Vec<[u32; 3]>,
    ) {
        let is_kept = |vertex: &u32| *vertex < self.mesh_vertices || used.contains(vertex);
        let outline = outline_of(parts);
        let first = outline.iter().position(|edge| edge[0] == whole[0]);
        let around = first.map(|first| chain(&outline, first));
        let kept: Vec<u32> = around
            .into_iter()
            .flatten()
            .filter(|v| is_kept(v))
            .collect();
        if kept.len() <= 3 {
            left.push(whole);
            return;
        }
        let next = kept.iter().cycle().skip(1);
        let edges = kept.iter().zip(next).map(|(&from, &to)| [from, to]);
        left.extend(triangles_of(vertices, &Face::cap(edges.collect())));
    }
}

/// The starts of edges one after the other, from one on, as far as they go.
fn chain(edges: &[[u32; 2]], first: usize) -> Vec<u32> {
    let mut chain = vec![edges[first][0]];
    let mut to = edges[first][1];
    while to != chain[0] && chain.len() < edges.len() {
        chain.push(to);
        match edges.iter().find(|edge| edge[0] == to) {
            Some(edge) => to = edge[1],
            None => break,
        }
    }
    chain
}

/// The edges of triangles that no other of them has the other way round.
fn outline_of(triangles: &[[u32; 3]]) -> Edges {
    let mut edges: Edges = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    edges.sort_unstable();
    let is_open = |&[a, b]: &[u32; 2]| edges.binary_search(&[b, a]).is_err();
    edges.iter().copied().filter(is_open).collect()
}

/// The edges of a face whichever way round, in order.
fn undirected(edges: &Edges) -> Edges {
    let sorted = |&[a, b]: &[u32; 2]| [a.min(b), a.max(b)];
    let mut edges: Edges = edges.iter().map(sorted).collect();
    edges.sort_unstable();
    edges
}

/// The triangles of a face, turned as it is.
fn triangles_of(vertices: &[DVec3], face: &Face) -> Vec<[u32; 3]> {
    let edges = &face.edges;
    if edges.len() == 3 {
        return fans(edges);
    }
    let ([right, up], is_turned) = axes_across(doubled_area(vertices, edges));
    let flat = |&[number, _]: &[u32; 2]| {
        let place = vertices[number as usize];
        Flat {
            number,
            place: [place[right], place[up]],
        }
    };
    let turned = |[a, b, c]: [u32; 3]| if is_turned { [a, c, b] } else { [a, b, c] };
    let inside = triangulated(edges.iter().map(flat), edges, &[]);
    let inside: Option<Vec<[u32; 3]>> = inside.map(|all| all.into_iter().map(turned).collect());
    let mut outline = edges.clone();
    outline.sort_unstable();
    // Slivers may have points at one place, or be turned over by rounding.
    inside
        .filter(|triangles| outline_of(triangles) == outline)
        .unwrap_or_else(|| fans(edges))
}

/// Each loop of a face as a fan, wherever its vertices are: closed with what is beyond the edges of the face.
fn fans(face: &Edges) -> Vec<[u32; 3]> {
    let mut left = face.clone();
    let mut triangles = Vec::new();
    while let Some([first, mut to]) = left.pop() {
        while to != first {
            let Some(next) = left.iter().position(|edge| edge[0] == to) else {
                break;
            };
            let [from, beyond] = left.swap_remove(next);
            if beyond != first {
                triangles.push([first, from, beyond]);
            }
            to = beyond;
        }
    }
    triangles
}
