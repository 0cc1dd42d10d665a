//! What is given at times, and what holds between them.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

/// A number as a function of time.
pub trait TimeFunction: Debug + Send + Sync {
    /// At a time [s].
    fn at(&self, time: f64) -> f64;
}

/// How something goes from one keyframe to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Ease {
    /// At constant speed.
    #[default]
    Linear,
    /// Speeding up and slowing down smoothly (a cubic with zero speed at both ends).
    Smooth,
}

impl Ease {
    /// How far it has come, in [0, 1], after a share of the time between two keyframes in [0, 1].
    pub fn progress(self, share: f64) -> f64 {
        match self {
            Ease::Linear => share,
            Ease::Smooth => share * share * (3.0 - 2.0 * share),
        }
    }
}

/// Two keyframes around a moment and how far it has come from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// Place of the keyframe before.
    pub before: usize,
    /// Place of the keyframe after; the same before the first and after the last.
    pub after: usize,
    /// In [0, 1].
    pub progress: f64,
}

impl Bracket {
    /// Around `time` [s] among keyframes whose times increase; there is at least one.
    pub fn of<T>(keyframes: &[T], time_of: impl Fn(&T) -> f64, ease: Ease, time: f64) -> Self {
        let next = keyframes.partition_point(|k| time_of(k) <= time);
        let (before, after) = match next {
            0 => (0, 0),
            n if n == keyframes.len() => (n - 1, n - 1),
            n => (n - 1, n),
        };
        let (start, end) = (time_of(&keyframes[before]), time_of(&keyframes[after]));
        let share = if end > start {
            (time - start) / (end - start)
        } else {
            0.0
        };
        Self {
            before,
            after,
            progress: ease.progress(share),
        }
    }
}

/// A number as a function of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Schedule {
    /// Always the same.
    Constant(f64),
    /// Given at times; constant before the first and after the last.
    Keyframes {
        /// (time [s], value), at least one, times increasing.
        keyframes: Vec<(f64, f64)>,
        /// From one to the next.
        ease: Ease,
    },
}

impl Schedule {
    /// The number at a time [s].
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Keyframes { keyframes, ease } => {
                let at = Bracket::of(keyframes, |k| k.0, *ease, time);
                let (before, after) = (keyframes[at.before].1, keyframes[at.after].1);
                before + (after - before) * at.progress
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(ease: Ease) -> Schedule {
        let keyframes = vec![(1.0, 2.0), (3.0, 6.0), (4.0, 0.0)];
        Schedule::Keyframes { keyframes, ease }
    }

    #[test]
    fn values_hold_before_the_first_and_after_the_last_keyframe() {
        for ease in [Ease::Linear, Ease::Smooth] {
            assert_eq!([-5.0, 1.0].map(|t| ramp(ease).at(t)), [2.0, 2.0]);
            assert_eq!([3.0, 4.0, 9.0].map(|t| ramp(ease).at(t)), [6.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_smooth_ramp_starts_and_ends_at_rest_and_meets_the_linear_one_halfway() {
        assert_eq!(ramp(Ease::Linear).at(1.5), 3.0);
        assert_eq!(ramp(Ease::Smooth).at(2.0), 4.0);
        let rate = |t: f64| (ramp(Ease::Smooth).at(t + 1e-6) - ramp(Ease::Smooth).at(t)) / 1e-6;
        assert!(rate(1.0).abs() < 1e-5 && rate(3.0 - 2e-6).abs() < 1e-5);
        // A cubic is one and a half times as fast in the middle.
        assert!((rate(2.0) - 3.0).abs() < 1e-5);
    }
}
