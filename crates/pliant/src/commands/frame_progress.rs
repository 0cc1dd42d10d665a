//! What commands that go through the frames of a run say: how far they are, and what they wrote.

use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use super::print::{eprint_line, print_line};

/// A bar that counts frames, on a terminal and unless nothing is to be said.
pub(crate) struct FrameBar(ProgressBar);

impl FrameBar {
    /// Shown from the first frame on.
    ///
    /// * `what` — what is counted: "frame", "picture"
    pub fn new(what: &str, is_quiet: bool) -> Self {
        let bar = match is_quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(0),
        };
        let style = ProgressStyle::with_template(&format!(
            "{{bar:24}} {what} {{pos}}/{{len}}  {{eta}} left"
        ));
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    /// Tells how many frames are done, and of how many.
    pub fn show(&self, done: usize, of: usize) {
        self.0.set_length(of as u64);
        self.0.set_position(done as u64);
    }

    /// Takes it away.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// Says which frames were written, which were there, and which cannot be read.
///
/// * `missing` — frames without a particle file
/// * `place` — where they are
pub(crate) fn tell_written(
    (written, kept): (usize, usize),
    missing: Option<&str>,
    place: &Path,
    is_quiet: bool,
) {
    if let Some(missing) = missing {
        eprint_line(format_args!(
            "warning: there is no particle file of frame {missing} that can be read"
        ));
    }
    if !is_quiet {
        print_line(format_args!(
            "{written} frames written, {kept} were there already: {}",
            place.display()
        ));
    }
}
