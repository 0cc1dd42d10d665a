//! The particles of a body near a point at rest.

use pliant_math::DVec3;

/// Points by cell.
#[derive(Debug)]
pub(super) struct Near<'a> {
    position: &'a [DVec3],
    reach: f64,
    /// Cell and number of each point, sorted.
    cells: Vec<([i64; 3], u32)>,
}

impl<'a> Near<'a> {
    /// Ready to tell which of some points [m] are within `reach` [m].
    pub fn new(position: &'a [DVec3], reach: f64) -> Self {
        let numbered = (0..).zip(position);
        let mut cells: Vec<_> = numbered.map(|(k, &x)| (cell(x, reach), k)).collect();
        cells.sort_unstable();
        Self {
            position,
            reach,
            cells,
        }
    }

    /// The distance [m] within which points are near.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Distance [m] of one of the points from a place.
    fn distance(&self, point: u32, x: DVec3) -> f64 {
        self.position[point as usize].distance(x)
    }

    /// The nearest to a place of those of the points that count, the first of several.
    pub fn nearest(&self, x: DVec3, counts: impl Fn(u32) -> bool) -> Option<u32> {
        let points = (0..self.position.len() as u32).filter(|&point| counts(point));
        points.min_by(|&a, &b| self.distance(a, x).total_cmp(&self.distance(b, x)))
    }

    /// The weight that [`Self::for_each`] tells of one of the points, 0 if it is not within reach.
    pub fn weight(&self, point: u32, x: DVec3) -> f64 {
        let squared = x.distance_squared(self.position[point as usize]);
        let inside = (1.0 - squared / (self.reach * self.reach)).max(0.0);
        inside * inside * inside
    }

    /// Calls `f(point, weight)` for the points within reach of a place, in an order that depends on
    /// places alone; the weight is (1 - q^2)^3, q the distance over the reach.
    pub fn for_each(&self, x: DVec3, mut f: impl FnMut(u32, f64)) {
        let [a, b, c] = cell(x, self.reach);
        for row in 0..9 {
            let (dx, dy) = (row / 3 - 1, row % 3 - 1);
            let first = [a + dx, b + dy, c - 1];
            let start = self.cells.partition_point(|(cell, _)| *cell < first);
            let last = [a + dx, b + dy, c + 1];
            for &(_, point) in self.cells[start..]
                .iter()
                .take_while(|(cell, _)| *cell <= last)
            {
                let weight = self.weight(point, x);
                if weight > 0.0 {
                    f(point, weight);
                }
            }
        }
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    #[test]
    fn points_within_reach_are_found_once_each() {
        let stream = RandomStream::new(1, 0);
        let point = |k: u64| {
            let number = |c: u64| 2.0 * stream.unit(3 * k + c) - 1.0;
            DVec3::new(number(0), number(1), number(2))
        };
        let points: Vec<DVec3> = (0..300).map(point).collect();
        let near = Near::new(&points, 0.4);
        for x in (300..340).map(point) {
            let mut found = Vec::new();
            near.for_each(x, |k, weight| {
                let q = x.distance(points[k as usize]) / 0.4;
                assert!((weight - (1.0 - q * q).powi(3)).abs() < 1e-12);
                found.push(k);
            });
            found.sort_unstable();
            let expected = (0..300).filter(|&k| x.distance(points[k]) < 0.4);
            assert!(expected.eq(found.into_iter().map(|k| k as usize)));
        }
    }
}
