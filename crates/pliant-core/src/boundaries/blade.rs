//! Blades: surfaces that cut bonds.
//!
//! A blade that appears parts what it crosses; from then on its rim does, where that comes forward. What
//! lies beside the faces of a blade or is left by its back stays whole, as with a real one.

use std::sync::Arc;

use pliant_geometry::{Aabb, Shape, TriangleMesh};
use pliant_math::DVec3;

use super::Motion;
use super::crossing::{crossing, meeting};

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
    /// Opacity in pictures: 1 opaque, 0 not drawn, between as glass.
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

/// A piece of the rim.
#[derive(Clone, Debug)]
struct Edge {
    ends: MovingSegment,
    /// Around its way.
    bounds: Aabb,
    /// Unit vector out of the blade in its plane, at the start.
    outward: DVec3,
}

/// What a blade sweeps in a substep.
#[derive(Clone, Debug)]
pub struct BladeStep {
    /// The only body it cuts.
    pub body: Option<u32>,
    /// Around all that it sweeps.
    pub bounds: Aabb,
    rim: Vec<Edge>,
    /// Corners of the triangles, if the blade appears.
    faces: Vec<[DVec3; 3]>,
    /// From when to when it is there, as parts of the substep.
    part: [f64; 2],
}

impl BladeStep {
    /// What a blade sweeps from `time` [s] on in `dt` [s], `None` if it is not there.
    ///
    /// * `rim` — of its surface
    /// * `aside` — by how little it is out of its place [m], so that particles that lie exactly in its
    ///   plane are all on the same side
    pub fn new(blade: &Blade, rim: &[[u32; 3]], time: f64, dt: f64, aside: f64) -> Option<Self> {
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
        let rim = rim.iter().map(|ends| {
            let [a, b, c] = ends.map(corner);
            let (along, away) = ((b - a).normalize_or_zero(), a - c);
            let outward = (away - along * away.dot(along)).normalize_or_zero();
            let ends = [first, last].map(|pose| [a, b].map(|x| pose.to_world(x) + out));
            Edge {
                bounds: Aabb::around(ends.as_flattened().iter().copied()),
                ends,
                outward: first.direction_to_world(outward),
            }
        });
        let rim: Vec<Edge> = rim.collect();
        let faces = blade.surface.triangles.iter().filter(|_| appears);
        let faces: Vec<[DVec3; 3]> = faces
            .map(|t| t.map(|i| first.to_world(corner(i)) + out))
            .collect();
        let points = rim.iter().flat_map(|edge| edge.ends.as_flattened());
        let points = points.chain(faces.as_flattened());
        Some(Self {
            body: blade.body,
            bounds: Aabb::around(points.copied()),
            rim,
            faces,
            part: [from, to].map(|moment| (moment - time) / dt),
        })
    }

    /// On which sides of all that it sweeps a moving point stays, a bit for each: what lies between two
    /// that have a bit in common is not cut.
    pub fn sides(&self, [start, end]: [DVec3; 2]) -> u8 {
        let (least, greatest) = (start.min(end), start.max(end));
        let below = greatest.cmplt(self.bounds.min).bitmask();
        let above = least.cmpgt(self.bounds.max).bitmask();
        (below | above << 3) as u8
    }

    /// Where the way between two points that move evenly through the substep is cut, from 0 at the first
    /// to 1 at the other; `None` if it stays whole.
    pub fn cut(&self, [start, end]: MovingSegment) -> Option<f64> {
        let way = self.part.map(|part| {
            let at = |k: usize| start[k] + (end[k] - start[k]) * part;
            [at(0), at(1)]
        });
        let around = Aabb::around(way.into_iter().flatten());
        if !self.bounds.overlaps(&around) {
            return None;
        }
        let swept = |edge: &Edge| {
            let may_meet = edge.bounds.overlaps(&around) && edge.comes_forward(way);
            may_meet.then(|| meeting(way, edge.ends))?
        };
        let at_once = self.faces.iter().find_map(|face| crossing(way[0], *face));
        at_once.or_else(|| self.rim.iter().find_map(swept))
    }
}

impl Edge {
    /// True if it moves out of the blade as seen from what it may cut.
    fn comes_forward(&self, way: MovingSegment) -> bool {
        let moved = |[[a, b], [c, d]]: MovingSegment| (c - a) + (d - b);
        (moved(self.ends) - moved(way)).dot(self.outward) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use pliant_geometry::shapes::Sheet;
    use pliant_geometry::topology::rim;
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
            let step = BladeStep::new(blade, &rim(&blade.surface), time, dt, 1e-9);
            step.is_some_and(|step| step.cut([ends(time), ends(time + dt)]).is_some())
        })
    }

    #[test]
    fn the_rim_cuts_exactly_what_it_sweeps() {
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
    fn the_rim_misses_nothing_between_two_substeps() {
        let blade = blade(0.0, f64::INFINITY);
        for k in 0..200 {
            let x = 0.01 * f64::from(k) - 1.0;
            let velocity = DVec3::new(0.7, 0.01, -0.1);
            let turn = DVec3::new(0.05 * x, 0.02, 0.09);
            assert!(is_cut(&blade, [x, 0.3], velocity, turn), "{x}");
        }
    }

    #[test]
    fn the_face_of_a_blade_cuts_nothing() {
        let blade = blade(0.1, 0.5);
        let before = DVec3::new(2.4, -0.3, 0.0);
        let dt = 0.01;
        for k in 11..49 {
            let time = f64::from(k) * dt;
            let at = |time: f64| before + DVec3::Y * (time - 0.1);
            let ends = |time| [at(time), at(time) + DVec3::Y * 0.05];
            let step =
                BladeStep::new(&blade, &rim(&blade.surface), time, dt, 1e-9).expect("it is there");
            assert_eq!(step.cut([ends(time), ends(time + dt)]), None);
        }
    }

    #[test]
    fn the_back_of_a_blade_cuts_nothing_and_a_withdrawn_blade_neither() {
        // Comes through a face at x = 2 before an edge of the blade passes there after a second.
        let is_cut = |blade: &Blade| {
            let ends = |time: f64| {
                let middle = DVec3::new(2.0, 0.5 * (1.0 - time), 0.0);
                [middle - 0.1 * DVec3::Y, middle + 0.1 * DVec3::Y]
            };
            (0..200).any(|k| {
                let time = 0.01 * f64::from(k);
                let step = BladeStep::new(blade, &rim(&blade.surface), time, 0.01, 1e-9)
                    .expect("it is there");
                step.cut([ends(time), ends(time + 0.01)]).is_some()
            })
        };
        let moving = |from: f64, speed: f64| Blade {
            motion: Motion::Constant {
                start: Pose {
                    translation: DVec3::X * from,
                    ..Pose::IDENTITY
                },
                velocity: DVec3::X * speed,
                spin: DVec3::ZERO,
            },
            ..blade(0.0, f64::INFINITY)
        };
        // Its back at 4 - 2 t, its edge at 2 t drawn back, and that coming, at 4 - 2 t.
        assert!(!is_cut(&moving(3.0, -2.0)));
        assert!(!is_cut(&moving(1.0, 2.0)));
        assert!(is_cut(&moving(5.0, -2.0)));
    }

    #[test]
    fn a_blade_cuts_between_its_start_and_stop() {
        let at_once = blade(0.5, 0.5);
        assert!(is_cut(&at_once, [2.5, 0.0], DVec3::ZERO, DVec3::ZERO));
        assert!(!is_cut(&at_once, [0.5, 0.0], DVec3::ZERO, DVec3::ZERO));
        // Its rim is at x = 2 - 2 t.
        let for_a_while = blade(0.5, 1.0);
        let cut = |x| is_cut(&for_a_while, [x, 0.0], DVec3::ZERO, DVec3::ZERO);
        assert_eq!([3.2, 2.2, 0.1, -0.1].map(cut), [false, true, true, false]);
    }
}
