//! A pair of particles that may touch.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use super::PairSearch;
use super::meeting::Sphere;
use crate::contacts::acceleration::{Acceleration, Before};
use crate::contacts::friction::{ContactMultiplier, ContactRule, target_speed};
use crate::parallel::View;
use crate::particles::Particles;

/// Spheres are candidates at this share of the sum of their radii, also if nothing moves.
pub const RADII_SHARE: f64 = 1.1;

/// A surface is met where one of its particles lies up to so many of its radii beside the normal line:
/// at 0.71 spacings at the most if it is not stretched.
pub const ASIDE: f64 = 1.7;

/// Pairs that are projected one after the other.
#[derive(Debug, Default)]
pub struct PairList {
    /// The pairs in order.
    pub pairs: Vec<Pair>,
    /// How many pressed when they were projected last.
    pub pressed: usize,
    /// What those that are accelerated were.
    pub before: Before,
}

/// Two particles that may touch within the substep.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    first: u32,
    second: u32,
    rule: ContactRule,
    multiplier: ContactMultiplier,
}

impl PairList {
    /// Projects every pair once.
    pub fn project(&mut self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        self.pressed = 0;
        for pair in &mut self.pairs {
            self.pressed += usize::from(pair.project(velocity, inverse_mass));
        }
    }

    /// Lets pairs that meet certain particles go further the way they went.
    pub fn accelerate(
        &mut self,
        velocity: &mut View<'_, Vec3>,
        inverse_mass: &[Real],
        acceleration: &Acceleration,
    ) {
        let concerns = |pair: &Pair| {
            let meets = acceleration.concerns(pair.first) || acceleration.concerns(pair.second);
            (meets, pair.multiplier)
        };
        self.before
            .start(acceleration, self.pairs.iter().map(concerns));
        for (number, before) in &mut self.before.0 {
            let pair = &mut self.pairs[*number as usize];
            let change = pair
                .multiplier
                .accelerate(before, acceleration.share(), &pair.rule);
            pair.push(change, velocity, inverse_mass);
        }
    }
}

impl Pair {
    /// The pair of two particles, unless they do not meet, cannot touch or cannot move.
    pub fn of(i: &Sphere, j: &Sphere, search: &PairSearch<'_>) -> Option<Self> {
        let friction = i.company.friction(&j.company)?;
        let radii = search.solids.touching_distance(i, j)?;
        let between = i.position - j.position;
        let distance = between.length();
        let relative = to_double(i.velocity - j.velocity);
        let is_held = i.inverse_mass + j.inverse_mass == 0.0;
        if is_held || distance > reach(radii, relative.length(), search) {
            return None;
        }
        Some(Self {
            first: i.particle,
            second: j.particle,
            rule: ContactRule {
                normal: to_real(between.normalize_or(DVec3::Y)),
                target: target_speed(distance - radii, search.dt, search.push_out_speed),
                friction,
                is_held: false,
                sticks: false,
                drag: 0.0,
            },
            multiplier: ContactMultiplier::default(),
        })
    }

    /// Projects the pair once; returns whether it presses.
    #[inline(always)]
    pub fn project(&mut self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) -> bool {
        let (i, j) = (self.first as usize, self.second as usize);
        let (w_i, w_j) = (inverse_mass[i], inverse_mass[j]);
        let (v_i, v_j) = (velocity.get(i), velocity.get(j));
        let change = self.multiplier.project(v_i - v_j, &self.rule);
        let share = 1.0 / (w_i + w_j);
        velocity.set(i, v_i + change * (w_i * share));
        velocity.set(j, v_j - change * (w_j * share));
        self.multiplier.normal > 0.0
    }

    /// Changes the relative velocity [m/s].
    fn push(&self, change: Vec3, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        let (i, j) = (self.first as usize, self.second as usize);
        let (w_i, w_j) = (inverse_mass[i], inverse_mass[j]);
        let share = 1.0 / (w_i + w_j);
        velocity.set(i, velocity.get(i) + change * (w_i * share));
        velocity.set(j, velocity.get(j) - change * (w_j * share));
    }

    /// The two particles, the lesser number first.
    #[cfg(test)]
    pub fn particles(&self) -> (u32, u32) {
        (self.first.min(self.second), self.first.max(self.second))
    }

    /// Adds the impulse [N s] of the pair in this substep to its particles.
    pub fn add_impulse(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        let (i, j) = (self.first as usize, self.second as usize);
        let inverse = inverse_mass[i] + inverse_mass[j];
        let impulse = to_double(self.multiplier.change(&self.rule)) / f64::from(inverse);
        impulses[i] += impulse;
        impulses[j] -= impulse;
    }
}

/// True if two particles may touch in this substep, should they meet at all.
pub fn may_touch(particles: &Particles, [i, j]: [usize; 2], search: &PairSearch<'_>) -> bool {
    let relative = particles.velocity[i] - particles.velocity[j];
    let radii = particles.radius[i] + particles.radius[j];
    let reach = reach(radii.into(), to_double(relative).length(), search);
    particles.position[i].distance_squared(particles.position[j]) <= reach * reach
}

/// True if one of two particles may touch a surface near the other one in this substep.
pub fn may_meet_surface(i: &Sphere, j: &Sphere, search: &PairSearch<'_>) -> bool {
    let relative = to_double(i.velocity - j.velocity);
    let above = reach((i.radius + j.radius).into(), relative.length(), search);
    let beside = ASIDE * f64::from(i.radius.max(j.radius));
    let is_held = i.inverse_mass + j.inverse_mass == 0.0;
    !is_held && i.position.distance_squared(j.position) <= above * above + beside * beside
}

/// Distance of centres [m] within which two particles may touch in this substep.
fn reach(radii: f64, relative_speed: f64, search: &PairSearch<'_>) -> f64 {
    RADII_SHARE * radii + search.dt * (relative_speed + 2.0 * search.acceleration * search.dt)
}
