//! The inner faces that cuts have left: where a piece of a body ends at another, in the rest shape.
//!
//! The lead of a piece over the others is sampled on a grid around what was cut, and its zero is found by
//! marching tetrahedra, six a cell (Doi and Koide 1991).

use std::collections::BTreeMap;

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::grid::{Grid, TETRAHEDRA};
use super::piece_weights::{Parts, PieceWeights};
use crate::parallel;

/// A grid around what was cut.
#[derive(Debug)]
pub(super) struct CutGrid {
    grid: Grid,
    shares: Vec<PieceWeights>,
    /// Nodes at the corners of each cell that has all, x first.
    cells: Vec<[u32; 8]>,
    /// The cells that each piece is in or beside, by piece.
    of_piece: Vec<(u32, u32)>,
}

impl CutGrid {
    /// Around some points [m], with nodes `spacing` [m] apart, as far as `reach` [m].
    pub fn new(
        parts: &Parts<'_>,
        points: impl Iterator<Item = DVec3>,
        spacing: f64,
        reach: f64,
    ) -> Self {
        let grid = Grid::around(points, spacing, reach);
        let mut shares = vec![PieceWeights::default(); grid.len()];
        parallel::for_chunks(&mut shares, |first, shares| {
            for (node, share) in (first..).zip(shares) {
                *share = parts.shares(grid.place(node));
            }
        });
        let cells = grid.cells(|node| !shares[node].is_empty());
        let mut of_piece = Vec::new();
        for (number, cell) in (0..).zip(&cells) {
            let around = cell.iter().map(|&node| &shares[node as usize]);
            let mut pieces: Vec<u32> = around.flat_map(PieceWeights::pieces).collect();
            pieces.sort_unstable();
            pieces.dedup();
            of_piece.extend(pieces.into_iter().map(|piece| (piece, number)));
        }
        of_piece.sort_unstable();
        Self {
            grid,
            shares,
            cells,
            of_piece,
        }
    }

    /// Where a piece ends at others, its triangles counter-clockwise seen from those.
    pub fn cap(&self, piece: u32) -> TriangleMesh {
        let first = self.of_piece.partition_point(|(of, _)| *of < piece);
        let cells = self.of_piece[first..].iter();
        let cells = cells.take_while(|(of, _)| *of == piece);
        let mut cap = Cap {
            grid: self,
            numbers: BTreeMap::new(),
            mesh: TriangleMesh::default(),
        };
        for &(_, number) in cells {
            let cell = self.cells[number as usize];
            let at_corners = cell.map(|node| self.shares[node as usize].lead(piece));
            let positive = at_corners.iter().filter(|lead| **lead >= 0.0).count();
            if positive == 0 || positive == 8 {
                continue;
            }
            for corners in TETRAHEDRA {
                cap.add(corners.map(|k| (cell[k], at_corners[k])));
            }
        }
        cap.mesh
    }
}

struct Cap<'a> {
    grid: &'a CutGrid,
    /// Numbers of the vertices between two nodes.
    numbers: BTreeMap<[u32; 2], u32>,
    mesh: TriangleMesh,
}

impl Cap<'_> {
    /// What of the border lies in a tetrahedron.
    fn add(&mut self, corners: [(u32, f64); 4]) {
        let (inside, outside): (Vec<_>, Vec<_>) = corners.into_iter().partition(|c| c.1 >= 0.0);
        let mut polygon: Vec<u32> = Vec::with_capacity(4);
        match (inside.as_slice(), outside.as_slice()) {
            (&[a], others) | (others, &[a]) if others.len() == 3 => {
                polygon.extend(others.iter().map(|&b| self.between(a, b)));
            }
            (&[a, b], &[c, d]) => {
                polygon.extend([(a, c), (a, d), (b, d), (b, c)].map(|(p, q)| self.between(p, q)));
            }
            _ => return,
        }
        let middle = |of: &[(u32, f64)]| {
            let places = of.iter().map(|&(node, _)| self.place(node));
            places.sum::<DVec3>() / of.len() as f64
        };
        let outward = middle(&outside) - middle(&inside);
        let [a, b, c] = [0, 1, 2].map(|k| self.mesh.vertices[polygon[k] as usize]);
        if (b - a).cross(c - a).dot(outward) < 0.0 {
            polygon.reverse();
        }
        for k in 2..polygon.len() {
            let corners = [polygon[0], polygon[k - 1], polygon[k]];
            self.mesh.triangles.push(corners);
        }
    }

    fn place(&self, node: u32) -> DVec3 {
        self.grid.grid.place(node as usize)
    }

    fn between(&mut self, one: (u32, f64), other: (u32, f64)) -> u32 {
        let (a, b) = if one.0 < other.0 {
            (one, other)
        } else {
            (other, one)
        };
        let [from, to] = [a, b].map(|(node, _)| self.place(node));
        let vertices = &mut self.mesh.vertices;
        *self.numbers.entry([a.0, b.0]).or_insert_with(|| {
            vertices.push(from + (to - from) * (a.1 / (a.1 - b.1)));
            vertices.len() as u32 - 1
        })
    }
}
