//! In place of a team for targets that start no threads.

use std::ops::Range;

/// There is none to run a loop with.
pub(super) fn run_in_team(_count: usize, _body: &(dyn Fn(Range<usize>) + Sync)) -> bool {
    false
}

/// Runs work of rayon's on the thread that there is.
pub(super) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    work()
}
