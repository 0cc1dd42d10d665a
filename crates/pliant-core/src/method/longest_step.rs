//! What a method says about the length of a step.

/// The longest step that a body is computed right with, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongestStep {
    /// Length [s], > 0; infinite where nothing bounds it.
    pub seconds: f64,
    /// What bounds it, as a part of a sentence.
    pub reason: &'static str,
}

/// The longest step in which sweeps follow stress through a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedStep {
    /// Length [s], > 0.
    pub seconds: f64,
    /// True if it grows with the number of sweeps and has been counted in; otherwise many sweeps resolve any step.
    pub counts_sweeps: bool,
}

/// Greatest part of a spacing that free fall may add to the way of what piles up in an automatic step. A longer
/// one lets pressure overshoot: a tank sloshes without end.
const FALLEN_SHARE: f64 = 0.002;

impl LongestStep {
    /// Any step will do.
    pub const UNBOUND: Self = Self {
        seconds: f64::INFINITY,
        reason: "nothing bounds it",
    };

    /// For what piles up under a gravity [m/s2] with a spacing [m].
    pub fn of_fall(spacing: f64, gravity: f64) -> Self {
        Self {
            seconds: (FALLEN_SHARE * spacing / gravity).sqrt(),
            reason: "free fall may take a five-hundredth of a spacing in it",
        }
    }

    /// The shorter of two; the first of equal ones.
    pub fn or_shorter(self, other: Self) -> Self {
        if other.seconds < self.seconds {
            other
        } else {
            self
        }
    }
}
