//! Muscles that are driven from outside.

use super::{MuscleColumns, MuscleSetup};
use crate::world::{Setup, State};

/// Changes the activation of a driven muscle from what it is now to another, evenly over a time [s]; false if the
/// body has no such muscle, or it has an activation of its own.
pub fn activate(
    setup: &Setup,
    state: &mut State,
    (body, muscle): (u32, &str),
    (activation, duration): (f64, f64),
) -> bool {
    let Some(number) = MuscleSetup::of(setup).number_of(body, muscle) else {
        return false;
    };
    let time = state.time;
    let columns: &mut MuscleColumns = state.methods.of_mut();
    let mut drives = columns.drives.iter_mut();
    let Some(drive) = drives.find(|drive| drive.muscle == number) else {
        return false;
    };
    (drive.start, drive.end) = ((time, drive.at(time)), (time + duration, activation));
    true
}
