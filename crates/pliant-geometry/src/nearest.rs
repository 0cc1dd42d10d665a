//! The nearest of many points, through a balanced tree of halves (Bentley 1975).

use pliant_math::DVec3;

/// Points in the order of a tree: the middle one of each range splits it along an axis, the axes
/// taking turns.
#[derive(Clone, Debug)]
pub struct NearestPoint {
    points: Vec<Point>,
}

/// A point and its number among those given.
type Point = (DVec3, u32);

impl NearestPoint {
    /// Of points [m].
    pub fn new(points: Vec<DVec3>) -> Self {
        let mut points: Vec<Point> = points.into_iter().zip(0..).collect();
        split(&mut points, 0);
        Self { points }
    }

    /// The point nearest to a place, `None` if there are no points.
    pub fn of(&self, place: DVec3) -> Option<DVec3> {
        self.find(place).map(|(point, _)| point)
    }

    /// The number of the point nearest to a place, `None` if there are no points.
    pub fn number_of(&self, place: DVec3) -> Option<usize> {
        self.find(place).map(|(_, number)| number as usize)
    }

    fn find(&self, place: DVec3) -> Option<Point> {
        let mut best = (f64::INFINITY, None);
        search(&self.points, 0, place, &mut best);
        best.1
    }
}

fn split(points: &mut [Point], axis: usize) {
    if points.len() < 2 {
        return;
    }
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |(a, _), (b, _)| a[axis].total_cmp(&b[axis]));
    let (low, high) = points.split_at_mut(middle);
    split(low, (axis + 1) % 3);
    split(&mut high[1..], (axis + 1) % 3);
}

fn search(points: &[Point], axis: usize, place: DVec3, best: &mut (f64, Option<Point>)) {
    let middle = points.len() / 2;
    let Some(&(point, number)) = points.get(middle) else {
        return;
    };
    let square = point.distance_squared(place);
    if square < best.0 {
        *best = (square, Some((point, number)));
    }
    let beyond = place[axis] - point[axis];
    let (low, high) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if beyond < 0.0 {
        (low, high)
    } else {
        (high, low)
    };
    search(near, (axis + 1) % 3, place, best);
    if beyond * beyond < best.0 {
        search(far, (axis + 1) % 3, place, best);
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    #[test]
    fn nearest_points_equal_a_brute_force_search() {
        let random = RandomStream::new(4, 0);
        let at = |i: u64| DVec3::from(std::array::from_fn(|k| random.unit(3 * i + k as u64)));
        let points: Vec<DVec3> = (0..500).map(at).chain([DVec3::ONE; 3]).collect();
        let tree = NearestPoint::new(points.clone());
        for place in (500..1500).map(|i| 2.0 * at(i) - DVec3::splat(0.5)) {
            let distances = points.iter().map(|p| p.distance(place));
            let least = distances.fold(f64::INFINITY, f64::min);
            assert_eq!(tree.of(place).map(|p| p.distance(place)), Some(least));
        }
        assert_eq!(NearestPoint::new(Vec::new()).of(DVec3::ZERO), None);
    }
}
