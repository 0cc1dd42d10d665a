//! Which neighbours hold each other no longer.

use serde::{Deserialize, Serialize};

/// The ways between neighbours that have been cut or torn, by their numbers: both directions of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Severed {
    /// A bit for each way; empty while all hold.
    words: Vec<u64>,
    count: u64,
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

    /// True if it can be that of so many ways.
    pub fn fits(&self, of: usize) -> bool {
        let bits: u64 = self.words.iter().map(|w| u64::from(w.count_ones())).sum();
        (self.words.is_empty() || self.words.len() == of.div_ceil(64)) && bits == self.count
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
        assert!(severed.fits(130) && !severed.fits(400) && Severed::default().fits(9));
    }
}
