//! Faces of cells as triangles, alike for the two cells that share one.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use super::pieces::doubled_area;
use super::{CutCells, Face};
use crate::planar::{Flat, axes_across, triangulated};

/// A face of a cell whose other side has not been seen yet.
struct OneSide {
    cell: usize,
    /// Turned as they are in that cell.
    triangles: Vec<[u32; 3]>,
}

impl CutCells {
    /// The faces of each cell as triangles between its vertices, counter-clockwise seen from outside of the cell. Cells
    /// that meet have the same triangles where they do, each turned its own way; faces inside of joined cells are left
    /// out.
    pub fn triangles(&self) -> Vec<Vec<[u32; 3]>> {
        let mut sides: Vec<Option<OneSide>> = Vec::new();
        let mut waiting: FxHashMap<Face, usize> = FxHashMap::default();
        let mut of_cells: Vec<Vec<[u32; 3]>> = vec![Vec::new(); self.cells.len()];
        for (cell, faces) in self.cells.iter().map(|cell| &cell.faces).enumerate() {
            for face in faces {
                let edges = undirected(face);
                let Some(number) = waiting.remove(&edges) else {
                    waiting.insert(edges, sides.len());
                    let triangles = triangles_of(&self.vertices, face);
                    sides.push(Some(OneSide { cell, triangles }));
                    continue;
                };
                let Some(other) = sides[number].take().filter(|other| other.cell != cell) else {
                    continue;
                };
                let turned = other.triangles.iter().map(|&[a, b, c]| [a, c, b]);
                of_cells[cell].extend(turned);
                of_cells[other.cell].extend(other.triangles);
            }
        }
        for OneSide { cell, triangles } in sides.into_iter().flatten() {
            of_cells[cell].extend(triangles);
        }
        of_cells
    }
}

/// The edges of a face whichever way round, in order.
fn undirected(face: &[[u32; 2]]) -> Face {
    let sorted = |&[a, b]: &[u32; 2]| [a.min(b), a.max(b)];
    let mut edges: Face = face.iter().map(sorted).collect();
    edges.sort_unstable();
    edges
}

/// The triangles of a face, turned as it is.
fn triangles_of(vertices: &[DVec3], face: &Face) -> Vec<[u32; 3]> {
    if face.len() == 3 {
        return fans(face);
    }
    let ([right, up], is_turned) = axes_across(doubled_area(vertices, face));
    let flat = |&[number, _]: &[u32; 2]| {
        let place = vertices[number as usize];
        Flat {
            number,
            place: [place[right], place[up]],
        }
    };
    let turned = |[a, b, c]: [u32; 3]| if is_turned { [a, c, b] } else { [a, b, c] };
    let inside = triangulated(face.iter().map(flat), face, &[]);
    let inside: Option<Vec<[u32; 3]>> = inside.map(|all| all.into_iter().map(turned).collect());
    // Slivers may have points at one place, or be turned over by rounding.
    inside
        .filter(|triangles| is_bounded_by(triangles, face))
        .unwrap_or_else(|| fans(face))
}

/// Whether the edges of triangles that no other of them has the other way round are those of a face.
fn is_bounded_by(triangles: &[[u32; 3]], face: &Face) -> bool {
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    edges.sort_unstable();
    let is_open = |&[a, b]: &[u32; 2]| edges.binary_search(&[b, a]).is_err();
    let mut face = face.clone();
    face.sort_unstable();
    edges.iter().copied().filter(is_open).eq(face)
}

/// Each loop of a face as a fan, wherever its vertices are: closed with what is beyond the edges of the face.
fn fans(face: &Face) -> Vec<[u32; 3]> {
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
