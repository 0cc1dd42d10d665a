//! Which triangles of a mesh may be near each other, through a tree of boxes.

use pliant_math::DVec3;

use crate::halving::{Node, halved, halves};
use crate::work::{Loop, collect_chunks};
use crate::{Aabb, TriangleMesh};

/// Most triangles in a box that is not split further.
const LEAF: usize = 4;

/// Pairs of boxes are told apart before they are shared out, until there are so many.
const TASKS: usize = 64;

/// The triangles of a mesh in a tree of boxes.
#[derive(Clone, Debug)]
pub struct TriangleTree {
    boxes: Vec<(Aabb, u32)>,
    nodes: Vec<Node<Aabb>>,
}

/// A range of the boxes and its nodes.
type Part<'a> = (&'a [(Aabb, u32)], &'a [Node<Aabb>]);

impl TriangleTree {
    /// Of some triangles of a mesh.
    pub fn new(mesh: &TriangleMesh, triangles: impl IntoIterator<Item = u32>) -> Self {
        let boxed = |number: u32| (Aabb::around(mesh.corners(number as usize)), number);
        let mut boxes: Vec<(Aabb, u32)> = triangles.into_iter().map(boxed).collect();
        let around = |part: &[(Aabb, u32)]| {
            let union = |all: Aabb, (own, _): &(Aabb, u32)| all.union(*own);
            part.iter().fold(Aabb::EMPTY, union)
        };
        let nodes = halved(&mut boxes, LEAF, &|(own, _)| own.center(), &around);
        Self { boxes, nodes }
    }

    /// Pairs of triangles, the lesser first, ascending, whose boxes are no farther apart than a distance [m] along
    /// any axis, and which a test passes. The test runs in the pieces of a loop.
    pub fn pairs(
        &self,
        distance: f64,
        passes: impl Fn([u32; 2]) -> bool + Sync,
        run: Loop,
    ) -> Vec<[u32; 2]> {
        let root: Part<'_> = (&self.boxes, &self.nodes);
        let mut tasks = vec![[root, root]];
        while !tasks.is_empty() && tasks.len() < TASKS {
            let split: Vec<_> = tasks.iter().map(|&pair| parts(pair, distance)).collect();
            if split.iter().all(Option::is_none) {
                break;
            }
            let next = split.into_iter().zip(&tasks);
            tasks = next
                .flat_map(|(split, &own)| split.unwrap_or_else(|| vec![own]))
                .collect();
        }
        let found = collect_chunks(run, tasks.len(), 1, |range| {
            let mut found = Vec::new();
            for &task in &tasks[range] {
                search(task, distance, &passes, &mut found);
            }
            found
        });
        let mut pairs = found.concat();
        pairs.sort_unstable();
        pairs
    }
}

/// Pairs of parts that a pair of parts consists of, without those that are too far apart; `None` if it is a pair of
/// leaves.
fn parts<'a>([one, other]: [Part<'a>; 2], distance: f64) -> Option<Vec<[Part<'a>; 2]>> {
    let is_same = std::ptr::eq(one.0, other.0);
    let all = match [one.0.len(), other.0.len()] {
        [a, b] if a <= LEAF && b <= LEAF => return None,
        _ if is_same => {
            let [first, second] = halves(one.0, one.1);
            vec![[first, first], [second, second], [first, second]]
        }
        [a, b] if a >= b => halves(one.0, one.1).map(|half| [half, other]).to_vec(),
        _ => halves(other.0, other.1).map(|half| [one, half]).to_vec(),
    };
    let is_near = |[one, other]: &[Part<'a>; 2]| {
        std::ptr::eq(one.0, other.0) || are_near(&one.1[0].of, &other.1[0].of, distance)
    };
    Some(all.into_iter().filter(is_near).collect())
}

fn search(
    pair: [Part<'_>; 2],
    distance: f64,
    passes: &impl Fn([u32; 2]) -> bool,
    found: &mut Vec<[u32; 2]>,
) {
    if let Some(parts) = parts(pair, distance) {
        for part in parts {
            search(part, distance, passes, found);
        }
        return;
    }
    let [(one, _), (other, _)] = pair;
    for (place, (of_one, a)) in one.iter().enumerate() {
        let from = if std::ptr::eq(one, other) {
            place + 1
        } else {
            0
        };
        for (of_other, b) in &other[from..] {
            let pair = [*a.min(b), *a.max(b)];
            if are_near(of_one, of_other, distance) && passes(pair) {
                found.push(pair);
            }
        }
    }
}

fn are_near(one: &Aabb, other: &Aabb, distance: f64) -> bool {
    let margin = DVec3::splat(distance);
    one.min.cmple(other.max + margin).all() && other.min.cmple(one.max + margin).all()
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;
    use crate::work::in_order;
    use crate::work::tests::backwards_on_threads;

    #[test]
    fn pairs_equal_a_brute_force_search() {
        let random = RandomStream::new(8, 0);
        let at = |i: u64| DVec3::from(std::array::from_fn(|k| random.unit(3 * i + k as u64)));
        for count in [0, 1, 4, 5, 300] {
            let vertices = (0..3 * count).map(|i| at(i / 3) + 0.3 * at(1000 + i));
            let mesh = TriangleMesh {
                vertices: vertices.collect(),
                triangles: (0..count as u32)
                    .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
                    .collect(),
            };
            let numbers = (0..count as u32).filter(|t| t % 7 != 3);
            let tree = TriangleTree::new(&mesh, numbers.clone());
            for distance in [0.0, 0.05] {
                let around = |t: u32| Aabb::around(mesh.corners(t as usize));
                let passes = |[a, b]: [u32; 2]| (a + b) % 3 != 0;
                let pairs = numbers
                    .clone()
                    .flat_map(|a| numbers.clone().map(move |b| [a, b]));
                let expected: Vec<[u32; 2]> = pairs
                    .filter(|&[a, b]| a < b && passes([a, b]))
                    .filter(|&[a, b]| around(a).grown(distance).overlaps(&around(b)))
                    .collect();
                assert!(count < 300 || expected.len() > 100);
                assert_eq!(tree.pairs(distance, passes, in_order), expected);
                assert_eq!(tree.pairs(distance, passes, backwards_on_threads), expected);
            }
        }
    }
}
