//! Blades: surfaces that part what they meet.
//!
//! A blade that appears parts what it crosses; from then on its rim does, wherever it sweeps. What
//! lies beside the faces of a blade stays whole, as beside a real one.

use std::sync::Arc;

use pliant_geometry::topology::rim;
use pliant_geometry::{Aabb, Shape, TriangleMesh};
use pliant_math::DVec3;

use super::Motion;
use super::crossing::{do_cross, do_meet};

/// A moving surface that cuts.
#[derive(Clone, Debug)]
pub struct Blade {
    /// Name, unique among blades.
    pub name: String,
    /// Its shape, to be drawn.
    pub shape: Arc<dyn Shape>,
    /// Its surface, open if it moves.
    pub surface: TriangleMesh,
    /// Where it is.
    pub motion: Motion,
    /// The moment it appears [s], >= 0.
    pub start: f64,
    /// The last moment of its being there [s], >= `start`, may be infinite.
    pub stop: f64,
    /// Index of the only body it cuts; `None`: all.
    pub body: Option<u32>,
    /// Colour in pictures, sRGB in [0, 1].
    pub color: [f32; 3],
    /// In pictures: 1 opaque, 0 not drawn, between as glass.
    pub opacity: f32,
}

impl Blade {
    /// True if it is there at a time [s].
    pub fn is_there(&self, time: f64) -> bool {
        (self.start..=self.stop).contains(&time)
    }
}

/// Two points at the start and at the end of a time.
pub type MovingSegment = [[DVec3; 2]; 2];

/// What a blade sweeps in a substep.
#[derive(Clone, Debug)]
pub struct BladeStep {
    /// The only body it cuts.
    pub body: Option<u32>,
    /// Around all that it sweeps.
    pub bounds: Aabb,
    /// Pieces of the rim.
    rim: Vec<MovingSegment>,
    /// Corners of the triangles, if the blade appears.
    faces: Vec<[DVec3; 3]>,
    /// From when to when it is there, as parts of the substep.
    part: [f64; 2],
}

impl BladeStep {
    /// What a blade sweeps from `time` [s] on in `dt` [s], `None` if it is not there.
    ///
    /// * `aside` — by how little it is out of its place [m], so that particles that lie exactly in its
    ///   plane are all on the same side
    pub fn new(blade: &Blade, time: f64, dt: f64, aside: f64) -> Option<Self> {
        /// Not along any plane that scenes have blades or lattices in.
        const DIRECTION: DVec3 = DVec3::new(0.618_034, 0.754_878, 0.220_744);
        let appears = blade.start >= time && blade.start < time + dt;
        let (from, to) = (blade.start.max(time), blade.stop.min(time + dt));
        if to < from || (blade.stop == time && !appears) || blade.start >= time + dt {
            return None;
        }
        let (first, last) = (blade.motion.pose(from), blade.motion.pose(to));
        let corner = |i: u32| blade.surface.vertices[i as usize];
        let out = DIRECTION * aside;
        let rim = rim(&blade.surface).into_iter().map(|ends| {
            let ends = ends.map(corner);
            [first, last].map(|pose| ends.map(|x| pose.to_world(x) + out))
        });
        let rim: Vec<MovingSegment> = rim.collect();
        let faces = blade.surface.triangles.iter().filter(|_| appears);
        let faces: Vec<[DVec3; 3]> = faces
            .map(|t| t.map(|i| first.to_world(corner(i)) + out))
            .collect();
        let points = rim.iter().flatten().flatten().chain(faces.iter().flatten());
        Some(Self {
            body: blade.body,
            bounds: Aabb::around(points.copied()),
            rim,
            faces,
            part: [from, to].map(|moment| (moment - time) / dt),
        })
    }

    /// True if the way between two points that move evenly through the substep is cut.
    pub fn cuts(&self, [start, end]: MovingSegment) -> bool {
        let way = self.part.map(|part| {
            let at = |k: usize| start[k] + (end[k] - start[k]) * part;
            [at(0), at(1)]
        });
        let around = Aabb::around(way.into_iter().flatten());
        if !self.bounds.overlaps(&around) {
            return false;
        }
        let is_swept = |piece: &MovingSegment| {
            let bounds = Aabb::around(piece.iter().flatten().copied());
            bounds.overlaps(&around) && do_meet(*piece, way)
        };
        self.faces.iter().any(|face| do_cross(way[0], *face)) || self.rim.iter().any(is_swept)
    }
}

#[cfg(test)]
mod tests {
    use pliant_geometry::shapes::Sheet;
    use pliant_math::{DVec2, Pose};

    use super::*;

    /// A square of 2 m in the plane y = 0 that falls through 2 m a second from x = 3.
    fn blade(start: f64, stop: f64) -> Blade {
        let sheet = Sheet {
            size: DVec2::splat(2.0),
            resolution: [2, 2],
            spacing: 2.0,
        };
        let place = Pose {
            translation: DVec3::X * 3.0,
            ..Pose::IDENTITY
        };
        Blade {
            name: "blade".into(),
            surface: sheet.fabric().expect("a surface"),
            shape: Arc::new(sheet),
            motion: Motion::Constant {
                start: place,
                velocity: -2.0 * DVec3::X,
                spin: DVec3::ZERO,
            },
            start,
            stop,
            body: None,
            color: [0.0; 3],
            opacity: 1.0,
        }
    }

    /// Whether a way across the plane at (x, z) that moves with a velocity is cut at some time.
    fn is_cut(blade: &Blade, at: [f64; 2], velocity: DVec3, turn: DVec3) -> bool {
        let dt = 0.01;
        let ends = |time: f64| {
            let middle = DVec3::new(at[0], 0.0, at[1]) + velocity * time;
            let half = 0.1 * DVec3::Y + turn * time;
            [middle - half, middle + half]
        };
        (0..300).any(|k| {
            let time = f64::from(k) * dt;
            let step = BladeStep::new(blade, time, dt, 1e-9);
            step.is_some_and(|step| step.cuts([ends(time), ends(time + dt)]))
        })
    }

    #[test]
    fn what_the_rim_sweeps_is_cut_and_what_it_does_not_is_whole() {
        let blade = blade(0.0, f64::INFINITY);
        for k in 0..100 {
            let z = 0.04 * f64::from(k) - 1.98;
            assert_eq!(
                is_cut(&blade, [-0.33, z], DVec3::ZERO, DVec3::ZERO),
                z.abs() < 1.0
            );
        }
        assert!(!is_cut(&blade, [4.2, 0.0], DVec3::ZERO, DVec3::ZERO));
        // Where the blade stands at first.
        assert!(is_cut(&blade, [3.7, 0.2], DVec3::ZERO, DVec3::ZERO));
    }

    #[test]
    fn nothing_slips_between_two_substeps_however_it_moves() {
        let blade = blade(0.0, f64::INFINITY);
        for k in 0..200 {
            let x = 0.01 * f64::from(k) - 1.0;
            let velocity = DVec3::new(0.7, 0.01, -0.1);
            let turn = DVec3::new(0.05 * x, 0.02, 0.09);
            assert!(is_cut(&blade, [x, 0.3], velocity, turn), "{x}");
        }
    }

    #[test]
    fn what_moves_past_its_face_stays_whole() {
        let blade = blade(0.1, 0.5);
        let before = DVec3::new(2.4, -0.3, 0.0);
        let dt = 0.01;
        for k in 11..49 {
            let time = f64::from(k) * dt;
            let at = |time: f64| before + DVec3::Y * (time - 0.1);
            let ends = |time| [at(time), at(time) + DVec3::Y * 0.05];
            let step = BladeStep::new(&blade, time, dt, 1e-9).expect("it is there");
            assert!(!step.cuts([ends(time), ends(time + dt)]));
        }
    }

    #[test]
    fn it_cuts_while_it_is_there() {
        let at_once = blade(0.5, 0.5);
        assert!(is_cut(&at_once, [2.5, 0.0], DVec3::ZERO, DVec3::ZERO));
        assert!(!is_cut(&at_once, [0.5, 0.0], DVec3::ZERO, DVec3::ZERO));
        // Its rim is at x = 2 - 2 t.
        let for_a_while = blade(0.5, 1.0);
        let cut = |x| is_cut(&for_a_while, [x, 0.0], DVec3::ZERO, DVec3::ZERO);
        assert_eq!([3.2, 2.2, 0.1, -0.1].map(cut), [false, true, true, false]);
    }
}
