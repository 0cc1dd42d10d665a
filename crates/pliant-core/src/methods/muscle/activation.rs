//! How muscles are activated: from 0, at rest, to 1.

use std::f64::consts::TAU;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::schedule::{Schedule, TimeFunction};

/// A wave that travels along a muscle: `mean + amplitude sin(2 pi (frequency t + phase - s))`, s being the
/// phase of the fibres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TravelingWave {
    /// Mean.
    pub mean: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// Frequency [Hz].
    pub frequency: f64,
    /// Phase at the start, in periods.
    pub phase: f64,
}

/// How a muscle is activated. What is below 0 counts as 0, what is above 1 as 1.
#[derive(Clone, Debug)]
pub enum Activation {
    /// By a constant or keyframes.
    Scheduled(Schedule),
    /// By a wave that travels along it.
    Wave(TravelingWave),
    /// By a function of time.
    Function(Arc<dyn TimeFunction>),
    /// From outside, see [`World::activate`](crate::world::World::activate); until then by this much.
    Driven(f64),
}

impl Activation {
    /// Never.
    pub const NONE: Self = Self::Scheduled(Schedule::Constant(0.0));
}

/// Activation of a muscle at a moment, `constant + cosine cos(2 pi s) + sine sin(2 pi s)` between 0 and 1 at
/// fibres of the phase s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActivationState {
    /// The same everywhere.
    pub constant: f64,
    /// Factor of the cosine of phases.
    pub cosine: f64,
    /// Factor of the sine of phases.
    pub sine: f64,
}

impl ActivationState {
    /// The same everywhere.
    pub fn even(constant: f64) -> Self {
        Self {
            constant,
            ..Self::default()
        }
    }

    /// At fibres of a phase.
    pub fn at(&self, phase: f64) -> f64 {
        let (sine, cosine) = (libm::sin(TAU * phase), libm::cos(TAU * phase));
        let wave = self.cosine * cosine + self.sine * sine;
        (self.constant + wave).clamp(0.0, 1.0)
    }
}

impl TravelingWave {
    fn at(&self, time: f64) -> ActivationState {
        // sin(a - b) = sin a cos b - cos a sin b
        let angle = TAU * (self.frequency * time + self.phase);
        ActivationState {
            constant: self.mean,
            cosine: self.amplitude * libm::sin(angle),
            sine: -self.amplitude * libm::cos(angle),
        }
    }
}

/// An activation that is driven from outside: from one value to another, evenly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActivationDrive {
    /// Number of the muscle among those of all bodies.
    pub(super) muscle: u32,
    /// From when on [s], and from what.
    pub(super) start: (f64, f64),
    /// Until when [s], and to what.
    pub(super) end: (f64, f64),
}

impl ActivationDrive {
    /// At a time [s].
    pub(super) fn at(&self, time: f64) -> f64 {
        let ((since, from), (until, to)) = (self.start, self.end);
        if time >= until {
            return to;
        }
        let share = ((time - since) / (until - since)).max(0.0);
        from + (to - from) * share
    }
}

/// The activation at a time [s] of a muscle, which is driven as told if it is driven.
pub(super) fn activation_at(
    activation: &Activation,
    drive: Option<&ActivationDrive>,
    time: f64,
) -> ActivationState {
    match activation {
        Activation::Scheduled(schedule) => ActivationState::even(schedule.at(time)),
        Activation::Wave(wave) => wave.at(time),
        Activation::Function(function) => ActivationState::even(function.at(time)),
        Activation::Driven(start) => {
            ActivationState::even(drive.map_or(*start, |drive| drive.at(time)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_passes_fibers_of_greater_phase_later() {
        let wave = TravelingWave {
            mean: 0.0,
            amplitude: 1.0,
            frequency: 2.0,
            phase: 0.0,
        };
        for (time, phase) in [(0.1, 0.0), (0.3, 0.4), (0.7, 1.2)] {
            let expected = libm::sin(TAU * (2.0 * time - phase)).clamp(0.0, 1.0);
            assert!((wave.at(time).at(phase) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn activation_stays_between_none_and_full() {
        assert_eq!(ActivationState::even(3.0).at(0.2), 1.0);
        assert_eq!(ActivationState::even(-3.0).at(0.2), 0.0);
    }
}
