//! A particle and what it meets of a surface.

use pliant_math::{DVec3, Real, Vec3, to_double};

use crate::contacts::acceleration::{Acceleration, Before};
use crate::contacts::friction::{ContactMultiplier, ContactRule};
use crate::parallel::View;

/// Particles of a surface that a particle meets at most. A lattice has nine within 1.5 spacings.
pub const MOST: usize = 16;

/// A particle that may touch a surface within the substep.
#[derive(Clone, Copy, Debug)]
pub struct HullContact {
    /// The particle.
    pub particle: u32,
    /// Distance of the particle from the farthest of those of the surface [m].
    pub reach: f64,
    /// What it asks for.
    pub rule: ContactRule,
    /// What it has done.
    pub multiplier: ContactMultiplier,
    /// One over the inverse mass of the relative motion [kg].
    pub mass: Real,
    /// The particles of the surface.
    pub support: Support,
}

/// Particles of a surface and their shares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Support {
    /// How many there are.
    pub count: usize,
    /// The particles.
    pub places: [u32; MOST],
    /// Their weights; the sum is 1.
    pub weights: [Real; MOST],
}

/// Contacts that are projected one after the other.
#[derive(Debug, Default)]
pub struct HullList {
    /// The contacts in order.
    pub contacts: Vec<HullContact>,
    /// How many pressed when they were projected last.
    pub pressed: usize,
    before: Before,
}

impl Support {
    /// The particles with their weights.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, Real)> {
        let places = self.places[..self.count].iter();
        let weights = self.weights[..self.count].iter();
        places.zip(weights).map(|(&place, &w)| (place as usize, w))
    }
}

impl HullContact {
    /// Projects the contact once; returns whether it presses.
    fn project(&mut self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) -> bool {
        let mut relative = velocity.get(self.particle as usize);
        for (place, weight) in self.support.iter() {
            relative -= velocity.get(place) * weight;
        }
        let change = self.multiplier.project(relative, &self.rule);
        self.push(change, velocity, inverse_mass);
        self.multiplier.normal > 0.0
    }

    /// Changes the relative velocity [m/s].
    fn push(&self, change: Vec3, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        let impulse = change * self.mass;
        let i = self.particle as usize;
        velocity.set(i, velocity.get(i) + impulse * inverse_mass[i]);
        for (place, weight) in self.support.iter() {
            let recoil = impulse * (weight * inverse_mass[place]);
            velocity.set(place, velocity.get(place) - recoil);
        }
    }

    /// Adds its impulse [N s] in this substep to its particles.
    pub fn add_impulse(&self, impulses: &mut [DVec3]) {
        let impulse = to_double(self.multiplier.change(&self.rule)) * f64::from(self.mass);
        impulses[self.particle as usize] += impulse;
        for (place, weight) in self.support.iter() {
            impulses[place] -= impulse * f64::from(weight);
        }
    }

    fn concerns(&self, acceleration: &Acceleration) -> bool {
        let meets = |(place, _)| acceleration.concerns(place as u32);
        acceleration.concerns(self.particle) || self.support.iter().any(meets)
    }
}

impl HullList {
    /// Projects every contact once.
    pub fn project(&mut self, velocity: &mut View<'_, Vec3>, inverse_mass: &[Real]) {
        self.pressed = 0;
        for contact in &mut self.contacts {
            self.pressed += usize::from(contact.project(velocity, inverse_mass));
        }
    }

    /// Lets contacts that meet certain particles go further the way they went.
    pub fn accelerate(
        &mut self,
        velocity: &mut View<'_, Vec3>,
        inverse_mass: &[Real],
        acceleration: &Acceleration,
    ) {
        let all = self.contacts.iter();
        let all = all.map(|contact| (contact.concerns(acceleration), contact.multiplier));
        self.before.start(acceleration, all);
        for (number, before) in &mut self.before.0 {
            let contact = &mut self.contacts[*number as usize];
            let rule = &contact.rule;
            let share = acceleration.share();
            let change = contact.multiplier.accelerate(before, share, rule);
            contact.push(change, velocity, inverse_mass);
        }
    }
}
