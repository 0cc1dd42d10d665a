//! What commands say: results on the standard output, everything else on the error output.
//!
//! A reader that went away, as in `pliant schema | head`, is no reason to fail. Where results cannot be
//! written for another reason, as to a full disk, the command does what else it was asked to, a run above
//! all, and fails at its end.

use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::sync::OnceLock;

/// Why something could not be said.
static UNSAID: OnceLock<String> = OnceLock::new();

/// Prints a text.
pub(crate) fn say(text: impl Display) {
    let mut out = stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = UNSAID.set(error.to_string());
        }
        _ => {}
    }
}

/// Why something could not be said to a reader who is still there.
pub(crate) fn unsaid() -> Option<&'static str> {
    UNSAID.get().map(String::as_str)
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
