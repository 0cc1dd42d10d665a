//! Boxes in a tree, to find those that overlap another one.
//!
//! The tree is built once, by where things are then, and its boxes are fitted anew in every substep:
//! triangles of cloth stay beside their neighbours.

use pliant_geometry::Aabb;
use pliant_math::DVec3;

/// Items of a leaf.
const LEAF: usize = 4;

/// A node: its box, its items, and the node after all below it.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// First and last but one of the items of a leaf; empty for other nodes.
    items: (u32, u32),
    skip: u32,
}

/// Items by place.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Depth first: below each node its first half, then its second.
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// A tree of items in places [m]; their boxes are still to be fitted.
    pub fn new(places: &[DVec3]) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(places.len()),
            order: (0..places.len() as u32).collect(),
        };
        if !places.is_empty() {
            tree.split(places, 0, places.len());
        }
        tree
    }

    /// Fits the boxes of all nodes to those of the items.
    pub fn fit(&mut self, boxes: &[Aabb]) {
        for number in (0..self.nodes.len()).rev() {
            let (start, end) = self.nodes[number].items;
            let bounds = if start < end {
                let items = self.items(&self.nodes[number]);
                let boxes = items.iter().map(|&item| boxes[item as usize]);
                boxes.fold(Aabb::EMPTY, union)
            } else {
                let first = &self.nodes[number + 1];
                union(first.bounds, self.nodes[first.skip as usize].bounds)
            };
            self.nodes[number].bounds = bounds;
        }
    }

    /// Calls `meet` with each item of the leaves whose boxes overlap a box, in the order of the tree.
    pub fn overlapping(&self, bounds: &Aabb, mut meet: impl FnMut(u32)) {
        let mut number = 0;
        while let Some(node) = self.nodes.get(number) {
            if !overlap(&node.bounds, bounds) {
                number = node.skip as usize;
                continue;
            }
            self.items(node).iter().for_each(|&item| meet(item));
            number += 1;
        }
    }

    /// The leaves, each a number to ask [`Self::meeting_leaf`] with.
    pub fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        let is_leaf = |number: &u32| {
            let (start, end) = self.nodes[*number as usize].items;
            start < end
        };
        (0..self.nodes.len() as u32).filter(is_leaf)
    }

    /// Calls `meet` with each two items of which the first is in a leaf and the second in it too, after
    /// the first, or in a later leaf whose box overlaps that of the first.
    pub fn meeting_leaf(&self, leaf: u32, boxes: &[Aabb], mut meet: impl FnMut(u32, u32)) {
        let node = &self.nodes[leaf as usize];
        let own = self.items(node);
        for (k, &one) in own.iter().enumerate() {
            own[k + 1..].iter().for_each(|&other| meet(one, other));
        }
        let mut number = node.skip as usize;
        while let Some(other) = self.nodes.get(number) {
            if !overlap(&node.bounds, &other.bounds) {
                number = other.skip as usize;
                continue;
            }
            let near = own.iter();
            for &one in near.filter(|&&one| overlap(&boxes[one as usize], &other.bounds)) {
                let others = self.items(other).iter();
                others.for_each(|&other| meet(one, other));
            }
            number += 1;
        }
    }

    fn items(&self, node: &Node) -> &[u32] {
        let (start, end) = node.items;
        &self.order[start as usize..end as usize]
    }

    /// Makes the node of `order[start..end]` and those below it: halves along the longest edge.
    fn split(&mut self, places: &[DVec3], start: usize, end: usize) {
        let number = self.nodes.len();
        let is_leaf = end - start <= LEAF;
        self.nodes.push(Node {
            bounds: Aabb::EMPTY,
            items: if is_leaf {
                (start as u32, end as u32)
            } else {
                (0, 0)
            },
            skip: 0,
        });
        if !is_leaf {
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

    #[test]
    fn all_that_overlaps_is_found_once() {
        let random = RandomStream::new(5, 0);
        let point = |k: u64| DVec3::new(random.unit(k), random.unit(k + 1), random.unit(k + 2));
        let places: Vec<DVec3> = (0..300).map(|k| point(3 * k)).collect();
        let mut tree = Tree::new(&places);
        let around = |x: DVec3, size: f64| Aabb {
            min: x - size,
            max: x + size,
        };
        // Moved since the tree was built.
        let boxes: Vec<Aabb> = (0..300)
            .map(|k| around(places[k] + 0.1 * point(2000 + 3 * k as u64), 0.04))
            .collect();
        tree.fit(&boxes);
        for k in 0..50 {
            let query = around(point(5000 + 3 * k), 0.1);
            let mut found = Vec::new();
            tree.overlapping(&query, |item| {
                if overlap(&boxes[item as usize], &query) {
                    found.push(item);
                }
            });
            found.sort_unstable();
            let all = 0..300u32;
            let expected: Vec<u32> = all
                .filter(|&i| overlap(&boxes[i as usize], &query))
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn all_that_overlaps_each_other_is_found_once() {
        let random = RandomStream::new(6, 0);
        let point = |k: u64| DVec3::new(random.unit(k), random.unit(k + 1), random.unit(k + 2));
        let places: Vec<DVec3> = (0..200).map(|k| point(3 * k)).collect();
        let boxes: Vec<Aabb> = places
            .iter()
            .map(|&x| Aabb {
                min: x - 0.06,
                max: x + 0.06,
            })
            .collect();
        let mut tree = Tree::new(&places);
        tree.fit(&boxes);
        let meets = |a: u32, b: u32| overlap(&boxes[a as usize], &boxes[b as usize]);
        let mut found = Vec::new();
        for leaf in tree.leaves() {
            tree.meeting_leaf(leaf, &boxes, |a, b| {
                if meets(a, b) {
                    found.push((a.min(b), a.max(b)));
                }
            });
        }
        found.sort_unstable();
        let pairs = (0..200u32).flat_map(|a| (a + 1..200).map(move |b| (a, b)));
        let expected: Vec<(u32, u32)> = pairs.filter(|&(a, b)| meets(a, b)).collect();
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }

    #[test]
    fn an_empty_tree_has_nothing() {
        let mut tree = Tree::new(&[]);
        tree.fit(&[]);
        let everywhere = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        };
        tree.overlapping(&everywhere, |item| panic!("{item}"));
    }
}
