//! Wall time: from the standard library, or from a clock that the program gives where the standard library has
//! none, as in a browser.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod given;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use given::Moment;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use given::set_clock;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant as Moment;

/// Measures how long something takes.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Moment);

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Self {
        Self(Moment::now())
    }

    /// Time since it was started [s]; 0 if there is no clock.
    pub fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
