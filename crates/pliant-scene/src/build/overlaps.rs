//! Bodies that start inside each other.

use std::collections::HashMap;

use pliant_core::boundaries::Collider;
use pliant_core::world::{Body, Setup};
use pliant_geometry::Aabb;
use pliant_math::{DVec3, Pose};

use super::Builder;

/// Two particles nearer than this share of the sum of their contact radii do not merely touch.
const TOO_NEAR: f64 = 0.6;
/// A particle deeper in a rigid body than this share of its contact radius is inside of it.
const TOO_DEEP: f64 = 0.4;
/// Two rigid bodies overlap where a point is deeper in both than this share of the smaller one's size.
const RIGID_DEPTH: f64 = 0.01;
/// Where both may be is looked at in so many places along each axis.
const SAMPLES: u32 = 12;

/// A body where it starts.
struct Start<'a> {
    body: &'a Body,
    /// How far from others its particles stay [m].
    radius: f64,
    /// Its shape and where that is, if it is rigid.
    solid: Option<(&'a Collider, Pose)>,
    /// The box around it [m].
    bounds: Aabb,
}

impl<'a> Start<'a> {
    /// All bodies of a setup.
    fn all(setup: &'a Setup) -> Vec<Self> {
        let mut colliders = setup.colliders[setup.first_rigid()..].iter();
        let start = |body: &'a Body| {
            let collider = body.method.is_rigid().then(|| colliders.next()).flatten();
            let solid = collider.map(|collider| (collider, collider.motion.pose(0.0)));
            let of_shape = solid.and_then(|(collider, pose)| {
                let corners = collider.shape.bounds()?.corners();
                Some(Aabb::around(corners.map(|x| pose.to_world(x))))
            });
            let positions = body.particles.position.iter().copied();
            Self {
                body,
                radius: body.method.contact_radius(setup, body),
                solid,
                bounds: of_shape.unwrap_or_else(|| Aabb::around(positions)),
            }
        };
        setup.bodies.iter().map(start).collect()
    }

    /// Depth of a point in a rigid body [m]; negative outside.
    fn depth((collider, pose): (&Collider, Pose), point: DVec3) -> f64 {
        -collider.distance(pose.to_local(point))
    }
}

impl Builder<'_> {
    /// A warning for each pair of bodies that start inside each other, but those that are joined.
    pub(super) fn warn_overlaps(&mut self, setup: &Setup) {
        let starts = Start::all(setup);
        for (other, place) in close_pairs(&starts) {
            let (other, start) = (&starts[other], &starts[place]);
            if self.are_joined([&start.body.name, &other.body.name]) {
                continue;
            }
            let name = &other.body.name;
            let message = match (start.solid, other.solid) {
                (Some(one), Some(two)) if do_overlap([one, two], [start, other]) => format!(
                    "it starts inside the body \"{name}\"; they are pushed apart slowly; move one of them"
                ),
                (Some(_), Some(_)) => continue,
                (Some(solid), None) => match inside_count(other, solid) {
                    0 => continue,
                    count => format!(
                        "{count} particles of the body \"{name}\" start inside of it; they are pushed out; move one of them"
                    ),
                },
                (None, Some(solid)) => match inside_count(start, solid) {
                    0 => continue,
                    count => format!(
                        "{count} of its particles start inside the body \"{name}\"; they are pushed out; move one of them"
                    ),
                },
                (None, None) => match overlapping_count(start, other) {
                    0 => continue,
                    count => format!(
                        "{count} of its particles start inside the body \"{name}\"; they are pushed apart slowly, and stiff bodies spring apart; move one of them"
                    ),
                },
            };
            self.warn(&format!("body.{}", start.body.name), message);
        }
    }

    /// True if a joint or an attachment holds two bodies together: these may lie in each other.
    fn are_joined(&self, names: [&str; 2]) -> bool {
        let joins = |table: &str| {
            self.items(table).into_iter().any(|(_, values)| {
                let ends = [
                    values.optional_text("body"),
                    values.optional_text("to_body"),
                ];
                let [one, other] = names.map(|name| ends.contains(&Some(name)));
                one && other
            })
        };
        joins("joint") || joins("attach")
    }
}

/// Pairs of bodies whose boxes meet, the earlier one first, in order of the later one.
fn close_pairs(starts: &[Start<'_>]) -> Vec<(usize, usize)> {
    // Grown by their part of the nearest distance, so that boxes meet where particles are too near.
    let grown = |start: &Start<'_>| start.bounds.grown(TOO_NEAR * start.radius);
    let boxes: Vec<Aabb> = starts.iter().map(grown).collect();
    let mut by_start: Vec<usize> = (0..starts.len())
        .filter(|&k| !starts[k].body.particles.position.is_empty())
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

/// True if two rigid bodies share more than their surfaces.
fn do_overlap(solids: [(&Collider, Pose); 2], starts: [&Start<'_>; 2]) -> bool {
    let sizes = starts.map(|start| (start.bounds.max - start.bounds.min).min_element());
    let least = RIGID_DEPTH * sizes[0].min(sizes[1]);
    let [one, two] = starts.map(|start| start.bounds);
    let (min, max) = (one.min.max(two.min), one.max.min(two.max));
    let sample = |k: u32| (f64::from(k) + 0.5) / f64::from(SAMPLES);
    let is_in_both = |k: u32| {
        let shares = [k, k / SAMPLES, k / (SAMPLES * SAMPLES)].map(|k| sample(k % SAMPLES));
        let point = min + (max - min) * DVec3::from_array(shares);
        solids
            .iter()
            .all(|&solid| Start::depth(solid, point) > least)
    };
    (max - min).min_element() > 0.0 && (0..SAMPLES.pow(3)).any(is_in_both)
}

/// Particles of a body that are inside a rigid one.
fn inside_count(start: &Start<'_>, solid: (&Collider, Pose)) -> usize {
    let is_inside = |x: &&DVec3| Start::depth(solid, **x) > TOO_DEEP * start.radius;
    start
        .body
        .particles
        .position
        .iter()
        .filter(is_inside)
        .count()
}

/// Particles of a body that are too near to one of another.
fn overlapping_count(start: &Start<'_>, other: &Start<'_>) -> usize {
    let nearest = TOO_NEAR * (start.radius + other.radius);
    let (body, other) = (start.body, other.body);
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
