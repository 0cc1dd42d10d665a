//! Flesh that cannot go on, and how bodies of it are integrated together.

use pliant_core::methods::muscle::{Incompressibility, Integration, MuscleSetup, step_choice};
use pliant_core::step::Trouble;
use pliant_core::world::World;
use pliant_materials::laws::{Corotated, Solid, SolidLaw};
use pliant_materials::{LameModuli, Law};
use pliant_math::Real;

use super::{YOUNGS_MODULUS, block, corotated, settings, world_of};
use crate::worlds::advance;

#[test]
fn flesh_that_is_inside_out_and_larger_than_at_rest_is_named() {
    for (factor, is_sound) in [(-0.8, true), (-1.2, false)] {
        let mut world = World::new(world_of(corotated(0.3), vec![block([5, 4, 6])]));
        for x in &mut world.state.particles.position {
            x.x *= factor;
        }
        match advance(&mut world, 1e-6, 1, 1) {
            Ok(_) => assert!(is_sound, "{factor}"),
            Err(error) => {
                let Trouble::InsideOut { volume_ratio } = error.trouble else {
                    panic!("{error}");
                };
                assert!(!is_sound && (volume_ratio - factor).abs() < 0.01, "{error}");
                let message = error.to_string();
                let parts = ["inside out", "particle", "crushes", "muscles"];
                assert!(parts.iter().all(|part| message.contains(part)), "{message}");
            }
        }
    }
}

#[test]
fn flesh_that_is_not_a_number_is_named() {
    let mut world = World::new(world_of(corotated(0.3), vec![block([5, 4, 6])]));
    world.state.particles.velocity[17].y = Real::NAN;
    let error = advance(&mut world, 1e-4, 1, 1).expect_err("not a number");
    assert_eq!(error.trouble, Trouble::NotFinite);
    assert!(error.culprit.is_some(), "{error}");
}

#[test]
fn all_bodies_are_integrated_as_is_told_of_each() {
    // Alone the first would be explicit and the second implicit.
    let mut setup = world_of(corotated(0.3), vec![block([5, 4, 6]), block([9, 9, 9])]);
    let mut stiff = setup.materials[0].clone();
    let moduli = LameModuli::from_youngs(100.0 * YOUNGS_MODULUS, 0.3);
    stiff.law = Law::Solid(Solid::elastic(SolidLaw::Corotated(Corotated { moduli })));
    setup.materials.push(stiff);
    setup.bodies[1].material = 1;
    settings(&mut setup).integration = Integration::Automatic;
    for kept in [
        Incompressibility::None,
        Incompressibility::Velocity,
        Incompressibility::Density,
    ] {
        settings(&mut setup).incompressibility = kept;
        let of_method = MuscleSetup::of(&setup);
        let choices: Vec<_> = of_method
            .bodies
            .iter()
            .map(|body| step_choice(&of_method, body))
            .collect();
        let least = choices
            .iter()
            .map(|choice| choice.seconds)
            .fold(f64::INFINITY, f64::min);
        for choice in choices {
            assert_eq!(choice.is_implicit, of_method.is_implicit(least), "{kept:?}");
            assert!(kept != Incompressibility::Density || !choice.is_implicit);
        }
    }
}
