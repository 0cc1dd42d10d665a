//! What a method says about the length of a step.

/// The longest step that a body is computed right with, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongestStep {
    /// Length [s], > 0; infinite where nothing bounds it.
    pub seconds: f64,
    /// What bounds it, as a part of a sentence.
    pub reason: &'static str,
}

impl LongestStep {
    /// Any step will do.
    pub const UNBOUND: Self = Self {
        seconds: f64::INFINITY,
        reason: "nothing bounds it",
    };

    /// The shorter of two; the first of equal ones.
    pub fn or_shorter(self, other: Self) -> Self {
        if other.seconds < self.seconds {
            other
        } else {
            self
        }
    }
}
