//! What is pressed gives back no more than it was given.

use pliant_core::step::{CpuStepper, Stepper, advance_frame};

use crate::world;

/// A plate of lead falls on a ball of foam, is thrown back, and falls again.
const PLATE_ON_BALL: &str = r#"
[scene]
duration = 0.8
frame_rate = 60

[material.lead]
law = "rigid"
density = 11340

[material.foam]
law = "polynomial-neo-hookean"
density = 30
youngs_modulus = 3e4
poissons_ratio = 0.49

[[body]]
name = "ball"
material = "foam"
method = "shape-groups"
groups = "cut-cells"
shape = { sphere = { radius = 0.2 } }
position = [0, 0.21, 0]
rotation = [30, 10, 5]
spacing = 0.08

[[body]]
name = "plate"
material = "lead"
shape = { box = { size = [0.3, 0.01, 0.3] } }
position = [0, 0.5, 0]

[[collider]]
name = "floor"
shape = { plane = {} }
"#;

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_ball_of_cut_cells_gives_back_no_more_than_a_plate_has_given_it() {
    let mut world = world(PLATE_ON_BALL);
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let mut elastic: f64 = 0.0;
    for _ in 0..48 {
        advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a frame");
        elastic = elastic.max(stepper.energies(&world).elastic);
    }
    // 10.2 kg that fall by 0.085 m and press the ball by as much again.
    assert!(elastic > 10.0, "{elastic} J");
    // It was 1.4 J while members were put where their cells have them, instead of being held by a stiffness.
    let account = world.state.account;
    assert!(account.gained < 1e-3 * elastic, "{account:?}, {elastic} J");
}
