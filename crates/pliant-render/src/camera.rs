//! Where a picture is taken from, and a view that shows the action.

use pliant_core::measure::{Frame, FrameCollider, SceneryKind};
use pliant_geometry::Aabb;
use pliant_math::DVec3;

/// A pinhole camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands [m].
    pub position: DVec3,
    /// The point in the middle of the picture [m].
    pub target: DVec3,
    /// Which way is up, in the picture and for the light; need not be a unit vector.
    pub up: DVec3,
    /// Angle between the lower and the upper edge of the picture [rad], in (0, π).
    pub vertical_field_of_view: f64,
}

/// Width over height that [`Camera::framing`] plans for; narrower pictures crop the sides.
const ASPECT: f64 = 16.0 / 9.0;
/// Field of view of [`Camera::framing`] [rad]: a short telephoto lens, little distortion.
const FIELD_OF_VIEW: f64 = 0.5;
/// Share of the picture left free at each side.
const MARGIN: f64 = 0.12;
/// Height of the camera above the horizon [rad] and its turn from the second horizontal axis [rad].
const ELEVATION: f64 = 0.34;
const AZIMUTH: f64 = 0.52;

impl Camera {
    /// A three-quarter view from slightly above that shows all of `bounds` in a 16:9 picture.
    ///
    /// `up_axis` is the scene's vertical. The camera is never lower than the middle of the bounds.
    /// Empty or infinite bounds give a view of a metre around the origin.
    pub fn framing(bounds: Aabb, up_axis: DVec3) -> Self {
        let bounds = drawable(bounds);
        let up = up_axis.normalize_or(DVec3::Z);
        let side = side_of(up);
        let toward_viewer = side.cross(up);
        let level = toward_viewer * libm::cos(AZIMUTH) + side * libm::sin(AZIMUTH);
        let back = level * libm::cos(ELEVATION) + up * libm::sin(ELEVATION);
        let target = bounds.center();
        let distance = fitting_distance(&bounds, target, back, up);
        Self {
            position: target + back * distance,
            target,
            up,
            vertical_field_of_view: FIELD_OF_VIEW,
        }
    }
}

/// The box that a picture of a frame should show: nearly all particles, the drawn colliders that
/// have an end, without blades, and the floor below if it is near.
///
/// `up_axis` is the scene's vertical, a coordinate axis. The outermost 0.1 % of the particles at
/// each side are left out, so that a few that flew off do not shrink the rest to a dot.
pub fn action_bounds(frame: &Frame, up_axis: DVec3) -> Aabb {
    let particles = particle_bounds(frame.position);
    let bounds = frame
        .colliders
        .iter()
        .filter(|c| c.opacity > 0.0 && c.kind != SceneryKind::Blade)
        .filter_map(collider_bounds)
        .fold(particles, Aabb::union);
    let up = up_axis.normalize_or(DVec3::Z);
    frame
        .colliders
        .iter()
        .filter(|c| c.shape.bounds().is_none())
        .filter_map(|c| foot_on(c, &bounds, up))
        .fold(bounds, Aabb::including)
}

/// Bounds of the finite positions without the outermost 0.1 % at each side.
pub(crate) fn particle_bounds(position: &[DVec3]) -> Aabb {
    let finite: Vec<DVec3> = position.iter().copied().filter(|p| p.is_finite()).collect();
    if finite.is_empty() {
        return Aabb::EMPTY;
    }
    let left_out = finite.len() / 1000;
    let mut bounds = Aabb::EMPTY;
    for axis in 0..3 {
        let mut along: Vec<f64> = finite.iter().map(|p| p[axis]).collect();
        let last = along.len() - 1;
        bounds.min[axis] = *along.select_nth_unstable_by(left_out, f64::total_cmp).1;
        bounds.max[axis] = *along
            .select_nth_unstable_by(last - left_out, f64::total_cmp)
            .1;
    }
    bounds
}

/// The world box of a collider, if its shape has an end.
pub(crate) fn collider_bounds(collider: &FrameCollider) -> Option<Aabb> {
    let local = collider.shape.bounds()?;
    let corners = local.corners().map(|p| collider.pose.to_world(p));
    Some(Aabb::around(corners))
}

/// The point of an endless collider straight below the middle of the bounds, if it is within eight extents.
fn foot_on(collider: &FrameCollider, bounds: &Aabb, up: DVec3) -> Option<DVec3> {
    let start = bounds.center();
    let reach = 8.0 * bounds.extent().max_element() + 0.5 * bounds.extent().dot(up.abs());
    let mut depth = 0.0;
    for _ in 0..64 {
        let point = start - up * depth;
        let gap = collider
            .shape
            .signed_distance(collider.pose.to_local(point));
        if gap <= 1e-3 * reach {
            return (depth > 0.0).then_some(point);
        }
        depth += gap;
        if depth.is_nan() || depth > reach {
            return None;
        }
    }
    None
}

fn drawable(bounds: Aabb) -> Aabb {
    let extent = bounds.extent();
    if extent.is_finite() && extent.min_element() >= 0.0 && bounds.min.is_finite() {
        let margin = 0.5e-3 * extent.max_element().max(1e-6);
        return bounds.grown(margin);
    }
    Aabb {
        min: DVec3::splat(-0.5),
        max: DVec3::splat(0.5),
    }
}

/// The horizontal axis that points right when looking along the other one.
fn side_of(up: DVec3) -> DVec3 {
    let along = if up.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    (along - up * along.dot(up)).normalize_or(DVec3::X)
}

/// The smallest distance along `back` from which every corner is inside the picture.
fn fitting_distance(bounds: &Aabb, target: DVec3, back: DVec3, up: DVec3) -> f64 {
    let right = up.cross(back).normalize_or(DVec3::X);
    let true_up = back.cross(right);
    let vertical = libm::tan(0.5 * FIELD_OF_VIEW) * (1.0 - MARGIN);
    let horizontal = vertical * ASPECT;
    bounds
        .corners()
        .iter()
        .map(|corner| {
            let p = *corner - target;
            let sideways = (p.dot(right).abs() / horizontal).max(p.dot(true_up).abs() / vertical);
            sideways + p.dot(back)
        })
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_scene::{self, Scene};

    fn box_of(extent: DVec3) -> Aabb {
        Aabb {
            min: DVec3::new(1.0, 2.0, 3.0),
            max: DVec3::new(1.0, 2.0, 3.0) + extent,
        }
    }

    #[test]
    fn framing_shows_every_corner_and_stands_above() {
        for up in [DVec3::Y, DVec3::Z] {
            for extent in [
                DVec3::ONE,
                DVec3::new(8.0, 0.1, 0.3),
                DVec3::new(0.1, 0.2, 7.0),
            ] {
                let bounds = box_of(extent);
                let camera = Camera::framing(bounds, up);
                let view = crate::view::View::new(&camera, 1280, 720);
                for corner in bounds.corners() {
                    let p = view.to_view(corner);
                    let (x, y) = view.pixel_of(p);
                    assert!(p.z > 0.0 && (0.0..1280.0).contains(&x) && (0.0..720.0).contains(&y));
                }
                assert!(camera.position.dot(up) > bounds.center().dot(up));
            }
        }
    }

    #[test]
    fn framing_survives_bounds_without_meaning() {
        let infinite = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        };
        let point = Aabb::around([DVec3::ONE]);
        for bounds in [Aabb::EMPTY, infinite, point] {
            let camera = Camera::framing(bounds, DVec3::ZERO);
            assert!(camera.position.is_finite());
            assert!(camera.position.distance(camera.target) > 0.0);
        }
    }

    #[test]
    fn action_bounds_reach_down_to_the_floor_and_ignore_a_stray_particle() {
        let mut scene = Scene::of_spheres(
            (0..2000).map(|i| (DVec3::new(0.0, 1.0 + 1e-4 * f64::from(i), 0.0), 0.01)),
        );
        scene.position[7] = DVec3::new(0.0, 1e6, 0.0);
        scene.colliders.push(test_scene::floor(0.0));
        let bounds = action_bounds(&scene.frame(), DVec3::Y);
        assert!(bounds.min.y.abs() < 0.01);
        assert!(bounds.max.y < 1.3);
        let wide = test_scene::Block(DVec3::splat(50.0));
        let mut blade = test_scene::collider(wide, [0.5; 3], 1.0);
        blade.kind = SceneryKind::Blade;
        scene.colliders.push(blade);
        assert_eq!(action_bounds(&scene.frame(), DVec3::Y), bounds);
    }
}
