//! Bodies that nothing touches.

use std::sync::Arc;

use pliant_core::measure::{FrameReport, Statistics, statistics_columns};
use pliant_core::methods::rigid::RigidColumns;
use pliant_core::step::{CpuStepper, Stepper, Trouble};
use pliant_geometry::Shape;
use pliant_geometry::shapes::Box;
use pliant_math::{DVec3, to_double};

use crate::worlds::{Scene, Solid, angular_momentum, energy, place, pose, run, run_frames};

fn brick() -> Arc<dyn Shape> {
    Arc::new(Box {
        half_size: DVec3::new(0.05, 0.1, 0.2),
    })
}

#[test]
fn a_thrown_body_flies_a_parabola() {
    let shape = brick();
    let mut solid = Solid::new(&shape, 3.0, DVec3::ZERO);
    solid.velocity = DVec3::new(2.0, 5.0, 0.0);
    let mut world = Scene::new().with(&solid).world(vec![]);
    run(&mut world, 1.0, 1e-3, |_| ());
    let x = pose(&world, 0).translation;
    assert!(
        (x - DVec3::new(2.0, 5.0 - 0.5 * 9.81, 0.0)).length() < 5e-5,
        "{x}"
    );
}

#[test]
fn a_tumbling_body_keeps_angular_momentum_and_energy() {
    let shape = brick();
    let mut solid = Solid::new(&shape, 3.0, DVec3::ZERO);
    // About the middle axis, which is not stable.
    solid.spin = DVec3::new(0.05, 6.0, 0.05);
    let mut world = Scene::new().weightless().with(&solid).world(vec![]);
    let before = angular_momentum(&world, 0);
    let told = Statistics::of(&world, &FrameReport::default()).row();
    let columns = statistics_columns();
    let first = columns.iter().position(|c| c.name == "angular_momentum_x");
    let told = DVec3::from_slice(&told[first.expect("the column")..][..3]);
    assert!((told - before).length() < 1e-9, "{told}, not {before}");
    let energy_before = energy(&world);
    let mut tilt: f64 = 0.0;
    run(&mut world, 4.0, 1e-3, |world| {
        let axis = pose(world, 0).rotation * DVec3::Y;
        tilt = tilt.max(-axis.y);
    });
    let after = angular_momentum(&world, 0);
    let lost = (after - before).length() / before.length();
    assert!(lost < 0.01, "angular momentum changed by {lost}");
    let gained = energy(&world) / energy_before - 1.0;
    assert!(gained.abs() < 0.01, "energy changed by {gained}");
    assert!(tilt > 0.9, "it never turned over: {tilt}");
    let drift = to_double(world.state.particles.velocity[place(&world, 0)]).length();
    assert!(drift < 1e-9);
}

#[test]
fn a_spinning_body_keeps_its_energy_at_the_automatic_step() {
    let shape = brick();
    for spin in [
        DVec3::new(0.05, 6.0, 0.05),
        DVec3::new(3.0, 20.0, 1.0),
        DVec3::X * 60.0,
    ] {
        let mut solid = Solid::new(&shape, 3.0, DVec3::ZERO);
        solid.spin = spin;
        let mut world = Scene::new().weightless().with(&solid).world(vec![]);
        let (before, momentum) = (energy(&world), angular_momentum(&world, 0));
        run_frames(&mut world, 10.0, |world, _, _| {
            let change = energy(world) / before - 1.0;
            assert!(change.abs() < 1e-4, "{spin}: {change}");
        });
        let turned = (angular_momentum(&world, 0) - momentum).length() / momentum.length();
        assert!(turned < 1e-6, "{spin}: {turned}");
    }
}

#[test]
fn a_spin_that_is_no_longer_finite_ends_the_run_and_names_its_body() {
    let shape = brick();
    let solid = Solid::new(&shape, 3.0, DVec3::ZERO);
    let mut world = Scene::new().with(&solid).with(&solid).world(vec![]);
    world.state.methods.of_mut::<RigidColumns>().spin[1].y = f64::NAN;
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let error = stepper.substep(&mut world, 1e-3).expect_err("no spin");
    assert_eq!(error.trouble, Trouble::NotFinite);
    let culprit = error.culprit.expect("a body is to blame");
    assert_eq!(culprit.body, "solid1");
}
