//! Contacts between particles of solids, of one body or of several.
//!
//! Solids keep their neighbours, so particles that lay side by side at rest stay so. The outer ones are
//! cut into patches once for all (`layout`), the leaves of a tree. Each gets a box around all that its particles
//! may touch, also when they have gone a little further (`patches`), and where two boxes overlap all pairs
//! are tried, sixteen at a time, those that were near at rest left out (`search`). Two patches that
//! together look as at rest, but for an affine map, have none (`fit`). Until a particle has gone further
//! (`skin`), only the pairs listed so are tried again. What is remembered spares work and changes
//! nothing: which pairs are found, and in which order, follows from the state alone.
//!
//! Sixteen patches are a region, which is searched by one task.

mod fit;
mod layout;
mod patches;
mod search;
mod skin;

use pliant_math::simd::Instructions;

use self::patches::Patches;
use self::search::{Region, Search};
use self::skin::VerletSkin;
use super::active_set::SearchMargin;
use super::sampled_surfaces::SampledContacts;
use crate::contacts::solve::LinearContacts;
use crate::parallel;

/// The pairs of solids in a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SolidPairs {
    patches: Patches,
    skin: VerletSkin,
    regions: Vec<Region>,
}

impl SolidPairs {
    /// Finds the pairs of one continuum that may touch within the substep, and whose surfaces may.
    pub fn find(&mut self, instructions: Instructions, reach: SearchMargin<'_>) {
        let is_new = self.patches.lay(reach);
        self.skin.update(&self.patches, reach, is_new);
        let VerletSkin {
            now, needs_rebuild, ..
        } = &self.skin;
        self.patches.look(instructions, reach, now, needs_rebuild);
        let search = Search {
            instructions,
            reach,
            patches: &self.patches,
            skin: &self.skin,
        };
        search::search(search, &mut self.regions);
    }

    /// Particles of different continua that may meet as particle and surface.
    pub fn near_surfaces(&self) -> impl Iterator<Item = [u32; 2]> {
        let regions = self.regions.iter();
        regions.flat_map(|region| region.near_surfaces.iter().copied())
    }

    /// Adds as pairs of spheres those that do not meet as particle and surface.
    pub fn add_fallback_pairs(
        &mut self,
        reach: SearchMargin<'_>,
        sampled_surfaces: &SampledContacts,
    ) {
        parallel::for_items(&mut self.regions, |_, region| {
            region.add_fallback_pairs(reach, sampled_surfaces);
        });
    }

    /// Hands over the contacts that were found.
    pub fn hand_over(&mut self, contacts: &mut LinearContacts) {
        contacts.add_loose(self.regions.iter_mut().map(|region| &mut region.contacts));
    }
}
