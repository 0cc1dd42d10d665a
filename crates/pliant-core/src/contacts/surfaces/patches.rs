//! A surface cut into patches of a few triangles, with the corners and edges of each.

use std::ops::Range;

use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;
use pliant_math::simd::{LANES, Places};

use super::surface::Surface;
use crate::contacts::broad::{Tree, longest_axis};
use crate::contacts::lists::Lists;

/// Triangles of a surface in the leaves of a tree: a leaf is a patch, and holds triangles that hang together
/// by others. Corners are numbered from the
/// first place of the surface's particles.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// The patches in space.
    pub tree: Tree,
    /// Corners of the triangles of each patch.
    pub corners: Lists,
    /// Each corner in one of its patches only.
    pub vertices: Lists,
    /// Corners of the triangles of each patch, some of them repeated.
    pub triangle_rows: Vec<[Places; 3]>,
    /// Ends of the edges of each patch, row after row, some of them repeated; each edge is in one of its
    /// patches only.
    pub edge_rows: Vec<[Places; 2]>,
    /// Numbers of edges in each row.
    pub edge_counts: Vec<u32>,
    /// The first row of edges of each patch, and the end.
    pub edge_starts: Vec<u32>,
    /// Patches around each corner.
    pub around: Lists,
    /// Patches of each boundary, and maybe of others.
    pub boundaries: Vec<Range<u32>>,
    /// The body of each patch if its parts pass through each other, else [`MEETS_ALL`]; empty if there are none.
    passing: Vec<u32>,
}

/// A patch that meets other patches of its body.
const MEETS_ALL: u32 = u32::MAX;

impl Patches {
    /// Leaves out, of patches that may be near one, those that it passes through: those of its own body, if that does
    /// not meet itself.
    #[inline]
    pub fn retain_met(&self, patch: u32, near: &mut Vec<u32>) {
        let body = self.passing.get(patch as usize);
        if let Some(&body) = body.filter(|&&body| body != MEETS_ALL) {
            near.retain(|&other| self.passing[other as usize] != body);
        }
    }

    /// Notes the bodies whose parts pass through each other.
    ///
    /// * `bodies` — of the particles
    pub fn note_passing(&mut self, surface: &Surface, bodies: &[u32]) {
        self.passing.clear();
        if surface.passing.is_empty() {
            return;
        }
        let body_of = |patch: u32| {
            // What hangs together is of one body.
            let triangle = self.tree.items(patch)[0] as usize;
            let body = bodies[surface.triangles[triangle][0] as usize];
            match surface.passing.contains(&body) {
                true => body,
                false => MEETS_ALL,
            }
        };
        self.passing = (0..self.count() as u32).map(body_of).collect();
    }

    /// Of a surface.
    ///
    /// * `position` — of all particles [m]
    pub fn new(surface: &Surface, position: &[DVec3]) -> Self {
        let at = |i: u32| position[i as usize];
        let triangles = surface.triangles.iter();
        let middles: Vec<DVec3> = triangles
            .map(|corners| corners.map(at).iter().sum::<DVec3>() / 3.0)
            .collect();
        let first = surface.vertices.start as u32;
        let vertex_count = surface.vertices.len();
        let tree = Tree::new(&middles, &components(surface));
        let count = tree.leaf_count();
        let mut corners = Vec::with_capacity(3 * middles.len());
        for leaf in 0..count as u32 {
            for &triangle in tree.items(leaf) {
                let own = surface.triangles[triangle as usize];
                corners.extend(own.map(|corner| (leaf, corner - first)));
            }
        }
        let swapped = corners.iter().map(|&(leaf, corner)| (corner, leaf));
        let around = Lists::new(vertex_count, swapped.collect());
        let firsts = (0..vertex_count as u32).filter_map(|v| Some((*around.of(v).first()?, v)));
        let vertices = Lists::new(count, firsts.collect());
        let edges = surface.edges.iter().zip(0..).filter_map(|(&[a, b], edge)| {
            let others = around.of(b - first);
            let both = |leaf: &&u32| others.contains(leaf);
            let leaf = around.of(a - first).iter().find(both)?;
            Some((*leaf, edge))
        });
        let edges = Lists::new(count, edges.collect());
        let mut patches = Self {
            corners: Lists::new(count, corners),
            vertices,
            around,
            tree,
            ..Self::default()
        };
        patches.boundaries = patches.of_boundaries(surface);
        patches.edge_starts.push(0);
        for leaf in 0..count as u32 {
            let triangles = patches.tree.items(leaf);
            let corner = |t: u32, k: usize| surface.triangles[t as usize][k] - first;
            let row = [0, 1, 2].map(|k| row_of(triangles, |t| corner(t, k)));
            patches.triangle_rows.push(row);
            let mut edges = edges.of(leaf).to_vec();
            sort_along(&mut edges, |edge| {
                let [a, b] = surface.edges[edge as usize].map(at);
                0.5 * (a + b)
            });
            for row in edges.chunks(LANES) {
                let end = |edge: u32, k: usize| surface.edges[edge as usize][k] - first;
                let ends = [0, 1].map(|k| row_of(row, |edge| end(edge, k)));
                patches.edge_rows.push(ends);
                patches.edge_counts.push(row.len() as u32);
            }
            patches.edge_starts.push(patches.edge_rows.len() as u32);
        }
        patches
    }

    /// The patches of each boundary: all in a row, as what hangs together is, with those in between.
    fn of_boundaries(&self, surface: &Surface) -> Vec<Range<u32>> {
        let mut leaf_of = vec![0; surface.triangles.len()];
        for leaf in 0..self.count() as u32 {
            for &triangle in self.tree.items(leaf) {
                leaf_of[triangle as usize] = leaf;
            }
        }
        let boundaries = surface.boundaries.iter().map(|boundary| {
            let leaves = leaf_of[boundary.triangles.clone()].iter();
            let least = leaves.clone().min().map_or(0, |&leaf| leaf);
            least..leaves.max().map_or(0, |&leaf| leaf + 1)
        });
        boundaries.collect()
    }

    /// The rows of edges of a patch.
    pub fn edge_rows_of(&self, patch: u32) -> Range<u32> {
        self.edge_starts[patch as usize]..self.edge_starts[patch as usize + 1]
    }

    /// The lanes that hold triangles of a patch.
    #[inline(always)]
    pub fn triangle_lanes(&self, patch: u32) -> u32 {
        lanes(self.tree.items(patch).len() as u32)
    }

    /// The lanes that hold edges of a row.
    #[inline(always)]
    pub fn edge_lanes(&self, row: u32) -> u32 {
        lanes(self.edge_counts[row as usize])
    }

    /// Number of patches.
    pub fn count(&self) -> usize {
        self.tree.leaf_count()
    }

    /// True if a corner belongs to any triangle.
    pub fn has(&self, vertex: u32) -> bool {
        !self.around.of(vertex).is_empty()
    }

    /// These patches and those that share a corner with them.
    pub fn grown(&self, patches: Range<u32>) -> Vec<u32> {
        let corners = patches.flat_map(|patch| self.corners.of(patch));
        let mut grown: Vec<u32> = corners.flat_map(|&v| self.around.of(v)).copied().collect();
        grown.sort_unstable();
        grown.dedup();
        grown
    }
}

/// Sorts items along the axis along which they extend furthest, so that those that follow each other are near.
fn sort_along(items: &mut [u32], at: impl Fn(u32) -> DVec3) {
    let axis = longest_axis(items.iter().map(|&item| at(item)));
    items.sort_unstable_by(|&a, &b| {
        let by_place = at(a)[axis].total_cmp(&at(b)[axis]);
        by_place.then_with(|| a.cmp(&b))
    });
}

/// A number for each triangle, which those have in common that hang together.
fn components(surface: &Surface) -> Vec<u32> {
    let mut sets = DisjointSets::new(surface.vertices.len());
    let local = |vertex: u32| vertex - surface.vertices.start as u32;
    for [a, b, c] in surface.triangles.iter().map(|t| t.map(local)) {
        sets.join(a, b);
        sets.join(b, c);
    }
    let triangles = surface.triangles.iter();
    triangles.map(|t| sets.root(local(t[0]))).collect()
}

/// The places of at most sixteen items, the last of them repeated.
fn row_of(items: &[u32], place: impl Fn(u32) -> u32) -> Places {
    Places::from_fn(|lane| place(items[lane.min(items.len() - 1)]))
}

/// The first so many lanes.
#[inline(always)]
fn lanes(count: u32) -> u32 {
    (1 << count) - 1
}
