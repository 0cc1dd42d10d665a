//! Bodies that start inside each other.

use std::collections::HashMap;

use pliant_core::world::Body;
use pliant_geometry::Aabb;
use pliant_math::DVec3;

use super::Builder;

/// Two particles nearer than this share of the sum of their radii do not merely touch.
const TOO_NEAR: f64 = 0.6;

impl Builder<'_> {
    /// A warning for each pair of bodies that start inside each other.
    pub(super) fn tell_overlaps(&mut self, bodies: &[Body]) {
        for (place, body) in bodies.iter().enumerate() {
            for other in &bodies[..place] {
                let count = overlapping_count(body, other);
                if count > 0 {
                    let message = format!(
                        "{count} of its particles start inside the body \"{}\"; they are pushed apart slowly, and stiff bodies spring apart; move one of them",
                        other.name
                    );
                    self.warn(&format!("body.{}", body.name), message);
                }
            }
        }
    }
}

/// Particles of a body that are too near to one of another.
fn overlapping_count(body: &Body, other: &Body) -> usize {
    let nearest = TOO_NEAR * 0.5 * (body.spacing + other.spacing);
    let common = common_box(body, other, nearest);
    let inside = |x: &&DVec3| common.contains(**x);
    let mut cells: HashMap<[i64; 3], Vec<DVec3>> = HashMap::new();
    for &x in other.particles.position.iter().filter(inside) {
        cells.entry(cell(x, nearest)).or_default().push(x);
    }
    let is_near = |x: &&DVec3| {
        let [a, b, c] = cell(**x, nearest);
        (0..27).any(|k| {
            let near = [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1];
            let others = cells.get(&near).map_or(&[][..], Vec::as_slice);
            others.iter().any(|y| y.distance(**x) < nearest)
        })
    };
    let candidates = body.particles.position.iter().filter(inside);
    candidates.filter(is_near).count()
}

/// Where particles of both may be.
fn common_box(body: &Body, other: &Body, margin: f64) -> Aabb {
    let around = |body: &Body| {
        let positions = body.particles.position.iter().copied();
        Aabb::around(positions).grown(margin)
    };
    let (one, two) = (around(body), around(other));
    Aabb {
        min: one.min.max(two.min),
        max: one.max.min(two.max),
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
