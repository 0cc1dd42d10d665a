//! Ctrl-C and the request to terminate: the first ends the frame, the second the program.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pliant::run::OutputFolder;

use super::say::tell_line;

/// Whether somebody wants the program to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    wanted: Arc<AtomicBool>,
}

impl Interrupt {
    /// Catches the signals from now on. At the second one the program ends at once; hidden files
    /// that are not complete are removed from the folder.
    pub fn catch(folder: &Path) -> Self {
        let interrupt = Self::default();
        let wanted = Arc::clone(&interrupt.wanted);
        let folder = OutputFolder::new(folder);
        let handler = move || {
            if wanted.swap(true, Ordering::SeqCst) {
                // The program ends either way; the next run sweeps what this one could not.
                let _ = folder.sweep();
                std::process::exit(130);
            }
            tell_line("\nending this frame; press Ctrl-C again to stop at once");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            tell_line(format_args!(
                "warning: Ctrl-C will stop at once, without a checkpoint: {error}"
            ));
        }
        interrupt
    }

    /// True once somebody wants to stop.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }
}
