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
    pub(super) fn warn_overlaps(&mut self, bodies: &[Body]) {
        for (other, place) in close_pairs(bodies) {
            let (other, body) = (&bodies[other], &bodies[place]);
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

/// Pairs of bodies whose boxes meet, the earlier one first, in order of the later one.
fn close_pairs(bodies: &[Body]) -> Vec<(usize, usize)> {
    // Grown by half of the nearest distance each, so that boxes meet where particles are too near.
    let grown = |body: &Body| around(body, 0.5 * TOO_NEAR * body.spacing);
    let boxes: Vec<Aabb> = bodies.iter().map(grown).collect();
    let mut by_start: Vec<usize> = (0..bodies.len())
        .filter(|&k| !bodies[k].particles.position.is_empty())
        .collect();
    by_start.sort_by(|&a, &b| boxes[a].min.x.total_cmp(&boxes[b].min.x));
    let mut pairs = Vec::new();
    for (k, &one) in by_start.iter().enumerate() {
        let later = by_start[k + 1..].iter();
        let meeting = later
            .take_while(|&&two| boxes[two].min.x <= boxes[one].max.x)
            .filter(|&&two| boxes[one].overlaps(&boxes[two]));
        pairs.extend(meeting.map(|&two| (one.min(two), one.max(two))));
    }
    pairs.sort_unstable_by_key(|&(first, second)| (second, first));
    pairs
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
    let (one, two) = (around(body, margin), around(other, margin));
    Aabb {
        min: one.min.max(two.min),
        max: one.max.min(two.max),
    }
}

/// The box around a body's particles, grown by a margin [m].
fn around(body: &Body, margin: f64) -> Aabb {
    Aabb::around(body.particles.position.iter().copied()).grown(margin)
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
