//! A surface cut into patches of a few triangles, with the corners and edges of each.

use std::ops::Range;

use pliant_math::DVec3;

use super::candidates::Surface;
use super::tree::Tree;

/// Triangles of a surface in the leaves of a tree: a leaf is a patch. Corners are numbered from the
/// first place of the surface's particles.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// The patches in space.
    pub tree: Tree,
    /// Corners of the triangles of each patch.
    pub corners: Lists,
    /// Each corner in one of its patches only.
    pub vertices: Lists,
    /// Each edge in one of its patches only.
    pub edges: Lists,
    /// Patches around each corner.
    pub around: Lists,
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Lists {
    /// From pairs of a list and a number in it, each once; the numbers of a list are in order.
    pub fn new(count: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; count + 1];
        for &(list, _) in &pairs {
            starts[list as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Self {
            starts,
            numbers: pairs.into_iter().map(|(_, number)| number).collect(),
        }
    }

    /// A list.
    pub fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        let range: Range<usize> = self.starts[list] as usize..self.starts[list + 1] as usize;
        &self.numbers[range]
    }
}

impl Patches {
    /// Of a surface whose triangles have their middles in places [m].
    pub fn new(surface: &Surface, middles: &[DVec3]) -> Self {
        let tree = Tree::new(middles);
        let count = tree.leaf_count();
        let first = surface.vertices.start as u32;
        let vertex_count = surface.vertices.len();
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
        Self {
            corners: Lists::new(count, corners),
            vertices,
            edges: Lists::new(count, edges.collect()),
            around,
            tree,
        }
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
    pub fn grown(&self, patches: &[u32]) -> Vec<u32> {
        let corners = patches.iter().flat_map(|&patch| self.corners.of(patch));
        let mut grown: Vec<u32> = corners.flat_map(|&v| self.around.of(v)).copied().collect();
        grown.sort_unstable();
        grown.dedup();
        grown
    }
}
