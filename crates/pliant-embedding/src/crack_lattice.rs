//! A lattice around the cracks of a body: which of its nodes these part.

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;
use pliant_parallel as parallel;

use super::crack_sides::{CrackSides, Side};
use super::grid::{Grid, TETRAHEDRA};
use super::marching::Tetrahedron;

/// Nodes of the lattice are this part of a spacing apart.
const NODES: f64 = 0.5;

/// It reaches so many spacings around where bonds were cut, and so many more at the surface of a body, where no
/// particles are.
const REACH: [f64; 2] = [1.0, 0.5];

/// How far inside of the surface that is, and how far beyond it the lattice goes [spacings].
const BEYOND: f64 = 1.0;

/// What a mesh is farther away from what it is the mesh of does not count [spacings].
const FAR: f64 = 2.0;

/// A lattice around cracks, and which of its nodes these part.
#[derive(Debug)]
pub(super) struct CrackLattice {
    grid: Grid,
    /// The side that each node is on.
    pub side: Vec<Side>,
    /// From which other corners of the cell that begins at a node this one is parted, a bit for each.
    parted: Vec<u8>,
}

impl CrackLattice {
    /// The lattice around the cracks of a body, as far as a mesh that it carries and a little beyond.
    ///
    /// * `distance` — of a point from the surface of the body [m], negative inside
    /// * `spacing` — of the particles [m]
    pub fn new(
        sides: &CrackSides<'_>,
        mesh: &TriangleMesh,
        distance: impl Fn(DVec3) -> f64 + Sync,
        spacing: f64,
    ) -> Self {
        let near = mesh.vertices.iter().filter(|x| sides.is_near_crack(**x));
        let outside = near
            .map(|&x| distance(x) / spacing)
            .fold(0.0, f64::max)
            .min(FAR);
        let around = |reach: f64| {
            let points = sides.cracks().iter().copied();
            Grid::around(points, NODES * spacing, reach * spacing)
        };
        let at_surface = around(REACH[0] + REACH[1] + outside);
        let at_surface = at_surface.kept_where(|x| distance(x) > -BEYOND * spacing);
        let is_wanted = |x: DVec3| distance(x) < (BEYOND + outside) * spacing;
        let grid = at_surface.joined_where(around(REACH[0]), is_wanted);
        let mut side = vec![Side::default(); grid.len()];
        parallel::for_chunks(&mut side, |first, side| {
            for (node, side) in (first..).zip(side) {
                *side = sides.at_or_nearest(grid.place(node));
            }
        });
        let mut parted = vec![0; grid.len()];
        parallel::for_chunks(&mut parted, |first, parted| {
            for (node, parted) in (first..).zip(parted) {
                *parted = parted_from(sides, &grid, &side, node);
            }
        });
        Self { grid, side, parted }
    }

    /// Where a node is [m].
    pub fn place(&self, node: u32) -> DVec3 {
        self.grid.place(node as usize)
    }

    /// The tetrahedra of the cells.
    pub fn tetrahedra(&self) -> impl Iterator<Item = Tetrahedron> {
        self.grid.cells().into_iter().flat_map(|cell| {
            TETRAHEDRA.map(|corners| {
                let is_parted = |i: usize, j: usize| {
                    let (i, j) = (corners[i].min(corners[j]), corners[i].max(corners[j]));
                    let from = self.parted[cell[i] as usize];
                    from >> (i ^ j) & 1 == 1
                };
                Tetrahedron::new(corners.map(|k| cell[k]), is_parted)
            })
        })
    }
}

fn parted_from(sides: &CrackSides<'_>, grid: &Grid, side: &[Side], node: usize) -> u8 {
    let is_parted = |&corner: &usize| {
        let other = grid.corner(node, corner);
        other.is_some_and(|other| {
            let ends = [node, other];
            let places = ends.map(|end| grid.place(end));
            sides.are_parted(places, ends.map(|end| &side[end]))
        })
    };
    let parted = (1..8).filter(is_parted);
    parted.fold(0, |bits, corner| bits | 1 << corner)
}
