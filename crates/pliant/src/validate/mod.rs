//! The claims of `pliant-validation`, measured, and their page.
//!
//! | what | where |
//! |---|---|
//! | which claims are meant | [`chosen`] |
//! | a claim measured | [`Measured`] |
//! | scenes whose expectations converge | [`Halvings`] |
//! | scenes drawn at random | [`RandomScenes`] |
//! | how far defaults carry | [`Holds`] |
//! | `validate.csv`, `validate.html` | [`csv`], [`page`] |

mod csv;
mod halvings;
mod holds;
mod page;
mod random;
mod workers;

use std::time::Instant;

use pliant_validation::{Claim, Figure, QUICK_CLAIMS, SLOW_CLAIMS};

pub use csv::csv;
pub use halvings::{Halvings, NoHalvings};
pub use holds::{Held, Holds};
pub use page::page;
pub use random::RandomScenes;

/// How far the energy of a scene with default settings may rise above what was paid for, as a part of what
/// there was to be spent.
const MOST_RISEN: f64 = 0.01;

/// A claim with what was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The statement that is claimed.
    pub statement: String,
    /// The numbers, or why there are none.
    pub outcome: Result<Vec<Figure>, String>,
    /// Wall time it took [s].
    pub seconds: f64,
}

/// The claims whose statements contain one of the words; without words the quick ones, or all
/// if `full`.
pub fn chosen(words: &[String], full: bool) -> Vec<&'static Claim> {
    let is_meant = |claim: &&Claim| {
        let statement = claim.statement.to_lowercase();
        words
            .iter()
            .any(|word| statement.contains(&word.to_lowercase()))
    };
    let all = QUICK_CLAIMS.iter().chain(SLOW_CLAIMS);
    match (words.is_empty(), full) {
        (true, false) => QUICK_CLAIMS.iter().collect(),
        (true, true) => all.collect(),
        (false, _) => all.filter(is_meant).collect(),
    }
}

impl Measured {
    /// Measures a claim.
    pub fn of(claim: &Claim) -> Self {
        let start = Instant::now();
        let outcome = (claim.measure)().map_err(|error| error.to_string());
        Self {
            statement: claim.statement.to_owned(),
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// Numbers that are not as expected; a claim that could not be measured counts as one.
    pub fn shortfalls(&self) -> usize {
        match &self.outcome {
            Ok(figures) => figures.iter().filter(|figure| !figure.holds()).count(),
            Err(_) => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_among_all_claims_and_full_adds_the_slow_ones() {
        let quick = chosen(&[], false).len();
        let all = chosen(&[], true).len();
        assert!(0 < quick && quick < all);
        let columns = chosen(&["COLUMN".into()], false);
        assert!(!columns.is_empty() && columns.iter().all(|c| c.statement.contains("column")));
        assert!(chosen(&["no such word".into()], true).is_empty());
    }
}
