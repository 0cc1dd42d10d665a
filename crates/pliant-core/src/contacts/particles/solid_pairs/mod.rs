//! Contacts between particles of solids, of one body or of several.
//!
//! Solids keep their neighbours, so particles that lay side by side at rest stay so. The outer ones are
//! cut into patches once for all (`layout`). Each patch gets a box around all that its particles may
//! touch, also when they have gone a little further (`patches`), and where two boxes overlap all pairs
//! are tried, sixteen at a time, those that were near at rest left out (`search`). Two patches that
//! together look as at rest, but for an affine map, have none (`fit`). Until a particle has gone further
//! (`drift`), only the pairs listed so are tried again. What is remembered spares work and changes
//! nothing: which pairs are found, and in which order, follows from the state alone.
//!
//! Sixteen patches are a region, which is searched by one task.

mod drift;
mod fit;
mod layout;
mod patches;
mod search;

use pliant_math::simd::Instructions;

use self::drift::Drift;
use self::patches::Patches;
use self::search::{Region, Search};
use super::hulls::HullContacts;
use super::meeting::Reach;
use crate::contacts::solve::LinearContacts;
use crate::parallel;

/// The pairs of solids in a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SolidPairs {
    patches: Patches,
    drift: Drift,
    regions: Vec<Region>,
}

impl SolidPairs {
    /// Finds the pairs of one continuum that may touch within the substep, and whose surfaces may.
    pub fn find(&mut self, instructions: Instructions, reach: Reach<'_>) {
        let is_new = self.patches.lay(reach);
        self.drift.update(&self.patches, reach, is_new);
        let Drift { now, is_stale, .. } = &self.drift;
        self.patches.look(instructions, reach, now, is_stale);
        let search = Search {
            instructions,
            reach,
            patches: &self.patches,
            drift: &self.drift,
        };
        search::search(search, &mut self.regions);
    }

    /// Particles of different continua that may meet as particle and surface.
    pub fn near_surfaces(&self) -> impl Iterator<Item = [u32; 2]> {
        let regions = self.regions.iter();
        regions.flat_map(|region| region.near_surfaces.iter().copied())
    }

    /// Adds as pairs of spheres those that do not meet as particle and surface.
    pub fn add_uncovered(&mut self, reach: Reach<'_>, hulls: &HullContacts) {
        parallel::for_items(&mut self.regions, |_, region| {
            region.add_uncovered(reach, hulls);
        });
    }

    /// Hands over the contacts that were found.
    pub fn hand_over(&mut self, contacts: &mut LinearContacts) {
        contacts.add_loose(self.regions.iter_mut().map(|region| &mut region.contacts));
    }
}
