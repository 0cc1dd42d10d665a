//! What commands print: results on the standard output, everything else on the error output.
//!
//! A reader that went away, as in `pliant schema | head`, is not an error. If results cannot be written for
//! another reason, such as a full disk, the command finishes its work and fails at the end.

use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::sync::OnceLock;

/// The first error of writing to the standard output.
static OUTPUT_ERROR: OnceLock<String> = OnceLock::new();

/// Prints a text.
pub(crate) fn print_text(text: impl Display) {
    let mut out = stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = OUTPUT_ERROR.set(error.to_string());
        }
        _ => {}
    }
}

/// The first error of writing to a standard output that is still read.
pub(crate) fn output_error() -> Option<&'static str> {
    OUTPUT_ERROR.get().map(String::as_str)
}

/// Prints a text and ends the line.
pub(crate) fn print_line(text: impl Display) {
    print_text(format_args!("{text}\n"));
}

/// Prints a text on the error output and ends the line.
pub(crate) fn eprint_line(text: impl Display) {
    // In one piece, so that lines of two threads do not mix.
    let line = format!("{text}\n");
    let mut out = stderr().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
