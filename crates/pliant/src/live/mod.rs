//! A scene that is watched and touched while it runs: what a window, a page or a notebook is built on. No windows here.
//!
//! | what | where |
//! | --- | --- |
//! | a scene, what was done to it, and the same done again | [`Interactive`] |
//! | what can be done to it, by a hand that pulls particles, cuts and pours | [`Input`], [`InputLog`], of `pliant-interaction` |
//! | a file of that | [`read_inputs`], [`write_inputs`] |
//! | what a picture of a moment needs, in numbers that a graphics card takes | [`Snapshot`] |
//! | the frames of a run, of a folder or from a server, read in a thread of their own | [`Playback`], [`RunPlace`] |
//! | a simulation in a thread of its own, commands in, snapshots out | [`Session`] |
//!
//! Invariant: inputs act between frames and are noted with the frame they act after, so that the same log leads to
//! the same bits, whoever looks on.

mod desk;
mod facts;
mod file_watch;
mod film;
mod interactive;
mod playback;
mod session;
#[cfg(test)]
mod tests;
mod worker;

pub(crate) use facts::facts_of_run;

pub use crate::interaction::{InputError, Source, read_inputs, write_inputs};
pub use crate::run_source::{BadAddress, RunAddress, RunPlace};
pub use file_watch::FileWatch;
pub use interactive::{Interactive, LiveError};
pub use playback::{Ask, Picked, Playback, Reel};
pub use pliant_interaction::{Hand, HandError, Input, InputLog, LogError, Replay, TimedInput};
pub use pliant_view::{
    CameraPath, GAUGES, OPAQUE, Painted, SceneFacts, Snapshot, accepted, shader,
};
pub use session::{Board, Command, Opening, Plots, Session, Status};
