//! Distances to the triangles of a mesh at the nodes of a grid.

use pliant_math::DVec3;

use crate::nearest_triangle::NearestTriangle;
use crate::tessellation::NodeGrid;
use crate::{Loop, TriangleMesh, work};

/// A vertex of a new surface is moved so far onto the nearest triangle, as a part of the way: not all of it, lest two
/// with the same nearest point become one.
const ONTO: f64 = 0.99;

/// A grid around a mesh, and its nearest triangles.
pub(super) struct Field {
    nearest: NearestTriangle,
    /// Distances [m], without sign: exact where less than the band, a lower bound elsewhere.
    pub(super) grid: NodeGrid,
}

impl Field {
    /// Of a mesh, with a band of so many metres, and as much around its bounds.
    pub(super) fn new(mesh: &TriangleMesh, cell: f64, band: f64, run: Loop) -> Self {
        let nearest = NearestTriangle::new(mesh);
        let mut grid = NodeGrid::around(mesh.bounds(), cell, band + cell);
        for_rows(&mut grid, run, |row, place| {
            let mut least = 0.0;
            for (x, value) in row.iter_mut().enumerate() {
                if least < band {
                    least = nearest.of(place(x)).offset.length();
                }
                *value = least;
                least -= cell;
            }
        });
        Self { nearest, grid }
    }

    /// The surface where the numbers of the grid change their sign, on the triangles where they are near.
    pub(super) fn outline(&mut self) -> TriangleMesh {
        self.grid.close_rim();
        self.grid.surface(|start| {
            let offset = self.nearest.of(start).offset;
            match offset.length() < self.grid.cell {
                true => start - ONTO * offset,
                false => start,
            }
        })
    }
}

/// Calls a function for each row of nodes along x, with the places of its nodes.
pub(super) fn for_rows(
    grid: &mut NodeGrid,
    run: Loop,
    f: impl Fn(&mut [f64], &dyn Fn(usize) -> DVec3) + Sync,
) {
    let [width, height, _] = grid.nodes;
    let mut values = std::mem::take(&mut grid.values);
    let position = |x: usize, row: usize| grid.position([x, row % height, row / height]);
    work::for_chunks(run, &mut values, width, |first, row| {
        f(row, &|x| position(x, first / width));
    });
    grid.values = values;
}
