//! The nearest of many triangles, through a tree of boxes.

use pliant_math::DVec3;

use crate::halving::{Node, halved, halves};
use crate::triangle::{Feature, Triangle};
use crate::{Aabb, TriangleMesh};

/// Most triangles in a box that is not split further.
const LEAF: usize = 4;

/// What rounding may make of a squared distance, as a part of it.
const ROUNDING: f64 = 1e-9;

/// Triangles in the order of a tree: each range is split in its middle along the longest edge of the
/// box around the triangles' centres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NearestTriangle {
    triangles: Vec<Numbered>,
    /// Where the triangle of a number is in this order.
    places: Vec<u32>,
    boxes: Vec<Node<Aabb>>,
}

/// A triangle and its number in the mesh.
#[derive(Clone, Debug, PartialEq)]
struct Numbered {
    triangle: Triangle,
    number: u32,
}

/// A triangle and the way from its nearest point to a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// From the triangle to the place [m].
    pub(crate) offset: DVec3,
    /// Unit normal of the triangle, zero if it has no area.
    pub(crate) normal: DVec3,
    /// Number of the triangle in the mesh, and what of it is nearest; `None` without triangles.
    pub(crate) feature: Option<(u32, Feature)>,
}

impl NearestTriangle {
    pub(crate) fn new(mesh: &TriangleMesh) -> Self {
        let corners = (0..mesh.triangles.len()).map(|t| (mesh.corners(t), t as u32));
        let mut corners: Vec<_> = corners.collect();
        let center = |([a, b, c], _): &([DVec3; 3], u32)| *a + *b + *c;
        let around = |part: &[([DVec3; 3], u32)]| {
            Aabb::around(part.iter().flat_map(|(corners, _)| *corners))
        };
        let boxes = halved(&mut corners, LEAF, &center, &around);
        let triangles = corners.into_iter().map(|(corners, number)| Numbered {
            triangle: Triangle::new(corners),
            number,
        });
        let triangles: Vec<Numbered> = triangles.collect();
        let mut places = vec![0; triangles.len()];
        for (place, numbered) in (0..).zip(&triangles) {
            places[numbered.number as usize] = place;
        }
        Self {
            triangles,
            places,
            boxes,
        }
    }

    /// Goes on with the same triangles elsewhere: `corners` gives those of each by its number. Boxes are fitted
    /// anew, and stay those of the same triangles.
    pub(crate) fn refit(&mut self, corners: impl Fn(u32) -> [DVec3; 3]) {
        for numbered in &mut self.triangles {
            numbered.triangle = Triangle::new(corners(numbered.number));
        }
        refit(&self.triangles, &mut self.boxes);
    }

    /// What is nearest to a place; the place itself is the offset if there are no triangles.
    pub(crate) fn of(&self, place: DVec3) -> Nearest {
        self.within(place, f64::INFINITY)
    }

    /// The same, of a place that may be near to a triangle, by its number: nothing farther away is looked at, which
    /// changes no bit of what is found.
    pub(crate) fn of_near(&self, place: DVec3, near: u32) -> Nearest {
        let near = self.places.get(near as usize);
        let near = near.map(|&place| &self.triangles[place as usize].triangle);
        let square = near.map_or(f64::INFINITY, |near| {
            near.distance_squared(place) * (1.0 + ROUNDING)
        });
        let nearest = self.within(place, square);
        match nearest.feature {
            Some(_) => nearest,
            None => self.of(place),
        }
    }

    /// What is nearest to a place if its squared distance [m2] is less.
    fn within(&self, place: DVec3, square: f64) -> Nearest {
        let mut best = Best {
            square,
            offset: place,
            nearest: None,
        };
        search(&self.triangles, &self.boxes, place, &mut best);
        Nearest {
            offset: best.offset,
            normal: (best.nearest).map_or(DVec3::ZERO, |(nearest, _)| nearest.triangle.normal()),
            feature: best
                .nearest
                .map(|(nearest, feature)| (nearest.number, feature)),
        }
    }
}

struct Best<'a> {
    square: f64,
    offset: DVec3,
    nearest: Option<(&'a Numbered, Feature)>,
}

/// Fits the boxes of a range of triangles, and returns the one around all.
fn refit(triangles: &[Numbered], boxes: &mut [Node<Aabb>]) -> Aabb {
    let bounds = if triangles.len() <= LEAF {
        let corners = triangles.iter().flat_map(|own| own.triangle.corners());
        Aabb::around(corners)
    } else {
        let first_count = boxes[0].first;
        let (first, second) = triangles.split_at(triangles.len() / 2);
        let (of_first, of_second) = boxes[1..].split_at_mut(first_count);
        refit(first, of_first).union(refit(second, of_second))
    };
    boxes[0].of = bounds;
    bounds
}

fn search<'a>(
    triangles: &'a [Numbered],
    boxes: &'a [Node<Aabb>],
    place: DVec3,
    best: &mut Best<'a>,
) {
    if triangles.len() <= LEAF {
        for numbered in triangles {
            let (offset, feature) = numbered.triangle.nearest(place);
            if offset.length_squared() < best.square {
                *best = Best {
                    square: offset.length_squared(),
                    offset,
                    nearest: Some((numbered, feature)),
                };
            }
        }
        return;
    }
    let mut halves = halves(triangles, boxes).map(|(part, of_part)| {
        let Aabb { min, max } = of_part[0].of;
        let square = place.distance_squared(place.clamp(min, max));
        (square, part, of_part)
    });
    if halves[1].0 < halves[0].0 {
        halves.swap(0, 1);
    }
    for (square, triangles, boxes) in halves {
        if square < best.square {
            search(triangles, boxes, place, best);
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    #[test]
    fn nearest_triangles_equal_a_brute_force_search() {
        let random = RandomStream::new(5, 0);
        let at = |i: u64| DVec3::from(std::array::from_fn(|k| random.unit(3 * i + k as u64)));
        for count in [1, 4, 5, 300] {
            let vertices = (0..3 * count).map(|i| at(i / 3) + 0.2 * at(1000 + i));
            let mesh = TriangleMesh {
                vertices: vertices.collect(),
                triangles: (0..count as u32)
                    .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
                    .collect(),
            };
            let tree = NearestTriangle::new(&mesh);
            for place in (5000..5300).map(|i| 2.0 * at(i) - DVec3::splat(0.5)) {
                let squares = (0..mesh.triangles.len())
                    .map(|t| Triangle::new(mesh.corners(t)).distance_squared(place));
                let least = squares.fold(f64::INFINITY, f64::min);
                let nearest = tree.of(place);
                assert_eq!(nearest.offset.length_squared(), least);
                for near in [0, count as u32 / 2, u32::MAX] {
                    let again = tree.of_near(place, near);
                    assert_eq!(again.offset, nearest.offset);
                    assert_eq!(again.feature, nearest.feature);
                }
            }
            let moved = |number: u32| {
                mesh.corners(number as usize)
                    .map(|x| DVec3::new(x.y - x.z * x.x, 2.0 * x.z, x.x))
            };
            let mut refitted = tree.clone();
            refitted.refit(moved);
            for place in (5000..5300).map(|i| 3.0 * at(i) - DVec3::splat(1.0)) {
                let squares =
                    (0..count as u32).map(|t| Triangle::new(moved(t)).distance_squared(place));
                let least = squares.fold(f64::INFINITY, f64::min);
                assert_eq!(refitted.of(place).offset.length_squared(), least);
            }
        }
    }
}
