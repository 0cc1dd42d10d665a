//! The thread of a session: frame after frame, and commands between them.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use pliant_core::parallel::Pool;
use pliant_interaction::{Input, Replay};
use pliant_math::DVec3;

use super::desk::Desk;
use super::facts::facts_of;
use super::film::{Film, Footage, new_folder};
use super::interactive::{Interactive, LiveError};
use super::session::{Board, Command, Opening, Plots, Status};
use crate::interaction::write_inputs;

/// Rows that a plot keeps; older ones are thinned out.
const MOST_ROWS: usize = 4000;

/// The thread of a session.
pub(super) struct Worker {
    opening: Opening,
    pool: Pool,
    live: Option<Interactive>,
    desk: Desk,
    /// Inputs to be done again.
    replay: Replay,
    columns: Vec<String>,
    /// The body that is poured before every frame, and where [m].
    poured: Option<(String, DVec3)>,
    board: Arc<Mutex<Board>>,
    /// The film that was asked for last.
    film: Option<Film>,
}

impl Worker {
    pub fn new(
        opening: Opening,
        commands: Receiver<Command>,
        board: Arc<Mutex<Board>>,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            // Where there are no threads of its own, those that others started do the work.
            pool: Pool::new(opening.threads).unwrap_or_else(|_| Pool::surrounding()),
            desk: Desk::new(commands, Arc::clone(&board), wake, opening.runs),
            replay: Replay::of(opening.replay.clone().unwrap_or_default()),
            opening,
            live: None,
            columns: Vec::new(),
            poured: None,
            board,
            film: None,
        }
    }

    /// Works until the window is gone.
    pub fn work(mut self) {
        self.guard(Self::open);
        while !self.desk.is_gone {
            while let Some(command) = self.desk.next_pending() {
                self.guard(|worker| worker.execute(command));
            }
            match self.live.is_some() && self.desk.wants_frame() {
                true => self.guard(Self::frame),
                false => self.rest(),
            }
        }
    }

    /// A defect of the engine is told in the window, which stays open; its place is on the terminal.
    fn guard(&mut self, work: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            self.desk
                .fail(&"the engine failed, which is a defect: its message is on the terminal");
        }
    }

    /// Waits for a command, with the moment on the board as it is.
    fn rest(&mut self) {
        self.guard(|worker| {
            if let Some(live) = &worker.live {
                worker
                    .desk
                    .show_now(live.simulation().world(), &worker.pool);
            }
        });
        self.desk.wait();
    }

    fn open(&mut self) {
        self.desk.tell(|board| board.status = Status::Opening);
        match Interactive::open(self.opening.source.clone(), self.pool.clone()) {
            Ok(live) => {
                self.live = Some(live);
                self.opened();
            }
            Err(error) => self.desk.fail(&error),
        }
    }

    /// A new start is told, and shown at once.
    fn opened(&mut self) {
        self.desk.start();
        self.poured = None;
        self.desk.tell(|board| {
            board.problem = None;
            board.needs_restart = None;
            board.plots.rows.clear();
        });
        self.tell_facts(true);
    }

    fn tell_facts(&mut self, is_start: bool) {
        let Some(live) = &mut self.live else { return };
        let facts = facts_of(live);
        if is_start {
            self.desk.painted.coloring = facts.coloring.clone();
        }
        let is_running = self.desk.is_running;
        self.desk.tell(|board| {
            board.facts = Some(Arc::new(facts));
            board.status = match is_running {
                true => Status::Running,
                false => Status::Paused,
            };
        });
        self.desk.show_now(live.simulation().world(), &self.pool);
    }

    fn execute(&mut self, command: Command) {
        let done = match command {
            Command::Restart => self.restart(None),
            Command::RestartWith(assignment) => self.restart(Some(&assignment)),
            Command::Reload => self.reload(),
            Command::Grab(point) => self.grab(point),
            Command::Move(to) => self.apply_held(Input::Move { to: to.to_array() }),
            Command::Release => self.apply_held(Input::Release {}),
            Command::Cut(corners) => self.apply(Input::Cut {
                corners: corners.map(|corner| corner.to_array()),
            }),
            Command::Pour(poured) => {
                self.poured = poured;
                Ok(())
            }
            Command::Set(assignment) => self.set(assignment),
            Command::Plot(columns) => self.plot(columns),
            Command::SaveInputs(path) => self.save_inputs(&path),
            Command::Film(path) => self.make_film(path),
            // The desk has done them.
            Command::Run(_)
            | Command::Step
            | Command::Speed(_)
            | Command::Color(_)
            | Command::Surfaces(_) => Ok(()),
        };
        if let Err(error) = done {
            self.desk.refuse(&error);
        }
    }

    fn restart(&mut self, assignment: Option<&str>) -> Result<(), LiveError> {
        match (&mut self.live, assignment) {
            (Some(live), None) => live.restart()?,
            (Some(live), Some(assignment)) => live.restart_with(assignment)?,
            (None, _) => {
                self.open();
                return Ok(());
            }
        }
        self.replay = Replay::default();
        self.opened();
        Ok(())
    }

    fn reload(&mut self) -> Result<(), LiveError> {
        let Some(live) = &mut self.live else {
            self.open();
            return Ok(());
        };
        let is_start = live.reload()?;
        match is_start {
            true => self.opened(),
            false => self.changed(),
        }
        self.desk.tell(|board| {
            board.notice = Some(match is_start {
                true => "the scene file was read again, and the scene started again".to_owned(),
                false => "the scene file was read again".to_owned(),
            });
        });
        Ok(())
    }

    fn set(&mut self, assignment: String) -> Result<(), LiveError> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        let applied = live.apply(Input::Set {
            assignment: assignment.clone(),
        });
        if let Err(LiveError::NeedsRestart { .. }) = applied {
            self.desk
                .tell(|board| board.needs_restart = Some(assignment));
        }
        applied?;
        self.changed();
        Ok(())
    }

    fn changed(&mut self) {
        self.desk.tell(|board| {
            board.problem = None;
            board.needs_restart = None;
        });
        self.tell_facts(false);
    }

    fn grab(&mut self, point: DVec3) -> Result<(), LiveError> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        if let Some(input) = live.grab_at(point) {
            live.apply(input)?;
        }
        self.tell_holding();
        Ok(())
    }

    fn apply(&mut self, input: Input) -> Result<(), LiveError> {
        match &mut self.live {
            Some(live) => live.apply(input),
            None => Ok(()),
        }
    }

    /// What makes sense only while the hand holds something.
    fn apply_held(&mut self, input: Input) -> Result<(), LiveError> {
        if let Some(live) = self.live.as_mut().filter(|live| live.is_holding()) {
            live.apply(input)?;
        }
        self.tell_holding();
        Ok(())
    }

    fn tell_holding(&mut self) {
        let is_holding = self.live.as_ref().is_some_and(Interactive::is_holding);
        self.desk.tell(|board| board.is_holding = is_holding);
    }

    fn plot(&mut self, columns: Vec<String>) -> Result<(), LiveError> {
        self.columns.clone_from(&columns);
        let plots = Plots {
            columns,
            ..Plots::default()
        };
        self.desk.tell(|board| board.plots = plots);
        Ok(())
    }

    fn save_inputs(&mut self, path: &std::path::Path) -> Result<(), LiveError> {
        let Some(live) = &self.live else {
            return Ok(());
        };
        let notice = match write_inputs(&live.log(), path) {
            Ok(()) => format!(
                "written to `{0}`; `pliant live --replay {0}` does it again",
                path.display()
            ),
            Err(error) => error.to_string(),
        };
        self.desk.tell(|board| board.notice = Some(notice));
        Ok(())
    }

    /// Makes a film of what was done so far, unless one is being made.
    fn make_film(&mut self, file: PathBuf) -> Result<(), LiveError> {
        let Some(live) = &self.live else {
            return Ok(());
        };
        if self.film.as_ref().is_some_and(|film| !film.is_over()) {
            self.desk.refuse(&"a film is being made already");
            return Ok(());
        }
        let log = live.log();
        if let Err(error) = write_inputs(&log, &file) {
            self.desk.refuse(&error);
            return Ok(());
        }
        let frames = live.simulation().frame_number().max(2) - 1;
        let footage = Footage {
            folder: new_folder(&log.scene),
            file,
            log,
            frames,
            threads: self.opening.threads,
        };
        self.film = Some(Film::begin(footage, Arc::clone(&self.board)));
        self.desk
            .tell(|board| board.notice = Some("making the film".to_owned()));
        Ok(())
    }

    /// Inputs of the log that act before the next frame.
    fn replay(&mut self) -> Result<(), LiveError> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        let now = live.simulation().frame_number();
        while let Some(input) = self.replay.next_after(now) {
            live.apply(input)?;
        }
        Ok(())
    }

    /// What is poured falls before every frame; what is refused is not asked for again.
    fn pour(&mut self) -> Result<(), LiveError> {
        let Some((body, at)) = self.poured.clone() else {
            return Ok(());
        };
        let at = at.to_array();
        let poured = self.apply(Input::Pour { body, at });
        if poured.is_err() {
            self.poured = None;
        }
        poured
    }

    fn frame(&mut self) {
        if let Err(error) = self.replay().and_then(|()| self.pour()) {
            self.desk.refuse(&error);
        }
        let (Some(live), pool, desk) = (&mut self.live, &self.pool, &mut self.desk) else {
            return;
        };
        let stepped = live
            .step(&mut |_, world| match desk.look(world, pool) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
            .map(|report| report.substeps);
        match stepped {
            Ok(substeps) => {
                self.desk.frame_done(substeps);
                self.measure();
            }
            Err(LiveError::Simulation(crate::SimulationError::BrokenOff)) => {}
            Err(error) => self.desk.fail(&error),
        }
    }

    fn measure(&mut self) {
        let Some(live) = self.live.as_ref().filter(|_| !self.columns.is_empty()) else {
            return;
        };
        let names: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let simulation = live.simulation();
        let (time, measured) = (simulation.time(), simulation.measure_all(&names));
        match measured {
            Ok(values) => self.desk.tell(|board| {
                let rows = &mut board.plots.rows;
                rows.push((time, values));
                if rows.len() > MOST_ROWS {
                    let mut place = 0;
                    rows.retain(|_| {
                        place += 1;
                        place % 2 == 0
                    });
                }
            }),
            Err(error) => self.desk.refuse(&error),
        }
    }
}
