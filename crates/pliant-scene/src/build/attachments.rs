//! Particles that are held or loaded.

use std::collections::HashMap;

use pliant_core::attachments::{Attachment, AttachmentKind, Rod};
use pliant_core::boundaries::Collider;
use pliant_core::forces::Region;
use pliant_core::schedule::Schedule;
use pliant_core::world::Body;
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::forces::strength;
use crate::document::address_text;
use crate::units::pose;

/// Rods join particles up to so many spacings of the coarser body apart, ...
const ROD_REACH: f64 = 2.0;
/// ... each to so many of the other body at most.
const MOST_RODS: usize = 8;

/// A point so many spacings outside of a rigid body is hardly meant to be a point of it.
const OUTSIDE: f64 = 0.5;

impl Builder<'_> {
    /// Which particles of a body cannot be moved by others: those held in the world or by colliders.
    pub(super) fn pinned(&mut self, body: &str, spacing: f64, positions: &[DVec3]) -> Vec<bool> {
        let mut is_pinned = vec![false; positions.len()];
        for (path, values) in self.items("attach") {
            let is_free = ["to_body", "force", "traction", "compliance"]
                .iter()
                .any(|k| values.has(k));
            if values.text("body") != body || is_free {
                continue;
            }
            for place in self.held(&path, values, spacing, positions) {
                is_pinned[place] = true;
            }
        }
        is_pinned
    }

    /// Everything that holds or loads particles but the world itself.
    pub(super) fn attachments(
        &mut self,
        bodies: &[Body],
        colliders: &[Collider],
    ) -> Vec<Attachment> {
        let mut attachments = Vec::new();
        for (path, values) in self.items("attach") {
            let Some(body) = self.index_of("body", values.text("body")) else {
                continue;
            };
            let body = body as usize;
            if let Some(attachment) = self.attachment(&path, values, body, bodies, colliders) {
                attachments.push(attachment);
            }
        }
        attachments
    }

    fn attachment(
        &mut self,
        path: &str,
        values: &Values,
        body: usize,
        bodies: &[Body],
        colliders: &[Collider],
    ) -> Option<Attachment> {
        let named = |key: &str| values.optional_text(key);
        let collider = named("to_collider").and_then(|name| self.index_of("collider", name));
        let other = named("to_body").and_then(|name| self.index_of("body", name));
        let load = load(values);
        let compliance = values.optional_number("compliance");
        let name = values.text("name");
        if collider.is_none() && other.is_none() && load.is_none() && compliance.is_none() {
            return Some(self.pin(path, values, (name, body), bodies));
        }
        let is_rigid = |body: usize| bodies[body].method.is_rigid();
        if is_rigid(body) && load.is_none() {
            return self.rigid_pull(path, values, (body, bodies), (collider, colliders));
        }
        let of_body = &bodies[body];
        let positions = &of_body.particles.position;
        let places = self.held(path, values, of_body.spacing, positions);
        let first = first_id(bodies, body);
        let particles = places.iter().map(|&k| first + k as u32).collect();
        let kind = if let Some(compliance) = compliance {
            let pose = collider.map(|number| colliders[number as usize].motion.pose(0.0));
            let local = |&k: &usize| pose.map_or(positions[k], |pose| pose.to_local(positions[k]));
            AttachmentKind::Pull {
                collider,
                target: places.iter().map(local).collect(),
                compliance,
                strength: strength(values),
            }
        } else if let Some(collider) = collider {
            let pose = colliders[collider as usize].motion.pose(0.0);
            let local = places.iter().map(|&k| pose.to_local(positions[k]));
            AttachmentKind::Collider {
                collider,
                local: local.collect(),
            }
        } else if let Some(other) = other.filter(|&other| is_rigid(other as usize)) {
            let (number, collider) = rigid(bodies, other as usize, colliders);
            let pose = collider.motion.pose(0.0);
            let local = places.iter().map(|&k| pose.to_local(positions[k]));
            AttachmentKind::Rigid {
                body: number,
                local: local.collect(),
            }
        } else if let Some(other) = other {
            let rods = rods(bodies, body, &places, other as usize);
            if rods.is_empty() {
                let message = format!(
                    "no particle of the body \"{}\" is near enough to be joined to",
                    bodies[other as usize].name
                );
                self.warn(path, message);
            }
            AttachmentKind::Body { rods }
        } else {
            let (force, strength) = load?;
            AttachmentKind::Load { force, strength }
        };
        Some(Attachment {
            name: name.into(),
            particles,
            kind,
        })
    }

    /// A spring at the point of a rigid body that is at `position`.
    fn rigid_pull(
        &mut self,
        path: &str,
        values: &Values,
        (body, bodies): (usize, &[Body]),
        (holder, colliders): (Option<u32>, &[Collider]),
    ) -> Option<Attachment> {
        let Some(compliance) = values.optional_number("compliance") else {
            let message = "a rigid body is not held by its particles";
            let remedy = "join it by a [[joint]], pull at it with a `compliance`, or write `to_body` in an [[attach]] of the other body";
            self.fail(&address_text(path, "body"), message, remedy);
            return None;
        };
        if values.has("shape") {
            let message = "a rigid body is pulled at one point, not in a region";
            let remedy = "remove `shape`: the point is at `position`";
            self.fail(&address_text(path, "shape"), message, remedy);
            return None;
        }
        let (number, collider) = rigid(bodies, body, colliders);
        let place = DVec3::from_array(values.vector3("position"));
        let point = collider.motion.pose(0.0).to_local(place);
        let outside = collider.shape.signed_distance(point);
        if outside > OUTSIDE * bodies[body].spacing {
            let message = format!("it pulls at a point {outside:.3} m outside of the body");
            self.warn(&address_text(path, "position"), message);
        }
        let carried = |number: u32| colliders[number as usize].motion.pose(0.0).to_local(place);
        Some(Attachment {
            name: values.text("name").into(),
            particles: vec![first_id(bodies, body)],
            kind: AttachmentKind::PullRigid {
                body: number,
                point,
                collider: holder,
                target: holder.map_or(place, carried),
                compliance,
                strength: strength(values),
            },
        })
    }

    /// What holds particles in the world.
    fn pin(
        &mut self,
        path: &str,
        values: &Values,
        (name, body): (&str, usize),
        bodies: &[Body],
    ) -> Attachment {
        let of_body = &bodies[body];
        let places = self.held(path, values, of_body.spacing, &of_body.particles.position);
        let first = first_id(bodies, body);
        Attachment {
            name: name.into(),
            particles: places.iter().map(|&k| first + k as u32).collect(),
            kind: AttachmentKind::World,
        }
    }

    /// Places of the particles inside an attachment's region, or of the one nearest to its point.
    fn held(
        &mut self,
        path: &str,
        values: &Values,
        spacing: f64,
        positions: &[DVec3],
    ) -> Vec<usize> {
        let places: Vec<usize> = if values.has("shape") {
            let Some(shape) = self.region(path, values, spacing) else {
                return Vec::new();
            };
            let region = Region {
                shape,
                pose: pose(values),
            };
            let inside = |k: &usize| region.contains(positions[*k]);
            (0..positions.len()).filter(inside).collect()
        } else {
            let point = DVec3::from_array(values.vector3("position"));
            nearest(positions, point).into_iter().collect()
        };
        let message = format!(
            "it holds no particle of the body \"{}\"",
            values.text("body")
        );
        let is_warned = self.warnings.iter().any(|w| w.key == path);
        if places.is_empty() && !is_warned {
            self.warn(path, message);
        }
        places
    }
}

/// The place of the position that is nearest to a point.
fn nearest(positions: &[DVec3], point: DVec3) -> Option<usize> {
    let distance = |k: &usize| positions[*k].distance_squared(point);
    (0..positions.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Total force [N] and its strength, if the attachment is a load.
fn load(values: &Values) -> Option<(DVec3, Schedule)> {
    let force = match (
        values.optional_vector3("force"),
        values.optional_vector3("traction"),
    ) {
        (Some(force), _) => DVec3::from_array(force),
        (None, Some(traction)) => DVec3::from_array(traction) * values.number("area"),
        (None, None) => return None,
    };
    Some((force, strength(values)))
}

/// Stable id of a body's first particle: ids count the bodies' particles in order.
pub(super) fn first_id(bodies: &[Body], body: usize) -> u32 {
    let before = bodies[..body].iter();
    before.map(|b| b.particles.position.len() as u32).sum()
}

/// The number of a rigid body among its like, and its collider; those of rigid bodies are the last.
fn rigid<'a>(bodies: &[Body], body: usize, colliders: &'a [Collider]) -> (u32, &'a Collider) {
    let count = |bodies: &[Body]| bodies.iter().filter(|b| b.method.is_rigid()).count();
    let number = count(&bodies[..body]);
    let place = colliders.len() - count(bodies) + number;
    (number as u32, &colliders[place])
}

/// Rods from particles of a body to the nearest ones of another.
fn rods(bodies: &[Body], body: usize, places: &[usize], other: usize) -> Vec<Rod> {
    let (own, others) = (&bodies[body], &bodies[other].particles.position);
    let reach = ROD_REACH * own.spacing.max(bodies[other].spacing);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (j, &x) in others.iter().enumerate() {
        cells.entry(cell(x, reach)).or_default().push(j);
    }
    let (first, second) = (first_id(bodies, body), first_id(bodies, other));
    let mut rods = Vec::new();
    for &i in places {
        let x = own.particles.position[i];
        let [a, b, c] = cell(x, reach);
        let around = (0..27).map(|k| [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1]);
        let near = around.filter_map(|cell| cells.get(&cell)).flatten();
        let mut near: Vec<(f64, usize)> = near.map(|&j| (others[j].distance(x), j)).collect();
        near.retain(|(distance, _)| *distance <= reach && *distance > 0.0);
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        rods.extend(near.iter().take(MOST_RODS).map(|&(length, j)| Rod {
            first: first + i as u32,
            second: second + j as u32,
            length,
        }));
    }
    rods
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
