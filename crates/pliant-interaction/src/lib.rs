//! What is done to a scene while it runs, and the same done again. No windows, files or threads here.
//!
//! | what | where |
//! | --- | --- |
//! | the hand that holds, leads, cuts and pours | [`Hand`] |
//! | what can be done, and a log of that | [`Input`], [`InputLog`] |
//! | a log that is done again | [`Replay`] |
//!
//! Invariant: inputs act between frames and are noted with the frame they act after, so that the same log leads to
//! the same bits, whoever looks on.

mod grip;
mod hand;
mod held;
mod input;
mod pour;

pub use hand::{Hand, HandError};
pub use input::{Input, InputLog, LogError, Replay, TimedInput};
