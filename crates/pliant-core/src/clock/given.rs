//! A clock that the program gives.

use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Gives the clock: the time since some moment that stays the same. The first one that is given counts; without
/// any, everything takes no time.
pub fn set_clock(since_some_moment: fn() -> Duration) {
    let _ = CLOCK.set(since_some_moment);
}

/// A moment of that clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(Duration);

impl Moment {
    pub(super) fn now() -> Self {
        Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
    }

    pub(super) fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}
