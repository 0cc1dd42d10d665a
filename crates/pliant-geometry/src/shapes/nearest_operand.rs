//! The nearest of many shapes, through a tree of the boxes around them.

use pliant_math::DVec3;

use crate::Aabb;

/// Most shapes in a box that is not split further.
const LEAF: usize = 2;

/// Shapes in the order of a tree: each range is split in its middle along the longest edge of the box
/// around the middles of their boxes.
#[derive(Debug)]
pub(super) struct NearestOperand {
    items: Vec<Item>,
    boxes: Vec<Node>,
    /// Those without end.
    endless: Vec<usize>,
}

/// A box of a tree, which is followed by those of its first half and then those of its second.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// How many boxes its first half has.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    number: usize,
    bounds: Aabb,
}

impl NearestOperand {
    /// Of shapes by their numbers and the boxes around them.
    pub(super) fn new(all: impl Iterator<Item = (usize, Option<Aabb>)>) -> Self {
        let (mut items, mut endless) = (Vec::new(), Vec::new());
        for (number, bounds) in all {
            match bounds {
                Some(bounds) => items.push(Item { number, bounds }),
                None => endless.push(number),
            }
        }
        let mut boxes = Vec::new();
        if !items.is_empty() {
            split(&mut items, &mut boxes);
        }
        Self {
            items,
            boxes,
            endless,
        }
    }

    /// The least signed distance [m] of a shape to a point, and its number, of several the least.
    ///
    /// * `distance` — that of a shape by its number
    pub(super) fn of(&self, point: DVec3, distance: impl Fn(usize) -> f64) -> (f64, usize) {
        let mut best = (f64::INFINITY, usize::MAX);
        for &number in &self.endless {
            take(&mut best, (distance(number), number));
        }
        if !self.items.is_empty() {
            search(&self.items, &self.boxes, point, &distance, &mut best);
        }
        best
    }
}

fn take(best: &mut (f64, usize), other: (f64, usize)) {
    if other.0 < best.0 || (other.0 == best.0 && other.1 < best.1) {
        *best = other;
    }
}

fn split(items: &mut [Item], boxes: &mut Vec<Node>) {
    let around = items.iter().map(|item| item.bounds);
    let own = boxes.len();
    boxes.push(Node {
        bounds: around.fold(Aabb::EMPTY, Aabb::union),
        first: 0,
    });
    if items.len() <= LEAF {
        return;
    }
    let extent = Aabb::around(items.iter().map(|item| item.bounds.center())).extent();
    let axis = extent.max_position();
    let key = |item: &Item| item.bounds.center()[axis];
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        key(a).total_cmp(&key(b)).then(a.number.cmp(&b.number))
    });
    let (first, second) = items.split_at_mut(middle);
    split(first, boxes);
    boxes[own].first = boxes.len() - own - 1;
    split(second, boxes);
}

fn search(
    items: &[Item],
    boxes: &[Node],
    point: DVec3,
    distance: &impl Fn(usize) -> f64,
    best: &mut (f64, usize),
) {
    if items.len() <= LEAF {
        for item in items {
            if least(&item.bounds, point) <= best.0 {
                take(best, (distance(item.number), item.number));
            }
        }
        return;
    }
    let (first, second) = items.split_at(items.len() / 2);
    let (of_first, of_second) = boxes[1..].split_at(boxes[0].first);
    let mut halves = [
        (least(&of_first[0].bounds, point), first, of_first),
        (least(&of_second[0].bounds, point), second, of_second),
    ];
    if halves[1].0 < halves[0].0 {
        halves.swap(0, 1);
    }
    for (least, items, boxes) in halves {
        if least <= best.0 {
            search(items, boxes, point, distance, best);
        }
    }
}

/// The least signed distance [m] that a shape in a box can have: that of the box, as no point of the
/// shape is deeper in it than in the box.
fn least(bounds: &Aabb, point: DVec3) -> f64 {
    let beyond = (bounds.min - point).max(point - bounds.max);
    let outside = beyond.max(DVec3::ZERO).length();
    if outside > 0.0 {
        outside
    } else {
        beyond.max_element()
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    #[test]
    fn the_nearest_operand_equals_a_brute_force_search() {
        let random = RandomStream::new(7, 0);
        let at = |i: u64| DVec3::from(std::array::from_fn(|k| random.unit(3 * i + k as u64)));
        for count in [1, 2, 3, 40, 200] {
            // Balls that overlap, two of them the same, and a half space.
            let ball = |i: usize| {
                (
                    at(i as u64 / 2),
                    0.02 + 0.1 * random.unit(9000 + i as u64 / 2),
                )
            };
            let distance = |i: usize, x: DVec3| match i {
                0 => x.y - 0.05,
                i => x.distance(ball(i).0) - ball(i).1,
            };
            let bounds = |i: usize| {
                let (center, radius) = ball(i);
                (i > 0).then(|| Aabb::around([center]).grown(radius))
            };
            let nearest = NearestOperand::new((0..count).map(|i| (i, bounds(i))));
            for x in (5000..5300).map(|i| 1.4 * at(i) - DVec3::splat(0.2)) {
                let all = (0..count).map(|i| (distance(i, x), i));
                let expected = all.reduce(|a, b| if b.0 < a.0 { b } else { a });
                assert_eq!(Some(nearest.of(x, |i| distance(i, x))), expected);
            }
        }
    }
}
