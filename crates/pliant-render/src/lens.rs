//! Motion blur and depth of field: the mean of sharp pictures, each at another time while the shutter is open and
//! from another place on the lens.

use glam::Vec3;
use pliant_core::measure::{Frame, FrameCollider};
use pliant_math::{DQuat, DVec3, Pose};
use rayon::prelude::*;

use crate::camera::Camera;
use crate::picture::Picture;
use crate::renderer::{RenderError, Renderer};
use crate::tone::{srgb_bytes, to_linear};
use crate::view::View;

/// What a camera has beside a pinhole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// How long the shutter is open, half of it before the time of a frame [s], >= 0. What moves is blurred by its
    /// velocity.
    pub shutter: f64,
    /// Diameter of the lens [m], >= 0. What is as far as the middle of the picture is sharp.
    pub aperture: f64,
    /// Sharp pictures of which one is made, >= 1.
    pub samples: u32,
}

impl Default for Lens {
    fn default() -> Self {
        Self {
            shutter: 0.0,
            aperture: 0.0,
            samples: 16,
        }
    }
}

impl Lens {
    /// True if one sharp picture is all there is.
    pub fn is_pinhole(&self) -> bool {
        self.shutter <= 0.0 && self.aperture <= 0.0
    }
}

/// Where the colliders of the last picture were.
#[derive(Debug)]
pub(crate) struct Before {
    time: f64,
    poses: Vec<Pose>,
}

impl Before {
    pub fn of(frame: &Frame) -> Self {
        Self {
            time: frame.time,
            poses: frame.colliders.iter().map(|c| c.pose).collect(),
        }
    }

    /// The colliders of a frame at a time after it [s], each going on as it came.
    fn go_on(&self, frame: &Frame, after: f64) -> Option<Vec<FrameCollider>> {
        let since = frame.time - self.time;
        let is_known = since > 0.0 && self.poses.len() == frame.colliders.len();
        let moved = |(collider, before): (&FrameCollider, &Pose)| FrameCollider {
            pose: gone_on(before, &collider.pose, after / since),
            ..collider.clone()
        };
        is_known.then(|| frame.colliders.iter().zip(&self.poses).map(moved).collect())
    }
}

/// A pose beyond another one, by a share of the way between them.
fn gone_on(before: &Pose, now: &Pose, share: f64) -> Pose {
    let turn = (now.rotation * before.rotation.inverse()).normalize();
    // Of two ways round, the shorter.
    let turn = if turn.w < 0.0 { -turn } else { turn };
    Pose {
        translation: now.translation + (now.translation - before.translation) * share,
        rotation: DQuat::from_scaled_axis(turn.to_scaled_axis() * share) * now.rotation,
    }
}

impl Renderer {
    /// The mean of sharp pictures.
    pub(crate) fn render_through(
        &mut self,
        frame: &Frame,
        camera: &Camera,
    ) -> Result<Picture, RenderError> {
        let lens = self.settings.lens;
        let count = lens.samples.max(1);
        let view = self.view(camera)?;
        let through = (lens.aperture, camera.target.distance(camera.position));
        let mut position = frame.position.to_vec();
        let mut light = Vec::new();
        let mut size = [0; 2];
        for k in 0..count {
            let after = lens.shutter * (golden_share(k) - 0.5);
            move_on(&mut position, frame, after);
            let colliders = self.before.as_ref().and_then(|b| b.go_on(frame, after));
            let moved = Frame {
                position: &position,
                colliders: colliders.as_deref().unwrap_or(frame.colliders),
                ..*frame
            };
            let sharp = self.render_sharp(&moved, &on_lens(&view, through, k, count))?;
            size = [sharp.width, sharp.height];
            add_light(&mut light, &sharp);
        }
        Ok(mean(size, &light, count))
    }
}

/// The fractional part of k golden sections: any number of them in a row is spread evenly from 0 to 1.
fn golden_share(k: u32) -> f64 {
    (f64::from(k) * 0.618_033_988_749_894_9 + 0.5).fract()
}

/// Positions at a time after that of a frame [s].
fn move_on(position: &mut [DVec3], frame: &Frame, after: f64) {
    let columns = position.par_iter_mut().zip(frame.position);
    columns.zip(frame.velocity).for_each(|((moved, x), v)| {
        let velocity = DVec3::from_array(v.map(f64::from));
        let way = velocity * after;
        *moved = if way.is_finite() { *x + way } else { *x };
    });
}

/// The view from the k-th of some places on the lens, which are spread evenly over it, by Vogel's spiral.
///
/// * `distance` — of what is sharp [m]
fn on_lens(view: &View, (aperture, distance): (f64, f64), k: u32, count: u32) -> View {
    let radius = 0.5 * aperture * libm::sqrt((f64::from(k) + 0.5) / f64::from(count));
    let angle = f64::from(k) * 2.399_963_229_728_653;
    let [right, up] = [libm::cos(angle), libm::sin(angle)].map(|share| radius * share);
    view.aside(right, up, distance)
}

/// Adds the linear light of a picture.
fn add_light(light: &mut Vec<Vec3>, picture: &Picture) {
    let of_byte: Vec<f32> = (0..=255)
        .map(|byte| to_linear([byte as f32 / 255.0; 3]).x)
        .collect();
    light.resize(picture.rgb.len() / 3, Vec3::ZERO);
    light
        .par_iter_mut()
        .zip(picture.rgb.par_chunks_exact(3))
        .for_each(|(sum, rgb)| {
            *sum += Vec3::new(
                of_byte[rgb[0] as usize],
                of_byte[rgb[1] as usize],
                of_byte[rgb[2] as usize],
            );
        });
}

fn mean([width, height]: [u32; 2], light: &[Vec3], count: u32) -> Picture {
    let share = 1.0 / count as f32;
    let pixels: Vec<[u8; 3]> = light.par_iter().map(|&l| srgb_bytes(l * share)).collect();
    Picture {
        width,
        height,
        rgb: pixels.into_flattened(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renderer::Settings;
    use crate::test_scene::Scene;

    const NOTHING: Lens = Lens {
        shutter: 0.0,
        aperture: 0.0,
        samples: 8,
    };

    fn ball(center: DVec3, radius: f32, velocity: [f32; 3]) -> Scene {
        let mut scene = Scene::of_spheres([(center, radius)]);
        scene.velocity = vec![velocity];
        scene
    }

    fn looking_at(target: DVec3) -> Camera {
        Camera {
            position: target + DVec3::new(0.0, 0.0, 4.0),
            target,
            up: DVec3::Y,
            vertical_field_of_view: 0.6,
        }
    }

    fn render(scene: &Scene, lens: Lens) -> Picture {
        let settings = Settings {
            width: 120,
            height: 80,
            lens,
            ..Settings::default()
        };
        let camera = looking_at(DVec3::ZERO);
        Renderer::new(settings)
            .render(&scene.frame(), &camera)
            .unwrap()
    }

    /// How many columns of the middle row differ from the one at the left edge.
    fn width_of(picture: &Picture) -> usize {
        let background = picture.pixel(0, 40);
        let differs = |x: &u32| {
            let pixel = picture.pixel(*x, 40);
            pixel.iter().zip(background).any(|(a, b)| a.abs_diff(b) > 4)
        };
        (0..picture.width).filter(differs).count()
    }

    #[test]
    fn without_shutter_and_aperture_pictures_are_what_they_were() {
        let scene = ball(DVec3::ZERO, 0.2, [3.0, 0.0, 0.0]);
        let usual = render(&scene, Lens::default());
        assert_eq!(render(&scene, NOTHING), usual);
    }

    #[test]
    fn a_ball_is_blurred_by_its_way_while_the_shutter_is_open() {
        let lens = Lens {
            shutter: 0.1,
            ..NOTHING
        };
        let still = ball(DVec3::ZERO, 0.2, [0.0; 3]);
        let moving = ball(DVec3::ZERO, 0.2, [4.0, 0.0, 0.0]);
        let sharp = render(&still, Lens::default());
        assert_eq!(width_of(&render(&still, lens)), width_of(&sharp));
        // Its diameter and its way are equally long.
        let ratio = width_of(&render(&moving, lens)) as f64 / width_of(&sharp) as f64;
        assert!((1.6..2.2).contains(&ratio), "{ratio}");
    }

    #[test]
    fn what_is_nearer_than_the_middle_of_the_picture_is_out_of_focus() {
        let lens = Lens {
            aperture: 0.3,
            samples: 32,
            ..NOTHING
        };
        let [near, far] = [2.0, 0.0].map(|z| {
            let scene = ball(DVec3::new(0.0, 0.0, z), 0.1, [0.0; 3]);
            let [open, sharp] = [lens, Lens::default()].map(|l| width_of(&render(&scene, l)));
            open as f64 / sharp as f64
        });
        // At half the distance the ball is seen moved by 0.3/4 from end to end of the lens, and is 0.2/2 wide.
        assert!(near > 1.3, "{near}");
        assert!((0.85..1.3).contains(&far), "{far}");
    }

    #[test]
    fn a_camera_that_looks_straight_down_keeps_its_sides_on_the_lens() {
        let down = Camera {
            position: DVec3::new(0.0, 4.0, 0.0),
            target: DVec3::ZERO,
            ..looking_at(DVec3::ZERO)
        };
        let view = View::new(&down, 120, 80);
        // What is in the plane that is sharp stays where it is, but for the tilt of that plane.
        for point in [DVec3::ZERO, DVec3::X, DVec3::Z] {
            let [x, y] = pixel_of(&view, point);
            for k in 0..16 {
                let [a, b] = pixel_of(&on_lens(&view, (0.3, 4.0), k, 16), point);
                assert!(
                    (a - x).hypot(b - y) < 1.5,
                    "{point} from {k}: {a} {b}, was {x} {y}"
                );
            }
        }
    }

    fn pixel_of(view: &View, point: DVec3) -> [f32; 2] {
        let (x, y) = view.pixel_of(view.to_view(point));
        [x, y]
    }

    #[test]
    fn colliders_go_on_as_they_came() {
        let before = Pose::IDENTITY;
        let now = Pose {
            translation: DVec3::X,
            rotation: DQuat::from_rotation_y(0.4),
        };
        let later = gone_on(&before, &now, 0.5);
        assert!((later.translation - DVec3::X * 1.5).length() < 1e-12);
        let turned = later.rotation.angle_between(DQuat::from_rotation_y(0.6));
        assert!(turned < 1e-6, "{turned}");
        assert_eq!(gone_on(&before, &now, 0.0).translation, now.translation);
    }

    #[test]
    fn times_are_spread_evenly() {
        let mut shares: Vec<f64> = (0..16).map(golden_share).collect();
        shares.sort_by(f64::total_cmp);
        let gaps = shares.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.fold(0.0, f64::max) < 2.0 / 16.0);
    }
}
