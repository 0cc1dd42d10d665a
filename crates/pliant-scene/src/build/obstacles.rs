//! Particles that start inside a collider.

use pliant_core::boundaries::Collider;
use pliant_geometry::Aabb;
use pliant_math::{DVec3, Pose};

use super::Builder;
use super::bodies::Start;

/// Pushing a particle out of one collider may push it into another: so often it is tried.
const PASSES: usize = 4;

/// A particle whose centre lies deeper than this many spacings is more inside than out. It is dropped,
/// and one that lies less deep is pushed out to this distance: so it stays below its neighbours that
/// lay outside.
const HALF: f64 = 0.5;

/// A collider at the start.
struct Obstacle<'a> {
    collider: &'a Collider,
    pose: Pose,
    pushed: usize,
    dropped: usize,
}

/// What becomes of a particle; obstacles by their place.
enum Placement {
    /// It stays where it is.
    Free,
    /// It is moved out; the first obstacle it lay in.
    Pushed(usize),
    /// It is dropped because of an obstacle.
    Dropped(usize),
}

impl<'a> Obstacle<'a> {
    /// Those of the colliders that have a part in a box.
    fn within(reach: &Aabb, colliders: &'a [Collider]) -> Vec<Self> {
        let obstacle = |collider: &'a Collider| Obstacle {
            collider,
            pose: collider.motion.pose(0.0),
            pushed: 0,
            dropped: 0,
        };
        let meets = |obstacle: &Self| match obstacle.collider.shape.bounds() {
            Some(bounds) => {
                let corners = bounds.corners().map(|x| obstacle.pose.to_world(x));
                Aabb::around(corners).overlaps(reach)
            }
            None => true,
        };
        colliders.iter().map(obstacle).filter(meets).collect()
    }

    fn signed_distance(&self, position: DVec3) -> f64 {
        self.collider.distance(self.pose.to_local(position))
    }
}

impl Builder<'_> {
    /// Pushes particles of a body that lie less than half a spacing deep inside a collider out along
    /// its normal, to half a spacing from its surface, and drops those that lie deeper or find no
    /// free place.
    pub(super) fn clear_obstacles(
        &mut self,
        path: &str,
        colliders: &[Collider],
        spacing: f64,
        starts: &mut Vec<Start>,
    ) {
        // As far as being pushed out again and again may take a particle.
        let margin = 2.0 * PASSES as f64 * HALF * spacing;
        let reach = Aabb::around(starts.iter().map(|s| s.position)).grown(margin);
        let mut obstacles = Obstacle::within(&reach, colliders);
        starts.retain_mut(
            |start| match push_out(&mut start.position, &obstacles, spacing) {
                Placement::Free => true,
                Placement::Pushed(first) => {
                    obstacles[first].pushed += 1;
                    true
                }
                Placement::Dropped(last) => {
                    obstacles[last].dropped += 1;
                    false
                }
            },
        );
        for obstacle in obstacles {
            self.warn_of_obstacle(path, &obstacle);
        }
    }

    /// Drops an emitter's seeds inside colliders that never move. Those that move are asked at
    /// every birth.
    pub(super) fn drop_barred_seeds(
        &mut self,
        path: &str,
        colliders: &[Collider],
        seeds: &mut Vec<DVec3>,
    ) {
        let resting = colliders.iter().filter(|c| c.is_at_rest());
        for collider in resting {
            let before = seeds.len();
            seeds.retain(|&seed| collider.signed_distance(seed, 0.0) >= 0.0);
            let dropped = before - seeds.len();
            if dropped > 0 {
                let name = &collider.name;
                let message = format!(
                    "{dropped} of {before} places of this emitter lie inside the collider \"{name}\" and bear nothing; move the emitter or the collider"
                );
                self.warn(path, message);
            }
        }
    }

    fn warn_of_obstacle(&mut self, path: &str, obstacle: &Obstacle<'_>) {
        let name = &obstacle.collider.name;
        if obstacle.pushed > 0 {
            let count = obstacle.pushed;
            let message = format!(
                "{count} particles started inside the collider \"{name}\" and were pushed out"
            );
            self.warn(path, message);
        }
        if obstacle.dropped > 0 {
            let count = obstacle.dropped;
            let message = format!(
                "{count} particles started inside the collider \"{name}\", half a spacing deep or wedged, and were dropped; move the body or the collider"
            );
            self.warn(path, message);
        }
    }
}

/// Moves a particle out of all obstacles, if it can be.
fn push_out(position: &mut DVec3, obstacles: &[Obstacle<'_>], spacing: f64) -> Placement {
    let mut first = None;
    for _ in 0..PASSES {
        let mut is_free = true;
        for (number, obstacle) in obstacles.iter().enumerate() {
            let distance = obstacle.signed_distance(*position);
            if distance >= 0.0 {
                continue;
            }
            if distance <= -HALF * spacing {
                return Placement::Dropped(number);
            }
            is_free = false;
            first = first.or(Some(number));
            let local = obstacle.pose.to_local(*position);
            let normal = obstacle.collider.normal(local);
            let way = HALF * spacing - distance;
            *position += obstacle.pose.direction_to_world(normal) * way;
        }
        if is_free {
            return first.map_or(Placement::Free, Placement::Pushed);
        }
    }
    let wedged_in = obstacles
        .iter()
        .position(|o| o.signed_distance(*position) < 0.0);
    match (wedged_in, first) {
        (Some(number), _) => Placement::Dropped(number),
        (None, Some(number)) => Placement::Pushed(number),
        (None, None) => Placement::Free,
    }
}
