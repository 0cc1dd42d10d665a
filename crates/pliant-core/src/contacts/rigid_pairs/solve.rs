//! Contacts of an island, solved.

use pliant_math::DVec3;

use super::Hold;
use super::newton::Newton;
use super::pair::Pair;
use crate::boundaries::RigidStep;
use crate::contacts::solve::Impulse;

/// Sweeps there and back, at most, each time that contacts are solved, and after how many Newton's method
/// is tried.
pub(super) const SWEEPS: u32 = 100;
const FEW_SWEEPS: u32 = 25;

/// Scratch of the solution.
#[derive(Debug, Default)]
pub(super) struct Solver {
    newton: Newton,
    /// Numbers of the bodies of an island.
    numbers: Vec<u32>,
    /// Impulses of an island before Newton's method.
    before: Vec<Impulse>,
}

impl Solver {
    /// Solves an island until a sweep changes no velocity by more than a tolerance [m/s].
    pub(super) fn solve(&mut self, island: &mut [Pair], bodies: &mut [RigidStep], tolerance: f64) {
        let off = sweep_on(island, bodies, FEW_SWEEPS, tolerance, &mut |_| ());
        if off <= tolerance {
            return;
        }
        self.before.clear();
        self.before
            .extend(island.iter().map(|pair| pair.rule.impulse));
        self.improve(island, bodies, tolerance);
        if sweep_on(island, bodies, 1, tolerance, &mut |_| ()) > off {
            let before = island.iter_mut().zip(&self.before);
            before.for_each(|(pair, before)| pair.set(*before, bodies));
        }
        sweep_on(island, bodies, SWEEPS, tolerance, &mut |_| ());
    }

    /// Newton's method for an island of a few bodies.
    fn improve(&mut self, pairs: &mut [Pair], bodies: &mut [RigidStep], tolerance: f64) {
        let Self {
            newton, numbers, ..
        } = self;
        numbers.clear();
        for side in pairs.iter().flat_map(|pair| pair.meeting.sides) {
            numbers.extend(side.moving(bodies));
        }
        numbers.sort_unstable();
        numbers.dedup();
        newton.bodies.clear();
        newton
            .bodies
            .extend(numbers.iter().map(|&k| bodies[k as usize]));
        newton.rows.clear();
        newton
            .rows
            .extend(pairs.iter().map(|pair| pair.row(numbers, bodies)));
        if !newton.is_worth_it() {
            return;
        }
        newton.solve(tolerance);
        for (pair, row) in pairs.iter_mut().zip(&newton.rows) {
            pair.set(row.rule.impulse, bodies);
        }
    }
}

/// Takes back as much of what bounces as would give energy to an island: restitution of corners that rub can
/// do so (Kane and Levinson 1985). The work W of the contacts is of second order in that.
pub(super) fn give_no_energy(pairs: &mut [Pair], free: &[RigidStep], bodies: &mut [RigidStep]) {
    let most = work(pairs, free, bodies);
    if most <= 0.0 {
        return;
    }
    for pair in pairs.iter_mut() {
        pair.before = pair.rule.impulse;
    }
    let mut bounce = |share: f64| {
        for pair in pairs.iter_mut() {
            pair.set(pair.start.towards(pair.before, share), bodies);
        }
        work(pairs, free, bodies)
    };
    let (none, half) = (bounce(0.0), bounce(0.5));
    let square = 2.0 * (most + none - 2.0 * half);
    let slope = most - none - square;
    let root = (slope * slope - 4.0 * square * none.min(0.0))
        .max(0.0)
        .sqrt();
    // The greater root, in the form that does not divide by a curvature of zero.
    let share = match slope > 0.0 {
        true => -2.0 * none.min(0.0) / (slope + root),
        false => (root - slope) / (2.0 * square),
    };
    bounce(if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    });
}

/// Work [J] that contacts do on the bodies, each when it acts.
fn work(pairs: &[Pair], free: &[RigidStep], bodies: &[RigidStep]) -> f64 {
    let of_pair = |pair: &Pair| {
        let mean = 0.5 * (pair.relative_velocity(free) + pair.relative_velocity(bodies));
        let gained = pair.impact.map_or(DVec3::ZERO, |impact| impact.gained);
        pair.rule.total().dot(mean - gained)
    };
    pairs.iter().map(of_pair).sum()
}

/// Algorithm 1 of Silcowitz et al. 2010, with sweeps there and back, the norm of the energy
/// that impulses have, and impulses inside their cones always. Returns by how much the last sweep has
/// changed a velocity [m/s].
pub(super) fn sweep_on(
    pairs: &mut [Pair],
    bodies: &mut [RigidStep],
    sweeps: u32,
    tolerance: f64,
    hold: Hold<'_>,
) -> f64 {
    let mut last = f64::INFINITY;
    let mut most = 0.0;
    for sweep in 1..=sweeps {
        most = 0.0;
        for pair in pairs.iter_mut() {
            pair.before = pair.rule.impulse;
            most = pair.project(bodies).max(most);
        }
        for pair in pairs.iter_mut().rev() {
            most = pair.project(bodies).max(most);
        }
        hold(bodies);
        if most <= tolerance || sweep == sweeps {
            break;
        }
        let energy = |pair: &Pair| pair.rule.energy_of(pair.rule.gain_since(pair.before));
        let size: f64 = pairs.iter().map(energy).sum();
        let share = size / last;
        last = size;
        for pair in pairs.iter_mut() {
            pair.go_on(if share < 1.0 { share } else { 0.0 }, bodies);
        }
        hold(bodies);
    }
    most
}
