//! Ctrl-C and the request to terminate: the first ends the frame, the second the program.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pliant::run::OutputFolder;
use pliant::text::{duration, grouped};
use pliant_core::step::Progress;

use super::print::eprint_line;

/// Whether somebody wants the program to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    wanted: Arc<AtomicBool>,
    frame: Arc<Mutex<Option<FrameInWork>>>,
}

/// The frame that is being computed.
#[derive(Clone, Copy, Debug)]
struct FrameInWork {
    done: u64,
    of: u64,
    /// When its first substep was done.
    since: Instant,
}

impl Interrupt {
    /// Catches the signals from now on. At the second one the program ends at once; hidden files
    /// that are not complete are removed from the folder.
    pub fn catch(folder: &Path) -> Self {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        let folder = OutputFolder::new(folder);
        let handler = move || {
            if heard.wanted.swap(true, Ordering::SeqCst) {
                // The program ends either way; the next run sweeps what this one could not.
                let _ = folder.sweep();
                std::process::exit(130);
            }
            eprint_line(format_args!(
                "\nending this frame{}; press Ctrl-C again to stop at once, which loses what came \
                 after the last checkpoint",
                heard.place_in_frame()
            ));
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            eprint_line(format_args!(
                "warning: Ctrl-C will stop at once, without a checkpoint: {error}"
            ));
        }
        interrupt
    }

    /// True once the user wants to stop.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    /// Takes note of how far the frame has come, to tell how long it takes to end it.
    pub fn progress(&self, now: Progress) {
        let mut frame = self.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let since = match *frame {
            Some(frame) if now.done > 1 => frame.since,
            _ => Instant::now(),
        };
        *frame = Some(FrameInWork {
            done: now.done,
            of: now.of,
            since,
        });
    }

    /// ` (substep 1,204 of 416,667, about 2 h 10 min left)`; nothing between two frames.
    fn place_in_frame(&self) -> String {
        let frame = *self.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(FrameInWork { done, of, since }) = frame.filter(|f| 1 < f.done && f.done < f.of)
        else {
            return String::new();
        };
        let left = since.elapsed().as_secs_f64() * (of - done) as f64 / (done - 1) as f64;
        format!(
            " (substep {} of {}, about {} left)",
            grouped(done),
            grouped(of),
            duration(left)
        )
    }
}
