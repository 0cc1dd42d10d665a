//! What probes read off cloth.

use pliant_core::world::World;
use pliant_math::{DQuat, DVec3, Pose};

use super::sheets::{LAW, sheet, world_of};
use crate::probes::measured;

#[test]
fn stretch_of_cloth_is_that_of_its_triangles() {
    let rotation = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(0.7);
    for (along, across) in [(1.0, 1.0), (1.2, 0.9), (1.001, 1.0), (0.5, 2.0)] {
        let flat = sheet(LAW, [6, 5], 0.02, Pose::IDENTITY);
        let mut world = World::new(world_of(LAW, vec![flat]));
        for x in &mut world.state.particles.position {
            *x = rotation * (*x * DVec3::new(along, 1.0, across));
        }
        let [min, mean, max] = measured("stretch", &[], &world)[..] else {
            panic!("three columns");
        };
        let (least, greatest) = (f64::min(along, across), f64::max(along, across));
        assert!((min - least).abs() < 1e-9, "{min} of {least}");
        assert!((max - greatest).abs() < 1e-9, "{max} of {greatest}");
        assert!((mean - greatest).abs() < 1e-9, "{mean} of {greatest}");
    }
}

#[test]
fn stretch_of_sheared_cloth_is_that_of_the_shear() {
    let flat = sheet(LAW, [6, 5], 0.02, Pose::IDENTITY);
    let mut world = World::new(world_of(LAW, vec![flat]));
    let shear = 0.4;
    for x in &mut world.state.particles.position {
        x.x += shear * x.z;
    }
    // The principal stretches of a simple shear k are the roots of s - 1/s = k.
    let greatest = 0.5 * (shear + f64::sqrt(shear * shear + 4.0));
    let stretch = measured("stretch", &[], &world);
    assert!((stretch[2] - greatest).abs() < 1e-9, "{stretch:?}");
    assert!((stretch[0] - 1.0 / greatest).abs() < 1e-9, "{stretch:?}");
}
