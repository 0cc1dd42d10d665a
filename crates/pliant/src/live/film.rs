//! A film of what was done: the scene run again in a thread of its own, with pictures.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use pliant_interaction::InputLog;

use super::session::Board;
use crate::interaction::Source;
use crate::run::{
    FrameDone, Observer, Plan, RunError, RunOptions, SceneReplay, Summary, replay, with_frames,
};

/// What a film is made of.
pub(super) struct Footage {
    /// The file that holds the log.
    pub file: PathBuf,
    /// What was done.
    pub log: InputLog,
    /// Frames after the initial one.
    pub frames: u32,
    /// The run's folder, which does not exist yet.
    pub folder: PathBuf,
    /// Threads; 0 takes one a core.
    pub threads: usize,
}

/// A film that is being made; it is left unfinished, to be resumed, when this is dropped.
pub(super) struct Film {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Film {
    /// Begins to make it, and tells on the board how far it is.
    pub fn begin(footage: Footage, board: Arc<Mutex<Board>>) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut teller = Teller {
            board,
            is_stopped: Arc::clone(&is_stopped),
            last_frame: footage.frames + 1,
        };
        let make = move || match run(footage, &mut teller) {
            Ok(summary) => teller.tell(&made(&summary)),
            Err(error) => teller.refuse(&error),
        };
        Self {
            is_stopped,
            thread: Some(std::thread::spawn(make)),
        }
    }

    /// Whether it is done, well or not.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Film {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was printed.
            let _ = thread.join();
        }
    }
}

/// A folder of runs that is not there yet: `out/tori-live`, `out/tori-live-2`, ...
pub(super) fn new_folder(scene: &Path) -> PathBuf {
    let name = scene.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = |number: u32| match number {
        1 => Path::new("out").join(format!("{name}-live")),
        _ => Path::new("out").join(format!("{name}-live-{number}")),
    };
    let free = (1..).map(numbered).find(|folder| !folder.exists());
    free.unwrap_or_else(|| numbered(1))
}

fn run(footage: Footage, teller: &mut Teller) -> Result<Summary, RunError> {
    let Footage {
        file,
        log,
        frames,
        folder,
        threads,
    } = footage;
    let mut source = Source::of(&log);
    source.overrides = with_frames(&source.path, &source.overrides, frames)?;
    let scene = SceneReplay::read(source, (&file, log), &|_| ())?;
    let options = RunOptions {
        folder,
        threads,
        resume: false,
    };
    replay(scene, &options, teller)
}

fn made(summary: &Summary) -> String {
    let folder = &summary.folder;
    match folder.film() {
        Some(film) => format!(
            "the film is `{}`; the report beside it is `{}`",
            film.display(),
            folder.report().display()
        ),
        None => format!("the run is in `{}`", folder.root().display()),
    }
}

/// Tells on the board how far it is.
struct Teller {
    board: Arc<Mutex<Board>>,
    is_stopped: Arc<AtomicBool>,
    last_frame: u32,
}

impl Teller {
    fn tell(&self, text: &str) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.notice = Some(text.to_owned());
    }

    fn refuse(&self, why: &RunError) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        (board.notice, board.problem) = (None, Some(why.to_string()));
    }
}

impl Observer for Teller {
    fn begin(&mut self, plan: &Plan<'_>) {
        self.last_frame = plan.last_frame;
    }

    fn frame_done(&mut self, frame: &FrameDone) {
        let (number, last) = (frame.number, self.last_frame);
        self.tell(&format!("making the film: frame {number} of {last}"));
    }

    fn finishing(&mut self) {
        self.tell("making the film: its pictures are put together");
    }

    fn wants_to_stop(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}
