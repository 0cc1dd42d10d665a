//! Whether two simplices on straight ways come too near, and where.
//!
//! Additive continuous collision detection (Li et al. 2021, sec. 5): time advances by what the distance
//! allows at the greatest speed of approach, which no crossing can escape, and no cubic is solved.

use pliant_math::DVec3;

use crate::contacts::narrow::Nearest;

/// Steps of time after which a way that only grazes counts as too near.
const MOST_STEPS: usize = 60;

/// Four corners: a point and a triangle, or the ends of two segments.
#[derive(Clone, Copy, Debug)]
pub struct Trajectories {
    /// Positions at the start [m].
    pub start: [DVec3; 4],
    /// Displacements to the end [m].
    pub way: [DVec3; 4],
    /// How many of the corners belong to the first simplex.
    pub split: usize,
}

/// How ways come too near.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Nearest points when they do.
    pub nearest: Nearest,
    /// Distance at the start [m].
    pub start_distance: f64,
}

impl Trajectories {
    /// The first time at which the distance has shrunk to a share of what it is at the start.
    ///
    /// * `nearest` — of the corners
    pub fn impact(&self, nearest: impl Fn(&[DVec3; 4]) -> Nearest, share: f64) -> Option<Impact> {
        let speed = self.greatest_approach();
        let at_start = nearest(&self.start);
        let start_distance = at_start.between.length();
        let least = share * start_distance;
        if start_distance - least > speed {
            return None;
        }
        let (mut time, mut now) = (0.0, at_start);
        for _ in 0..MOST_STEPS {
            let room = now.between.length() - least;
            let next = time + STEP * room / speed.max(f64::MIN_POSITIVE);
            if next >= 1.0 {
                return None;
            }
            time = next;
            now = nearest(&self.at(time));
            if now.between.length() - least <= TOO_NEAR * start_distance {
                break;
            }
        }
        Some(Impact {
            nearest: now,
            start_distance,
        })
    }

    /// True if [`Self::impact`] finds none of simplices that always stay this much further apart than it
    /// asks for and come nearer by so much at most, both in distances at the start.
    pub fn are_followed_to_the_end(room: f64, approach: f64) -> bool {
        let steps = (MOST_STEPS - 1) as f64;
        room > 2.0 * TOO_NEAR && approach < steps * STEP * room
    }

    /// A bound on how much nearer the simplices can come from start to end [m]: ways relative to their
    /// mean, the longest of each.
    fn greatest_approach(&self) -> f64 {
        let mean = self.way.iter().sum::<DVec3>() / 4.0;
        let longest = |ways: &[DVec3]| {
            let lengths = ways.iter().map(|w| (*w - mean).length());
            lengths.fold(0.0, f64::max)
        };
        longest(&self.way[..self.split]) + longest(&self.way[self.split..])
    }

    fn at(&self, time: f64) -> [DVec3; 4] {
        std::array::from_fn(|k| self.start[k] + self.way[k] * time)
    }
}

/// Trajectories advance by a little less than is free, so that the distance is never below the least.
const STEP: f64 = 0.9;

/// Part of the distance at the start by which the least one may be missed.
const TOO_NEAR: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::narrow::{point_triangle, segments};

    fn triangle(p: DVec3, way: DVec3) -> Trajectories {
        Trajectories {
            start: [p, -DVec3::X, DVec3::X, DVec3::Z],
            way: [way, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO],
            split: 1,
        }
    }

    #[test]
    fn a_point_through_a_triangle_meets_it_however_fast() {
        for speed in [1.1, 3.0, 1e4] {
            let start = DVec3::new(0.1, 1.0, 0.3);
            let ways = triangle(start, DVec3::NEG_Y * speed);
            let impact = ways.impact(point_triangle, 0.1).expect("it crosses");
            let height = impact.nearest.between.length();
            assert!((0.1..0.16).contains(&height), "{height}");
        }
    }

    #[test]
    fn a_point_that_passes_by_or_stops_before_meets_nothing() {
        let beside = triangle(DVec3::new(1.5, 1.0, 0.3), DVec3::NEG_Y * 100.0);
        assert!(beside.impact(point_triangle, 0.1).is_none());
        let before = triangle(DVec3::new(0.1, 1.0, 0.3), DVec3::NEG_Y * 0.8);
        assert!(before.impact(point_triangle, 0.1).is_none());
        let with = Trajectories {
            way: [DVec3::NEG_Y * 50.0; 4],
            ..triangle(DVec3::Y * 0.01, DVec3::ZERO)
        };
        assert!(with.impact(point_triangle, 0.1).is_none());
    }

    #[test]
    fn segments_that_cross_meet() {
        let ways = Trajectories {
            start: [
                -DVec3::X,
                DVec3::X,
                DVec3::new(0.2, 0.5, -1.0),
                DVec3::new(0.2, 0.5, 1.0),
            ],
            way: [DVec3::ZERO, DVec3::ZERO, DVec3::NEG_Y, DVec3::NEG_Y],
            split: 2,
        };
        let impact = ways.impact(segments, 0.1).expect("they cross");
        let distance = impact.nearest.between.length();
        assert!((0.05..0.08).contains(&distance), "{distance}");
        let away = Trajectories {
            way: ways.way.map(|w| -w),
            ..ways
        };
        assert!(away.impact(segments, 0.1).is_none());
    }

    #[test]
    fn what_stays_apart_while_it_turns_is_followed_to_the_end() {
        // A point beside a triangle, both carried by a straight way that stretches them as they turn.
        for angle in [0.3, 1.0, 1.4] {
            let start = [DVec3::new(0.0, 0.4, 2.0), -DVec3::X, DVec3::X, DVec3::Z];
            let turned = start.map(|x| pliant_math::DMat3::from_rotation_x(angle) * x);
            let ways = Trajectories {
                start,
                way: std::array::from_fn(|k| turned[k] - start[k]),
                split: 1,
            };
            let distance = point_triangle(&start).between.length();
            let kept = libm::cos(0.5 * angle);
            assert!(Trajectories::are_followed_to_the_end(
                kept - 0.1,
                ways.greatest_approach() / distance
            ));
            assert!(ways.impact(point_triangle, 0.1).is_none());
        }
        assert!(!Trajectories::are_followed_to_the_end(0.05, 0.1));
        assert!(!Trajectories::are_followed_to_the_end(0.5, 100.0));
    }
}
