//! Lists of numbers.

use std::ops::Range;

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Lists {
    /// From pairs of a list and a number in it, each once; the numbers of a list are in order.
    pub fn new(count: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; count + 1];
        for &(list, _) in &pairs {
            starts[list as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Self {
            starts,
            numbers: pairs.into_iter().map(|(_, number)| number).collect(),
        }
    }

    /// True if all are empty.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// A list; an empty one if there is none of the number.
    pub fn get(&self, list: u32) -> &[u32] {
        match (list as usize) + 1 < self.starts.len() {
            true => self.of(list),
            false => &[],
        }
    }

    /// A list.
    pub fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        let range: Range<usize> = self.starts[list] as usize..self.starts[list + 1] as usize;
        &self.numbers[range]
    }
}
