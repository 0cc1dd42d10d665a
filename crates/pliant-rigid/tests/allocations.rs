//! Contacts of particles with rigid bodies ask for no memory once they are warm.
//!
//! The engine makes its world anew in each substep, so that a substep with bodies asks for some: as much for
//! many particles as for few.

#[path = "../../pliant-core/tests/counting.rs"]
mod counting;
#[allow(dead_code)]
#[path = "rigid/worlds.rs"]
mod worlds;

use std::sync::Arc;

use pliant_core::methods::granules::GRANULES;
use pliant_core::world::{Body, Material, Setup};
use pliant_geometry::Shape;
use pliant_geometry::shapes::{Box, Plane};
use pliant_materials::Law;
use pliant_materials::laws::ContactFriction;
use pliant_math::{DVec3, Pose};

use worlds::{Scene, Solid};

/// A plank that lies on so many grains a side, which lie on the floor.
fn plank_on_grains(side: usize) -> Setup {
    const SPACING: f64 = 0.02;
    let width = side as f64 * SPACING;
    let plank: Arc<dyn Shape> = Arc::new(Box {
        half_size: DVec3::new(0.5 * width, 0.01, 0.5 * width),
    });
    let floor = Arc::new(Plane { normal: DVec3::Y });
    let middle = DVec3::new(0.5 * width, 0.03, 0.5 * width);
    let mut scene = Scene::new()
        .on(floor, Pose::IDENTITY, 0.5)
        .with(&Solid::new(&plank, 0.3, middle));
    scene.setup.materials.push(Material {
        name: "grains".into(),
        density: 1500.0,
        youngs_modulus: 0.0,
        law: Law::ContactFriction(ContactFriction { friction: 0.5 }),
    });
    let place = |k: usize| DVec3::new((k % side) as f64, 0.0, (k / side) as f64);
    let shift = DVec3::splat(0.5);
    let position = (0..side * side).map(|k| (place(k) + shift) * SPACING);
    let grains = Body::new(GRANULES, 1, 1500.0, SPACING, position.collect());
    scene.setup.bodies.push(grains);
    Setup::clone(&scene.world(vec![]).setup)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn contacts_with_rigid_bodies_allocate_nothing() {
    let [few, many] = [4, 20].map(|side| counting::bytes_a_substep(plank_on_grains(side), 500));
    // The pool's queue grows by a block now and then.
    assert!(
        many <= few + 128,
        "{few} bytes with few grains, {many} with many"
    );
}
