//! What cannot be kept apart otherwise moves as one (Provot 1997; Bridson et al. 2002, sec. 7.5).
//!
//! Particles of a zone get the velocities of a rigid body with their momentum and angular momentum.
//! These are linear in the positions, x -> x + t (u + w x x), a map whose determinant 1 + t^2 w^2 is
//! never zero: nothing in a zone crosses anything else of it.

use pliant_math::{DMat3, DVec3, to_double, to_real};

use crate::particles::Particles;

/// Sets of particles that move as one.
#[derive(Debug, Default)]
pub struct ImpactZones {
    /// A particle of the same zone, or the particle itself.
    parent: Vec<u32>,
    /// Particles of all zones.
    members: Vec<u32>,
}

impl ImpactZones {
    /// Every one of so many particles is by itself.
    pub fn clear(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.members.clear();
    }

    /// Joins the zones of four particles.
    pub fn join(&mut self, points: [u32; 4]) {
        self.members.extend(points);
        let first = self.root(points[0]);
        for point in points {
            let root = self.root(point);
            // The least place is the root, so that the order of joining does not matter.
            let (low, high) = (root.min(self.root(first)), root.max(self.root(first)));
            self.parent[high as usize] = low;
        }
    }

    /// Gives each zone the velocities of a rigid body.
    pub fn project_to_rigid_motion(&mut self, particles: &mut Particles) {
        let mut members = std::mem::take(&mut self.members);
        members.sort_unstable();
        members.dedup();
        let mut by_zone: Vec<(u32, u32)> = members.iter().map(|&i| (self.root(i), i)).collect();
        by_zone.sort_unstable();
        for zone in by_zone.chunk_by(|a, b| a.0 == b.0) {
            let places: Vec<usize> = zone.iter().map(|&(_, i)| i as usize).collect();
            project_zone(&places, particles);
        }
        self.members = members;
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let grandparent = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }
}

/// One with particles that are held moves with the first of them, without turning.
fn project_zone(places: &[usize], particles: &mut Particles) {
    let held = places.iter().find(|&&i| particles.inverse_mass[i] == 0.0);
    if let Some(&held) = held {
        let velocity = particles.velocity[held];
        for &i in places {
            if particles.inverse_mass[i] > 0.0 {
                particles.velocity[i] = velocity;
            }
        }
        return;
    }
    let mass = |i: usize| f64::from(particles.mass[i]);
    let total: f64 = places.iter().map(|&i| mass(i)).sum();
    let moment: DVec3 = places
        .iter()
        .map(|&i| particles.position[i] * mass(i))
        .sum();
    let momentum: DVec3 = places
        .iter()
        .map(|&i| to_double(particles.velocity[i]) * mass(i))
        .sum();
    let (center, mean) = (moment / total, momentum / total);
    let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for &i in places {
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
    for &i in places {
        let arm = particles.position[i] - center;
        particles.velocity[i] = to_real(mean + rate.cross(arm));
    }
}
