//! Frames and simple shapes for tests.

use std::sync::Arc;

use pliant_core::measure::{Frame, FrameBody, FrameCollider, Quantity, SceneryKind};
use pliant_geometry::{Aabb, Shape, TriangleMesh};
use pliant_math::{DVec3, Pose};

/// Owned columns of a frame.
#[derive(Default)]
pub(crate) struct Scene {
    pub position: Vec<DVec3>,
    pub velocity: Vec<[f32; 3]>,
    pub id: Vec<u32>,
    pub body: Vec<u32>,
    pub radius: Vec<f32>,
    pub quantities: Vec<Quantity>,
    pub triangles: Vec<[u32; 3]>,
    pub bodies: Vec<FrameBody>,
    pub colliders: Vec<FrameCollider>,
}

impl Scene {
    /// Spheres (centre, radius) of one sand-coloured body.
    pub fn of_spheres(spheres: impl IntoIterator<Item = (DVec3, f32)>) -> Self {
        let mut scene = Self::default();
        for (center, radius) in spheres {
            scene.id.push(scene.position.len() as u32);
            scene.position.push(center);
            scene.radius.push(radius);
            scene.velocity.push([0.0; 3]);
            scene.body.push(0);
        }
        scene.bodies.push(FrameBody {
            name: "sand".to_owned(),
            color: [0.85, 0.68, 0.42],
            drawn_as: Default::default(),
            look: Default::default(),
        });
        scene
    }

    pub fn frame(&self) -> Frame<'_> {
        Frame {
            number: 1,
            time: 0.25,
            position: &self.position,
            velocity: &self.velocity,
            id: &self.id,
            body: &self.body,
            material: &self.body,
            radius: &self.radius,
            quantities: &self.quantities,
            triangles: &self.triangles,
            uv: &[],
            inside: &[],
            bodies: &self.bodies,
            material_names: &[],
            colliders: &self.colliders,
        }
    }
}

/// An opaque or glassy collider at the origin.
pub(crate) fn collider(
    shape: impl Shape + 'static,
    color: [f32; 3],
    opacity: f32,
) -> FrameCollider {
    FrameCollider {
        name: "collider".to_owned(),
        shape: Arc::new(shape),
        pose: Pose::IDENTITY,
        color,
        opacity,
        gloss: 0.1,
        kind: SceneryKind::Collider,
    }
}

/// A floor at a height y.
pub(crate) fn floor(height: f64) -> FrameCollider {
    let mut floor = collider(Floor, [0.62, 0.62, 0.64], 1.0);
    floor.pose.translation.y = height;
    floor
}

/// The half space below y = 0.
#[derive(Debug)]
pub(crate) struct Floor;

impl Shape for Floor {
    fn signed_distance(&self, point: DVec3) -> f64 {
        point.y
    }
    fn bounds(&self) -> Option<Aabb> {
        None
    }
    fn volume(&self) -> Option<f64> {
        None
    }
    fn surface(&self, size: f64) -> TriangleMesh {
        let corner = |x: f64, z: f64| DVec3::new(x * size, 0.0, z * size);
        TriangleMesh {
            vertices: vec![
                corner(-1.0, -1.0),
                corner(-1.0, 1.0),
                corner(1.0, 1.0),
                corner(1.0, -1.0),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}

/// A box with half edges.
#[derive(Debug)]
pub(crate) struct Block(pub DVec3);

impl Shape for Block {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let q = point.abs() - self.0;
        q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
    }
    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: -self.0,
            max: self.0,
        })
    }
    fn volume(&self) -> Option<f64> {
        Some(8.0 * self.0.element_product())
    }
    fn surface(&self, _size: f64) -> TriangleMesh {
        let bounds = Aabb {
            min: -self.0,
            max: self.0,
        };
        TriangleMesh {
            vertices: bounds.corners().to_vec(),
            triangles: [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ]
            .iter()
            .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
            .collect(),
        }
    }
}

/// A ball around the origin.
#[derive(Debug)]
pub(crate) struct Ball(pub f64);

impl Shape for Ball {
    fn signed_distance(&self, point: DVec3) -> f64 {
        point.length() - self.0
    }
    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: DVec3::splat(-self.0),
            max: DVec3::splat(self.0),
        })
    }
    fn volume(&self) -> Option<f64> {
        Some(4.0 / 3.0 * std::f64::consts::PI * self.0.powi(3))
    }
    fn surface(&self, _size: f64) -> TriangleMesh {
        revolved(48, 24, |t| {
            let angle = std::f64::consts::PI * t;
            (self.0 * angle.sin(), -self.0 * angle.cos())
        })
    }
}

/// A surface of revolution about y; `profile` gives (radius, y) from bottom (0) to top (1).
pub(crate) fn revolved(
    around: u32,
    along: u32,
    profile: impl Fn(f64) -> (f64, f64),
) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for j in 0..=along {
        let (radius, y) = profile(f64::from(j) / f64::from(along));
        for i in 0..around {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(around);
            let point = DVec3::new(radius * angle.cos(), y, -radius * angle.sin());
            mesh.vertices.push(point);
        }
    }
    let at = |i: u32, j: u32| j * around + i % around;
    for j in 0..along {
        for i in 0..around {
            let (a, b) = (at(i, j), at(i + 1, j));
            let (c, d) = (at(i + 1, j + 1), at(i, j + 1));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}
