//! Which parts of the second mesh lie inside of the first.

use std::collections::BTreeMap;

use super::{Arrangement, Part};
use crate::TriangleMesh;
use crate::topology::DisjointSets;
use pliant_math::DVec3;

impl Arrangement {
    /// For each part of the second mesh whether it lies inside of the first, which is closed: what hangs
    /// together without a curve between is decided as one.
    ///
    /// * `first` — as it was given
    /// * `is_inside` — whether a point [m] lies inside of it, asked where no curve tells
    pub fn inside_first(
        &self,
        first: &TriangleMesh,
        is_inside: impl Fn(DVec3) -> bool,
    ) -> Vec<bool> {
        let parts = &self.parts[1];
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let curves: BTreeMap<[u32; 2], u32> = self
            .curves
            .iter()
            .map(|segment| (sorted(segment.ends), segment.triangles[0]))
            .collect();
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * parts.len());
        for (number, part) in (0..).zip(parts) {
            let [a, b, c] = part.corners;
            sides.extend([[a, b], [b, c], [c, a]].map(|edge| (sorted(edge), number)));
        }
        sides.sort_unstable();
        let mut sets = DisjointSets::new(parts.len());
        // How much of each part is inside by the curves at it, less what is outside.
        let mut votes = vec![0.0; parts.len()];
        for at_edge in sides.chunk_by(|a, b| a.0 == b.0) {
            match curves.get(&at_edge[0].0) {
                Some(&triangle) => {
                    for &(_, number) in at_edge {
                        votes[number as usize] +=
                            self.depth(first, triangle, &parts[number as usize]);
                    }
                }
                None => {
                    for pair in at_edge.windows(2) {
                        sets.join(pair[0].1, pair[1].1);
                    }
                }
            }
        }
        let roots: Vec<u32> = (0..parts.len() as u32).map(|k| sets.root(k)).collect();
        let mut sums = vec![0.0; parts.len()];
        for (vote, &root) in votes.iter().zip(&roots) {
            sums[root as usize] += vote;
        }
        let mut known: BTreeMap<u32, bool> = BTreeMap::new();
        let decided = roots.iter().map(|&root| {
            *known
                .entry(root)
                .or_insert_with(|| match sums[root as usize] {
                    0.0 => is_inside(self.middle(&parts[root as usize])),
                    sum => sum > 0.0,
                })
        });
        decided.collect()
    }

    /// How far the middle of a part is behind a triangle of the first mesh [m], times its area [m²].
    fn depth(&self, first: &TriangleMesh, triangle: u32, part: &Part) -> f64 {
        let [a, b, c] = first.corners(triangle as usize);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let [p, q, r] = part.corners.map(|corner| self.points[corner as usize]);
        let area = 0.5 * (q - p).cross(r - p).length();
        area * normal.dot(a - self.middle(part))
    }

    /// The middle of a part [m].
    pub fn middle(&self, part: &Part) -> DVec3 {
        part.corners
            .map(|corner| self.points[corner as usize])
            .iter()
            .sum::<DVec3>()
            / 3.0
    }
}
