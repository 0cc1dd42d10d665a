//! A closed mesh cut by a grid: one cell for each connected piece, exact volumes.
//!
//! A face is a set of directed edges between vertices that faces share; nothing is triangulated to cut it, so that holes
//! and several loops are no special case. (Müller et al. 2022, sec. 4.1, do not say how they cut.)
//!
//! | what | here |
//! | --- | --- |
//! | faces cut by planes | `cutter` |
//! | what hangs together, and its volume | `pieces` |
//! | the surface, also where cells are gone | [`CutSurface`] |

mod cutter;
mod pieces;
mod surface;

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use self::cutter::{Cutter, Plane};
use self::pieces::pieces;
pub use self::surface::CutSurface;
use crate::TriangleMesh;

/// Directed edges of a face, in any order.
type Edges = Vec<[u32; 2]>;

/// A face of a cell.
#[derive(Clone, Debug, Default)]
struct Face {
    edges: Edges,
    /// The triangle of the mesh that it is a part of; `None` for what planes have made.
    origin: Option<u32>,
}

impl Face {
    /// Of what a plane has made.
    fn cap(edges: Edges) -> Self {
        Self {
            edges,
            origin: None,
        }
    }

    /// A part of it.
    fn with(&self, edges: Edges) -> Self {
        Self {
            edges,
            origin: self.origin,
        }
    }
}

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
    /// Its faces, their edges counter-clockwise around them seen from outside.
    faces: Vec<Face>,
}

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
        let face = |(number, &[a, b, c]): (u32, &[u32; 3])| Face {
            edges: vec![[a, b], [b, c], [c, a]],
            origin: Some(number),
        };
        let mut parts: Vec<Vec<Face>> = vec![(0..).zip(&mesh.triangles).map(face).collect()];
        let mut cutter = Cutter::new(mesh.vertices.clone());
        let bounds = mesh.bounds();
        for axis in 0..3 {
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
            cutter.end_axis();
        }
        let vertices = cutter.vertices;
        let cells = parts.into_iter().flat_map(|faces| pieces(&vertices, faces));
        Self {
            cells: cells.collect(),
            vertices,
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
            joined.faces.extend(sliver.faces);
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

#[cfg(test)]
mod tests;
