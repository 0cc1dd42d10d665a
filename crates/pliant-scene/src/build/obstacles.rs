//! Particles that start inside a collider.

use pliant_core::boundaries::Collider;
use pliant_math::{DVec3, Pose};

use super::Builder;

/// Pushing a particle out of one collider may push it into another: so often it is tried.
const PASSES: usize = 4;

/// A collider at the start.
struct Obstacle<'a> {
    collider: &'a Collider,
    pose: Pose,
    pushed: usize,
    dropped: usize,
}

impl Builder<'_> {
    /// Pushes particles of a body that lie less than a spacing deep inside a collider out along
    /// its normal, to half a spacing from its surface, and drops those that lie deeper or find no
    /// free place.
    pub(super) fn clear_obstacles(
        &mut self,
        path: &str,
        colliders: &[Collider],
        spacing: f64,
        positions: &mut Vec<DVec3>,
    ) {
        let mut obstacles: Vec<Obstacle<'_>> = colliders
            .iter()
            .map(|collider| Obstacle {
                collider,
                pose: collider.motion.pose(0.0),
                pushed: 0,
                dropped: 0,
            })
            .collect();
        positions.retain_mut(|p| push_out(p, &mut obstacles, spacing));
        for obstacle in obstacles {
            self.warn_of_obstacle(path, &obstacle);
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
                "{count} particles started inside the collider \"{name}\", a spacing deep or wedged, and were dropped; move the body or the collider"
            );
            self.warn(path, message);
        }
    }
}

/// Moves a particle out of all obstacles; false if it must be dropped.
fn push_out(position: &mut DVec3, obstacles: &mut [Obstacle<'_>], spacing: f64) -> bool {
    for _ in 0..PASSES {
        let mut is_free = true;
        for obstacle in obstacles.iter_mut() {
            let local = obstacle.pose.to_local(*position);
            let distance = obstacle.collider.shape.signed_distance(local);
            if distance >= 0.0 {
                continue;
            }
            if distance <= -spacing {
                obstacle.dropped += 1;
                return false;
            }
            is_free = false;
            obstacle.pushed += 1;
            let normal = obstacle.collider.shape.normal(local);
            let way = 0.5 * spacing - distance;
            *position += obstacle.pose.direction_to_world(normal) * way;
        }
        if is_free {
            return true;
        }
    }
    let wedged_in = obstacles.iter_mut().find(|o| {
        let local = o.pose.to_local(*position);
        o.collider.shape.signed_distance(local) < 0.0
    });
    match wedged_in {
        Some(obstacle) => {
            obstacle.dropped += 1;
            false
        }
        None => true,
    }
}
