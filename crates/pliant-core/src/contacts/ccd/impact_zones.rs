//! What cannot be kept apart otherwise moves as one (Provot 1997; Bridson et al. 2002, sec. 7.5).
//!
//! Particles of a zone get the velocities of a rigid body with their momentum and angular momentum.
//! These are linear in the positions, x -> x + t (u + w x x), a map whose determinant 1 + t^2 w^2 is
//! never zero: nothing in a zone crosses anything else of it.

use pliant_geometry::topology::DisjointSets;
use pliant_math::{DMat3, DVec3, to_double, to_real};

use crate::particles::Particles;

/// Sets of particles that move as one.
#[derive(Debug, Default)]
pub struct ImpactZones {
    sets: DisjointSets,
    /// Particles of all zones.
    members: Vec<u32>,
    /// Zone and place of each of them, zone by zone; scratch.
    by_zone: Vec<(u32, u32)>,
}

impl ImpactZones {
    /// Every one of so many particles is by itself.
    pub fn clear(&mut self, count: usize) {
        self.sets.reset(count);
        self.members.clear();
    }

    /// Joins the zones of four particles; false if they are one already.
    pub fn join(&mut self, points: [u32; 4]) -> bool {
        let [first, others @ ..] = points;
        let mut is_new = false;
        for other in others {
            is_new |= self.sets.join(first, other);
        }
        if is_new {
            self.members.extend(points);
        }
        is_new
    }

    /// Gives each zone the velocities of a rigid body.
    ///
    /// * `on_held` — takes what particles that are held get by that: place and impulse [N s]
    pub fn project_to_rigid_motion(
        &mut self,
        particles: &mut Particles,
        on_held: &mut Vec<(u32, DVec3)>,
    ) {
        let Self {
            sets,
            members,
            by_zone,
        } = self;
        members.sort_unstable();
        members.dedup();
        by_zone.clear();
        by_zone.extend(members.iter().map(|&i| (sets.root(i), i)));
        by_zone.sort_unstable();
        for zone in by_zone.chunk_by(|a, b| a.0 == b.0) {
            project_zone(zone, particles, on_held);
        }
    }
}

/// One with particles that are held moves with the first of them, without turning.
///
/// * `zone` — its number and the place of each of its particles
fn project_zone(zone: &[(u32, u32)], particles: &mut Particles, on_held: &mut Vec<(u32, DVec3)>) {
    let places = || zone.iter().map(|&(_, place)| place as usize);
    let held = places().find(|&i| particles.inverse_mass[i] == 0.0);
    if let Some(held) = held {
        let velocity = particles.velocity[held];
        let mut impulse = DVec3::ZERO;
        for i in places() {
            if particles.inverse_mass[i] > 0.0 {
                let change = to_double(particles.velocity[i]) - to_double(velocity);
                impulse += change * f64::from(particles.mass[i]);
                particles.velocity[i] = velocity;
            }
        }
        on_held.push((held as u32, impulse));
        return;
    }
    let mass = |i: usize| f64::from(particles.mass[i]);
    let total: f64 = places().map(mass).sum();
    let moment: DVec3 = places().map(|i| particles.position[i] * mass(i)).sum();
    let momentum: DVec3 = places()
        .map(|i| to_double(particles.velocity[i]) * mass(i))
        .sum();
    let (center, mean) = (moment / total, momentum / total);
    let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for i in places() {
        let arm = particles.position[i] - center;
        spin += arm.cross(to_double(particles.velocity[i]) - mean) * mass(i);
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        inertia += (DMat3::IDENTITY * arm.length_squared() - outer) * mass(i);
    }
    let is_regular = inertia.determinant().abs() > 1e-12 * inertia.x_axis.length().powi(3);
    let rate = if is_regular {
        inertia.inverse() * spin
    } else {
        DVec3::ZERO
    };
    for i in places() {
        let arm = particles.position[i] - center;
        particles.velocity[i] = to_real(mean + rate.cross(arm));
    }
}
