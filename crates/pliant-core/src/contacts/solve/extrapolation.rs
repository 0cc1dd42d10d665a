//! Nesterov extrapolation of contacts with implicitly integrated bodies.
//!
//! Sweeps over contacts with the masses of particles, in turns with the answers of a network that is far
//! heavier than the few particles they meet, descend towards the impulses that both agree on by small
//! steps: a gradient method. The momentum of Nesterov (1983) makes it far fewer turns.
//! Other contacts are left alone: their sweeps see all that answers them.

use std::ops::Range;

use pliant_math::{Real, Vec3};

use super::friction::{ContactMultiplier, ContactRule};

/// How contacts are extrapolated in an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Extrapolation {
    /// Places of the particles whose contacts are.
    pub places: Range<u32>,
    /// Turns before in this substep.
    pub turn: u32,
}

impl Extrapolation {
    /// The momentum factor: the part of the last change that is added once more, k/(k + 3).
    pub fn momentum(&self) -> Real {
        let turn = self.turn as Real;
        turn / (turn + 3.0)
    }

    /// True if a particle's contacts are extrapolated.
    pub fn concerns(&self, place: u32) -> bool {
        self.places.contains(&place)
    }
}

/// Multipliers of some contacts of a list as they were after the last turn, by their places in it.
#[derive(Clone, Debug, Default)]
pub struct Before(pub Vec<(u32, ContactMultiplier)>);

impl Before {
    /// Forgets them, or takes over those of the contacts that are concerned if this is the first turn.
    pub fn start(
        &mut self,
        extrapolation: &Extrapolation,
        all: impl Iterator<Item = (bool, ContactMultiplier)>,
    ) {
        if extrapolation.turn > 0 {
            return;
        }
        self.0.clear();
        let numbered = (0..).zip(all);
        let concerned = numbered.filter(|(_, (is_concerned, _))| *is_concerned);
        self.0
            .extend(concerned.map(|(number, (_, multiplier))| (number, multiplier)));
    }
}

impl ContactMultiplier {
    /// Goes on by a share of the way since `before`, inside the cone of friction, and leaves there what it
    /// was. Returns the change of the relative velocity [m/s].
    pub fn extrapolate(&mut self, before: &mut Self, share: Real, rule: &ContactRule) -> Vec3 {
        let now = *self;
        let normal = now.normal + (now.normal - before.normal) * share;
        let tangential = now.tangential + (now.tangential - before.tangential) * share;
        *before = now;
        *self = Self { normal, tangential }.inside_cone(rule);
        self.change(rule) - now.change(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: ContactRule = ContactRule {
        normal: Vec3::Y,
        target: 0.0,
        friction: 0.5,
        is_held: false,
        sticks: false,
        drag: 0.0,
        grain: None,
    };

    #[test]
    fn multipliers_go_on_but_never_pull_or_leave_the_cone() {
        let start = ContactMultiplier::default();
        let mut before = start;
        let mut now = ContactMultiplier {
            normal: 2.0,
            tangential: Vec3::X * 0.8,
        };
        let change = now.extrapolate(&mut before, 0.5, &RULE);
        assert!((now.normal - 3.0).abs() < 1e-6 && (now.tangential.x - 1.2).abs() < 1e-6);
        assert!((change - Vec3::new(0.4, 1.0, 0.0)).length() < 1e-6);
        assert_eq!(before.normal, 2.0);
        // Back by twice as much as there is.
        let mut less = ContactMultiplier {
            normal: 0.2,
            tangential: Vec3::X * 1.0,
        };
        less.extrapolate(&mut before, 0.9, &RULE);
        assert_eq!(less.normal, 0.0);
        assert_eq!(less.tangential, Vec3::ZERO);
    }
}
