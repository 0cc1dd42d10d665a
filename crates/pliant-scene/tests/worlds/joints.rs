//! The energy of what hangs on joints.

use pliant_core::step::{CpuStepper, advance_frame};

use crate::world;

#[test]
fn a_pendulum_on_a_collider_at_rest_is_driven_by_nothing() {
    let mut world = world(
        "[scene]\nduration = 2.0\nframe_rate = 48\n\
         [material.stone]\nlaw = \"rigid\"\ndensity = 2000.0\n\
         [[collider]]\nname = \"nail\"\n\
         [[body]]\nname = \"bob\"\nmaterial = \"stone\"\nshape = { sphere = { radius = 0.05 } }\n\
         position = [0.4, -0.3, 0]\n\
         [[joint]]\nname = \"string\"\nkind = \"ball\"\nbody = \"bob\"\nto_collider = \"nail\"\n",
    );
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..96 {
        let report = advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound scene");
        assert_eq!(report.redone, 0);
    }
    let account = world.state.account;
    assert_eq!(account.work.motors, 0.0, "{account:?}");
    // It falls by 0.2 m, with 2 J; 0.1 J was told as work, and as gained.
    assert!(account.gained < 0.01, "{account:?}");
}

#[test]
fn a_weight_on_a_motor_spring_gains_no_energy() {
    for (kind, motor) in [
        ("slider\"\naxis = [0, 1, 0]", "{ stiffness = 200.0 }"),
        (
            "hinge\"\naxis = [0, 0, 1]\nposition = [-0.1, 0, 0]",
            "{ stiffness = 10.0 }",
        ),
    ] {
        let mut world = world(&format!(
            "[scene]\nduration = 2.0\nframe_rate = 24\n\
             [material.stone]\nlaw = \"rigid\"\ndensity = 2000.0\n\
             [[body]]\nname = \"bob\"\nmaterial = \"stone\"\nshape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\
             [[joint]]\nname = \"spring\"\nbody = \"bob\"\nmotor = {motor}\nkind = \"{kind}\n"
        ));
        let mut stepper = CpuStepper::new(1).expect("a thread");
        for _ in 0..48 {
            advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound scene");
        }
        let account = world.state.account;
        // It swings by 0.2 m, with up to 2 J. Told with the kinetic energy that impulses gave after gravity, work was
        // less than what they did, and 0.30 and 0.11 J appeared.
        assert!(account.risen < 0.05, "{kind}: {account:?}");
        assert!(account.gained < 0.1, "{kind}: {account:?}");
    }
}
