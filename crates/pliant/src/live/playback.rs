//! The frames of a run, read in a thread of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pliant_render::Coloring;
use pliant_view::{Painted, SceneFacts, Snapshot};

use crate::run_source::{Listing, Particle, ReadError, RunPlace, RunSource};

/// How often it is looked whether a run has gone on.
const LOOK_EVERY: Duration = Duration::from_millis(1000);

/// The same of a simulation that goes on in another program: it is followed frame by frame.
const LOOK_EVERY_LIVE: Duration = Duration::from_millis(50);

/// What a window asks of a recorded run.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The frame of a number, or else the one before it; the newest one is followed no longer.
    Show(u32),
    /// Follows the newest frame, or stays where it is.
    Follow(bool),
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
    pub quantities: Vec<(String, String, f64)>,
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
    /// Numbers of the frames that there are, increasing. A simulation that goes on keeps so many, and the first ones go.
    pub frames: Arc<Vec<u32>>,
    /// Their times [s].
    pub times: Arc<Vec<f64>>,
    /// Whether a simulation goes on in another program and adds frames.
    pub is_live: bool,
    /// Columns of `probes.csv` and `stats.csv`, each with a value a frame that is written.
    pub tables: Arc<Vec<(String, Vec<f64>)>>,
    /// The particle that is followed.
    pub picked: Option<Picked>,
    /// What is wrong.
    pub problem: Option<String>,
}

/// The frames of a run, read in a thread that ends when this is dropped.
pub struct Playback {
    asks: Option<Sender<Ask>>,
    is_given_up: Arc<AtomicBool>,
    reel: Arc<Mutex<Reel>>,
    thread: Option<JoinHandle<()>>,
}

impl Playback {
    /// Opens a run in the new thread. Whatever is wrong with it is told on the reel.
    ///
    /// * `wake` — called when there is something new on the reel
    pub fn open(place: impl Into<RunPlace>, wake: impl Fn() + Send + 'static) -> Self {
        let (asks, received) = channel();
        let reel = Arc::new(Mutex::new(Reel::default()));
        let is_given_up = Arc::new(AtomicBool::new(false));
        let teller = Teller {
            reel: Arc::clone(&reel),
            wake: Box::new(wake),
        };
        let (place, given_up) = (place.into(), Arc::clone(&is_given_up));
        let work = move || match place.open(given_up) {
            Ok(source) => Projector::of(source, teller).work(&received),
            Err(why) => teller.tell(|reel| reel.problem = Some(why.to_string())),
        };
        Self {
            asks: Some(asks),
            is_given_up,
            reel,
            thread: Some(std::thread::spawn(work)),
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
        self.is_given_up.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was printed.
            let _ = thread.join();
        }
    }
}

/// Tells on the reel.
struct Teller {
    reel: Arc<Mutex<Reel>>,
    wake: Box<dyn Fn() + Send>,
}

impl Teller {
    fn tell(&self, change: impl FnOnce(&mut Reel)) {
        change(&mut self.reel.lock().unwrap_or_else(PoisonError::into_inner));
        (self.wake)();
    }
}

/// The thread of a playback.
struct Projector {
    source: Box<dyn RunSource>,
    teller: Teller,
    listing: Listing,
    looked: Instant,
    painted: Painted,
    /// The frame that is shown, by its number.
    number: u32,
    follows: bool,
    picked: Option<Picked>,
    /// Whether the last look at the run failed, and that was told.
    is_lost: bool,
}

impl Projector {
    fn of(source: Box<dyn RunSource>, teller: Teller) -> Self {
        let facts = source.facts();
        let coloring = facts.coloring.clone();
        teller.tell(|reel| reel.facts = Some(facts));
        Self {
            source,
            teller,
            listing: Listing::default(),
            looked: Instant::now(),
            painted: Painted {
                coloring,
                surfaces: true,
            },
            number: 0,
            follows: false,
            picked: None,
            is_lost: false,
        }
    }

    fn work(mut self, asks: &Receiver<Ask>) {
        self.look();
        self.show();
        loop {
            match self.next(asks) {
                Next::Asked(ask) => self.take(ask),
                Next::Idle => {
                    if !self.look() {
                        continue;
                    }
                }
                Next::Path(place) => {
                    self.follow(place);
                    continue;
                }
                Next::Gone => return,
            }
            // Only what was asked for last is shown.
            while let Ok(ask) = asks.try_recv() {
                self.take(ask);
            }
            self.show();
        }
    }

    /// Waits for an ask, unless there is a path to be read or it is time to look at the run.
    fn next(&self, asks: &Receiver<Ask>) -> Next {
        let every = match self.listing.is_live && !self.is_lost {
            true => LOOK_EVERY_LIVE,
            false => LOOK_EVERY,
        };
        let left = every.saturating_sub(self.looked.elapsed());
        let unread = self.picked.as_ref().map(|picked| picked.path.len());
        let unread = unread.filter(|&place| place < self.listing.frames.len() && !self.is_lost);
        if let (Some(place), false) = (unread, left.is_zero()) {
            return match asks.try_recv() {
                Ok(ask) => Next::Asked(ask),
                Err(TryRecvError::Empty) => Next::Path(place),
                Err(TryRecvError::Disconnected) => Next::Gone,
            };
        }
        match asks.recv_timeout(left) {
            Ok(ask) => Next::Asked(ask),
            Err(RecvTimeoutError::Timeout) => Next::Idle,
            Err(RecvTimeoutError::Disconnected) => Next::Gone,
        }
    }

    fn take(&mut self, ask: Ask) {
        match ask {
            Ask::Show(number) => (self.number, self.follows) = (number, false),
            Ask::Follow(follows) => self.follows = follows,
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

    /// The frames and tables that there are now: a run may go on. True if another frame is to be shown.
    fn look(&mut self) -> bool {
        let listed = self.source.list();
        self.looked = Instant::now();
        let listing = match listed {
            Ok(listing) => listing,
            Err(why) => {
                self.is_lost = true;
                self.teller
                    .tell(|reel| reel.problem = Some(why.to_string()));
                return false;
            }
        };
        let was_lost = std::mem::take(&mut self.is_lost);
        if listing == self.listing {
            return was_lost;
        }
        let before = std::mem::replace(&mut self.listing, listing);
        self.keep_path(&before.frames);
        // Tables that cannot be read now are read with the next frame.
        let tables = self.source.tables().ok();
        let Listing {
            frames,
            times,
            is_live,
        } = self.listing.clone();
        self.teller.tell(|reel| {
            (reel.frames, reel.times) = (Arc::new(frames), Arc::new(times));
            reel.is_live = is_live;
            reel.tables = tables.map_or(Arc::clone(&reel.tables), Arc::new);
        });
        self.follows || was_lost
    }

    /// Keeps of the path what is of frames that there still are.
    fn keep_path(&mut self, before: &[u32]) {
        let Some(picked) = &mut self.picked else {
            return;
        };
        let first = self.listing.frames.first();
        let gone = before.partition_point(|frame| Some(frame) < first);
        picked.path.drain(..gone.min(picked.path.len()));
        let known = before[gone..].iter().take(picked.path.len());
        if !known.eq(self.listing.frames.iter().take(picked.path.len())) {
            picked.path.clear();
        }
        let path = picked.path.clone();
        self.teller.tell(|reel| {
            if let Some(picked) = &mut reel.picked {
                picked.path = path;
            }
        });
    }

    /// Shows the frame that is to be seen. What is wrong with it is told, and others can be shown.
    fn show(&mut self) {
        let frames = &self.listing.frames;
        let place = frames.partition_point(|&frame| frame <= self.number);
        let place = if self.follows { frames.len() } else { place };
        let Some(&number) = frames.get(place.saturating_sub(1)) else {
            return;
        };
        self.number = number;
        let (shown, mut problem) = match self.source.snapshot(number, &self.painted) {
            Ok(shown) => (Ok(shown), None),
            // Without the colours that were asked for: other frames may have them.
            Err(ReadError::Coloring(why)) => (self.plain(number), Some(why)),
            Err(why) => (Err(why), None),
        };
        if let Err(why) = self.read_picked(number) {
            problem = Some(why.to_string());
        }
        let picked = self.picked.clone();
        self.teller.tell(|reel| {
            match shown {
                Ok(snapshot) => {
                    reel.snapshot = Some(Arc::new(snapshot));
                    reel.picked = picked;
                    reel.problem = problem;
                }
                Err(why) => reel.problem = Some(why.to_string()),
            };
        });
    }

    /// A frame in the colours of its bodies.
    fn plain(&mut self, number: u32) -> Result<Snapshot, ReadError> {
        let painted = Painted {
            coloring: Coloring::Body,
            surfaces: self.painted.surfaces,
        };
        self.source.snapshot(number, &painted)
    }

    /// Reads the particle that is followed in the frame that is shown.
    fn read_picked(&mut self, number: u32) -> Result<(), ReadError> {
        let Some(picked) = &mut self.picked else {
            return Ok(());
        };
        let read = self.source.particle(number, picked.id)?;
        let Particle {
            body, quantities, ..
        } = read.unwrap_or_default();
        (picked.body, picked.quantities) = (body, quantities);
        Ok(())
    }

    /// Reads where the particle that is followed is in a frame.
    fn follow(&mut self, place: usize) {
        let number = self.listing.frames[place];
        let Some(picked) = &mut self.picked else {
            return;
        };
        let read = self.source.particle(number, picked.id);
        // A frame that cannot be read is told when it is to be shown.
        let position = read.ok().flatten().map(|particle| particle.position);
        picked.path.push(position);
        let path = picked.path.clone();
        self.teller.tell(|reel| {
            if let Some(picked) = &mut reel.picked {
                picked.path = path;
            }
        });
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
