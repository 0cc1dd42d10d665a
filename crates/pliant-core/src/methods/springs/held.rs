//! The reaction at held particles contains all that they give the network.
//!
//! Answers to what others do are left with a residual (`system`), so momentum reaches free particles that
//! no spring has given them. It is given to where the network is held, and what its springs give in a
//! substep sums up to nothing, as forces between particles do.

use pliant_math::{DVec3, Real, Vec3, to_double};

use super::system::System;

/// Particles joined to each other, some of which are held.
#[derive(Clone, Debug)]
pub struct HeldPart {
    /// Places of those that are free.
    free: Vec<u32>,
    /// Places of those that are held, with their shares in what is missing, 1 in all.
    held: Vec<(u32, f64)>,
    /// What others have given it in `predict` [N s].
    outer: DVec3,
}

impl HeldPart {
    /// Of particles that links join; `None` if none is free.
    ///
    /// * `link_count` — links of each particle to those that are free
    pub fn new(members: &[u32], link_count: &[u32], inverse_mass: &[Real]) -> Option<Self> {
        let is_free = |place: &u32| inverse_mass[*place as usize] > 0.0;
        let free: Vec<u32> = members.iter().copied().filter(is_free).collect();
        let holds = |&place: &u32| !is_free(&place) && link_count[place as usize] > 0;
        let held = members.iter().copied().filter(holds);
        let mut held: Vec<(u32, f64)> = held
            .map(|place| (place, f64::from(link_count[place as usize])))
            .collect();
        let count: f64 = held.iter().map(|&(_, count)| count).sum();
        held.iter_mut().for_each(|(_, share)| *share /= count);
        (!held.is_empty()).then_some(Self {
            free,
            held,
            outer: DVec3::ZERO,
        })
    }

    /// Takes over what others have given its free particles before springs act.
    pub fn start(&mut self, system: &System) {
        let free = self.free.iter();
        self.outer = free
            .map(|&i| system.at(i as usize, |task| &task.impulse))
            .sum();
    }

    /// Gives what is held the impulse that its free particles have from no spring.
    ///
    /// * `start` — velocities at the start of the substep [m/s]
    pub fn close(&self, system: &mut System, start: &[Vec3], mass: &[Real]) {
        let mut missing = self.outer;
        for place in self.free.iter().map(|&i| i as usize) {
            let change = system.at(place, |task| &task.reported) - to_double(start[place]);
            missing += system.at(place, |task| &task.impulse) - change * f64::from(mass[place]);
        }
        for &(place, _) in &self.held {
            missing -= system.at(place as usize, |task| &task.inner_impulse);
        }
        for &(place, share) in &self.held {
            system.add_inner_impulse(place as usize, missing * share);
        }
    }
}
