//! Bonds that have been cut or torn.

use serde::{Deserialize, Serialize};

use super::setup::StrainEnergySetup;
use crate::rest::CutPoint;

/// The bonds between neighbours that have been cut or torn, by their numbers: both directions of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrokenBonds {
    /// A bit for each bond; empty while none is broken.
    words: Vec<u64>,
    count: u64,
    /// Where they were cut, in order of time.
    cut_points: Vec<CutPoint>,
}

impl BrokenBonds {
    /// Number of broken bonds, both directions counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// True if a bond is broken.
    #[inline]
    pub fn contains(&self, bond: usize) -> bool {
        let word = self.words.get(bond / 64).copied().unwrap_or(0);
        word >> (bond % 64) & 1 == 1
    }

    /// Where bonds were cut, one for both directions.
    pub fn cut_points(&self) -> &[CutPoint] {
        &self.cut_points
    }

    /// Adds where a bond was cut.
    pub fn add_cut_point(&mut self, cut_point: CutPoint) {
        self.cut_points.push(cut_point);
    }

    /// Breaks a bond.
    ///
    /// * `of` — number of all bonds
    pub fn insert(&mut self, bond: usize, of: usize) {
        if !self.contains(bond) {
            self.words.resize(of.div_ceil(64), 0);
            self.words[bond / 64] |= 1 << (bond % 64);
            self.count += 1;
        }
    }

    /// True if it can be that of such bodies.
    pub fn fits(&self, setup: &StrainEnergySetup) -> bool {
        let bits: u64 = self.words.iter().map(|w| u64::from(w.count_ones())).sum();
        let words = setup.bond_count().div_ceil(64);
        // Fewer where bodies were added since a bond was broken last.
        let has_size = self.words.len() <= words;
        let is_within = |cut_point: &CutPoint| {
            let mut bodies = setup.bodies.iter();
            bodies.any(|body| cut_point.ends.iter().all(|id| body.ids().contains(id)))
        };
        has_size && bits == self.count && self.cut_points.iter().all(is_within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonds_are_counted_once() {
        let mut broken_bonds = BrokenBonds::default();
        for bond in [70, 3, 70, 129] {
            broken_bonds.insert(bond, 130);
        }
        let all: Vec<usize> = (0..200)
            .filter(|&bond| broken_bonds.contains(bond))
            .collect();
        assert_eq!((all, broken_bonds.count()), (vec![3, 70, 129], 3));
    }
}
