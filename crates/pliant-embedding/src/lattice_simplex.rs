//! Simplices of the lattice that cuts are sampled on, and which of their nodes are on one side.

use std::collections::BTreeMap;

/// The nodes of an edge, a triangle or a tetrahedron, increasing, `u32::MAX` behind the last.
pub(super) type Simplex = [u32; 4];

/// The simplex of some nodes, of at most four different ones.
pub(super) fn simplex(nodes: impl IntoIterator<Item = u32>) -> Simplex {
    let mut all = [u32::MAX; 4];
    let mut count = 0;
    for node in nodes {
        if node != u32::MAX && !all.contains(&node) && count < 4 {
            all[count] = node;
            count += 1;
        }
    }
    all.sort_unstable();
    all
}

/// The nodes of a simplex.
pub(super) fn nodes(simplex: Simplex) -> impl Iterator<Item = u32> {
    simplex.into_iter().filter(|node| *node != u32::MAX)
}

/// Nodes of simplices that are on one side where a crack goes through these: they hold together in a tetrahedron
/// around, beyond the end of the crack.
#[derive(Debug, Default)]
pub(super) struct Joined(BTreeMap<Simplex, Vec<[u32; 2]>>);

impl Joined {
    /// Makes the sides of two nodes one where a crack goes through a simplex.
    pub fn join(&mut self, within: Simplex, nodes: [u32; 2]) {
        let joined = self.0.entry(within).or_default();
        if !joined.contains(&nodes) {
            joined.push(nodes);
        }
    }

    /// Whether two nodes hold together in one tetrahedron around a simplex.
    pub fn has(&self, within: Simplex, [a, b]: [u32; 2]) -> bool {
        let joined = self.0.get(&within).map_or(&[][..], Vec::as_slice);
        joined.contains(&[a, b]) || joined.contains(&[b, a])
    }

    /// The nodes that are on the side of one of them, it among them, increasing, where a crack goes through a
    /// simplex.
    pub fn side_of(&self, within: Simplex, node: u32) -> Vec<u32> {
        let mut all = vec![node];
        let joined = self.0.get(&within).map_or(&[][..], Vec::as_slice);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_what_hangs_together() {
        let within = simplex([9, 2, 5, 7]);
        assert_eq!(within, [2, 5, 7, 9]);
        let mut joined = Joined::default();
        joined.join(within, [9, 2]);
        joined.join(within, [5, 9]);
        assert_eq!(joined.side_of(within, 2), [2, 5, 9]);
        assert_eq!(joined.side_of(within, 7), [7]);
        assert_eq!(joined.side_of(simplex([2, 5]), 2), [2]);
        assert_eq!(simplex([4, 1, 4, u32::MAX]), [1, 4, u32::MAX, u32::MAX]);
    }
}
