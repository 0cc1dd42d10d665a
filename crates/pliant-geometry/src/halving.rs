//! Items in space in the order of a tree of halves.

use pliant_math::DVec3;

use crate::Aabb;

/// What is known of a range of items. It is followed by the nodes of its first half and then those of its second; a
/// range that is not split has no others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node<N> {
    /// What is known.
    pub(crate) of: N,
    /// How many nodes its first half has.
    pub(crate) first: usize,
}

/// Puts items into the order of a tree, and returns its nodes: each range of more than `leaf` items is split in its
/// middle along the longest edge of the box around their centres.
///
/// * `about` — what is known of a range
pub(crate) fn halved<T, N>(
    items: &mut [T],
    leaf: usize,
    center: &impl Fn(&T) -> DVec3,
    about: &impl Fn(&[T]) -> N,
) -> Vec<Node<N>> {
    let mut nodes = Vec::new();
    split(items, leaf, center, about, &mut nodes);
    nodes
}

fn split<T, N>(
    items: &mut [T],
    leaf: usize,
    center: &impl Fn(&T) -> DVec3,
    about: &impl Fn(&[T]) -> N,
    nodes: &mut Vec<Node<N>>,
) {
    let own = nodes.len();
    nodes.push(Node {
        of: about(items),
        first: 0,
    });
    if items.len() <= leaf {
        return;
    }
    let extent = Aabb::around(items.iter().map(center)).extent();
    let axis = extent.max_position();
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| center(a)[axis].total_cmp(&center(b)[axis]));
    let (first, second) = items.split_at_mut(middle);
    split(first, leaf, center, about, nodes);
    nodes[own].first = nodes.len() - own - 1;
    split(second, leaf, center, about, nodes);
}

/// The two halves of a range that was split, each with its nodes.
#[inline]
pub(crate) fn halves<'a, T, N>(
    items: &'a [T],
    nodes: &'a [Node<N>],
) -> [(&'a [T], &'a [Node<N>]); 2] {
    let (first, second) = items.split_at(items.len() / 2);
    let (of_first, of_second) = nodes[1..].split_at(nodes[0].first);
    [(first, of_first), (second, of_second)]
}
