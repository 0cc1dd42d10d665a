//! Boxes in a tree, to find those that overlap another one.
//!
//! The tree is built once, by where things are then or in the order in which they stand, and its boxes are
//! fitted anew when they have moved: triangles of cloth and particles of solids stay beside their neighbours.
//! Sixteen boxes that follow each other have one around
//! them, sixteen of these one more, and so on.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::DVec3;
use pliant_math::simd::{LANES, Pack};

use super::boxes::{Bounds, BoxRow, splat};
use crate::parallel;

/// Most items of a leaf.
pub const LEAF: usize = LANES;

/// Levels of boxes at most: more leaves than there are numbers for.
const MOST_LEVELS: usize = 9;

/// Rows of boxes that one task fits.
const ROWS_A_TASK: usize = 8;

/// What is known of leaves beside their boxes.
pub trait Certificate {
    /// Leaves, all in a row, that a leaf cannot meet; there may be more.
    fn apart(&self, leaf: u32) -> Range<u32>;

    /// True if two leaves, or one and itself, cannot meet.
    fn are_apart<P: Pack>(&self, one: u32, other: u32) -> bool;
}

/// Items by place, a few in each leaf.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Items in order of the leaves.
    order: Vec<u32>,
    /// First of the items of each leaf, and the end.
    starts: Vec<u32>,
    /// Items of each component, in order of the leaves.
    components: Vec<Range<usize>>,
    /// Boxes of the leaves, then boxes around each row of the level before; the last level is one row.
    levels: Vec<Vec<BoxRow>>,
}

impl Tree {
    /// A tree of items in places [m]; its boxes are still to be fitted.
    ///
    /// * `component` — of each item: those of one are in leaves of their own, as components drift apart
    pub fn new(places: &[DVec3], component: &[u32]) -> Self {
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(|&item| component[item as usize]);
        let of = |item: &u32| component[*item as usize];
        let components = order.chunk_by(|a, b| of(a) == of(b));
        let mut components: Vec<Component<'_>> = components
            .map(|items| {
                let bounds = Aabb::around(items.iter().map(|&item| places[item as usize]));
                (bounds.center(), items)
            })
            .collect();
        arrange(&mut components);
        let mut tree = Self {
            starts: vec![0],
            ..Self::default()
        };
        for (_, items) in components {
            let start = tree.order.len();
            tree.order.extend_from_slice(items);
            tree.split(places, start, tree.order.len());
            tree.components.push(start..tree.order.len());
        }
        tree.levels = levels(tree.leaf_count());
        tree
    }

    /// A tree of so many items that stand side by side already, one a leaf.
    pub fn of_leaves(count: usize) -> Self {
        Self {
            order: (0..count as u32).collect(),
            starts: (0..=count as u32).collect(),
            levels: levels(count),
            ..Self::default()
        }
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

    /// The leaves of the largest parts with at most so many items that halving of components led to.
    pub fn parts(&self, most: usize) -> Vec<Range<u32>> {
        let mut parts = Vec::new();
        for items in &self.components {
            self.add_parts(items.clone(), most, &mut parts);
        }
        parts
    }

    fn add_parts(&self, items: Range<usize>, most: usize, parts: &mut Vec<Range<u32>>) {
        if items.len() <= most.max(LEAF) {
            let leaf = |item: usize| {
                self.starts
                    .partition_point(|&start| (start as usize) < item)
            };
            parts.push(leaf(items.start) as u32..leaf(items.end) as u32);
        } else {
            let middle = items.start + middle(items.len());
            self.add_parts(items.start..middle, most, parts);
            self.add_parts(middle..items.end, most, parts);
        }
    }

    /// Fits the boxes of all levels to those of the leaves.
    pub fn fit(&mut self, bounds: impl Fn(usize) -> Bounds + Sync) {
        let count = self.leaf_count();
        let Some((leaves, levels)) = self.levels.split_first_mut() else {
            return;
        };
        parallel::for_chunks_of(leaves, ROWS_A_TASK, |first, rows| {
            for (k, row) in rows.iter_mut().enumerate() {
                let first_leaf = LANES * (first + k);
                for leaf in first_leaf..(first_leaf + LANES).min(count) {
                    row.set(leaf - first_leaf, &bounds(leaf));
                }
            }
        });
        let mut below = leaves;
        for level in levels {
            for (child, row) in below.iter().enumerate() {
                level[child / LANES].set(child % LANES, &row.around());
            }
            below = level;
        }
    }

    /// The box of a leaf.
    pub fn bounds(&self, leaf: u32) -> Bounds {
        let leaf = leaf as usize;
        self.levels[0][leaf / LANES].get(leaf % LANES)
    }

    /// Adds each leaf whose box overlaps a box, in their order, but for some.
    #[inline(always)]
    pub fn add_overlapping<P: Pack>(
        &self,
        bounds: &Bounds,
        without: Range<u32>,
        found: &mut Vec<u32>,
    ) {
        let is_left_out = |start: u32, end: u32| without.start <= start && end <= without.end;
        self.add_found::<P>(bounds, is_left_out, found);
    }

    /// The same of some leaves only.
    #[inline(always)]
    pub fn add_overlapping_of<P: Pack>(
        &self,
        bounds: &Bounds,
        leaves: Range<u32>,
        found: &mut Vec<u32>,
    ) {
        let is_left_out = |start: u32, end: u32| end <= leaves.start || leaves.end <= start;
        self.add_found::<P>(bounds, is_left_out, found);
    }

    /// Adds each leaf whose box overlaps a box, in their order.
    ///
    /// * `is_left_out` — whether leaves in a row, and the boxes around them, are passed over
    #[inline(always)]
    fn add_found<P: Pack>(
        &self,
        bounds: &Bounds,
        is_left_out: impl Fn(u32, u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        let bounds = splat::<P>(bounds);
        let Some(top) = self.levels.len().checked_sub(1) else {
            return;
        };
        // The row at hand of each level, and which of its boxes are still to be looked into.
        let mut open = [(0, 0); MOST_LEVELS];
        open[top] = (0, self.levels[top][0].overlapping(&bounds));
        let mut level = top;
        while level <= top {
            let (row, bits) = &mut open[level];
            if *bits == 0 {
                level += 1;
                continue;
            }
            let child = LANES * *row + bits.trailing_zeros() as usize;
            *bits &= *bits - 1;
            let span = LANES.pow(level as u32);
            let end = (span * (child + 1)).min(self.leaf_count()) as u32;
            let start = (span * child) as u32;
            if start >= end || is_left_out(start, end) {
                continue;
            }
            if level == 0 {
                found.push(start);
            } else {
                level -= 1;
                open[level] = (child, self.levels[level][child].overlapping(&bounds));
            }
        }
    }

    /// Adds each leaf that a leaf may meet, in their order.
    #[inline(always)]
    pub fn add_near<P: Pack>(
        &self,
        leaf: u32,
        certificate: &impl Certificate,
        found: &mut Vec<u32>,
    ) {
        let first = found.len();
        self.add_overlapping::<P>(&self.bounds(leaf), certificate.apart(leaf), found);
        let mut kept = first;
        for k in first..found.len() {
            let other = found[k];
            if !certificate.are_apart::<P>(leaf, other) {
                found[kept] = other;
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    /// Cuts `order[start..end]` into leaves: halves along the longest edge.
    fn split(&mut self, places: &[DVec3], start: usize, end: usize) {
        if end - start <= LEAF {
            self.starts.push(end as u32);
            return;
        }
        let items = &mut self.order[start..end];
        let axis = longest_axis(items.iter().map(|&i| places[i as usize]));
        let key = |i: &u32| places[*i as usize][axis];
        let middle = middle(items.len());
        items.select_nth_unstable_by(middle, |a, b| {
            key(a).total_cmp(&key(b)).then_with(|| a.cmp(b))
        });
        self.split(places, start, start + middle);
        self.split(places, start + middle, end);
    }
}

/// Middle [m] and items of a component.
type Component<'a> = (DVec3, &'a [u32]);

/// Orders components so that neighbours in space are neighbours in order: halves along the longest edge.
fn arrange(components: &mut [Component<'_>]) {
    if components.len() <= 1 {
        return;
    }
    let axis = longest_axis(components.iter().map(|(center, _)| *center));
    components.sort_unstable_by(|(a, one), (b, other)| {
        let by_place = a[axis].total_cmp(&b[axis]);
        by_place.then_with(|| one.cmp(other))
    });
    let (one, other) = components.split_at_mut(components.len() / 2);
    arrange(one);
    arrange(other);
}

/// The axis along which points extend furthest, of equal ones the first.
pub fn longest_axis(points: impl Iterator<Item = DVec3>) -> usize {
    let extent = Aabb::around(points).extent();
    (0..3).fold(0, |a, b| if extent[b] > extent[a] { b } else { a })
}

/// Boxes around nothing of so many leaves, and of the levels around them.
fn levels(leaves: usize) -> Vec<Vec<BoxRow>> {
    let mut levels = Vec::new();
    let mut count = leaves;
    while count > 0
        && levels
            .last()
            .is_none_or(|level: &Vec<BoxRow>| level.len() > 1)
    {
        count = count.div_ceil(LANES);
        levels.push(vec![BoxRow::NOWHERE; count]);
    }
    levels
}

/// How many items the first of two halves has: full leaves.
fn middle(count: usize) -> usize {
    (count / 2).next_multiple_of(LEAF)
}

#[cfg(test)]
mod tests {
    use pliant_math::simd::{Instructions, Job};
    use pliant_math::{RandomStream, Real};

    use super::*;

    fn point(random: &RandomStream, k: u64) -> DVec3 {
        DVec3::new(random.unit(k), random.unit(k + 1), random.unit(k + 2))
    }

    fn around(points: impl Iterator<Item = DVec3>, size: f64) -> Bounds {
        let bounds = Aabb::around(points);
        let (min, max) = (bounds.min - size, bounds.max + size);
        [min.x, min.y, min.z, max.x, max.y, max.z].map(|x| x as Real)
    }

    fn overlap(a: &Bounds, b: &Bounds) -> bool {
        (0..3).all(|k| a[k] <= b[k + 3] && b[k] <= a[k + 3])
    }

    struct Overlapping<'a> {
        tree: &'a Tree,
        bounds: Bounds,
        without: Range<u32>,
    }

    impl Job for Overlapping<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<P: Pack>(self) -> Vec<u32> {
            let mut found = Vec::new();
            self.tree
                .add_overlapping::<P>(&self.bounds, self.without, &mut found);
            found
        }
    }

    struct OverlappingOf<'a> {
        tree: &'a Tree,
        bounds: Bounds,
        leaves: Range<u32>,
    }

    impl Job for OverlappingOf<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<P: Pack>(self) -> Vec<u32> {
            let mut found = Vec::new();
            self.tree
                .add_overlapping_of::<P>(&self.bounds, self.leaves, &mut found);
            found
        }
    }

    #[test]
    fn all_leaves_that_overlap_are_found_once() {
        let random = RandomStream::new(5, 0);
        let places: Vec<DVec3> = (0..9000).map(|k| point(&random, 3 * k)).collect();
        let mut tree = Tree::new(&places, &vec![0; places.len()]);
        // Moved since the tree was built.
        let moved = |k: u32| places[k as usize] + 0.1 * point(&random, 50_000 + 3 * u64::from(k));
        let boxes: Vec<Bounds> = (0..tree.leaf_count() as u32)
            .map(|leaf| around(tree.items(leaf).iter().map(|&k| moved(k)), 0.01))
            .collect();
        tree.fit(|leaf| boxes[leaf]);
        for k in 0..50 {
            let bounds = around(std::iter::once(point(&random, 90_000 + 3 * k)), 0.1);
            let without = 5 * k as u32..9 * k as u32;
            let all = 0..boxes.len() as u32;
            let is_near = |&i: &u32| overlap(&boxes[i as usize], &bounds) && !without.contains(&i);
            let expected: Vec<u32> = all.filter(is_near).collect();
            for instructions in Instructions::available() {
                let found = instructions.run(Overlapping {
                    tree: &tree,
                    bounds,
                    without: without.clone(),
                });
                assert_eq!(found, expected);
                let of_some = instructions.run(OverlappingOf {
                    tree: &tree,
                    bounds,
                    leaves: without.clone(),
                });
                let is_near = |&i: &u32| overlap(&boxes[i as usize], &bounds);
                let expected: Vec<u32> = without.clone().filter(is_near).collect();
                assert_eq!(of_some, expected);
            }
        }
    }

    #[test]
    fn leaves_and_parts_hold_every_item_once() {
        let random = RandomStream::new(6, 0);
        let places: Vec<DVec3> = (0..500).map(|k| point(&random, 3 * k)).collect();
        // Of three components, each all over the place.
        let component: Vec<u32> = (0..500).map(|k| k * k % 3).collect();
        let tree = Tree::new(&places, &component);
        for most in [1, 12, 100, 1000] {
            let parts = tree.parts(most);
            let mut items = Vec::new();
            for part in &parts {
                let of_part = tree.items_of(part.clone());
                assert!(of_part.len() <= most.max(LEAF));
                let of = |item: u32| component[item as usize];
                assert!(of_part.iter().all(|&item| of(item) == of(of_part[0])));
                items.extend_from_slice(of_part);
            }
            items.sort_unstable();
            assert_eq!(items, (0..500).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_empty_tree_has_nothing() {
        let mut tree = Tree::new(&[], &[]);
        tree.fit(|_| [0.0; 6]);
        let found = Instructions::best().run(Overlapping {
            tree: &tree,
            bounds: [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0],
            without: 0..0,
        });
        assert!(found.is_empty());
    }
}
