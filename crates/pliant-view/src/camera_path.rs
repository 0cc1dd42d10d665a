//! Where the camera of a run is at each time.

use pliant_core::schedule::{Bracket, Ease};
use pliant_math::{DQuat, DVec3};
use pliant_render::Camera;
use pliant_scene::Scene;

/// A camera that stays, goes from keyframe to keyframe, or turns around what it looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraPath {
    /// Times [s], increasing, and the camera then; at least one.
    keyframes: Vec<(f64, Camera)>,
    ease: Ease,
    /// Turn around the vertical through the target [rad/s].
    turn: f64,
}

impl CameraPath {
    /// One with these keyframes, at times [s] that increase, which turns by an angle [rad] a second around the
    /// vertical through its target; `None` without keyframes, or if their times do not increase.
    pub fn new(keyframes: Vec<(f64, Camera)>, ease: Ease, turn: f64) -> Option<Self> {
        let increases = keyframes.is_sorted_by(|a, b| a.0 < b.0);
        (increases && !keyframes.is_empty()).then_some(Self {
            keyframes,
            ease,
            turn,
        })
    }

    /// One that stays.
    pub fn fixed(camera: Camera) -> Self {
        Self {
            keyframes: vec![(0.0, camera)],
            ease: Ease::Linear,
            turn: 0.0,
        }
    }

    /// As a scene writes it.
    pub fn of(camera: &pliant_scene::Camera, scene: &Scene) -> Self {
        let start = scene_camera(camera, scene.up());
        let mut last = start;
        let keyframes = camera.keyframes.iter().map(|keyframe| {
            last = Camera {
                position: keyframe.position.unwrap_or(last.position),
                target: keyframe.target.unwrap_or(last.target),
                vertical_field_of_view: keyframe
                    .field_of_view
                    .unwrap_or(last.vertical_field_of_view),
                ..last
            };
            (keyframe.time, last)
        });
        let keyframes: Vec<(f64, Camera)> = keyframes.collect();
        Self {
            ease: camera.ease,
            turn: camera.turn,
            ..match keyframes.is_empty() {
                true => Self::fixed(start),
                false => Self {
                    keyframes,
                    ..Self::fixed(start)
                },
            }
        }
    }

    /// Whether it is not the same at all times.
    pub fn moves(&self) -> bool {
        self.turn != 0.0 || self.keyframes.len() > 1
    }

    /// Times [s], increasing, and the camera then; at least one. It stays before the first and after the last.
    pub fn keyframes(&self) -> &[(f64, Camera)] {
        &self.keyframes
    }

    /// How it goes from one keyframe to the next.
    pub fn ease(&self) -> Ease {
        self.ease
    }

    /// Its turn around the vertical through its target [rad/s].
    pub fn turn(&self) -> f64 {
        self.turn
    }

    /// The same, turning around what it looks at by an angle [rad] a second.
    pub fn turning(self, turn: f64) -> Self {
        Self { turn, ..self }
    }

    /// Where it is at a time [s].
    pub fn at(&self, time: f64) -> Camera {
        let at = Bracket::of(&self.keyframes, |keyframe| keyframe.0, self.ease, time);
        let (before, after) = (self.keyframes[at.before].1, self.keyframes[at.after].1);
        let between = |a: DVec3, b: DVec3| match at.before == at.after {
            true => a,
            false => a + (b - a) * at.progress,
        };
        let angles = [before, after].map(|camera| camera.vertical_field_of_view);
        let target = between(before.target, after.target);
        let position = between(before.position, after.position);
        let vertical = before.up.normalize_or(DVec3::Y);
        let turned =
            |x: DVec3| target + DQuat::from_axis_angle(vertical, self.turn * time) * (x - target);
        Camera {
            position: match self.turn == 0.0 {
                true => position,
                false => turned(position),
            },
            target,
            up: before.up,
            vertical_field_of_view: angles[0] + (angles[1] - angles[0]) * at.progress,
        }
    }
}

/// A camera as the scene writes it, at the start.
pub fn scene_camera(camera: &pliant_scene::Camera, up: DVec3) -> Camera {
    Camera {
        position: camera.position,
        target: camera.target,
        up,
        vertical_field_of_view: camera.field_of_view,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pliant_scene::Overrides;

    use super::*;

    fn path_of(camera: &str) -> CameraPath {
        let body = "[material.a]\npreset = \"water\"\n[[body]]\nname = \"b\"\nmaterial = \"a\"\nspacing = 0.1\n\
                    shape = { box = { size = [1, 1, 1] } }\n";
        let text = format!("scene.duration = 1\n{body}[[camera]]\n{camera}");
        let scene = Scene::parse(&text, "test.toml", Path::new("."), &Overrides::default());
        let scene = scene.unwrap_or_else(|errors| panic!("{errors}"));
        CameraPath::of(&scene.cameras()[0], &scene)
    }

    #[test]
    fn keyframes_leave_what_they_do_not_name() {
        let path = path_of(
            "position = [1, 0, 0]\ntarget = [0, 0, 0]\nfield_of_view = 40\n\
             keyframes = [{ t = 1, target = [0, 1, 0] }, { t = 3, position = [3, 0, 0], field_of_view = 20 }]\n",
        );
        assert_eq!(path.at(0.0).target, DVec3::Y);
        assert_eq!(path.at(0.0).position, DVec3::X);
        assert_eq!(path.at(2.0).position, DVec3::X * 2.0);
        let degrees = path.at(2.0).vertical_field_of_view.to_degrees();
        assert!((degrees - 30.0).abs() < 1e-9);
        assert_eq!(path.at(9.0), path.at(3.0));
    }

    #[test]
    fn cameras_move_by_keyframes_and_by_turning() {
        let still = "position = [2, 1, 0]\ntarget = [0, 0, 0]\n";
        assert!(!path_of(still).moves());
        assert!(path_of(&format!("{still}turn = -5\n")).moves());
        let [start, end] = [0.0, 1.0].map(|time| (time, path_of(still).at(time)));
        let path = |keyframes| CameraPath::new(keyframes, Ease::Smooth, 0.0);
        assert!(path(vec![start, end]).is_some_and(|path| path.moves()));
        assert!(path(vec![start]).is_some_and(|path| !path.moves()));
        for wrong in [vec![], vec![end, start], vec![start, start]] {
            assert_eq!(path(wrong), None);
        }
    }

    #[test]
    fn a_turntable_keeps_its_distance_and_height() {
        let path = path_of("position = [2, 1, 0]\ntarget = [0, 0.5, 0]\nturn = 90\n");
        for time in [0.0, 0.7, 1.0, 4.0] {
            let camera = path.at(time);
            assert!((camera.position.distance(camera.target) - 4.25_f64.sqrt()).abs() < 1e-12);
            assert!((camera.position.y - 1.0).abs() < 1e-12);
        }
        assert!(path.at(1.0).position.distance(DVec3::new(0.0, 1.0, -2.0)) < 1e-12);
        assert!(path.at(4.0).position.distance(path.at(0.0).position) < 1e-12);
    }
}
