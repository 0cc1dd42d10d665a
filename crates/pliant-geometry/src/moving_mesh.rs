//! A mesh that deforms: at any moment its vertices are on the way from one frame to the next.

use std::sync::Arc;

use pliant_math::DVec3;

use crate::signed_nearest::{Side, SignedNearest};
use crate::triangle::Triangle;
use crate::{Aabb, Shape, TriangleMesh};

/// The surface of a mesh that deforms, as it is at a moment and moves from there.
#[derive(Clone, Debug)]
pub struct MovingMesh {
    frames: Arc<Frames>,
    surface: SignedNearest,
    is_closed: bool,
    /// Its moment [s].
    time: f64,
    /// How fast each vertex moves [m/s].
    velocity: Vec<DVec3>,
    /// The greatest of these speeds [m/s].
    fastest: f64,
}

/// Where the vertices are, frame for frame.
#[derive(Debug)]
pub struct Frames {
    places: Vec<Vec<DVec3>>,
    course: Course,
    /// Greatest speed of a vertex from each frame to the one that follows [m/s].
    fastest: Vec<f64>,
}

/// How vertices pass from frame to frame.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Frames a second [1/s], > 0.
    pub rate: f64,
    /// Time of the first [s].
    pub start: f64,
    /// Whether the first follows on the last; if not, the vertices rest before the first and after the last.
    pub repeats: bool,
    /// Whether their velocity is continuous (Catmull and Rom 1974); if not, it is constant between two frames.
    pub is_smooth: bool,
}

/// A place on a surface that deforms, or near it: it keeps to its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    triangle: u32,
    /// Weights of the corners at the nearest point.
    weights: [f64; 3],
    /// From there: along the first edge, across it, and along the normal [m].
    offset: DVec3,
}

/// What of a surface that deforms is nearest to a place.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Distance [m], negative inside of a closed mesh.
    pub distance: f64,
    /// Unit gradient of the distance.
    pub normal: DVec3,
    /// How fast the nearest point moves [m/s].
    pub velocity: DVec3,
    /// The triangle that it is a point of.
    pub triangle: u32,
}

/// Times that are nearer to a frame than this part of the time from one to the next are taken to be the frame's: what
/// is left of the difference is rounding.
const ROUNDING: f64 = 1e-9;

/// A moment between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Between {
    before: usize,
    after: usize,
    /// From 0 to 1.
    progress: f64,
}

impl Frames {
    /// Of a mesh that is at each of the `places` in turn: at least one, each with all vertices [m].
    pub fn new(places: Vec<Vec<DVec3>>, course: Course) -> Self {
        let ways = if course.repeats {
            places.len()
        } else {
            places.len() - 1
        };
        let mut frames = Self {
            places,
            course,
            fastest: Vec::new(),
        };
        frames.fastest = (0..ways).map(|way| frames.fastest_on(way)).collect();
        frames
    }

    /// Greatest speed of a vertex on the way from a frame to the one that follows [m/s]: at its ends and in its middle.
    fn fastest_on(&self, before: usize) -> f64 {
        let after = (before + 1) % self.places.len();
        let speed = |vertex: usize| {
            let way = self.places[after][vertex] - self.places[before][vertex];
            if !self.course.is_smooth {
                return way.length();
            }
            let [leaving, arriving] = [before, after].map(|frame| self.tangent(frame, vertex));
            let middle = 1.5 * way - 0.25 * (leaving + arriving);
            let speeds = [leaving, middle, arriving].map(DVec3::length);
            speeds.into_iter().fold(0.0, f64::max)
        };
        let speeds = (0..self.places[before].len()).map(speed);
        self.course.rate * speeds.fold(0.0, f64::max)
    }

    /// How far a vertex would go in the time of a frame with its velocity at one [m].
    fn tangent(&self, frame: usize, vertex: usize) -> DVec3 {
        let count = self.places.len();
        let is_end = !self.course.repeats && (frame == 0 || frame + 1 == count);
        if is_end {
            return DVec3::ZERO;
        }
        let [before, after] = [(frame + count - 1) % count, (frame + 1) % count];
        0.5 * (self.places[after][vertex] - self.places[before][vertex])
    }

    fn at(&self, time: f64) -> Between {
        let Course {
            rate,
            start,
            repeats,
            ..
        } = self.course;
        let count = self.places.len();
        let phase = (time - start) * rate;
        let phase = match repeats {
            true => phase.rem_euclid(count as f64),
            false => phase.clamp(0.0, (count - 1) as f64),
        };
        // Times beyond all numbers are as good as the first frame.
        let phase = if phase.is_finite() { phase } else { 0.0 };
        let before = (phase as usize).min(count - 1);
        Between {
            before,
            after: match repeats {
                true => (before + 1) % count,
                false => (before + 1).min(count - 1),
            },
            progress: phase - before as f64,
        }
    }

    fn places(&self, at: Between) -> impl Iterator<Item = DVec3> + '_ {
        let pairs = self.places[at.before].iter().zip(&self.places[at.after]);
        let bend = self.course.is_smooth && at.before != at.after;
        pairs.enumerate().map(move |(vertex, (a, b))| {
            let (s, way) = (at.progress, *b - *a);
            if !bend {
                return *a + way * s;
            }
            let [leaving, arriving] =
                [at.before, at.after].map(|frame| self.tangent(frame, vertex));
            // Hermite's polynomial: the straight way, and what the tangents differ from it.
            let (from, to) = (leaving - way, arriving - way);
            *a + way * s + (from * (1.0 - s) - to * s) * (s * (1.0 - s))
        })
    }

    /// How fast each vertex moves from a time [s] on [m/s].
    fn velocities(&self, time: f64) -> impl Iterator<Item = DVec3> + '_ {
        let Course {
            rate,
            start,
            repeats,
            is_smooth,
        } = self.course;
        // Where the velocity jumps, at a frame, it is the one after it.
        let time = time + ROUNDING / rate;
        let at = self.at(time);
        let rests = at.before == at.after || !repeats && time < start;
        let pairs = self.places[at.before].iter().zip(&self.places[at.after]);
        pairs.enumerate().map(move |(vertex, (a, b))| {
            let (s, way) = (at.progress, *b - *a);
            if rests {
                return DVec3::ZERO;
            }
            if !is_smooth {
                return rate * way;
            }
            let [leaving, arriving] =
                [at.before, at.after].map(|frame| self.tangent(frame, vertex));
            // The derivative of the polynomial in `places`.
            let (from, to) = (leaving - way, arriving - way);
            let bend =
                (from * (1.0 - s) - to * s) * (1.0 - 2.0 * s) - (from + to) * (s * (1.0 - s));
            rate * (way + bend)
        })
    }

    /// Greatest speed of a vertex between two times [m/s].
    fn fastest(&self, from: f64, to: f64) -> f64 {
        let count = self.fastest.len() as f64;
        let [first, last] =
            [from, to].map(|time| ((time - self.course.start) * self.course.rate).floor());
        let (first, last) = match self.course.repeats {
            true => (
                first.rem_euclid(count),
                first.rem_euclid(count) + (last - first),
            ),
            false => (first.max(0.0), last.min(count - 1.0)),
        };
        let ways = (last - first + 1.0).clamp(0.0, count) as usize;
        let of_way = |way: usize| self.fastest[(first as usize + way) % self.fastest.len()];
        (0..ways).map(of_way).fold(0.0, f64::max)
    }
}

impl MovingMesh {
    /// A mesh at time zero.
    ///
    /// * `mesh` — its triangles, with vertices that they share; counter-clockwise from outside if it is closed
    /// * `frames` — of the vertices of `mesh`
    pub fn new(mesh: &TriangleMesh, is_closed: bool, frames: Frames) -> Self {
        let mut moving = Self {
            surface: SignedNearest::new(mesh),
            is_closed,
            time: 0.0,
            velocity: vec![DVec3::ZERO; mesh.vertices.len()],
            fastest: 0.0,
            frames: Arc::new(frames),
        };
        moving.move_to(0.0, 0.0);
        moving
    }

    /// Takes the form of a time [s], with the mean velocities of the `dt` after it [s]; it rests if that is 0.
    pub fn move_to(&mut self, time: f64, dt: f64) {
        let (start, end) = (self.frames.at(time), self.frames.at(time + dt));
        self.time = time;
        self.surface.move_to(self.frames.places(start));
        let ends = self.frames.places(end).zip(self.surface.vertices());
        self.fastest = 0.0;
        for (velocity, (end, start)) in self.velocity.iter_mut().zip(ends) {
            *velocity = match dt > 0.0 {
                true => (end - *start) / dt,
                false => DVec3::ZERO,
            };
            self.fastest = self.fastest.max(velocity.length());
        }
    }

    /// How fast each of its vertices goes on from here [m/s], whatever `dt` it was moved with: the derivative of their
    /// places by time, from the right where it jumps.
    pub fn velocities(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.frames.velocities(self.time)
    }

    /// Greatest speed of its vertices as they move now [m/s].
    pub fn fastest(&self) -> f64 {
        self.fastest
    }

    /// Greatest speed of its vertices between two times [m/s].
    pub fn fastest_between(&self, from: f64, to: f64) -> f64 {
        self.frames.fastest(from, to)
    }

    /// Boxes around it at each of its frames, in turn.
    pub fn bounds_of_frames(&self) -> Aabb {
        Aabb::around(self.frames.places.iter().flatten().copied())
    }

    /// What of it is nearest to a local point, sooner found if that is near to a triangle; any number may stand for
    /// that.
    pub fn touch(&self, point: DVec3, near: u32) -> Touch {
        let side = self.surface.of_near(point, near);
        Touch {
            triangle: side.triangle.unwrap_or(u32::MAX),
            distance: self.distance(&side),
            normal: self.normal_of(&side),
            velocity: self.velocity_of(&side, point),
        }
    }

    fn velocity_of(&self, side: &Side, point: DVec3) -> DVec3 {
        let Some(triangle) = side.triangle else {
            return DVec3::ZERO;
        };
        let weights = self.triangle(triangle, 0.0).weights(point - side.offset);
        let corners = self.surface.triangles()[triangle as usize];
        let weighted = corners.iter().zip(weights);
        weighted
            .map(|(&v, weight)| self.velocity[v as usize] * weight)
            .sum()
    }

    /// Where a local point is, seen from the triangle that is nearest to it.
    pub fn anchor(&self, point: DVec3) -> Anchor {
        let side = self.surface.of(point);
        let number = side.triangle.unwrap_or_default();
        let triangle = self.triangle(number, 0.0);
        let axes = triangle.axes();
        Anchor {
            triangle: number,
            weights: triangle.weights(point - side.offset),
            offset: DVec3::from(axes.map(|axis| axis.dot(side.offset))),
        }
    }

    /// Where a place near the surface is after a time `dt` [s] from now.
    pub fn place(&self, anchor: &Anchor, dt: f64) -> DVec3 {
        let triangle = self.triangle(anchor.triangle, dt);
        let corners = triangle.corners().into_iter().zip(anchor.weights);
        let on_surface: DVec3 = corners.map(|(corner, weight)| corner * weight).sum();
        let axes = triangle.axes().into_iter().zip(anchor.offset.to_array());
        on_surface + axes.map(|(axis, way)| axis * way).sum::<DVec3>()
    }

    /// A triangle after a time `dt` [s] from now.
    fn triangle(&self, number: u32, dt: f64) -> Triangle {
        let vertices = self.surface.vertices();
        let corners = self.surface.triangles()[number as usize];
        Triangle::new(corners.map(|v| vertices[v as usize] + self.velocity[v as usize] * dt))
    }

    fn distance(&self, side: &Side) -> f64 {
        match self.is_closed {
            true => side.signed_distance(),
            false => side.offset.length(),
        }
    }

    fn normal_of(&self, side: &Side) -> DVec3 {
        match self.is_closed {
            true => side.normal(),
            false => side.away(),
        }
    }

    fn side(&self, point: DVec3) -> Side {
        self.surface.of(point)
    }
}

impl Shape for MovingMesh {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.distance(&self.side(point))
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.normal_of(&self.side(point))
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around(self.surface.vertices().iter().copied()))
    }

    fn volume(&self) -> Option<f64> {
        match self.is_closed {
            true => Some(self.surface(1.0).volume()),
            false => Some(0.0),
        }
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        TriangleMesh {
            vertices: self.surface.vertices().to_vec(),
            triangles: self.surface.triangles().to_vec(),
        }
    }

    fn is_thin(&self) -> bool {
        !self.is_closed
    }

    fn moving(&self) -> Option<&MovingMesh> {
        Some(self)
    }

    fn moving_mut(&mut self) -> Option<&mut MovingMesh> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
