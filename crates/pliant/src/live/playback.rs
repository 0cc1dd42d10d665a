//! The frames of a run's folder, read in a thread of their own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use pliant_core::measure::Frame;
use pliant_core::world::World;
use pliant_io::Table;
use pliant_render::Coloring;

use super::facts::facts_of_run;
use super::session::SceneFacts;
use super::snapshot::{Painted, Snapshot};
use crate::additions::RunScene;
use crate::recorded::{Recorded, chosen_files};
use crate::run::OutputFolder;

/// How often the folder of a run that may go on is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(1000);

/// What a window asks of a recorded run.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The frame at a place among those that there are, from 0.
    Show(usize),
    /// Colours by something else.
    Color(Coloring),
    /// Shows bodies that carry a surface by it, or by their particles.
    Surfaces(bool),
    /// Follows the particle of a stable id, or none.
    Pick(Option<u32>),
}

/// A particle that is followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picked {
    /// Its stable id.
    pub id: u32,
    /// Name of its body, empty where the frame does not have the particle.
    pub body: String,
    /// Its quantities in the frame that is shown: name, unit, value.
    pub quantities: Vec<(String, &'static str, f64)>,
    /// Where it is in each frame [m], by the place of the frame; `None` where it is not, or not yet read.
    pub path: Vec<Option<[f32; 3]>>,
}

/// What a recorded run tells.
#[derive(Debug, Default)]
pub struct Reel {
    /// The newest moment; who has taken it is given another one.
    pub snapshot: Option<Arc<Snapshot>>,
    /// What is known of the scene.
    pub facts: Option<Arc<SceneFacts>>,
    /// Numbers of the frames that there are.
    pub frames: Vec<u32>,
    /// Columns of `probes.csv` and `stats.csv`, each with a value a frame that is written.
    pub tables: Arc<Vec<(String, Vec<f64>)>>,
    /// The particle that is followed.
    pub picked: Option<Picked>,
    /// What is wrong.
    pub problem: Option<String>,
}

/// The frames of a run's folder, read in a thread that ends when this is dropped.
pub struct Playback {
    asks: Option<Sender<Ask>>,
    reel: Arc<Mutex<Reel>>,
    thread: Option<JoinHandle<()>>,
}

impl Playback {
    /// Opens a folder in the new thread. Whatever is wrong with it is told on the reel.
    ///
    /// * `wake` — called when there is something new on the reel
    pub fn open(folder: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let (asks, received) = channel();
        let reel = Arc::new(Mutex::new(Reel::default()));
        let projector = Projector {
            folder: OutputFolder::new(folder),
            reel: Arc::clone(&reel),
            wake: Box::new(wake),
            files: Vec::new(),
            painted: Painted {
                coloring: Coloring::Body,
                surfaces: true,
            },
            place: 0,
            picked: None,
        };
        Self {
            asks: Some(asks),
            reel,
            thread: Some(std::thread::spawn(move || projector.work(&received))),
        }
    }

    /// Asks for something.
    pub fn ask(&self, ask: Ask) {
        if let Some(asks) = &self.asks {
            // A thread that has ended has said why on the reel.
            let _ = asks.send(ask);
        }
    }

    /// What the run tells.
    pub fn reel(&self) -> MutexGuard<'_, Reel> {
        self.reel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Playback {
    fn drop(&mut self) {
        self.asks = None;
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was printed.
            let _ = thread.join();
        }
    }
}

/// The thread of a playback.
struct Projector {
    folder: OutputFolder,
    reel: Arc<Mutex<Reel>>,
    wake: Box<dyn Fn() + Send>,
    files: Vec<(u32, PathBuf)>,
    painted: Painted,
    /// The frame that is shown.
    place: usize,
    picked: Option<Picked>,
}

impl Projector {
    fn work(mut self, asks: &Receiver<Ask>) {
        if let Err(why) = self.run(asks) {
            self.tell(|reel| reel.problem = Some(why));
        }
    }

    fn run(&mut self, asks: &Receiver<Ask>) -> Result<(), String> {
        let mut run = RunScene::read(&self.folder).map_err(|errors| {
            format!(
                "`{}` holds no run of Pliant: {errors}",
                self.folder.root().display()
            )
        })?;
        self.open(&run.scene, &run.whole())?;
        let mut recorded = Recorded::of(&mut run.world);
        self.list()?;
        self.show(&mut recorded)?;
        loop {
            match self.next(asks) {
                Next::Asked(ask) => self.take(ask),
                Next::Idle => {
                    self.list()?;
                    continue;
                }
                Next::Path(place) => {
                    self.follow(&mut recorded, place)?;
                    continue;
                }
                Next::Gone => return Ok(()),
            }
            // Only what was asked for last is shown.
            while let Ok(ask) = asks.try_recv() {
                self.take(ask);
            }
            self.show(&mut recorded)?;
        }
    }

    fn open(&mut self, scene: &pliant_scene::Scene, world: &World) -> Result<(), String> {
        let root = self.folder.root().display().to_string();
        let known = facts_of_run(&root, scene, world)?;
        self.painted.coloring = known.coloring.clone();
        self.tell(|reel| reel.facts = Some(Arc::new(known)));
        Ok(())
    }

    /// Waits for an ask, unless there is a path to be read.
    fn next(&self, asks: &Receiver<Ask>) -> Next {
        let unread = self.picked.as_ref().map(|picked| picked.path.len());
        if let Some(place) = unread.filter(|&place| place < self.files.len()) {
            return match asks.try_recv() {
                Ok(ask) => Next::Asked(ask),
                Err(TryRecvError::Empty) => Next::Path(place),
                Err(TryRecvError::Disconnected) => Next::Gone,
            };
        }
        match asks.recv_timeout(LOOK_EVERY) {
            Ok(ask) => Next::Asked(ask),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => Next::Idle,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Next::Gone,
        }
    }

    fn take(&mut self, ask: Ask) {
        match ask {
            Ask::Show(place) => self.place = place,
            Ask::Color(coloring) => self.painted.coloring = coloring,
            Ask::Surfaces(surfaces) => self.painted.surfaces = surfaces,
            Ask::Pick(id) => {
                self.picked = id.map(|id| Picked {
                    id,
                    ..Picked::default()
                });
            }
        }
    }

    /// The frames and tables that there are now: a run may go on.
    fn list(&mut self) -> Result<(), String> {
        let files = chosen_files(&self.folder, None).map_err(|error| error.to_string())?;
        if files.len() == self.files.len() {
            return Ok(());
        }
        self.files = files;
        let numbers = self.files.iter().map(|(number, _)| *number).collect();
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for file in [self.folder.probes(), self.folder.stats()] {
            // A table that is being written may end in half a row; it is read again with the next frame.
            let Ok(table) = Table::read(&file) else {
                continue;
            };
            for name in table.columns() {
                if let Ok(values) = table.column(name) {
                    columns.push((name.clone(), values));
                }
            }
        }
        self.tell(|reel| {
            reel.frames = numbers;
            reel.tables = Arc::new(columns);
        });
        Ok(())
    }

    fn show(&mut self, recorded: &mut Recorded<'_>) -> Result<(), String> {
        self.place = self.place.min(self.files.len().saturating_sub(1));
        let file = self.files[self.place].1.clone();
        let read = recorded.read(&self.folder, &file);
        read.map_err(|error| error.to_string())?;
        let frame = recorded.frame().map_err(|error| error.to_string())?;
        let surface = recorded.surface().map_err(|error| error.to_string())?;
        let surface = surface.filter(|_| self.painted.surfaces);
        let shown = Snapshot::of_frame(&frame, surface.as_ref(), &self.painted.coloring);
        if let Some(picked) = &mut self.picked {
            read_quantities(picked, &frame);
        }
        let picked = self.picked.clone();
        match shown {
            Ok(snapshot) => self.tell(|reel| {
                reel.snapshot = Some(Arc::new(snapshot));
                reel.picked = picked;
            }),
            Err(error) => {
                self.painted.coloring = Coloring::Body;
                self.tell(|reel| reel.problem = Some(error.to_string()));
            }
        }
        Ok(())
    }

    /// Reads where the particle that is followed is in a frame.
    fn follow(&mut self, recorded: &mut Recorded<'_>, place: usize) -> Result<(), String> {
        let file = self.files[place].1.clone();
        let read = recorded.read(&self.folder, &file);
        read.map_err(|error| error.to_string())?;
        let frame = recorded.frame().map_err(|error| error.to_string())?;
        if let Some(picked) = &mut self.picked {
            let row = frame.id.binary_search(&picked.id).ok();
            let position = row.map(|row| frame.position[row].as_vec3().to_array());
            picked.path.push(position);
            let path = picked.path.clone();
            self.tell(|reel| {
                if let Some(picked) = &mut reel.picked {
                    picked.path = path;
                }
            });
        }
        Ok(())
    }

    fn tell(&self, change: impl FnOnce(&mut Reel)) {
        change(&mut self.reel.lock().unwrap_or_else(PoisonError::into_inner));
        (self.wake)();
    }
}

/// What comes next.
enum Next {
    /// Something was asked for.
    Asked(Ask),
    /// Nothing for a while.
    Idle,
    /// The path of a particle, in the frame at a place.
    Path(usize),
    /// Nobody asks any more.
    Gone,
}

/// What a frame says of a particle.
fn read_quantities(picked: &mut Picked, frame: &Frame<'_>) {
    picked.quantities.clear();
    picked.body.clear();
    let Ok(row) = frame.id.binary_search(&picked.id) else {
        return;
    };
    let body = &frame.bodies[frame.body[row] as usize];
    picked.body.clone_from(&body.name);
    let axes = ["x", "y", "z"].into_iter();
    let position = axes.clone().zip(frame.position[row].to_array());
    picked
        .quantities
        .extend(position.map(|(axis, value)| (axis.to_owned(), "m", value)));
    let velocity = axes.zip(frame.velocity[row]);
    picked
        .quantities
        .extend(velocity.map(|(axis, value)| (format!("velocity_{axis}"), "m/s", value.into())));
    let others = frame.quantities.iter();
    picked.quantities.extend(others.map(|quantity| {
        (
            quantity.name.to_owned(),
            quantity.unit,
            quantity.values[row].into(),
        )
    }));
}
