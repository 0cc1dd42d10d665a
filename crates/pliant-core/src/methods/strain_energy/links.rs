//! Intact bonds between particles of solids.

use super::broken_bonds::BrokenBonds;
use super::setup::StrainEnergySetup;
use crate::particles::IdMap;

/// Pairs of neighbours that are both there and hold each other, by their places among some ids.
///
/// * `ids` — increasing
pub fn neighbor_links(
    setup: &StrainEnergySetup,
    broken_bonds: &BrokenBonds,
    ids: &[u32],
) -> Vec<[u32; 2]> {
    let mut links = Vec::new();
    for body in &setup.bodies {
        let places = IdMap::within(body.ids(), ids);
        for particle in 0..body.shape.len() as u32 {
            let others = body.neighbors(particle as usize, broken_bonds);
            let later = others.filter(|&other| other > particle);
            let link = |other| places.of_body(body.first_id, [particle, other]);
            links.extend(later.filter_map(link));
        }
    }
    links
}
