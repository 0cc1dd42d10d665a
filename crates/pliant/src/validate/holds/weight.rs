//! The forces that carry the weight in the last part of a run, and whether all is at rest.

use std::f64::consts::TAU;

use pliant_core::measure::FrameReport;
use pliant_core::world::{Setup, World};
use pliant_math::DVec3;

use super::case::LOAD;

/// Time over which forces are averaged [s].
const WINDOW: f64 = 0.75;
/// Greatest mean acceleration in that time of what counts as at rest, over that of gravity.
const AT_REST: f64 = 0.0025;

/// Forces on what is carried and on what carries it, and momenta, at the end of each frame.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    load: Record,
    all: Record,
}

/// Force and momentum, upwards, frame by frame.
#[derive(Clone, Debug, Default)]
struct Record {
    mass: f64,
    force: Vec<f64>,
    momentum: Vec<f64>,
}

impl Weights {
    /// Takes note of a frame.
    pub fn add(&mut self, world: &World, report: &FrameReport) {
        let setup = &world.setup;
        let load = setup.bodies.iter().position(|body| body.name == LOAD);
        let is_load = |body: u32| load == Some(body as usize);
        self.load.add_momentum(world, is_load);
        self.all.add_momentum(world, |_| true);
        let is_load = |place: &usize| setup.colliders[*place].name == LOAD;
        let place = (0..setup.colliders.len()).find(is_load);
        let on_load = place.map_or(DVec3::ZERO, |place| report.collider_force[place]);
        self.load.force.push(on_load.y);
        // What presses on colliders that do not move presses back.
        let fixed = &report.collider_force[..setup.first_rigid()];
        self.all.force.push(-fixed.iter().map(|f| f.y).sum::<f64>());
    }

    /// What carries the load, over its weight, and what carries all; nothing for what still moves.
    pub fn shares(&self, setup: &Setup) -> (Option<f64>, Option<f64>) {
        (self.load.share(setup), self.all.share(setup))
    }
}

impl Record {
    fn add_momentum(&mut self, world: &World, is_meant: impl Fn(u32) -> bool) {
        let particles = &world.state.particles;
        let meant = (0..particles.len()).filter(|&i| is_meant(particles.body[i]));
        let (mut mass, mut momentum) = (0.0, 0.0);
        for i in meant {
            let own = f64::from(particles.mass[i]);
            mass += own;
            momentum += own * f64::from(particles.velocity[i].y);
        }
        self.mass = mass;
        self.momentum.push(momentum);
    }

    /// Mean force over weight.
    ///
    /// Both means are weighted with a Hann window, which leaves little of what swings.
    fn share(&self, setup: &Setup) -> Option<f64> {
        let weight = self.mass * setup.gravity.length();
        let frames = (WINDOW * setup.frame_rate) as usize;
        let first = self.force.len().checked_sub(frames)?;
        let (mut force, mut push, mut total) = (0.0, 0.0, 0.0);
        for place in first.max(1)..self.force.len() {
            let phase = (place - first) as f64 + 0.5;
            let share = 1.0 - (TAU * phase / frames as f64).cos();
            let gained = self.momentum[place] - self.momentum[place - 1];
            force += share * self.force[place];
            push += share * gained * setup.frame_rate;
            total += share;
        }
        let is_at_rest = (push / (total * weight)).abs() <= AT_REST;
        is_at_rest.then_some(force / (total * weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Setup {
        Setup::new(Vec::new(), Vec::new())
    }

    /// A kilogram that is held up and swings.
    fn record(force: impl Fn(f64) -> f64, momentum: impl Fn(f64) -> f64) -> Record {
        let times = || (0..36).map(|frame| f64::from(frame) / 24.0);
        Record {
            mass: 1.0,
            force: times().map(force).collect(),
            momentum: times().map(momentum).collect(),
        }
    }

    #[test]
    fn a_swing_about_rest_leaves_the_mean_weight() {
        let swing = |t: f64| 9.81 * (1.0 + 0.5 * (TAU * 5.3 * t).cos());
        let speed = |t: f64| 9.81 * 0.5 / (TAU * 5.3) * (TAU * 5.3 * t).sin();
        let share = record(swing, speed).share(&setup());
        assert!(share.is_some_and(|s| (s - 1.0).abs() < 2e-3), "{share:?}");
    }

    #[test]
    fn a_falling_body_is_not_at_rest() {
        assert_eq!(record(|_| 0.0, |t| -9.81 * t).share(&setup()), None);
    }
}
