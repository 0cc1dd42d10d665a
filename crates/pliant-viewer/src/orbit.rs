//! A camera that is turned, shifted and brought nearer by the mouse.

use pliant::math::DVec3;
use pliant::render::Camera;

/// Turn of a drag across the height of the picture [rad].
const TURN: f64 = 4.0;
/// The nearest that the camera comes to the vertical [rad].
const STEEPEST: f64 = 0.02;

/// Turns a camera around its target by a drag, in heights of the picture.
pub fn turn(camera: &mut Camera, across: f64, down: f64) {
    let up = camera.up.normalize_or(DVec3::Y);
    let back = camera.position - camera.target;
    let distance = back.length().max(1e-9);
    let height = (back.dot(up) / distance).clamp(-1.0, 1.0).asin();
    let limit = std::f64::consts::FRAC_PI_2 - STEEPEST;
    let height = (height + TURN * down).clamp(-limit, limit);
    let level = (back - up * back.dot(up)).normalize_or(up.any_orthonormal_vector());
    let side = up.cross(level);
    let (sine, cosine) = (-TURN * across).sin_cos();
    let level = level * cosine + side * sine;
    camera.position = camera.target + (level * height.cos() + up * height.sin()) * distance;
}

/// Shifts a camera so that its target follows a drag, in heights of the picture.
pub fn shift(camera: &mut Camera, across: f64, down: f64) {
    let [right, true_up, _] = axes(camera);
    let height = 2.0 * (0.5 * camera.vertical_field_of_view).tan() * distance(camera);
    let by = (true_up * down - right * across) * height;
    camera.position += by;
    camera.target += by;
}

/// Brings a camera nearer to its target: to the distance times a factor.
pub fn approach(camera: &mut Camera, factor: f64) {
    let back = camera.position - camera.target;
    camera.position = camera.target + back * factor.clamp(0.1, 10.0);
}

/// From where and into which direction (a unit vector) a point of the picture looks.
///
/// * `at` — across and down from the middle, in heights of the picture
pub fn ray(camera: &Camera, at: [f64; 2]) -> (DVec3, DVec3) {
    let [right, true_up, ahead] = axes(camera);
    let slope = 2.0 * (0.5 * camera.vertical_field_of_view).tan();
    let toward = ahead + (right * at[0] - true_up * at[1]) * slope;
    (camera.position, toward.normalize())
}

/// Right, up and ahead in the picture, unit vectors.
pub fn axes(camera: &Camera) -> [DVec3; 3] {
    let ahead = (camera.target - camera.position).normalize_or(DVec3::NEG_Z);
    let up = camera.up.normalize_or(DVec3::Y);
    let right = ahead
        .cross(up)
        .try_normalize()
        .unwrap_or_else(|| ahead.any_orthonormal_vector());
    [right, right.cross(ahead), ahead]
}

fn distance(camera: &Camera) -> f64 {
    camera.position.distance(camera.target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        Camera {
            position: DVec3::new(0.0, 1.0, 3.0),
            target: DVec3::new(0.0, 0.5, 0.0),
            up: DVec3::Y,
            vertical_field_of_view: 0.6,
        }
    }

    #[test]
    fn turning_keeps_the_distance_and_stays_below_the_zenith() {
        let mut own = camera();
        for _ in 0..50 {
            turn(&mut own, 0.13, 0.21);
            assert!((distance(&own) - distance(&camera())).abs() < 1e-9);
        }
        let back = (own.position - own.target).normalize();
        assert!(back.y > 0.99 && back.y < 1.0 && own.target == camera().target);
    }

    #[test]
    fn the_point_under_the_mouse_follows_a_shift() {
        let mut own = camera();
        shift(&mut own, 0.2, -0.1);
        // What was in the middle is now to the right and above.
        let (from, toward) = ray(&own, [0.2, -0.1]);
        let to_target = camera().target - from;
        assert!(to_target.cross(toward).length() < 1e-9 * to_target.length());
        let before = distance(&own);
        approach(&mut own, 0.5);
        assert!((distance(&own) - 0.5 * before).abs() < 1e-9);
    }

    #[test]
    fn the_middle_looks_at_the_target() {
        let (from, toward) = ray(&camera(), [0.0, 0.0]);
        assert!((camera().target - from).normalize().distance(toward) < 1e-12);
        let mut above = camera();
        above.position = above.target + DVec3::Y;
        assert!(
            axes(&above)
                .iter()
                .all(|axis| (axis.length() - 1.0).abs() < 1e-9)
        );
    }
}
