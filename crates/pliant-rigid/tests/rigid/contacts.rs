//! Bodies that touch each other and colliders.

use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_math::{DVec3, Pose, to_double};

use crate::worlds::{Scene, Solid, place, run, run_frames};

fn cube(edge: f64) -> Arc<dyn Shape> {
    Arc::new(Box {
        half_size: DVec3::splat(0.5 * edge),
    })
}

fn floor() -> Arc<dyn Shape> {
    Arc::new(Plane { normal: DVec3::Y })
}

#[test]
fn a_block_slides_on_an_incline_as_coulomb_says() {
    let shape = cube(0.1);
    // Angle [degrees], friction of the slope, of the block.
    let cases = [
        (30.0, 0.3, 0.3),
        (30.0, 0.0, 0.5),
        (30.0, 0.7, 0.5),
        (27.0, 0.37, 0.5),
        (27.0, 0.37, 0.02),
        (20.0, 0.1, 3.0),
    ];
    for (degrees, friction, of_block) in cases {
        let angle: f64 = f64::to_radians(degrees);
        let slope = Pose::from_euler(DVec3::ZERO, DVec3::Z * -angle);
        let (down, up) = (slope.rotation * DVec3::X, slope.rotation * DVec3::Y);
        let mut solid = Solid::new(&shape, 1.0, up * 0.05);
        solid.pose.rotation = slope.rotation;
        solid.friction = of_block;
        let scene = Scene::new().on(floor(), slope, friction).with(&solid);
        let mut world = scene.world(vec![]);
        run_frames(&mut world, 0.5, |_, _, _| ());
        let v = to_double(world.state.particles.velocity[place(&world, 0)]);
        let acceleration = v.dot(down) / 0.5;
        let expected = (9.81 * (angle.sin() - friction * angle.cos())).max(0.0);
        assert!(
            (acceleration - expected).abs() < 0.003 * 9.81,
            "{friction} under {of_block}: {acceleration} of {expected}"
        );
    }
}

#[test]
fn friction_between_two_bodies_is_the_geometric_mean() {
    let shape = cube(0.1);
    let wide: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(1.0, 0.05, 0.2),
    });
    let mut under = Solid::new(&wide, 1e4, DVec3::Y * 0.05);
    under.friction = 0.1;
    let mut above = Solid::new(&shape, 1.0, DVec3::new(-0.8, 0.15, 0.0));
    above.friction = 0.4;
    above.velocity = DVec3::X * 2.0;
    let scene = Scene::new().on(floor(), Pose::IDENTITY, 5.0);
    let mut world = scene.with(&under).with(&above).world(vec![]);
    run_frames(&mut world, 0.5, |_, _, _| ());
    let slowed = 2.0 - to_double(world.state.particles.velocity[place(&world, 1)]).x;
    assert!((slowed / (0.2 * 9.81 * 0.5) - 1.0).abs() < 0.01, "{slowed}");
}

#[test]
fn bodies_that_collide_keep_their_momentum() {
    let shape = cube(0.1);
    let mut one = Solid::new(&shape, 1.0, DVec3::new(-0.2, 0.02, 0.01));
    one.velocity = DVec3::X * 2.0;
    let other = Solid::new(&shape, 3.0, DVec3::new(0.2, 0.0, 0.0));
    let mut world = Scene::new()
        .weightless()
        .with(&one)
        .with(&other)
        .world(vec![]);
    run(&mut world, 0.5, 1e-3, |_| ());
    let p = &world.state.particles;
    let momentum = |k: usize| to_double(p.velocity[k]) * f64::from(p.mass[k]);
    let sum = momentum(0) + momentum(1);
    let bound = if size_of_val(&p.mass[0]) == 8 {
        1e-13
    } else {
        1e-5
    };
    assert!((sum - DVec3::X * 2.0).length() < bound * 2.0, "{sum}");
    assert!(p.velocity[place(&world, 1)].x > 0.1);
}
