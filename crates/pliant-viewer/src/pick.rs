//! What is under the mouse.

use pliant::core::measure::{FrameCollider, SceneryKind};
use pliant::live::Snapshot;
use pliant::math::DVec3;

/// Where a ray meets something.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the eye [m].
    pub distance: f64,
    /// The point [m].
    pub point: DVec3,
    /// What it meets.
    pub what: Met,
}

/// What a ray meets.
#[derive(Clone, Debug, PartialEq)]
pub enum Met {
    /// A loose particle of a stable id.
    Particle(u32),
    /// A triangle of a body.
    Surface,
    /// A collider.
    Collider,
    /// A rigid body.
    RigidBody,
}

/// Steps of a ray through the distance of a collider.
const MOST_STEPS: u32 = 96;

/// The first thing that a ray meets; `toward` is a unit vector, `reach` how far it goes [m].
pub fn pick(snapshot: &Snapshot, from: DVec3, toward: DVec3, reach: f64) -> Option<Hit> {
    let spheres = snapshot.spheres.iter().zip(&snapshot.sphere_ids);
    let of_spheres = spheres
        .filter_map(|(sphere, &id)| Some((meet_sphere(sphere, from, toward)?, Met::Particle(id))));
    let of_triangles = snapshot.triangles.iter().filter_map(|triangle| {
        let corners = triangle.map(|i| double(snapshot.vertices[i as usize]));
        Some((meet_triangle(corners, from, toward)?, Met::Surface))
    });
    let drawn = snapshot.colliders.iter().filter(|c| c.opacity > 0.0);
    let of_colliders = drawn.filter_map(|collider| {
        let distance = meet_collider(collider, from, toward, reach)?;
        let what = match collider.kind {
            SceneryKind::RigidBody => Met::RigidBody,
            SceneryKind::Collider | SceneryKind::Blade => Met::Collider,
        };
        Some((distance, what))
    });
    let all = of_spheres.chain(of_triangles).chain(of_colliders);
    let (distance, what) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Hit {
        distance,
        point: from + toward * distance,
        what,
    })
}

fn meet_sphere(&[x, y, z, radius]: &[f32; 4], from: DVec3, toward: DVec3) -> Option<f64> {
    let to_center = double([x, y, z]) - from;
    let along = to_center.dot(toward);
    let room = f64::from(radius).powi(2) - (to_center.length_squared() - along * along);
    (room > 0.0 && along > 0.0).then(|| along - room.sqrt())
}

/// Möller and Trumbore 1997.
fn meet_triangle([a, b, c]: [DVec3; 3], from: DVec3, toward: DVec3) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let across = toward.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let to_start = (from - a) / determinant;
    let u = to_start.dot(across);
    let turned = to_start.cross(ab);
    let v = toward.dot(turned);
    let distance = ac.dot(turned);
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    (is_inside && distance > 0.0).then_some(distance)
}

/// Sphere tracing of its signed distance.
fn meet_collider(collider: &FrameCollider, from: DVec3, toward: DVec3, reach: f64) -> Option<f64> {
    let mut along = 0.0;
    for _ in 0..MOST_STEPS {
        let local = collider.pose.to_local(from + toward * along);
        let gap = collider.shape.signed_distance(local).abs();
        if gap < 1e-4 * reach {
            return Some(along);
        }
        along += gap;
        if along.is_nan() || along > reach {
            return None;
        }
    }
    None
}

fn double([x, y, z]: [f32; 3]) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant::geometry::shapes::Sphere;
    use pliant::math::Pose;

    use super::*;

    fn snapshot() -> Snapshot {
        Snapshot {
            spheres: vec![[0.0, 0.0, -2.0, 0.5], [0.0, 0.0, -4.0, 0.5]],
            sphere_ids: vec![7, 8],
            vertices: vec![[-1.0, 1.0, -3.0], [1.0, 1.0, -3.0], [0.0, 3.0, -3.0]],
            triangles: vec![[0, 1, 2]],
            colliders: vec![solid(SceneryKind::RigidBody, DVec3::new(0.0, 0.0, 4.0))],
            ..Snapshot::default()
        }
    }

    /// A ball of half a metre.
    fn solid(kind: SceneryKind, translation: DVec3) -> FrameCollider {
        FrameCollider {
            name: "ball".into(),
            shape: Arc::new(Sphere { radius: 0.5 }),
            pose: Pose {
                translation,
                ..Pose::IDENTITY
            },
            color: [0.5; 3],
            opacity: 1.0,
            gloss: 0.1,
            kind,
        }
    }

    #[test]
    fn the_nearest_thing_is_met() {
        let hit = pick(&snapshot(), DVec3::ZERO, DVec3::NEG_Z, 10.0).expect("a ball");
        assert_eq!((hit.distance, hit.what), (1.5, Met::Particle(7)));
        let aslant = DVec3::new(0.0, 1.5, -3.0);
        let hit = pick(&snapshot(), DVec3::ZERO, aslant.normalize(), 10.0).expect("a triangle");
        assert!(hit.what == Met::Surface && hit.point.distance(aslant) < 1e-9);
        let hit = pick(&snapshot(), DVec3::ZERO, DVec3::Z, 10.0).expect("a rigid body");
        assert!(hit.what == Met::RigidBody && (hit.distance - 3.5).abs() < 1e-2);
        assert_eq!(pick(&snapshot(), DVec3::ZERO, DVec3::X, 10.0), None);
    }
}
