//! What commands say on the standard output.

use std::fmt::Display;
use std::io::{Write, stdout};

/// Prints a text. A reader that went away, as in `pliant schema | head`, is no reason to fail.
pub(crate) fn say(text: impl Display) {
    let mut out = stdout().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// Prints a text and ends the line.
pub(crate) fn say_line(text: impl Display) {
    say(format_args!("{text}\n"));
}
