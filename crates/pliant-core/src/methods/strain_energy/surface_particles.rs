//! Surface particles and their neighbours, which may touch other bodies.

use pliant_math::DVec3;

use super::broken_bonds::BrokenBonds;
use super::setup::{SolidBody, StrainEnergySetup};
use crate::particles::IdMap;

/// A particle with fewer neighbours than this part of those inside is on the surface: none of a lattice
/// and few of jittered ones are missed (0 and 0 of a thousand at 1.8 spacings).
const SURFACE_SHARE: f64 = 0.75;

/// Data of the solid particles for contacts, in their order.
#[derive(Debug, Default)]
pub struct SurfaceParticles {
    /// Where they are at rest [m].
    pub rest_position: Vec<DVec3>,
    /// Whether they are on the surface or next to it.
    pub is_near_surface: Vec<bool>,
    /// Whether each has been cut off from a neighbour.
    pub is_cut: Vec<bool>,
    /// Those cut off from each other, the lesser place first, increasing.
    pub cut_pairs: Vec<[u32; 2]>,
}

impl SurfaceParticles {
    /// Of the particles at some places, `count` in all.
    pub fn new(
        setup: &StrainEnergySetup,
        broken_bonds: &BrokenBonds,
        places: &IdMap,
        count: usize,
    ) -> Self {
        let mut all = Self {
            rest_position: vec![DVec3::ZERO; count],
            is_near_surface: vec![false; count],
            is_cut: vec![false; count],
            cut_pairs: Vec::new(),
        };
        for body in &setup.bodies {
            let of_body = places.from(body.first_id);
            for (&x, &place) in body.shape.position.iter().zip(of_body) {
                if place != u32::MAX {
                    all.rest_position[place as usize] = x;
                }
            }
            let particles: Vec<u32> = (0..body.shape.len() as u32).collect();
            all.mark_surface_layer(body, broken_bonds, of_body, &particles);
            if broken_bonds.count() > 0 {
                all.add_cuts(body, broken_bonds, of_body, &particles);
            }
        }
        all.cut_pairs.sort_unstable();
        all.cut_pairs.dedup();
        all
    }

    /// Updates after particles of a body have been cut off from neighbours.
    pub fn update(
        &mut self,
        body: &SolidBody,
        broken_bonds: &BrokenBonds,
        places: &IdMap,
        particles: &[u32],
    ) {
        let of_body = places.from(body.first_id);
        self.mark_surface_layer(body, broken_bonds, of_body, particles);
        self.add_cuts(body, broken_bonds, of_body, particles);
        self.cut_pairs.sort_unstable();
        self.cut_pairs.dedup();
    }

    /// Marks those of some particles that are on the surface, and their neighbours.
    fn mark_surface_layer(
        &mut self,
        body: &SolidBody,
        broken_bonds: &BrokenBonds,
        place: &[u32],
        particles: &[u32],
    ) {
        let ratio = body.shape.support_radius / body.spacing;
        let inside = 4.0 / 3.0 * std::f64::consts::PI * ratio.powi(3) - 1.0;
        for &particle in particles {
            let left = body.neighbors(particle as usize, broken_bonds).count();
            if (left as f64) < SURFACE_SHARE * inside {
                let beside = body.shape.neighbors_of(particle as usize).iter();
                for &near_surface in beside.chain([&particle]) {
                    let place = place[near_surface as usize];
                    if place != u32::MAX {
                        self.is_near_surface[place as usize] = true;
                    }
                }
            }
        }
    }

    fn add_cuts(
        &mut self,
        body: &SolidBody,
        broken_bonds: &BrokenBonds,
        place: &[u32],
        particles: &[u32],
    ) {
        for &particle in particles {
            let cut = body.bonds(particle as usize);
            for (_, other) in cut.filter(|&(bond, _)| broken_bonds.contains(bond)) {
                let pair = [place[particle as usize], place[other as usize]];
                if !pair.contains(&u32::MAX) {
                    self.is_cut[pair[0] as usize] = true;
                    self.is_cut[pair[1] as usize] = true;
                    self.cut_pairs
                        .push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
                }
            }
        }
    }
}
