//! Which neighbours hold each other no longer.

use serde::{Deserialize, Serialize};

use super::setup::StrainEnergySetup;
use crate::rest::Seam;

/// The ways between neighbours that have been cut or torn, by their numbers: both directions of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Severed {
    /// A bit for each way; empty while all hold.
    words: Vec<u64>,
    count: u64,
    /// Where they were parted, in the order in which that happened.
    seams: Vec<Seam>,
}

impl Severed {
    /// Number of ways, both directions counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// True if a way holds no longer.
    #[inline]
    pub fn contains(&self, way: usize) -> bool {
        let word = self.words.get(way / 64).copied().unwrap_or(0);
        word >> (way % 64) & 1 == 1
    }

    /// Where ways were parted, one for both directions.
    pub fn seams(&self) -> &[Seam] {
        &self.seams
    }

    /// Takes up where a way was parted.
    pub fn add_seam(&mut self, seam: Seam) {
        self.seams.push(seam);
    }

    /// Takes up a way.
    ///
    /// * `of` — number of all ways
    pub fn insert(&mut self, way: usize, of: usize) {
        if !self.contains(way) {
            self.words.resize(of.div_ceil(64), 0);
            self.words[way / 64] |= 1 << (way % 64);
            self.count += 1;
        }
    }

    /// True if it can be that of such bodies.
    pub fn fits(&self, setup: &StrainEnergySetup) -> bool {
        let bits: u64 = self.words.iter().map(|w| u64::from(w.count_ones())).sum();
        let words = setup.way_count().div_ceil(64);
        let has_size = self.words.is_empty() || self.words.len() == words;
        let is_within = |seam: &Seam| {
            let mut bodies = setup.bodies.iter();
            bodies.any(|body| seam.ends.iter().all(|id| body.ids().contains(id)))
        };
        has_size && bits == self.count && self.seams.iter().all(is_within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_counted_once() {
        let mut severed = Severed::default();
        for way in [70, 3, 70, 129] {
            severed.insert(way, 130);
        }
        let all: Vec<usize> = (0..200).filter(|&way| severed.contains(way)).collect();
        assert_eq!((all, severed.count()), (vec![3, 70, 129], 3));
    }
}
