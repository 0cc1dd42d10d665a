//! Contacts of two balls.

use pliant_math::{DVec3, to_double, to_real};

use super::PairSearch;
use super::active_set::Sphere;
use crate::contacts::solve::target_speed;
use crate::contacts::solve::{ContactList, Grain, LinearRule, Term};
use crate::particles::Particles;

/// Spheres are candidates at this share of the sum of their radii, also if nothing moves.
pub const RADII_SHARE: f64 = 1.1;

/// A surface is met where one of its particles lies up to so many of its radii beside the normal line:
/// at 0.71 spacings at the most if it is not stretched.
pub const ASIDE: f64 = 1.7;

/// Part of the speed at which overlaps are undone between grains of one continuum: all of it expands at once. A column
/// of grains that overlap at the start ran out as far at a friction of 40 degrees as at 20 with all of that speed; with
/// a quarter of it deep heaps sink.
const OF_GRAINS: f64 = 0.5;

/// Adds the contact of two particles, unless they do not meet, cannot touch or cannot move.
pub fn add_pair(i: &Sphere, j: &Sphere, search: &PairSearch<'_>, contacts: &mut ContactList) {
    if let Some(rule) = rule_of(i, j, search) {
        let term = |sphere: &Sphere, weight| Term {
            place: sphere.particle,
            weight,
        };
        contacts.add(rule, [term(i, 1.0), term(j, -1.0)]);
        let kept = search.kept.filter(|_| are_grains(i, j, search));
        let places = [i.particle, j.particle];
        if let Some(start) = kept.and_then(|kept| kept.start(places, rule.normal)) {
            contacts.start_last_with(start);
        }
    }
}

fn rule_of(i: &Sphere, j: &Sphere, search: &PairSearch<'_>) -> Option<LinearRule> {
    let friction = i.material.friction(&j.material)?;
    let radii = search.solids.touching_distance(i, j)?;
    let between = i.position - j.position;
    let distance = between.length();
    let relative = to_double(i.velocity - j.velocity);
    let is_held = i.inverse_mass + j.inverse_mass == 0.0;
    if is_held || distance > reach(radii, relative.length(), search) {
        return None;
    }
    if search.are_tied(&[i.particle], &[j.particle]) {
        return None;
    }
    let push_out_speed = match are_grains(i, j, search) {
        true => OF_GRAINS * search.push_out_speed,
        false => search.push_out_speed,
    };
    Some(LinearRule {
        normal: to_real(between.normalize_or(DVec3::Y)),
        target: target_speed(distance - radii, search.dt, push_out_speed),
        friction,
        grain: Grain::of_pair(search.grain, [i.particle as usize, j.particle as usize]),
    })
}

/// True for two particles of one continuum that has no other constraints.
fn are_grains(i: &Sphere, j: &Sphere, search: &PairSearch<'_>) -> bool {
    i.material.continuum == j.material.continuum && !search.solids.contains(i.particle as usize)
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
