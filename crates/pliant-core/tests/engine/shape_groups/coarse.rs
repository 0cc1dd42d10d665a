//! Bodies of few cells that fall on a floor in automatic steps.

use pliant_core::boundaries::Motion;
use pliant_core::methods::shape_groups::{self, ParticleGroups};
use pliant_core::world::{Body, World};
use pliant_geometry::shapes::{Plane, Sphere};
use pliant_geometry::{CutGrid, Shape};
use pliant_math::{DVec3, Pose};

use super::{DENSITY, rubber, world_of};
use crate::blocks::collider;
use crate::worlds::advance_frames;

/// The world of a body after falling on a floor, at the pace of a scene.
fn dropped(mut body: Body, velocity: DVec3, seconds: f64) -> World {
    body.particles.velocity.fill(velocity);
    let mut setup = world_of(rubber(0.4), vec![body]);
    setup.gravity = DVec3::Y * -9.81;
    setup.solver = Default::default();
    setup.colliders.push(collider(
        Plane { normal: DVec3::Y },
        Motion::Rest(Pose::IDENTITY),
    ));
    setup.frame_rate = 30.0;
    let mut world = World::new(setup);
    advance_frames(&mut world, (30.0 * seconds) as u32, |_| ());
    world
}

fn lowest(world: &World) -> f64 {
    let heights = world.state.particles.position.iter().map(|x| x.y);
    heights.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_ball_smaller_than_its_spacing_hardly_gains_energy_where_it_lands() {
    let radius = 0.5;
    let grid = CutGrid {
        origin: DVec3::splat(-radius),
        side: DVec3::splat(2.0 * radius),
    };
    let groups = ParticleGroups::cut_cells(&Sphere { radius }.surface(1.0), grid);
    let pose = Pose {
        translation: DVec3::Y * 0.7,
        ..Pose::IDENTITY
    };
    let world = dropped(
        shape_groups::body(0, DENSITY, 50.0, groups, pose),
        DVec3::ZERO,
        2.0,
    );
    // 0.2 m between the ball and the floor.
    let mass: f64 = world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum();
    let fall = mass * 9.81 * 0.2;
    let account = world.state.account;
    // As one cell of the size of its spacing it gained twelve times what it fell with.
    assert!(account.gained < 0.05 * fall, "{account:?}, {fall} J");
    assert!(lowest(&world) > -1e-3);
}

#[test]
fn a_thin_slab_hardly_gains_energy_where_it_lands() {
    let cells: Vec<[i64; 3]> = (0..25).map(|k| [k % 5, 0, k / 5]).collect();
    let side = DVec3::new(0.2, 0.01, 0.2);
    let groups = ParticleGroups::hexahedra(&cells, DVec3::new(-0.5, -0.005, -0.5), side);
    let degrees = std::f64::consts::PI / 180.0;
    let pose = Pose::from_euler(
        DVec3::Y * 0.3,
        DVec3::new(20.0 * degrees, 0.0, 10.0 * degrees),
    );
    let slab = shape_groups::body(0, DENSITY, 0.2, groups, pose);
    let world = dropped(slab, DVec3::Y * -10.0, 1.0);
    let account = world.state.account;
    // It comes with 500 J.
    assert!(
        (500.0..560.0).contains(&account.greatest_motion),
        "{account:?}"
    );
    // Solved together, both constraints of its thin cells gave it 32 J.
    assert!(account.gained < 2.5, "{account:?}");
    assert!(lowest(&world) > -1e-3);
}
