//! Intact bonds between particles of solids.

use super::broken_bonds::BrokenBonds;
use super::setup::StrainEnergySetup;

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
        let place = |particle: u32| ids.binary_search(&(body.first_id + particle)).ok();
        for particle in 0..body.shape.len() as u32 {
            let Some(own) = place(particle) else {
                continue;
            };
            let others = body.neighbors(particle as usize, broken_bonds);
            let later = others.filter(|&other| other > particle);
            links.extend(later.filter_map(|other| Some([own as u32, place(other)? as u32])));
        }
    }
    links
}
