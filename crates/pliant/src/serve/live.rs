//! A simulation in a program that is looked at while it goes on.

use std::sync::Arc;

use super::{PageServer, ServeError, page_beside};
use crate::Simulation;
use crate::live::Painted;
use crate::run_source::{LiveRun, Moments, RunSource};

/// A simulation is shown: a page or a window follows the moments that are added, and can go back. The server ends with
/// this.
pub struct LiveShow {
    server: Arc<PageServer>,
    moments: Arc<Moments>,
}

impl LiveShow {
    /// Shows a simulation from this moment on, on a free port of this machine.
    ///
    /// # Errors
    /// If no port is free, or if the simulation has no quantity that the scene colours by.
    pub fn of(simulation: &Simulation) -> Result<Self, ServeError> {
        let moments = Arc::new(Moments::of(simulation).map_err(ServeError::Run)?);
        let mut run = LiveRun(Arc::clone(&moments));
        let painted = Painted {
            coloring: run.facts().coloring.clone(),
            surfaces: true,
        };
        let first = run.snapshot(1, &painted);
        first.map_err(|error| ServeError::Run(error.to_string()))?;
        let page = page_beside();
        let server = Arc::new(PageServer::of(page.as_deref(), vec![Box::new(run)], 0)?);
        let own = Self {
            server: Arc::clone(&server),
            moments,
        };
        std::thread::spawn(move || server.work());
        Ok(own)
    }

    /// Where a browser finds it, and `pliant view`.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Adds the moment that a simulation is in.
    pub fn add(&self, simulation: &Simulation) {
        self.moments.add(simulation);
    }
}

impl Drop for LiveShow {
    fn drop(&mut self) {
        self.server.stop();
    }
}
