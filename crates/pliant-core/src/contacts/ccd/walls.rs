//! The last check of a substep: no particle's way leads through a surface.
//!
//! The way of a particle is followed in a collider's own coordinates, in which the collider rests, from
//! the pose at the start to the pose at the end; that is the swept motion of both. One that deforms is taken as it
//! is at the start, moving as its surface does where that is nearest. A step of the
//! distance to the surface cannot cross it (sphere tracing, Hart 1996), however thin the wall. Where
//! the way would come nearer than a level, what is left of it goes on along the surface. A centre
//! that is outside of a collider so stays outside, on the side where it was.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::boundaries::{Collider, ColliderStep, Near};

/// Ways are bent at this share of a particle's radius from a surface, or of its distance if that is
/// less: contacts hold particles further away, and this acts where they fail.
pub const LEVEL: f64 = 0.5;
/// Ways are bent to at least this share of a particle's radius from a surface, so that one that is
/// pressed into a corner for long does not come ever nearer.
const LEAST_LEVEL: f64 = 0.02;
/// Ways are safe above this share of the level, and of their first distance.
const SAFE: f64 = 0.5;
/// Surfaces that one way may be bent at; after that it ends.
const BENDS: usize = 4;
/// Steps of one trace; a way that takes more ends where it has come.
const TRACE_STEPS: usize = 256;
/// Rounds through all colliders: stopping at one may lead into another.
const ROUNDS: usize = 3;

/// A particle that was stopped.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// Its place.
    pub particle: u32,
    /// The collider that stopped it.
    pub collider: u32,
    /// Change of its velocity [m/s].
    pub change: DVec3,
    /// Of the collider there [m/s].
    pub velocity: DVec3,
}

/// The ways of all particles in a substep.
#[derive(Clone, Copy)]
pub struct Paths<'a> {
    /// The colliders.
    pub colliders: &'a [Collider],
    /// Their poses in this substep.
    pub steps: &'a [ColliderStep],
    /// Positions at the start [m].
    pub position: &'a [DVec3],
    /// Contact radii [m].
    pub radius: &'a [Real],
    /// Whether a particle, by its place, is tied to what a collider, by its number, belongs to.
    pub is_tied: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Inverse masses [1/kg].
    pub inverse_mass: &'a [Real],
    /// The substep [s].
    pub dt: f64,
}

impl Paths<'_> {
    /// Changes the velocity of a particle so that its way crosses no surface. Returns true if with the velocity that
    /// it has now nothing stops it.
    pub fn stop(&self, i: usize, velocity: &mut Vec3, stops: &mut Vec<Stop>) -> bool {
        if self.inverse_mass[i] == 0.0 || !velocity.is_finite() {
            return true;
        }
        for _ in 0..ROUNDS {
            let mut is_free = true;
            for number in 0..self.colliders.len() {
                if (self.is_tied)(i, number) {
                    continue;
                }
                let before = to_double(*velocity);
                if let Some(after) = self.bent(number, i, before) {
                    is_free = false;
                    *velocity = to_real(after);
                    stops.push(Stop {
                        particle: i as u32,
                        collider: number as u32,
                        change: after - before,
                        velocity: self.colliders[number]
                            .velocity_at(&self.steps[number], self.position[i]),
                    });
                }
            }
            if is_free {
                return true;
            }
        }
        false
    }

    /// The velocity [m/s] that keeps a particle on its side of a collider, if it needs another.
    fn bent(&self, number: usize, i: usize, velocity: DVec3) -> Option<DVec3> {
        let (collider, step) = (&self.colliders[number], &self.steps[number]);
        if !step.is_present {
            return None;
        }
        let position = self.position[i];
        let start = step.start.to_local(position);
        let nearest = collider.nearest(start, Near::default());
        let distance = nearest.distance;
        if distance <= 0.0 {
            return None;
        }
        // Seen from a surface that deforms, its point that is nearest rests.
        let drift = nearest.deformation() * self.dt;
        let end = step.end.to_local(position + velocity * self.dt) - drift;
        let radius = f64::from(self.radius[i]);
        let level = (LEVEL * distance.min(radius)).max(LEAST_LEVEL * radius);
        let end = slide(collider, start, end, level)?;
        Some((step.end.to_world(end + drift) - position) / self.dt)
    }
}

/// Where a way from `start` to `end` ends that is bent along the surface wherever it comes nearer than
/// the level; `None` if it need not be bent.
fn slide(collider: &Collider, start: DVec3, end: DVec3, level: f64) -> Option<DVec3> {
    let (mut from, mut to) = (start, end);
    let safe = SAFE * level.min(collider.distance(start));
    for bend in 0..=BENDS {
        let Some((hit, distance)) = first_hit(collider, from, to, safe) else {
            return (bend > 0).then_some(to);
        };
        let normal = collider.normal(hit);
        let rest = to - hit;
        let along = rest - normal * rest.dot(normal).min(0.0);
        from = hit;
        to = hit + along + normal * (level - distance).max(0.0);
    }
    Some(from)
}

/// The last point of a way, and its distance, before the way comes nearer to the surface than `least`;
/// `None` if it does not.
fn first_hit(collider: &Collider, from: DVec3, to: DVec3, least: f64) -> Option<(DVec3, f64)> {
    let length = from.distance(to);
    let direction = (to - from) / length.max(f64::MIN_POSITIVE);
    let (mut point, mut way) = (from, 0.0);
    let mut distance = collider.distance(from);
    for _ in 0..TRACE_STEPS {
        if way >= length {
            return None;
        }
        way = (way + (distance - least).max(0.5 * least)).min(length);
        let next = from + direction * way;
        let distance_there = collider.distance(next);
        if distance_there < least {
            return Some((point, distance));
        }
        (point, distance) = (next, distance_there);
    }
    Some((point, distance))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_geometry::Shape;
    use pliant_geometry::shapes::{Box, Plane, Sphere};
    use pliant_math::Pose;

    use super::*;
    use crate::boundaries::{Grip, Motion};

    fn collider(shape: impl Shape + 'static, two_sided: bool) -> Collider {
        Collider {
            name: "wall".into(),
            shape: Arc::new(shape),
            motion: Motion::Rest(Pose::IDENTITY),
            two_sided,
            grip: Grip::Separate,
            friction: 0.0,
            restitution: 0.0,
            color: [0.0; 3],
            opacity: 1.0,
            gloss: 0.1,
        }
    }

    /// A wall at x = 0 of a thickness.
    fn wall(thickness: f64) -> Collider {
        let half_size = DVec3::new(0.5 * thickness, 5.0, 5.0);
        collider(Box { half_size }, false)
    }

    #[test]
    fn no_way_leads_through_a_wall_however_thin_and_fast() {
        for thickness in [0.1, 1e-3, 1e-6] {
            for speed in [0.05, 1.0, 300.0] {
                let start = DVec3::new(-0.1, 0.0, 0.0);
                let end = start + DVec3::new(0.2, 0.1, 0.0).normalize() * (0.12 + speed);
                let stopped = slide(&wall(thickness), start, end, 0.02).expect("it would cross");
                assert!(stopped.x < 0.0, "{stopped} {thickness} {speed}");
                // Along the wall it goes on, unless it leaves the wall's end.
                if speed < 2.0 {
                    assert!((stopped.y - end.y).abs() < 1e-9, "{stopped} {end}");
                    let distance = wall(thickness).distance(stopped);
                    assert!((0.009..0.031).contains(&distance), "{distance}");
                }
            }
        }
    }

    #[test]
    fn a_way_that_stays_clear_is_left_alone() {
        let start = DVec3::new(-0.1, 0.0, 0.0);
        for end in [
            DVec3::new(-0.03, 4.0, 0.0),
            DVec3::new(-9.0, 0.0, 1.0),
            start,
        ] {
            assert_eq!(slide(&wall(0.01), start, end, 0.02), None);
        }
    }

    #[test]
    fn a_shell_keeps_what_is_inside_inside_and_what_is_outside_outside() {
        let shell = collider(Sphere { radius: 1.0 }, true);
        let inside = slide(&shell, DVec3::X * 0.9, DVec3::X * 1.4, 0.02).expect("it would leave");
        assert!(inside.length() < 1.0);
        let outside = slide(&shell, DVec3::X * 1.1, -DVec3::X * 0.4, 0.02).expect("it would enter");
        assert!(outside.length() > 1.0);
    }

    #[test]
    fn a_fast_plate_takes_a_particle_with_it() {
        let plate = collider(Plane { normal: DVec3::X }, false);
        let at = |x: f64| Pose {
            translation: DVec3::X * x,
            ..Pose::IDENTITY
        };
        let step = ColliderStep {
            start: at(0.0),
            end: at(5.0),
            dt: 0.1,
            is_present: true,
        };
        let paths = Paths {
            is_tied: &|_, _| false,
            colliders: &[plate],
            steps: &[step],
            position: &[DVec3::new(0.3, 0.0, 0.0)],
            radius: &[0.1],
            inverse_mass: &[1.0],
            dt: 0.1,
        };
        let (mut velocity, mut stops) = (Vec3::ZERO, Vec::new());
        paths.stop(0, &mut velocity, &mut stops);
        let end = 0.3 + 0.1 * f64::from(velocity.x);
        assert!((5.02..5.06).contains(&end), "{end}");
        assert_eq!(stops.len(), 1);
    }
}
