//! Whether segments cross triangles, and moving segments each other.

use pliant_math::DVec3;

use super::blade::MovingSegment;

/// Beyond the end of a piece of rim by so much of its length a crossing still counts, so that nothing
/// slips between two pieces.
const MARGIN: f64 = 1e-7;

/// Where a segment crosses a triangle, from 0 at its start to 1. Points in its plane count as on one and
/// the same side.
pub fn crossing([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let normal = (b - a).cross(c - a);
    let (before, behind) = (normal.dot(p - a), normal.dot(q - a));
    if (before < 0.0) == (behind < 0.0) {
        return None;
    }
    let at = before / (before - behind);
    let point = p + (q - p) * at;
    let least = -MARGIN * normal.length_squared();
    let is_inside = |from: DVec3, to: DVec3| normal.dot((to - from).cross(point - from)) >= least;
    (is_inside(a, b) && is_inside(b, c) && is_inside(c, a)).then_some(at)
}

/// Time at which a segment first meets another, from 0 at its start to 1. The ends of both move evenly, and the
/// other one has a margin at its ends.
pub fn meeting(way: MovingSegment, rim: MovingSegment) -> Option<f64> {
    let volume = Volume::of(rim, way);
    let mut bounds = [0.0; 4];
    let mut count = 1;
    for turn in volume.turns() {
        if turn > 0.0 && turn < 1.0 {
            bounds[count] = turn;
            count += 1;
        }
    }
    bounds[count] = 1.0;
    bounds[..=count].windows(2).find_map(|span| {
        let moment = volume.root([span[0], span[1]])?;
        intersection(at(rim, moment), at(way, moment))
    })
}

/// A segment between its start and its end.
fn at([start, end]: MovingSegment, moment: f64) -> [DVec3; 2] {
    let end = [end[0] - start[0], end[1] - start[1]];
    [start[0] + end[0] * moment, start[1] + end[1] * moment]
}

/// Where the second of two segments of one plane meets the first, from 0 at its start to 1.
fn intersection([a, b]: [DVec3; 2], [p, q]: [DVec3; 2]) -> Option<f64> {
    let (rim, way, between) = (b - a, q - p, p - a);
    let normal = rim.cross(way);
    let squared = normal.length_squared();
    // Along each other there is no point to meet in.
    if squared <= 1e-24 * rim.length_squared() * way.length_squared() {
        return None;
    }
    let on_rim = between.cross(way).dot(normal) / squared;
    let on_way = between.cross(rim).dot(normal) / squared;
    let do_meet = (-MARGIN..=1.0 + MARGIN).contains(&on_rim) && (0.0..=1.0).contains(&on_way);
    do_meet.then_some(on_way)
}

/// Six times the signed volume between two moving segments, a cubic of time: they share a plane where
/// it is zero.
struct Volume([f64; 4]);

impl Volume {
    fn of(rim: MovingSegment, way: MovingSegment) -> Self {
        let [[a0, b0], [a1, b1]] = rim;
        let [[p0, q0], [p1, q1]] = way;
        let (e0, r0, s0) = (b0 - a0, p0 - a0, q0 - a0);
        let (e1, r1, s1) = (b1 - a1 - e0, p1 - a1 - r0, q1 - a1 - s0);
        let (first, last) = (r0.cross(s0), r1.cross(s1));
        let middle = r1.cross(s0) + r0.cross(s1);
        Self([
            e0.dot(first),
            e1.dot(first) + e0.dot(middle),
            e1.dot(middle) + e0.dot(last),
            e1.dot(last),
        ])
    }

    fn at(&self, moment: f64) -> f64 {
        let [c0, c1, c2, c3] = self.0;
        c0 + moment * (c1 + moment * (c2 + moment * c3))
    }

    /// Where it turns, increasing.
    fn turns(&self) -> [f64; 2] {
        let [_, c1, c2, c3] = self.0;
        let squared = c2 * c2 - 3.0 * c1 * c3;
        if squared < 0.0 {
            return [f64::INFINITY; 2];
        }
        // Of the two ways to write a root the one without a difference of likes.
        let sum = -(c2 + squared.sqrt().copysign(c2));
        let (one, two) = (sum / (3.0 * c3), c1 / sum);
        let ordered = [one.min(two), one.max(two)];
        ordered.map(|turn| {
            if turn.is_finite() {
                turn
            } else {
                f64::INFINITY
            }
        })
    }

    /// The zero in a span in which it does not turn.
    fn root(&self, [mut from, mut to]: [f64; 2]) -> Option<f64> {
        let is_below = |moment| self.at(moment) < 0.0;
        let starts_below = is_below(from);
        if starts_below == is_below(to) {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (from + to);
            if is_below(middle) == starts_below {
                from = middle;
            } else {
                to = middle;
            }
        }
        Some(0.5 * (from + to))
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;

    use super::*;

    /// Least distance of two segments.
    fn distance([a, b]: [DVec3; 2], [p, q]: [DVec3; 2]) -> f64 {
        let nearest = |from: DVec3, to: DVec3, point: DVec3| {
            let way = to - from;
            from + way * ((point - from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
        };
        let ends = [(a, p, q), (b, p, q), (p, a, b), (q, a, b)];
        let of_ends = ends.map(|(end, from, to)| nearest(from, to, end).distance(end));
        let least = of_ends.into_iter().fold(f64::INFINITY, f64::min);
        let normal = (b - a).cross(q - p);
        let gap = (p - a).dot(normal) / normal.length();
        // Seen along the common normal, they cross or they do not.
        let lifted = normal * (gap / normal.length());
        if intersection([a + lifted, b + lifted], [p, q]).is_some() {
            gap.abs()
        } else {
            least
        }
    }

    #[test]
    fn moving_segments_meet_where_their_distance_vanishes() {
        let stream = RandomStream::new(5, 0);
        let point = |k: u64| {
            let number = |c: u64| 2.0 * stream.unit(3 * k + c) - 1.0;
            DVec3::new(number(0), number(1), number(2))
        };
        let mut met = 0;
        for case in 0..400 {
            let [a, b, c, d, p, q, r, s]: [DVec3; 8] =
                std::array::from_fn(|k| point(8 * case + k as u64));
            let (rim, way) = ([[a, b], [c, d]], [[p, q], [r, s]]);
            let least = |from: f64, to: f64| {
                let moments = (0..=1000).map(|k| from + (to - from) * f64::from(k) / 1000.0);
                let apart =
                    moments.map(|moment| (distance(at(rim, moment), at(way, moment)), moment));
                apart.fold((f64::INFINITY, 0.0), |a, b| if b.0 < a.0 { b } else { a })
            };
            let (_, near) = least(0.0, 1.0);
            let (apart, _) = least((near - 2e-3).max(0.0), (near + 2e-3).min(1.0));
            met += usize::from(meeting(way, rim).is_some());
            assert_eq!(
                meeting(way, rim).is_some(),
                apart < 2e-5,
                "case {case}: {apart}"
            );
        }
        assert!((40..360).contains(&met), "{met}");
    }

    #[test]
    fn a_segment_crosses_a_triangle_from_either_side_and_touches_it_from_one() {
        let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let at = |z: f64| DVec3::new(0.2, 0.3, z);
        assert_eq!(crossing([at(-1.0), at(1.0)], face), Some(0.5));
        assert_eq!(crossing([at(1.0), at(-3.0)], face), Some(0.25));
        assert_ne!(
            crossing([at(0.0), at(1.0)], face).is_some(),
            crossing([at(-1.0), at(0.0)], face).is_some()
        );
        assert_eq!(crossing([at(0.5), at(1.0)], face), None);
        let beside = DVec3::new(0.7, 0.6, 1.0);
        assert_eq!(crossing([beside, beside - 2.0 * DVec3::Z], face), None);
    }
}
