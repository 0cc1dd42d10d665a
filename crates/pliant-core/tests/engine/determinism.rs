//! Same input, same bits.

use pliant_core::world::{State, World};
use pliant_math::DVec3;

use crate::blocks::{block, setup};
use crate::worlds::advance;

const DT: f64 = 1e-3;

/// Sand and dough that share a continuum, hit by a coarser elastic block.
fn scene() -> World {
    World::new(setup(vec![
        block(2, [14, 10, 14], 0.05, DVec3::ZERO, DVec3::ZERO),
        block(1, [8, 8, 8], 0.05, DVec3::new(0.1, 0.5, 0.1), DVec3::ZERO),
        block(
            0,
            [4, 4, 4],
            0.09,
            DVec3::new(0.1, 0.95, 0.1),
            DVec3::Y * -2.0,
        ),
    ]))
}

fn bytes_after(substeps: usize, threads: usize) -> Vec<u8> {
    let mut world = scene();
    advance(&mut world, DT, substeps, threads).expect("a sound scene");
    world.state.to_bytes()
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let one = bytes_after(50, 1);
    assert_ne!(one, scene().state.to_bytes());
    assert!(bytes_after(50, 2) == one);
    assert!(bytes_after(50, 4) == one);
}

#[test]
fn a_run_resumed_from_a_snapshot_has_the_same_bits() {
    let mut world = scene();
    advance(&mut world, DT, 25, 2).expect("a sound scene");
    let saved = world.state.to_bytes();
    let mut resumed = scene();
    resumed.state = State::from_bytes(&saved, &resumed.setup).expect("its own bytes");
    advance(&mut resumed, DT, 25, 1).expect("a sound scene");
    assert!(resumed.state.to_bytes() == bytes_after(50, 2));
}

#[test]
fn damaged_snapshots_are_refused() {
    let World { setup, state } = scene();
    let saved = state.to_bytes();
    assert!(State::from_bytes(&saved[..saved.len() / 2], &setup).is_err());
    assert!(State::from_bytes(&[], &setup).is_err());
    let mut uneven = state.clone();
    uneven.particles.mass.pop();
    assert!(State::from_bytes(&uneven.to_bytes(), &setup).is_err());
    assert!(state.check_fits(&setup).is_ok());
    let mut stranger = state.clone();
    stranger.particles.body[0] = 7;
    assert!(stranger.check_fits(&setup).is_err());
    let mut stranger = state;
    stranger.owed.push(0.5);
    assert!(stranger.check_fits(&setup).is_err());
}
