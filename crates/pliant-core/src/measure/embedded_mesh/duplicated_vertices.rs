//! Vertices that cracks go through: one for each side that they have there.
//!
//! Such a vertex lies between nodes that a crack parts, on an edge, in a triangle, or in a tetrahedron. It
//! has a copy for each node, and those are one where the nodes hold together in anything around: at the
//! end of a crack.

use std::collections::BTreeMap;

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::bound::{BoundMesh, carried};
use super::crack_sides::{Bound, CrackSides, Side};

/// The nodes that a vertex lies between, increasing, `u32::MAX` behind the last.
pub(super) type Between = [u32; 4];

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Corner {
    /// A node itself.
    Node(u32),
    /// The copy for a node of the vertex between some.
    Copy(Between, u32),
}

/// Triangles that cracks part, and which copies are one.
#[derive(Debug, Default)]
pub(super) struct DuplicatedVertices {
    /// Where the vertices between nodes are [m].
    place: BTreeMap<Between, DVec3>,
    /// Nodes whose copies of a vertex are one.
    joined: BTreeMap<Between, Vec<[u32; 2]>>,
    triangles: Vec<[Corner; 3]>,
}

/// The vertex between some nodes.
pub(super) fn between(nodes: &[u32]) -> Between {
    let mut all = [u32::MAX; 4];
    all[..nodes.len()].copy_from_slice(nodes);
    all.sort_unstable();
    all
}

impl DuplicatedVertices {
    /// Says where a vertex is [m].
    pub fn put(&mut self, vertex: Between, place: DVec3) {
        self.place.insert(vertex, place);
    }

    /// Where a vertex is [m] that has been put somewhere.
    pub fn place(&self, vertex: Between) -> DVec3 {
        self.place.get(&vertex).copied().unwrap_or_default()
    }

    /// Makes the copies of a vertex for two nodes one.
    pub fn join(&mut self, vertex: Between, nodes: [u32; 2]) {
        self.joined.entry(vertex).or_default().push(nodes);
    }

    /// Adds a triangle.
    pub fn add(&mut self, corners: [Corner; 3]) {
        self.triangles.push(corners);
    }

    /// The nodes that share a copy of a vertex with one of them, it among them, increasing.
    fn sharing(&self, vertex: Between, node: u32) -> Vec<u32> {
        let mut all = vec![node];
        let joined = self.joined.get(&vertex).map_or(&[][..], Vec::as_slice);
        // The way from one of four to another has three steps at most.
        for _ in 0..3 {
            for &[a, b] in joined {
                for (from, to) in [(a, b), (b, a)] {
                    if all.contains(&from) && !all.contains(&to) {
                        all.push(to);
                    }
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// The mesh of the triangles.
    ///
    /// * `nodes` — where these are [m], which are its first vertices; none if no corner is a node
    /// * `side` — the side that each node is on
    pub fn mesh(self, sides: &CrackSides<'_>, nodes: &[DVec3], side: &[Side]) -> BoundMesh {
        let mut vertices = nodes.to_vec();
        let mut sharing: Vec<Vec<u32>> = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut number = |corner: Corner| match corner {
            Corner::Node(node) => node,
            Corner::Copy(vertex, node) => {
                let all = self.sharing(vertex, node);
                *numbers.entry((vertex, all[0])).or_insert_with(|| {
                    vertices.push(self.place(vertex));
                    sharing.push(all);
                    vertices.len() as u32 - 1
                })
            }
        };
        let triangles = self
            .triangles
            .iter()
            .map(|corners| corners.map(&mut number));
        let triangles = triangles.collect();
        let bound = carried(&vertices, |vertex, x| {
            match vertex.checked_sub(nodes.len()) {
                None => side[vertex].bound.clone(),
                Some(copy) => {
                    let of = sharing[copy].iter().map(|&node| &side[node as usize].bound);
                    let mut around: Bound = of.flatten().copied().collect();
                    around.sort_by_key(|(particle, _)| *particle);
                    around.dedup_by_key(|(particle, _)| *particle);
                    sides.carriers(x, &around)
                }
            }
        });
        BoundMesh {
            mesh: TriangleMesh {
                vertices,
                triangles,
            },
            bound,
        }
    }
}
