//! Where commands arrive while a frame is computed, and from where its moments are shown.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_core::world::World;
use pliant_render::Coloring;
use pliant_view::{Painted, Snapshot};

use super::session::{Board, Command, Status};

/// Time between two snapshots [s] at least: that of a screen.
const SHORTEST_SHOT: f64 = 1.0 / 60.0;
/// Share of the time that snapshots may take of the simulation.
const MOST_OF_SHOTS: f64 = 0.03;
/// How much later than its time a moment may be before that is forgotten.
const LATE: Duration = Duration::from_millis(100);
/// Time over which the speed is measured [s].
const SPEED_WINDOW: f64 = 0.5;

/// Commands in, moments out.
pub(super) struct Desk {
    commands: Receiver<Command>,
    board: Arc<Mutex<Board>>,
    wake: Box<dyn Fn() + Send>,
    pending: VecDeque<Command>,
    buffers: FrameBuffers,
    /// What is painted.
    pub painted: Painted,
    /// Whether frame follows frame.
    pub is_running: bool,
    /// True once nobody can send commands any more.
    pub is_gone: bool,
    /// Frames to be done although it is paused.
    steps: u32,
    /// Whether the frame in progress is to be broken off.
    breaks_off: bool,
    is_failed: bool,
    /// When the next snapshot may be taken.
    due: Instant,
    /// Simulated seconds a second at most.
    limit: f64,
    /// From which wall time and simulated time [s] on the limit counts.
    pace_start: Option<(Instant, f64)>,
    speed_start: Option<(Instant, f64)>,
}

impl Desk {
    pub fn new(
        commands: Receiver<Command>,
        board: Arc<Mutex<Board>>,
        wake: Box<dyn Fn() + Send>,
        is_running: bool,
    ) -> Self {
        Self {
            commands,
            board,
            wake,
            pending: VecDeque::new(),
            buffers: FrameBuffers::default(),
            painted: Painted {
                coloring: Coloring::Body,
                surfaces: true,
            },
            is_running,
            is_gone: false,
            steps: 0,
            breaks_off: false,
            is_failed: false,
            due: Instant::now(),
            limit: 1.0,
            pace_start: None,
            speed_start: None,
        }
    }

    /// The next command that is not about the picture or the pace alone.
    pub fn next_pending(&mut self) -> Option<Command> {
        self.receive_all();
        self.breaks_off = false;
        self.pending.pop_front()
    }

    /// Whether a frame is to be computed now.
    pub fn wants_frame(&self) -> bool {
        !self.is_failed && !self.is_gone && (self.is_running || self.steps > 0)
    }

    /// Blocks until there is a command.
    pub fn wait(&mut self) {
        match self.commands.recv() {
            Ok(command) => self.take(command),
            Err(_) => self.is_gone = true,
        }
    }

    /// Between two substeps: takes commands, shows the moment if it is time, waits while it is paused. False if the
    /// frame is to be broken off.
    pub fn look(&mut self, world: &World, pool: &Pool) -> bool {
        self.receive_all();
        self.measure_speed(world.state.time);
        self.show(world, pool);
        self.pace(world.state.time);
        // What acts between frames makes a paused frame go on to its end.
        while !self.wants_frame() && !self.breaks_off && !self.is_gone && self.pending.is_empty() {
            self.show_now(world, pool);
            self.wait();
        }
        !self.breaks_off && !self.is_gone
    }

    /// A frame is done.
    pub fn frame_done(&mut self, substeps: u64) {
        self.steps = self.steps.saturating_sub(1);
        self.tell(|board| board.substeps = substeps);
    }

    /// Waits until so much simulated time [s] may have passed.
    fn pace(&mut self, time: f64) {
        let now = Instant::now();
        let (start, from) = *self.pace_start.get_or_insert((now, time));
        let due = Duration::try_from_secs_f64((time - from) / self.limit);
        let due = start + due.unwrap_or_default();
        if due + LATE < now {
            // What is late is not made good.
            self.pace_start = Some((now, time));
        }
        while self.wants_frame() && !self.breaks_off {
            let Some(left) = due.checked_duration_since(Instant::now()) else {
                return;
            };
            match self.commands.recv_timeout(left) {
                Ok(command) => self.take(command),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.is_gone = true,
            }
        }
    }

    /// A new start.
    pub fn start(&mut self) {
        (self.pace_start, self.speed_start) = (None, None);
        (self.is_failed, self.steps) = (false, 0);
        self.buffers = FrameBuffers::default();
    }

    /// Shows the moment if it is time for it.
    fn show(&mut self, world: &World, pool: &Pool) {
        if Instant::now() >= self.due && self.board().snapshot.is_none() {
            self.show_now(world, pool);
        }
    }

    /// Shows the moment.
    pub fn show_now(&mut self, world: &World, pool: &Pool) {
        let start = Instant::now();
        let (buffers, painted) = (&mut self.buffers, &self.painted);
        let shown = pool.run(|| Snapshot::of(world, buffers, painted));
        match shown {
            Ok(snapshot) => self.tell(|board| board.snapshot = Some(Arc::new(snapshot))),
            Err(error) => {
                self.painted.coloring = Coloring::Body;
                self.refuse(&error);
            }
        }
        let cost = start.elapsed().as_secs_f64();
        let pause = SHORTEST_SHOT.max(cost / MOST_OF_SHOTS);
        self.due = start + Duration::from_secs_f64(pause);
    }

    /// Something cannot be done; everything goes on.
    pub fn refuse(&mut self, why: &dyn Display) {
        self.tell(|board| board.problem = Some(why.to_string()));
    }

    /// Nothing goes on.
    pub fn fail(&mut self, why: &dyn Display) {
        self.is_failed = true;
        self.tell(|board| {
            board.status = Status::Failed;
            board.problem = Some(why.to_string());
        });
    }

    /// Writes something on the board.
    pub fn tell(&mut self, change: impl FnOnce(&mut Board)) {
        change(&mut self.board());
        (self.wake)();
    }

    fn board(&self) -> std::sync::MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive_all(&mut self) {
        loop {
            match self.commands.try_recv() {
                Ok(command) => self.take(command),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.is_gone = true;
                    return;
                }
            }
        }
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Run(runs) => self.run(runs),
            Command::Step => {
                self.steps = 1;
                self.run(false);
            }
            Command::Speed(limit) => {
                self.limit = limit;
                self.pace_start = None;
            }
            Command::Color(coloring) => {
                self.painted.coloring = coloring;
                self.due = Instant::now();
                self.board().snapshot = None;
            }
            Command::Surfaces(surfaces) => {
                self.painted.surfaces = surfaces;
                self.due = Instant::now();
                self.board().snapshot = None;
            }
            // Only where the hand was last counts, and what it poured last.
            Command::Move(_) if matches!(self.pending.back(), Some(Command::Move(_))) => {
                self.pending.pop_back();
                self.pending.push_back(command);
            }
            Command::Pour(_) if matches!(self.pending.back(), Some(Command::Pour(_))) => {
                self.pending.pop_back();
                self.pending.push_back(command);
            }
            Command::Restart | Command::RestartWith(_) => {
                self.breaks_off = true;
                self.pending.push_back(command);
            }
            other => self.pending.push_back(other),
        }
    }

    fn run(&mut self, runs: bool) {
        self.is_running = runs;
        (self.pace_start, self.speed_start) = (None, None);
        if !self.is_failed {
            self.tell(|board| {
                board.status = match runs {
                    true => Status::Running,
                    false => Status::Paused,
                };
            });
        }
    }

    fn measure_speed(&mut self, time: f64) {
        let now = Instant::now();
        let (start, from) = *self.speed_start.get_or_insert((now, time));
        let wall = (now - start).as_secs_f64();
        // A frame that is done again goes back in time.
        if wall > SPEED_WINDOW || time < from {
            self.speed_start = Some((now, time));
            if time > from {
                self.tell(|board| board.speed = (time - from) / wall);
            }
        }
    }
}
