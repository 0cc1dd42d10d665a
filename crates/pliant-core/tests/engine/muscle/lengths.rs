//! How the pull of muscles hangs on their length.

use pliant_core::methods::muscle::{Activation, Muscle};
use pliant_core::schedule::Schedule;

use pliant_math::DVec3;

use super::bundles::clamped;
use super::{block, corotated};

/// Active force [N] of a bar that is held at a stretch: what it pulls with at full activation less what it does at
/// none. Of a Poisson's ratio of zero, so that it is as long everywhere.
fn active_force(stretch: f64) -> f64 {
    let pull = |activation: f64| {
        let mut flesh = block([4, 4, 12]);
        let activation = Activation::Scheduled(Schedule::Constant(activation));
        let mut muscle = Muscle::new("bundle", 0.0, activation);
        // Less than the stiffness of the flesh where the curve falls.
        muscle.peak_stress = 1e4;
        flesh.add(muscle, |_, _| Some((DVec3::Z, 0.0)));
        -clamped(corotated(0.0), flesh, stretch, 8e-4, |_| ()).0
    };
    pull(1.0) - pull(0.0)
}

#[test]
fn active_force_follows_the_curve_of_length() {
    let at_rest = active_force(1.0);
    for stretch in [0.8, 1.15] {
        let expected = 1.0 - ((stretch - 1.0) / 0.4_f64).powi(2);
        let found = active_force(stretch) / at_rest;
        assert!(
            (found / expected - 1.0).abs() < 0.03,
            "{stretch}: {found} {expected}"
        );
    }
}
