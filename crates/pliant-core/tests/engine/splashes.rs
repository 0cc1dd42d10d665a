//! Splashing goo.

use pliant_core::boundaries::Motion;
use pliant_core::world::World;
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::HerschelBulkley;
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DMat3, DVec3, Pose};

use crate::blocks::{block, body, collider, setup};
use crate::worlds::{advance_frames, greatest_speed};

const SPACING: f64 = 0.02;

/// A cube of nearly incompressible goo is turned [degrees] and thrown at a slope: the greatest speed [m/s] of
/// its particles within 0.4 s, and the greatest that the height lost could give one.
fn splash(turn: [f64; 3], velocity: DVec3) -> (f64, f64) {
    let cube = block(0, [8; 3], SPACING, DVec3::splat(-0.08), DVec3::ZERO);
    let [x, y, z] = turn.map(f64::to_radians);
    let turn = DMat3::from_rotation_x(x) * DMat3::from_rotation_y(y) * DMat3::from_rotation_z(z);
    let center = DVec3::Y * 0.2;
    let position = cube.particles.position.iter().map(|&x| center + turn * x);
    let mut setup = setup(vec![body(0, SPACING, position.collect(), velocity)]);
    setup.materials[0].youngs_modulus = 2e4;
    setup.materials[0].law = HenckyLaw::HerschelBulkley(HerschelBulkley {
        elasticity: HenckyElasticity::from_youngs(2e4, 0.49),
        yield_deviator: 40.0,
        consistency_deviator: 20.0,
        flow_index: 0.5,
    })
    .into();
    let normal = DVec3::new(0.3, 1.0, 0.1).normalize();
    setup.colliders = vec![collider(Plane { normal }, Motion::Rest(Pose::IDENTITY))];
    setup.frame_rate = 48.0;
    let mut world = World::new(setup);
    let mut greatest = 0.0_f64;
    advance_frames(&mut world, 19, |world| {
        greatest = greatest.max(greatest_speed(world));
    });
    // From the highest corner, 0.14 m above the centre, to the lowest point that the slope has in 0.4 s.
    let fallen = 0.2 + 0.14 + 0.4 * velocity.length();
    (
        greatest,
        (velocity.length_squared() + 2.0 * 9.81 * fallen).sqrt(),
    )
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn goo_that_splashes_throws_no_particle_faster_than_it_could_fall() {
    let thrown = [
        ([79.0, 32.0, 45.0], DVec3::new(1.77, -2.23, 0.96)),
        ([31.0, 48.0, 69.0], DVec3::new(-2.39, -5.0, 0.92)),
        ([20.0, 30.0, 40.0], DVec3::new(2.0, -3.5, 0.0)),
        ([53.0, 21.0, 18.0], DVec3::new(-1.42, -4.67, 1.27)),
    ];
    for (turn, velocity) in thrown {
        let (greatest, came) = splash(turn, velocity);
        assert!(
            greatest < came,
            "{turn:?} {velocity}: {greatest} m/s of {came}"
        );
    }
}
