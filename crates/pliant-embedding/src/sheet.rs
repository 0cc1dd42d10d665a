//! Cracks as a sheet, and on which sides of it its points are.
//!
//! A crack may end inside of a body: nodes across it that hold together by way of others around are on one side
//! there, which `joined` knows.

use pliant_geometry::TriangleMesh;

use super::lattice_simplex::{Joined, Simplex, nodes, simplex};

/// The cracks of a body, without thickness.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// Where it is at rest. Seen from its second side a triangle is counter-clockwise.
    pub mesh: TriangleMesh,
    /// For each vertex the simplex that it lies in.
    pub simplices: Vec<Simplex>,
    /// For each triangle the tetrahedron that it lies in, and the nodes of that on either side.
    pub tetrahedra: Vec<(Simplex, [Simplex; 2])>,
    /// Nodes on one side.
    pub joined: Joined,
}

/// What of a sheet a point lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// A vertex.
    Vertex(u32),
    /// An edge, by its vertices, the lesser first.
    Edge([u32; 2]),
    /// A triangle.
    Triangle(u32),
}

impl On {
    /// What two points have in common that are corners of one part of a triangle: an edge of it, or the triangle.
    pub fn between(self, other: Self, triangle: u32) -> Self {
        match (self, other) {
            (Self::Vertex(a), Self::Vertex(b)) => Self::Edge([a.min(b), a.max(b)]),
            (Self::Vertex(a), Self::Edge(edge)) | (Self::Edge(edge), Self::Vertex(a))
                if edge.contains(&a) =>
            {
                Self::Edge(edge)
            }
            (Self::Edge(edge), Self::Edge(of_other)) if edge == of_other => Self::Edge(edge),
            _ => Self::Triangle(triangle),
        }
    }
}

impl Sheet {
    /// Nodes on the sides of what a point lies in: those that it lies between.
    pub fn nodes(&self, on: On) -> Simplex {
        match on {
            On::Vertex(vertex) => self.simplices[vertex as usize],
            On::Edge(ends) => {
                let of = ends.map(|end| self.simplices[end as usize]);
                let shared = simplex(nodes(of[0]).filter(|node| of[1].contains(node)));
                let all = simplex(of.into_iter().flatten());
                // Inside of a tetrahedron, in a face as a side of a junction, or across it.
                match (nodes(all).count(), nodes(shared).count()) {
                    (3, 2) => shared,
                    _ => all,
                }
            }
            On::Triangle(triangle) => self.tetrahedra[triangle as usize].0,
        }
    }

    /// The nodes on the side of one of them, it among them, increasing.
    pub fn side_of(&self, on: On, node: u32) -> Vec<u32> {
        match on {
            On::Vertex(vertex) => self.joined.side_of(self.simplices[vertex as usize], node),
            On::Edge(_) if self.is_end(on) => nodes(self.nodes(on)).collect(),
            On::Edge(_) => vec![node],
            On::Triangle(triangle) => {
                let (_, sides) = &self.tetrahedra[triangle as usize];
                let own = sides.iter().find(|side| side.contains(&node));
                own.map_or_else(|| vec![node], |side| nodes(*side).collect())
            }
        }
    }

    /// The node that stands for the side of what a point lies in that is one of a triangle beside it.
    pub fn side(&self, on: On, triangle: u32, side: usize) -> u32 {
        let of_triangle = self.tetrahedra[triangle as usize].1[side];
        let mut own = nodes(self.nodes(on)).filter(|node| of_triangle.contains(node));
        self.side_of(on, own.next().unwrap_or(of_triangle[0]))[0]
    }

    /// Whether the sheet ends in an edge: nodes across it hold together in a tetrahedron at it.
    pub fn is_end(&self, on: On) -> bool {
        let On::Edge(ends) = on else {
            return false;
        };
        let of = ends.map(|end| self.simplices[end as usize]);
        let face = simplex(of.into_iter().flatten());
        let across = of.iter().find(|of| nodes(**of).count() == 2);
        match across {
            Some(&[a, b, ..]) if nodes(face).count() == 3 => self.joined.has(face, [a, b]),
            _ => false,
        }
    }
}
