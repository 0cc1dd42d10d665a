//! Intact bonds between particles of solids.

use pliant_geometry::topology::DisjointSets;

use super::broken_bonds::BrokenBonds;
use super::setup::{SolidBody, StrainEnergySetup};
use crate::constraints::FreeParts;
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

/// The parts that intact bonds make of the particles that are there.
///
/// * `places` — of all ids, so many in all
pub fn joined_parts(
    setup: &StrainEnergySetup,
    broken_bonds: &BrokenBonds,
    (places, count): (&IdMap, usize),
) -> FreeParts {
    let mut sets = DisjointSets::new(count);
    for body in &setup.bodies {
        join_body(&mut sets, body, broken_bonds, places);
    }
    FreeParts::new(sets)
}

/// Joins what bonds of a body join: one bond of each particle after the other, until all are one set. A few of each
/// do that for a whole body.
fn join_body(
    sets: &mut DisjointSets,
    body: &SolidBody,
    broken_bonds: &BrokenBonds,
    places: &IdMap,
) {
    let place = |particle: u32| Some(places.of(body.first_id + particle)? as u32);
    let particles = 0..body.shape.len() as u32;
    let mut apart = particles.clone().filter_map(place).count().max(1) - 1;
    let of_one = |particle: u32| body.shape.neighbors_of(particle as usize).len();
    let most = particles.clone().map(of_one).max().unwrap_or(0);
    for k in 0..most {
        for particle in particles.clone() {
            if apart == 0 {
                return;
            }
            let Some(&other) = body.shape.neighbors_of(particle as usize).get(k) else {
                continue;
            };
            let bond = body.first_bond + body.shape.edges_of(particle as usize).start + k;
            let ends = (place(particle), place(other));
            if let ((Some(one), Some(other)), false) = (ends, broken_bonds.contains(bond)) {
                apart -= usize::from(sets.join(one, other));
            }
        }
    }
}
