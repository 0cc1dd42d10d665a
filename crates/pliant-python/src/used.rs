//! Simulations that one call uses at a time.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError, Weak};

use pliant::SimulationError;
use pliant::core::step::NewMotion;
use pliant::serve::LiveShow;
use pyo3::prelude::*;

use crate::shown::{Held, Particles};
use crate::simulation::Simulation;
use crate::source::Source;
use crate::{errors, threads};

/// A simulation, and what goes with it.
pub struct Used {
    /// The simulation.
    pub held: Held,
    /// There as long as a block edits its particles.
    claim: Weak<()>,
    /// What browsers and windows are shown.
    pub show: Option<LiveShow>,
    /// What it was read from.
    pub source: Source,
    /// Threads that were asked for.
    pub threads: usize,
    /// The process whose threads it uses.
    process: u32,
}

impl Used {
    /// Shows the moment to who looks on.
    pub fn show_now(&self) {
        if let Some(show) = &self.show {
            show.add(self.held.read());
        }
    }
}

impl Simulation {
    /// A simulation of a scene, on so many threads.
    pub fn start(py: Python<'_>, source: Source, threads: usize) -> PyResult<Self> {
        let made = py.detach(|| {
            let pool = threads::pool(threads)?;
            let prepared = source.prepare(&pool)?;
            pool.run(|| pliant::Simulation::on(prepared, pool.clone()))
        });
        let simulation = made.map_err(|error| errors::raise(py, error))?;
        Ok(Self(Mutex::new(Used {
            held: Held::new(simulation),
            claim: Weak::new(),
            show: None,
            source,
            threads,
            process: threads::process(),
        })))
    }

    /// The simulation, which only this call uses; on threads of this process.
    pub fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Used>> {
        let mut used = match self.0.try_lock() {
            Ok(used) => used,
            Err(TryLockError::WouldBlock) => return Err(errors::busy(py)),
            Err(TryLockError::Poisoned(_)) => {
                let message = "the engine has failed in an earlier call: start another simulation";
                return Err(errors::named(py, "StepError", message));
            }
        };
        if used.process != threads::process() {
            let pool = threads::pool(used.threads).map_err(|error| errors::raise(py, error))?;
            used.held.change().move_to(pool);
            // The thread that answers browsers stayed in the process that this one was forked from.
            used.show = None;
            used.process = threads::process();
        }
        Ok(used)
    }

    /// The same, to be changed: nothing changes it while a block edits its particles.
    fn lock_to_change(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Used>> {
        let used = self.lock(py)?;
        match used.claim.strong_count() {
            0 => Ok(used),
            _ => {
                let message = "its particles are being edited: leave the block of `edit()` first";
                Err(errors::named(py, "BusyError", message))
            }
        }
    }

    /// The particles for a block that edits them, and what keeps others from changing the simulation meanwhile.
    pub fn claim(&self, py: Python<'_>) -> PyResult<(Particles, Arc<()>)> {
        let mut used = self.lock_to_change(py)?;
        let claim = Arc::new(());
        used.claim = Arc::downgrade(&claim);
        Ok((Particles::of(&mut used.held), claim))
    }

    /// Gives particles positions and velocities, and shows them to who looks on.
    pub fn give_motion(&self, py: Python<'_>, motion: NewMotion) -> PyResult<()> {
        self.alter(py, |inner| {
            inner.held.change().give_motion(motion)?;
            inner.show_now();
            Ok(())
        })
    }

    /// Reads the simulation while others may have the interpreter.
    pub fn read<R: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&pliant::Simulation) -> Result<R, SimulationError> + Send,
    ) -> PyResult<R> {
        self.work(py, |inner| read(inner.held.read()))
    }

    /// Works with the simulation, which stays as it is, while others may have the interpreter.
    pub fn work<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Used) -> Result<R, SimulationError> + Send,
    ) -> PyResult<R> {
        done(py, self.lock(py)?, work)
    }

    /// Changes the simulation while others may have the interpreter.
    pub fn alter<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Used) -> Result<R, SimulationError> + Send,
    ) -> PyResult<R> {
        done(py, self.lock_to_change(py)?, work)
    }

    /// Changes the simulation at once.
    pub fn act<R>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut pliant::Simulation) -> Result<R, SimulationError>,
    ) -> PyResult<R> {
        act(self.lock_to_change(py)?.held.change()).map_err(|error| errors::raise(py, error))
    }

    /// Reads the simulation at once.
    pub fn look<R>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&pliant::Simulation) -> Result<R, SimulationError>,
    ) -> PyResult<R> {
        look(self.lock(py)?.held.read()).map_err(|error| errors::raise(py, error))
    }
}

/// Works with a simulation that only this call uses while others may have the interpreter.
fn done<R: Send>(
    py: Python<'_>,
    mut used: MutexGuard<'_, Used>,
    work: impl FnOnce(&mut Used) -> Result<R, SimulationError> + Send,
) -> PyResult<R> {
    let inner = &mut *used;
    let result = py.detach(|| work(inner));
    result.map_err(|error| errors::raise(py, error))
}
