//! What commands say: results on the standard output, everything else on the error output.
//!
//! A reader that went away, as in `pliant schema | head`, is no reason to fail, let alone to lose a
//! run over: what cannot be said is not said.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

/// Prints a text.
pub(crate) fn say(text: impl Display) {
    let mut out = stdout().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// Prints a text and ends the line.
pub(crate) fn say_line(text: impl Display) {
    say(format_args!("{text}\n"));
}

/// Prints a text on the error output and ends the line.
pub(crate) fn tell_line(text: impl Display) {
    // In one piece, so that lines of two threads do not mix.
    let line = format!("{text}\n");
    let mut out = stderr().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
