//! A simulation in a thread of its own: commands in, snapshots out.

use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use pliant_interaction::InputLog;
use pliant_math::DVec3;
use pliant_render::Coloring;
use pliant_view::{SceneFacts, Snapshot};

use super::worker::Worker;
use crate::interaction::Source;

/// What a window asks of the simulation.
#[derive(Clone, Debug)]
pub enum Command {
    /// Goes on, or pauses.
    Run(bool),
    /// Advances by one frame and pauses.
    Step,
    /// Starts again, with the values that were set.
    Restart,
    /// Reads the scene file again.
    Reload,
    /// Simulated seconds a second of wall time at most, > 0; infinite for as fast as it goes.
    Speed(f64),
    /// Colours by something else.
    Color(Coloring),
    /// Shows bodies that carry a surface by it, or by their particles.
    Surfaces(bool),
    /// Takes hold of what is near a point [m].
    Grab(DVec3),
    /// Moves the hand to a point [m].
    Move(DVec3),
    /// Lets go.
    Release,
    /// Cuts with a flat piece of these corners, in turn [m].
    Cut([DVec3; 4]),
    /// Pours a body of this name at a point [m] before every frame from now on; `None` stops it.
    Pour(Option<(String, DVec3)>),
    /// Changes a value: `KEY=VALUE` as `--set` takes it.
    Set(String),
    /// Starts again with another value.
    RestartWith(String),
    /// Measures these columns of `probes.csv` and `stats.csv` after each frame.
    Plot(Vec<String>),
    /// Writes what was done since the start to a file.
    SaveInputs(PathBuf),
    /// Writes that file, and runs the scene again with what was done to it, into a new folder below `out`: with
    /// pictures, a film and a report.
    Film(PathBuf),
}

/// How a session is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The scene is read and its bodies are filled.
    #[default]
    Opening,
    /// Frame after frame.
    Running,
    /// Nothing moves.
    Paused,
    /// The scene is wrong, or the simulation could not go on: see [`Board::problem`].
    Failed,
}

/// The columns that are plotted and their values, a row a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plots {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Time [s] and the values.
    pub rows: Vec<(f64, Vec<f64>)>,
}

/// What the simulation tells, seen by both threads.
#[derive(Debug, Default)]
pub struct Board {
    /// How it is.
    pub status: Status,
    /// The newest moment; who has taken it is given another one.
    pub snapshot: Option<Arc<Snapshot>>,
    /// The scene, anew after each start and each change.
    pub facts: Option<Arc<SceneFacts>>,
    /// What is wrong: errors of the scene with their places, a value that is refused, a step that failed.
    pub problem: Option<String>,
    /// The assignment that needs a new start.
    pub needs_restart: Option<String>,
    /// What has happened: a file was written, a scene was read again.
    pub notice: Option<String>,
    /// Simulated seconds in a second of wall time, while it runs.
    pub speed: f64,
    /// Substeps in the last frame.
    pub substeps: u64,
    /// What is plotted.
    pub plots: Plots,
    /// Whether the hand holds something.
    pub is_holding: bool,
}

/// How a session starts.
pub struct Opening {
    /// The scene.
    pub source: Source,
    /// Threads; 0 takes one a core.
    pub threads: usize,
    /// Whether it runs at once.
    pub runs: bool,
    /// What is done again.
    pub replay: Option<InputLog>,
}

/// A simulation in a thread of its own, which ends when this is dropped.
pub struct Session {
    commands: Option<Sender<Command>>,
    board: Arc<Mutex<Board>>,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Opens a scene in the new thread. Whatever is wrong with it is told on the board.
    ///
    /// * `wake` — called when there is something new on the board
    pub fn open(opening: Opening, wake: impl Fn() + Send + 'static) -> Self {
        let (commands, received) = channel();
        let board = Arc::new(Mutex::new(Board::default()));
        let shared = Arc::clone(&board);
        let work = move || Worker::new(opening, received, shared, Box::new(wake)).work();
        Self {
            commands: Some(commands),
            board,
            thread: Some(std::thread::spawn(work)),
        }
    }

    /// Asks for something.
    pub fn tell(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // A thread that has ended has said why on the board.
            let _ = commands.send(command);
        }
    }

    /// What the simulation tells; it waits while this is held.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was printed.
            let _ = thread.join();
        }
    }
}
