//! The inner faces of cracks: cuts that do not go through a piece.
//!
//! Which nodes of a grid around what was cut are parted from each other says where a crack is; it goes
//! through tetrahedra as inner faces between pieces do, has two sides, and these are one where it ends.

use pliant_math::DVec3;

use super::bound::BoundMesh;
use super::crack_sides::{CrackSides, Side};
use super::duplicated_vertices::{Between, Corner, DuplicatedVertices, between};
use super::grid::{Grid, TETRAHEDRA};
use crate::parallel;

/// The inner faces of the cracks of a piece, as far as `reach` [m] from where ways were parted.
///
/// * `spacing` — of the nodes [m]
pub(super) fn sheet(sides: &CrackSides<'_>, spacing: f64, reach: f64) -> BoundMesh {
    let grid = Grid::around(sides.cracks().iter().copied(), spacing, reach);
    let mut side = vec![Side::default(); grid.len()];
    parallel::for_chunks(&mut side, |first, side| {
        for (node, side) in (first..).zip(side) {
            *side = sides.at(grid.place(node));
        }
    });
    let mut parted = vec![0; grid.len()];
    parallel::for_chunks(&mut parted, |first, parted| {
        for (node, parted) in (first..).zip(parted) {
            *parted = parted_from(sides, &grid, &side, node);
        }
    });
    let cells = grid.cells(|node| !side[node].bound.is_empty());
    let mut sheet = Sheet {
        grid: &grid,
        side: &side,
        copies: DuplicatedVertices::default(),
    };
    for cell in cells {
        for corners in TETRAHEDRA {
            let is_parted = |i: usize, j: usize| {
                let (i, j) = (corners[i].min(corners[j]), corners[i].max(corners[j]));
                let from = parted[cell[i] as usize];
                from >> (i ^ j) & 1 == 1
            };
            sheet.add(&Tetrahedron::new(corners.map(|k| cell[k]), is_parted));
        }
    }
    sheet.copies.mesh(sides, &[], &side)
}

/// From which other corners of the cell that begins at a node this one is parted, a bit for each.
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

/// A tetrahedron, and what cracks part in it.
struct Tetrahedron {
    nodes: [u32; 4],
    /// Which two of its corners are parted.
    parted: [[bool; 4]; 4],
    /// For each corner the first that it holds together with, by way of others if need be.
    group: [usize; 4],
}

/// Corners of the edges.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Corners of the faces.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

impl Tetrahedron {
    fn new(nodes: [u32; 4], is_parted: impl Fn(usize, usize) -> bool) -> Self {
        let mut parted = [[false; 4]; 4];
        let mut group = [0, 1, 2, 3];
        for [i, j] in EDGES {
            if is_parted(i, j) {
                (parted[i][j], parted[j][i]) = (true, true);
            } else {
                let (a, b) = (group[i].min(group[j]), group[i].max(group[j]));
                for group in &mut group {
                    if *group == b {
                        *group = a;
                    }
                }
            }
        }
        Self {
            nodes,
            parted,
            group,
        }
    }

    fn parted_edges(&self) -> impl Iterator<Item = [usize; 2]> {
        EDGES.into_iter().filter(|[i, j]| self.parted[*i][*j])
    }

    /// The vertex between some corners.
    fn between(&self, corners: &[usize]) -> Between {
        let mut nodes = [u32::MAX; 4];
        for (node, &corner) in nodes.iter_mut().zip(corners) {
            *node = self.nodes[corner];
        }
        between(&nodes[..corners.len()])
    }

    /// Whether all edges of a face are parted.
    fn is_junction(&self, [i, j, k]: [usize; 3]) -> bool {
        self.parted[i][j] && self.parted[j][k] && self.parted[k][i]
    }
}

/// A vertex of a crack: the corners it is between.
type Crossing<'a> = &'a [usize];

struct Sheet<'a> {
    grid: &'a Grid,
    side: &'a [Side],
    copies: DuplicatedVertices,
}

impl Sheet<'_> {
    /// Adds what is in a tetrahedron.
    fn add(&mut self, of: &Tetrahedron) {
        if of.parted_edges().next().is_none() {
            return;
        }
        self.put(of);
        let others = of.group.iter().filter(|group| **group != 0);
        let other = others.clone().copied().next();
        let Some(other) = other else {
            return;
        };
        let has_junction = FACES.into_iter().any(|face| of.is_junction(face));
        if has_junction || others.into_iter().any(|group| *group != other) {
            self.add_around_middle(of);
        } else {
            self.add_between_two(of);
        }
    }

    /// Puts the vertices on edges and faces where they are, and joins their sides where cracks end.
    fn put(&mut self, of: &Tetrahedron) {
        for [i, j] in of.parted_edges() {
            let vertex = of.between(&[i, j]);
            self.copies.put(vertex, self.crossing(of, [i, j]));
            self.join(of, &[i, j]);
        }
        for face in FACES.into_iter().filter(|face| of.is_junction(*face)) {
            let [i, j, k] = face;
            let places = [[i, j], [j, k], [k, i]].map(|edge| self.crossing(of, edge));
            let vertex = of.between(&face);
            self.copies.put(vertex, places.iter().sum::<DVec3>() / 3.0);
            self.join(of, &face);
        }
    }

    /// Joins the sides of a vertex for corners that hold together.
    fn join(&mut self, of: &Tetrahedron, corners: Crossing<'_>) {
        for (k, &i) in corners.iter().enumerate() {
            for &j in corners[k + 1..]
                .iter()
                .filter(|j| of.group[**j] == of.group[i])
            {
                let nodes = [i, j].map(|corner| of.nodes[corner]);
                self.copies.join(of.between(corners), nodes);
            }
        }
    }

    /// Where the crack crosses an edge.
    fn crossing(&self, of: &Tetrahedron, [i, j]: [usize; 2]) -> DVec3 {
        let (a, b) = (of.nodes[i].min(of.nodes[j]), of.nodes[i].max(of.nodes[j]));
        let [from, to] = [a, b].map(|node| self.grid.place(node as usize));
        let [lead, next] = [a, b].map(|node| self.side[node as usize].lead);
        from + (to - from) * (lead / (lead + next))
    }

    /// The crack between two groups of corners.
    fn add_between_two(&mut self, of: &Tetrahedron) {
        let of_group = |is_first: bool| (0..4).filter(move |k| (of.group[*k] == 0) == is_first);
        let [inside, outside]: [Vec<usize>; 2] = [true, false].map(|is| of_group(is).collect());
        let crossings: Vec<[usize; 2]> = match (inside.as_slice(), outside.as_slice()) {
            (&[a], others) | (others, &[a]) => others.iter().map(|&b| [a, b]).collect(),
            (&[a, b], &[c, d]) => vec![[a, c], [a, d], [b, d], [b, c]],
            _ => return,
        };
        for k in 2..crossings.len() {
            let corners = [0, k - 1, k].map(|k| &crossings[k][..]);
            self.add_triangle(of, corners, [inside[0], outside[0]]);
        }
    }

    /// Cracks that meet in a tetrahedron: from the lines in its faces to its middle.
    fn add_around_middle(&mut self, of: &Tetrahedron) {
        const MIDDLE: [usize; 4] = [0, 1, 2, 3];
        let places: Vec<DVec3> = of
            .parted_edges()
            .map(|edge| self.crossing(of, edge))
            .collect();
        let middle = places.iter().sum::<DVec3>() / places.len() as f64;
        self.copies.put(of.between(&MIDDLE), middle);
        self.join(of, &MIDDLE);
        for face in FACES {
            let edges = [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|k: usize| face[k]));
            let parted: Vec<[usize; 2]> = edges
                .into_iter()
                .filter(|[i, j]| of.parted[*i][*j])
                .collect();
            match parted[..] {
                [one, other] => self.add_triangle(of, [&one, &other, &MIDDLE], one),
                [_, _, _] => {
                    for edge in edges {
                        self.add_triangle(of, [&edge, &face, &MIDDLE], edge);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a triangle for each of the two sides of a crack, if there are two.
    ///
    /// * `sides` — a corner on each
    fn add_triangle(&mut self, of: &Tetrahedron, at: [Crossing<'_>; 3], sides: [usize; 2]) {
        let groups = sides.map(|corner| of.group[corner]);
        if groups[0] == groups[1] {
            return;
        }
        let vertices = at.map(|corners| of.between(corners));
        let [a, b, c] = vertices.map(|vertex| self.copies.place(vertex));
        let middle = |group: usize| {
            let corners = (0..4).filter(|k| of.group[*k] == group);
            let places: Vec<DVec3> = corners
                .map(|k| self.grid.place(of.nodes[k] as usize))
                .collect();
            places.iter().sum::<DVec3>() / places.len() as f64
        };
        let outward = middle(groups[1]) - middle(groups[0]);
        let is_outward = (b - a).cross(c - a).dot(outward) >= 0.0;
        for (group, is_outward) in [(groups[0], is_outward), (groups[1], !is_outward)] {
            let corner = |k: usize| {
                let own = at[k].iter().find(|corner| of.group[**corner] == group);
                Corner::Copy(vertices[k], of.nodes[*own.unwrap_or(&at[k][0])])
            };
            let order = if is_outward { [0, 1, 2] } else { [0, 2, 1] };
            self.copies.add(order.map(corner));
        }
    }
}
