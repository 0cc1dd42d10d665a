//! From where a picture is seen and lit.

use glam::dcamera::rh::proj::opengl;
use glam::dcamera::rh::view;
use glam::{DMat4, DVec3, Mat4, Vec3};
use pliant::geometry::Aabb;
use pliant::live::Snapshot;
use pliant::render::illumination;

use super::Drawing;

/// Matrices of a picture.
pub(super) struct Views {
    pub view: DMat4,
    pub projection: Mat4,
    /// From the world to the clip space of the lamp.
    pub lamp: DMat4,
    /// Towards the lamp, in view space.
    pub toward_lamp: Vec3,
    /// The scene's vertical, in view space.
    pub up: Vec3,
}

impl Views {
    pub fn new(drawing: &Drawing, casting: &Aabb, aspect: f64) -> Self {
        let Drawing { camera, bounds, .. } = drawing;
        let (eye, target) = (camera.position, camera.target);
        let world_up = camera.up.normalize_or(DVec3::Y);
        let view = view::look_at_mat4(eye, target, world_up);
        let distance = eye.distance(target).max(1e-6);
        let (near, far) = (0.01 * distance, distance + 100.0 * extent(bounds));
        let angle = camera.vertical_field_of_view.clamp(1e-3, 3.1);
        let projection = opengl::perspective(angle, aspect, near, far).as_mat4();
        let up = view.transform_vector3(world_up).as_vec3();
        let mirrored = |v: Vec3| Vec3::new(v.x, v.y, -v.z);
        let toward_lamp = mirrored(illumination::lamp_direction(mirrored(up)));
        let lamp_in_world = view.inverse().transform_vector3(toward_lamp.as_dvec3());
        Self {
            lamp: lamp_view(casting, lamp_in_world, world_up),
            view,
            projection,
            toward_lamp,
            up,
        }
    }
}

/// Around what was there at the start and what is now, but for what flew far off.
pub(super) fn casting(snapshot: &Snapshot, start: &Aabb) -> Aabb {
    let near = start.grown(1.5 * extent(start));
    let radii = snapshot.spheres.iter().map(|sphere| sphere[3]);
    let largest = radii.fold(0.0, f32::max);
    let spheres = snapshot.spheres.iter().map(|&[x, y, z, _]| [x, y, z]);
    let points = spheres.chain(snapshot.vertices.iter().copied());
    points
        .map(|[x, y, z]| DVec3::new(x.into(), y.into(), z.into()))
        .filter(|&point| near.contains(point))
        .fold(*start, Aabb::including)
        .grown(largest.into())
}

/// From the world to the clip space of a lamp that sees bounds.
fn lamp_view(bounds: &Aabb, toward: DVec3, up: DVec3) -> DMat4 {
    let center = bounds.center();
    let radius = 0.55 * bounds.extent().length().max(1e-6);
    let side = match toward.dot(up).abs() < 0.99 {
        true => up,
        false => toward.any_orthonormal_vector(),
    };
    let view = view::look_at_mat4(center + toward * (2.0 * radius), center, side);
    opengl::orthographic(-radius, radius, -radius, radius, 0.5 * radius, 3.5 * radius) * view
}

/// The longest edge of bounds [m].
pub(super) fn extent(bounds: &Aabb) -> f64 {
    bounds.extent().max_element().max(1e-6)
}
