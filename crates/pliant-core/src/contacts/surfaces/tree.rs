//! Boxes in a tree, to find those that overlap another one.
//!
//! The tree is built once, by where things are then, and its boxes are fitted anew in every substep:
//! triangles of cloth stay beside their neighbours.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::DVec3;

/// Most items of a leaf.
const LEAF: usize = 12;

/// A node: its box, the leaves below it, and the node after all below it.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// First leaf, and the one after the last; one for a leaf.
    leaves: (u32, u32),
    skip: u32,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.leaves.1 - self.leaves.0 == 1
    }
}

/// Items by place, a few in each leaf.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Depth first: below each node its first half, then its second.
    nodes: Vec<Node>,
    /// Items in order of the leaves.
    order: Vec<u32>,
    /// First of the items of each leaf, and the end.
    starts: Vec<u32>,
}

impl Tree {
    /// A tree of items in places [m]; its boxes are still to be fitted.
    pub fn new(places: &[DVec3]) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(places.len() / 2),
            order: (0..places.len() as u32).collect(),
            starts: vec![0],
        };
        if !places.is_empty() {
            tree.split(places, 0, places.len());
        }
        tree
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The items of a leaf.
    pub fn items(&self, leaf: u32) -> &[u32] {
        self.items_of(leaf..leaf + 1)
    }

    /// The items of leaves.
    pub fn items_of(&self, leaves: Range<u32>) -> &[u32] {
        let [start, end] = [leaves.start, leaves.end].map(|leaf| self.starts[leaf as usize]);
        &self.order[start as usize..end as usize]
    }

    /// The leaves below each of the highest nodes with at most so many items.
    pub fn parts(&self, most: usize) -> Vec<Range<u32>> {
        let mut parts = Vec::new();
        let mut number = 0;
        while let Some(node) = self.nodes.get(number) {
            let leaves = node.leaves.0..node.leaves.1;
            if node.is_leaf() || self.items_of(leaves.clone()).len() <= most {
                parts.push(leaves);
                number = node.skip as usize;
            } else {
                number += 1;
            }
        }
        parts
    }

    /// Fits the boxes of all nodes to those of the leaves.
    pub fn fit(&mut self, boxes: &[Aabb]) {
        for number in (0..self.nodes.len()).rev() {
            let node = self.nodes[number];
            self.nodes[number].bounds = if node.is_leaf() {
                boxes[node.leaves.0 as usize]
            } else {
                let first = &self.nodes[number + 1];
                union(first.bounds, self.nodes[first.skip as usize].bounds)
            };
        }
    }

    /// Calls `meet` with each leaf whose box overlaps a box, in their order, without some.
    pub fn overlapping(&self, bounds: &Aabb, without: Range<u32>, mut meet: impl FnMut(u32)) {
        let mut number = 0;
        while let Some(node) = self.nodes.get(number) {
            let is_left_out = without.start <= node.leaves.0 && node.leaves.1 <= without.end;
            if is_left_out || !overlap(&node.bounds, bounds) {
                number = node.skip as usize;
                continue;
            }
            if node.is_leaf() {
                meet(node.leaves.0);
            }
            number += 1;
        }
    }

    /// Makes the node of `order[start..end]` and those below it: halves along the longest edge.
    fn split(&mut self, places: &[DVec3], start: usize, end: usize) {
        let number = self.nodes.len();
        let first_leaf = self.leaf_count() as u32;
        self.nodes.push(Node {
            bounds: Aabb::EMPTY,
            leaves: (first_leaf, first_leaf),
            skip: 0,
        });
        if end - start <= LEAF {
            self.starts.push(end as u32);
        } else {
            let items = &mut self.order[start..end];
            let bounds = Aabb::around(items.iter().map(|&i| places[i as usize]));
            let extent = bounds.extent();
            let axis = (0..3).fold(0, |a, b| if extent[b] > extent[a] { b } else { a });
            let key = |i: &u32| places[*i as usize][axis];
            let middle = items.len() / 2;
            items.select_nth_unstable_by(middle, |a, b| {
                key(a).total_cmp(&key(b)).then_with(|| a.cmp(b))
            });
            self.split(places, start, start + middle);
            self.split(places, start + middle, end);
        }
        self.nodes[number].leaves.1 = self.leaf_count() as u32;
        self.nodes[number].skip = self.nodes.len() as u32;
    }
}

/// The smallest box around two.
pub fn union(a: Aabb, b: Aabb) -> Aabb {
    Aabb {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    }
}

/// True if two boxes have a point in common.
pub fn overlap(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    fn point(random: &RandomStream, k: u64) -> DVec3 {
        DVec3::new(random.unit(k), random.unit(k + 1), random.unit(k + 2))
    }

    fn around(x: DVec3, size: f64) -> Aabb {
        Aabb {
            min: x - size,
            max: x + size,
        }
    }

    #[test]
    fn all_leaves_that_overlap_are_found_once() {
        let random = RandomStream::new(5, 0);
        let places: Vec<DVec3> = (0..300).map(|k| point(&random, 3 * k)).collect();
        let mut tree = Tree::new(&places);
        // Moved since the tree was built.
        let moved = |k: u32| places[k as usize] + 0.1 * point(&random, 2000 + 3 * u64::from(k));
        let boxes: Vec<Aabb> = (0..tree.leaf_count() as u32)
            .map(|leaf| {
                let items = tree.items(leaf).iter();
                let around_each = items.map(|&k| around(moved(k), 0.04));
                around_each.fold(Aabb::EMPTY, union)
            })
            .collect();
        tree.fit(&boxes);
        for k in 0..50 {
            let query = around(point(&random, 5000 + 3 * k), 0.1);
            let left_out = k as u32 / 4..k as u32 / 3;
            let mut found = Vec::new();
            tree.overlapping(&query, left_out.clone(), |leaf| found.push(leaf));
            // Whole nodes are left out, so a leaf of those may still be named.
            found.retain(|leaf| !left_out.contains(leaf));
            let all = 0..boxes.len() as u32;
            let expected: Vec<u32> = all
                .filter(|&i| overlap(&boxes[i as usize], &query) && !left_out.contains(&i))
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn leaves_and_parts_hold_every_item_once() {
        let random = RandomStream::new(6, 0);
        let places: Vec<DVec3> = (0..500).map(|k| point(&random, 3 * k)).collect();
        let tree = Tree::new(&places);
        for most in [1, 12, 100, 1000] {
            let parts = tree.parts(most);
            let mut items = Vec::new();
            for part in &parts {
                let of_part = tree.items_of(part.clone());
                assert!(of_part.len() <= most.max(LEAF));
                items.extend_from_slice(of_part);
            }
            items.sort_unstable();
            assert_eq!(items, (0..500).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_empty_tree_has_nothing() {
        let mut tree = Tree::new(&[]);
        tree.fit(&[]);
        let everywhere = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        };
        tree.overlapping(&everywhere, 0..0, |leaf| panic!("{leaf}"));
    }
}
