//! The edges of an outline, in runs with a box around each: most of them are far from most points.

use pliant_math::DVec2;

/// Edges a run.
const RUN: usize = 8;

/// Consecutive edges of an outline and the box around them.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first edge and the one after the last.
    edges: [usize; 2],
    low: DVec2,
    high: DVec2,
}

/// Where an outline is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// From the nearest point of the surface to the point.
    pub(super) offset: DVec2,
    /// The edge that it lies on, as a vector; the first of those at the same distance.
    pub(super) edge: DVec2,
}

/// The best so far.
struct Search {
    best: Nearest,
    /// Its squared distance and its edge.
    found: (f64, usize),
}

/// A closed polygon. Edges on the axis, which turn into no surface, are nearest to nothing.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    points: Vec<DVec2>,
    runs: Vec<Run>,
    /// What rounding may make of squared distances of zero.
    rounding: f64,
}

impl Edges {
    pub(super) fn new(points: Vec<DVec2>) -> Self {
        let runs: Vec<Run> = (0..points.len())
            .step_by(RUN)
            .map(|first| Run::new(&points, [first, (first + RUN).min(points.len())]))
            .collect();
        let low = runs.iter().fold(DVec2::INFINITY, |a, run| a.min(run.low));
        let high = runs
            .iter()
            .fold(DVec2::NEG_INFINITY, |a, run| a.max(run.high));
        let rounding = 1e-16 * (high - low).length_squared();
        Self {
            points,
            runs,
            rounding,
        }
    }

    pub(super) fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Edge `k`, from the corner `k` to the next.
    fn edge(&self, k: usize) -> [DVec2; 2] {
        let next = if k + 1 < self.points.len() { k + 1 } else { 0 };
        [self.points[k], self.points[next]]
    }

    /// The smallest box around the outline.
    pub(super) fn bounds(&self) -> [DVec2; 2] {
        let low = self.runs.iter().map(|run| run.low);
        let high = self.runs.iter().map(|run| run.high);
        [
            low.fold(DVec2::INFINITY, DVec2::min),
            high.fold(DVec2::NEG_INFINITY, DVec2::max),
        ]
    }

    /// Where the outline is nearest to a point.
    pub(super) fn nearest(&self, point: DVec2) -> Nearest {
        let mut search = Search {
            best: Nearest {
                offset: DVec2::INFINITY,
                edge: DVec2::Y,
            },
            found: (f64::INFINITY, 0),
        };
        let nearest_run = self.nearest_run(point);
        self.search(nearest_run, point, &mut search);
        for (k, run) in self.runs.iter().enumerate() {
            let reach = search.found.0 * (1.0 + 1e-12) + self.rounding;
            if k != nearest_run && run.squared_distance(point) <= reach {
                self.search(k, point, &mut search);
            }
        }
        search.best
    }

    /// The run whose box is nearest.
    fn nearest_run(&self, point: DVec2) -> usize {
        let distances = self.runs.iter().map(|run| run.squared_distance(point));
        let first = (f64::INFINITY, 0);
        let nearest = distances.enumerate().fold(first, |best, (k, distance)| {
            if distance < best.0 {
                (distance, k)
            } else {
                best
            }
        });
        nearest.1
    }

    fn search(&self, run: usize, point: DVec2, search: &mut Search) {
        let [first, end] = self.runs[run].edges;
        for k in first..end {
            let [a, b] = self.edge(k);
            if a.x == 0.0 && b.x == 0.0 {
                continue;
            }
            let (edge, from_a) = (b - a, point - a);
            let along = (from_a.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let offset = from_a - edge * along;
            let found = (offset.length_squared(), k);
            if found < search.found {
                search.found = found;
                search.best = Nearest { offset, edge };
            }
        }
    }

    /// True if a ray from the point towards larger radii leaves the outline.
    pub(super) fn is_inside(&self, point: DVec2) -> bool {
        let is_level = |run: &&Run| run.low.y <= point.y && point.y < run.high.y;
        let crossings = |run: &Run| {
            let edges = (run.edges[0]..run.edges[1]).map(|k| self.edge(k));
            let is_crossed = |[a, b]: &[DVec2; 2]| {
                let from_a = point - *a;
                (a.y <= point.y) != (b.y <= point.y)
                    && from_a.x < (b.x - a.x) * (from_a.y / (b.y - a.y))
            };
            edges.filter(is_crossed).count()
        };
        let levels = self.runs.iter().filter(is_level);
        levels.map(crossings).sum::<usize>() % 2 == 1
    }
}

impl Run {
    fn new(points: &[DVec2], edges: [usize; 2]) -> Self {
        let corners = (edges[0]..=edges[1]).map(|k| points[k % points.len()]);
        Self {
            edges,
            low: corners.clone().fold(DVec2::INFINITY, DVec2::min),
            high: corners.fold(DVec2::NEG_INFINITY, DVec2::max),
        }
    }

    /// Squared distance of a point from the box; zero inside.
    fn squared_distance(&self, point: DVec2) -> f64 {
        let outside = (self.low - point).max(point - self.high).max(DVec2::ZERO);
        outside.length_squared()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A star about (1.5, 0) with a corner a value.
    fn star(radii: &[f64]) -> Edges {
        let turn = std::f64::consts::TAU / radii.len() as f64;
        let corner =
            |(k, r): (usize, &f64)| DVec2::new(1.5, 0.0) + *r * DVec2::from_angle(turn * k as f64);
        Edges::new(radii.iter().enumerate().map(corner).collect())
    }

    proptest! {
        #[test]
        fn nearest_edges_equal_a_search_of_all(
            radii in prop::collection::vec(0.1..1.4_f64, 3..60),
            x in 0.0..4.0_f64,
            y in -3.0..3.0_f64,
        ) {
            let (edges, point) = (star(&radii), DVec2::new(x, y));
            let mut least = f64::INFINITY;
            let mut is_inside = false;
            for k in 0..radii.len() {
                let [a, b] = edges.edge(k);
                let along = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                least = least.min((point - a).distance((b - a) * along));
                let is_across = (a.y <= y) != (b.y <= y);
                is_inside ^= is_across && x - a.x < (b.x - a.x) * ((y - a.y) / (b.y - a.y));
            }
            prop_assert_eq!(edges.nearest(point).offset.length(), least);
            prop_assert_eq!(edges.is_inside(point), is_inside);
        }
    }

    #[test]
    fn of_edges_at_the_same_distance_it_is_the_first() {
        // Nine corners: the last edge is in a run of its own.
        let mut corners: Vec<DVec2> = (0..8)
            .map(|k| DVec2::new(1.0 + f64::from(k), 0.0))
            .collect();
        corners.push(DVec2::new(1.0, 4.0));
        let edges = Edges::new(corners);
        // At the corner where the last edge ends and the first begins.
        let nearest = edges.nearest(DVec2::new(0.5, -0.5));
        assert_eq!(nearest.edge, DVec2::X);
        assert_eq!(nearest.offset, DVec2::new(-0.5, -0.5));
    }
}
