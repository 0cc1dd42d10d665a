//! What is done to a scene between its frames: what a hand does, and the values that change. A window acts so, and a
//! run that does again what was done in one.
//!
//! | what | where |
//! | --- | --- |
//! | a file of what was done | [`read_inputs`], [`write_inputs`] |
//! | where a scene comes from | [`Source`] |
//! | a scene and the hand in it | `InteractiveScene` |

mod input_file;
mod interactive_scene;
mod source;

pub use input_file::{InputError, read_inputs, write_inputs};
pub(crate) use interactive_scene::{ChangedScene, InteractiveScene};
pub use source::Source;
