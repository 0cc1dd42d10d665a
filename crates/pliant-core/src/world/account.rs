//! What a world has been given and what it has lost: the account of energy, and how finely frames are
//! divided because of it.

use serde::{Deserialize, Serialize};

/// Work done on a world from outside [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// By colliders that move, through contacts and through the particles that they carry.
    pub colliders: f64,
    /// By loads.
    pub loads: f64,
    /// By force fields.
    pub fields: f64,
    /// Kinetic energy of particles that emitters add, less that of particles removed.
    pub emitted_kinetic: f64,
    /// Potential energy of the same.
    pub emitted_potential: f64,
    /// By joints with motors, and by muscles.
    pub motors: f64,
}

impl Work {
    /// The sum of all [J].
    pub fn total(&self) -> f64 {
        self.colliders
            + self.loads
            + self.fields
            + self.emitted_kinetic
            + self.emitted_potential
            + self.motors
    }

    /// What has passed into the world or out of it, whichever way, without the potential energy of
    /// emission [J]: that has no zero.
    pub fn throughput(&self) -> f64 {
        let parts = [
            self.colliders,
            self.loads,
            self.fields,
            self.emitted_kinetic,
            self.motors,
        ];
        parts.into_iter().map(f64::abs).sum()
    }

    /// The sum of two.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            colliders: self.colliders + other.colliders,
            loads: self.loads + other.loads,
            fields: self.fields + other.fields,
            emitted_kinetic: self.emitted_kinetic + other.emitted_kinetic,
            emitted_potential: self.emitted_potential + other.emitted_potential,
            motors: self.motors + other.motors,
        }
    }
}

/// The account of a world's energy since its start.
///
/// Frame by frame, what a world has more than before and was not given is `gained`, what it has less is
/// `lost`: to plasticity, friction, viscosity, damping and the implicit step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyAccount {
    /// Work done since the start.
    pub work: Work,
    /// Taken out since the start [J], >= 0.
    pub lost: f64,
    /// Appeared without being paid for since the start [J], >= 0.
    pub gained: f64,
    /// How far the balance of gains and losses stands above its lowest so far [J], >= 0: what small gains
    /// of many frames add up to before losses make up for them.
    pub risen: f64,
    /// What has passed into the world or out of it, whichever way, since the start [J], >= 0.
    pub throughput: f64,
    /// Kinetic, elastic and potential energy at the end of the last frame [J]; `None` before the first,
    /// and to be set so by whoever changes a state by hand.
    pub energy: Option<f64>,
    /// Greatest kinetic and elastic energy at the end of a frame so far [J].
    pub greatest_motion: f64,
    /// Greatest potential energy above the lowest place at the end of a frame so far [J].
    pub greatest_height: f64,
    /// Potential of gravity, -g . x, at the lowest place that a particle has been at [J/kg].
    pub lowest: Option<f64>,
}

/// The energy of a world at a moment, as accounts are balanced with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// Kinetic and elastic [J].
    pub motion: f64,
    /// Of gravity, -sum m g . x [J].
    pub potential: f64,
    /// Mass of everything [kg].
    pub mass: f64,
    /// Least -g . x of a particle [J/kg].
    pub lowest: f64,
}

impl EnergyAccount {
    /// The energy that was there to be spent so far [J]: what has moved or been stored, what stood above
    /// the lowest place, what has passed through. Gains are judged as parts of it.
    pub fn scale(&self) -> f64 {
        self.greatest_motion + self.greatest_height + self.throughput
    }

    /// Takes note of what a frame has more than before and was not given [J]; less if it is negative.
    pub fn book(&mut self, unpaid: f64) {
        self.gained += unpaid.max(0.0);
        self.lost += (-unpaid).max(0.0);
        self.risen = (self.risen + unpaid).max(0.0);
    }

    /// The rise as a part of the energy that was there to be spent.
    pub fn risen_share(&self) -> f64 {
        self.risen / self.scale().max(f64::MIN_POSITIVE)
    }

    /// Takes note of a moment, whose energy becomes the balance.
    pub fn balance(&mut self, now: Balance) {
        let lowest = self
            .lowest
            .map_or(now.lowest, |lowest| lowest.min(now.lowest));
        let height = now.potential - now.mass * lowest;
        self.energy = Some(now.motion + now.potential);
        self.greatest_motion = self.greatest_motion.max(now.motion);
        self.greatest_height = self.greatest_height.max(height);
        self.lowest = Some(lowest);
    }
}

/// How finely frames are divided beyond the step that the scene asks for, because a longer one made
/// energy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refinement {
    /// How often the step is halved.
    pub halvings: u32,
    /// Frames since the last change.
    pub frames: u32,
    /// Frames after which a step twice as long is tried again; doubled each time that fails.
    pub patience: u32,
    /// Gain that shorter steps did not lessen, as a part of what there was to be spent; fades with every
    /// frame.
    pub tolerated: f64,
}

/// Part of a gain that shorter steps did not lessen which is tolerated in the next frame.
const FADING: f64 = 0.9;
/// Frames after which a longer step is tried for the first time.
const FIRST_PATIENCE: u32 = 4;
/// It is tried at least every so many frames.
const GREATEST_PATIENCE: u32 = 64;

impl Default for Refinement {
    fn default() -> Self {
        Self {
            halvings: 0,
            frames: 0,
            patience: FIRST_PATIENCE,
            tolerated: 0.0,
        }
    }
}

impl Refinement {
    /// Halvings that the next frame is tried with first.
    pub fn to_try(&self) -> u32 {
        let is_due = self.frames >= self.patience;
        self.halvings - u32::from(is_due && self.halvings > 0)
    }

    /// Takes note of a gain that shorter steps do not lessen.
    pub fn tolerate(&mut self, share: f64) {
        self.tolerated = self.tolerated.max(share);
    }

    /// Takes note of a frame that was paid for with so many halvings.
    pub fn accept(&mut self, halvings: u32) {
        self.tolerated *= FADING;
        let tried = self.to_try();
        if tried < self.halvings && halvings > tried {
            self.patience = (2 * self.patience).min(GREATEST_PATIENCE);
        }
        if halvings == self.halvings && tried == self.halvings {
            self.frames = self.frames.saturating_add(1);
        } else {
            self.frames = 0;
        }
        self.halvings = halvings;
        if halvings == 0 {
            self.patience = FIRST_PATIENCE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_steps_are_tried_again_and_less_often_each_time_they_fail() {
        let mut refinement = Refinement::default();
        refinement.accept(1);
        let mut tries = Vec::new();
        for frame in 0..60 {
            if refinement.to_try() == 0 {
                tries.push(frame);
            }
            refinement.accept(1);
        }
        assert_eq!(tries, [4, 13, 30]);
    }

    #[test]
    fn a_longer_step_that_holds_is_kept() {
        let mut refinement = Refinement::default();
        refinement.accept(2);
        for _ in 0..20 {
            let tried = refinement.to_try();
            refinement.accept(tried);
        }
        assert_eq!(refinement.halvings, 0);
        assert_eq!(refinement.to_try(), 0);
    }

    #[test]
    fn a_rise_is_measured_from_the_lowest_balance() {
        let mut account = EnergyAccount::default();
        let rises = [1.0, 2.0, -5.0, 0.5, -0.25].map(|unpaid| {
            account.book(unpaid);
            account.risen
        });
        assert_eq!(rises, [1.0, 3.0, 0.0, 0.5, 0.25]);
        assert_eq!((account.gained, account.lost), (3.5, 5.25));
    }

    #[test]
    fn what_stands_above_the_lowest_place_is_there_to_be_spent() {
        let mut account = EnergyAccount {
            throughput: 2.0,
            ..EnergyAccount::default()
        };
        let start = Balance {
            motion: 3.0,
            potential: 105.0,
            mass: 10.0,
            lowest: 10.0,
        };
        account.balance(start);
        assert_eq!((account.energy, account.scale()), (Some(108.0), 10.0));
        account.balance(Balance {
            motion: 1.0,
            potential: 100.0,
            lowest: 9.0,
            ..start
        });
        assert_eq!((account.energy, account.scale()), (Some(101.0), 15.0));
    }
}
