//! Frames that tell what is wanted.

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_core::world::World;
use pliant_math::DVec3;

use crate::blocks::{block, setup};
use crate::worlds::advance;

/// Rubber that has fallen on sand.
fn world() -> World {
    let sand = block(2, [6, 3, 6], 0.05, DVec3::ZERO, DVec3::ZERO);
    let rubber = block(0, [3, 3, 3], 0.06, DVec3::Y * 0.16, DVec3::Y * -1.0);
    let mut world = World::new(setup(vec![sand, rubber]));
    advance(&mut world, 1e-3, 30, 2).expect("a sound scene");
    world
}

#[test]
fn a_frame_has_the_quantities_that_are_wanted_with_the_same_values() {
    let world = world();
    let mut all = FrameBuffers::default();
    all.update(&world);
    for names in [&["density"][..], &["fragment"], &["det_F", "fragment"], &[]] {
        let mut some = FrameBuffers::default();
        some.update_wanted(&world, Wanted::quantities(names));
        let (all, some) = (all.frame(), some.frame());
        assert_eq!(some.quantities.len(), names.len());
        for name in names {
            let values = |frame: &pliant_core::measure::Frame<'_>| {
                frame.quantity(name).expect("a quantity").values.clone()
            };
            assert_eq!(values(&some), values(&all), "{name}");
        }
        assert_eq!(some.position, all.position);
        assert_eq!(some.velocity, all.velocity);
        assert_eq!(some.id, all.id);
        assert_eq!(some.colliders.len(), all.colliders.len());
    }
}

#[test]
fn buffers_that_told_everything_tell_no_more_than_is_wanted_next() {
    let world = world();
    let mut buffers = FrameBuffers::default();
    buffers.update(&world);
    buffers.update_wanted(&world, Wanted::MOTION);
    assert!(buffers.frame().quantities.is_empty());
    buffers.update_wanted(&world, Wanted::ALL);
    assert_eq!(buffers.frame().quantities.len(), 5);
}
