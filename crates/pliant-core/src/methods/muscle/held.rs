//! The reaction at held particles contains all that they give the body.
//!
//! A solve that ends at a tolerance leaves free particles with momentum that no stress has given them. It is given
//! to where the body is held, and what stress gives in a substep sums up to nothing, as forces between particles do.

use std::ops::Range;

use pliant_math::{DVec3, Real};

use super::rows::MuscleRows;

/// A body some of whose particles are held.
#[derive(Clone, Debug)]
pub struct HeldBody {
    /// Places of its particles.
    pub members: Range<usize>,
    /// Places of those that are held beside free ones, with their shares in what is missing, 1 in all.
    shares: Vec<(usize, f64)>,
    /// What others have given its free particles before the system was solved [N s].
    pub outer: DVec3,
}

impl HeldBody {
    /// Of particles at places; `None` if none is held beside a free one.
    ///
    /// * `inverse_mass` — of all particles of the method [1/kg], 0 for what is held
    pub fn new(members: Range<usize>, rows: &MuscleRows, inverse_mass: &[Real]) -> Option<Self> {
        let is_free = |place: usize| inverse_mass[place] > 0.0;
        let free_neighbors = |place: usize| {
            let neighbors = rows.neighbors_of(place);
            neighbors.filter(|&neighbor| is_free(neighbor)).count() as f64
        };
        let held = members.clone().filter(|&place| !is_free(place));
        let counted = held.map(|place| (place, free_neighbors(place)));
        let mut shares: Vec<(usize, f64)> = counted.filter(|&(_, count)| count > 0.0).collect();
        let total: f64 = shares.iter().map(|&(_, count)| count).sum();
        shares.iter_mut().for_each(|(_, share)| *share /= total);
        (!shares.is_empty()).then_some(Self {
            members,
            shares,
            outer: DVec3::ZERO,
        })
    }

    /// Adds to the impulses of stress on what is held [N s] what its free particles have from no stress.
    ///
    /// * `gained` — impulse that a particle has beyond that of others since the solve [N s]; zero if it is held
    /// * `on_particle` — impulses of stress on all particles of the method
    pub fn close(&self, gained: impl Fn(usize) -> DVec3, on_particle: &mut [DVec3]) {
        let of_free: DVec3 = self.members.clone().map(gained).sum();
        let of_held: DVec3 = self.shares.iter().map(|&(i, _)| on_particle[i]).sum();
        let missing = self.outer - of_free - of_held;
        for &(place, share) in &self.shares {
            on_particle[place] += missing * share;
        }
    }
}
