//! What is done to a scene between its frames: what a hand does, and the values that change. A window acts so, and a
//! run that does again what was done in one.
//!
//! | what | where |
//! | --- | --- |
//! | a file of what was done | [`read_inputs`], [`write_inputs`] |
//! | where a scene comes from | [`Source`] |
//! | a scene and the hand in it | `ActedOn` |

mod acted_on;
mod input_file;
mod source;

pub(crate) use acted_on::{ActedOn, Reading};
pub use input_file::{InputError, read_inputs, write_inputs};
pub use source::Source;
