//! A simulation in a program that is looked at in a browser while it goes on.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use pliant_core::measure::FrameBuffers;
use pliant_render::SurfaceCache;
use serde_json::{Value, json};

use super::{Frames, PageServer, ServeError, columns, page_beside, told_of};
use crate::Simulation;
use crate::live::{Painted, SceneFacts, Snapshot, facts_of_run};

/// Moments are kept as long as they take no more memory [bytes]; the oldest make room.
const MOST_BYTES: usize = 256 << 20;

/// A simulation is shown: a page follows the moments that are added, and can go back. The server ends with this.
pub struct LiveShow {
    server: Arc<PageServer>,
    reel: Arc<Reel>,
}

/// The moments.
struct Reel {
    facts: SceneFacts,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The columns of each, and its number.
    moments: VecDeque<(u32, Vec<u8>)>,
    bytes: usize,
    last: u32,
    buffers: FrameBuffers,
    walls: SurfaceCache,
}

impl LiveShow {
    /// Shows a simulation from this moment on, on a free port of this machine.
    ///
    /// # Errors
    /// If no port is free.
    pub fn of(simulation: &Simulation) -> Result<Self, ServeError> {
        let (scene, world) = (simulation.scene(), simulation.world());
        let facts = facts_of_run("simulation", scene, world).map_err(ServeError::Run)?;
        let reel = Arc::new(Reel {
            facts,
            kept: Mutex::default(),
        });
        let shown: Box<dyn Frames> = Box::new(Arc::clone(&reel));
        let page = page_beside();
        let server = Arc::new(PageServer::of(page.as_deref(), vec![shown], 0)?);
        let own = Self {
            server: Arc::clone(&server),
            reel,
        };
        own.add(simulation)?;
        std::thread::spawn(move || server.work());
        Ok(own)
    }

    /// Where a browser finds it.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Adds the moment that a simulation is in.
    ///
    /// # Errors
    /// If the simulation has no quantity that the scene colours by.
    pub fn add(&self, simulation: &Simulation) -> Result<(), ServeError> {
        let facts = &self.reel.facts;
        let mut kept = self
            .reel
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let painted = Painted {
            coloring: facts.coloring.clone(),
            surfaces: true,
        };
        let shown = Snapshot::of(simulation.world(), &mut kept.buffers, &painted);
        let mut shown = shown.map_err(|error| ServeError::Run(error.to_string()))?;
        kept.last += 1;
        shown.frame = kept.last;
        let reach = (facts.bounds.extent().max_element(), facts.bounds.center());
        let bytes = columns::of(&shown, &mut kept.walls, reach);
        kept.bytes += bytes.len();
        let number = kept.last;
        kept.moments.push_back((number, bytes));
        while kept.bytes > MOST_BYTES && kept.moments.len() > 1 {
            let oldest = kept.moments.pop_front();
            kept.bytes -= oldest.map_or(0, |(_, bytes)| bytes.len());
        }
        Ok(())
    }
}

impl Drop for LiveShow {
    fn drop(&mut self) {
        self.server.stop();
    }
}

impl Frames for Arc<Reel> {
    fn told(&self) -> Value {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let frames: Vec<u32> = kept.moments.iter().map(|(number, _)| *number).collect();
        let mut told = told_of(&self.facts, &frames);
        told["isLive"] = json!(true);
        told
    }

    fn frame(&self, number: u32) -> Result<Vec<u8>, String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.moments.binary_search_by_key(&number, |(own, _)| *own);
        match place {
            Ok(place) => Ok(kept.moments[place].1.clone()),
            Err(_) => Err(format!("moment {number} is not kept")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: &str = r#"
scene.duration = 1
[material.rubber]
preset = "rubber"
[[body]]
name = "ball"
material = "rubber"
shape = { sphere = { radius = 0.05 } }
spacing = 0.025
"#;

    #[test]
    fn moments_are_those_that_the_simulation_was_in_when_they_were_added() {
        let mut simulation = Simulation::from_text(BALL).expect("a scene");
        let show = LiveShow::of(&simulation).expect("a free port");
        for _ in 0..3 {
            simulation.step().expect("a step");
            show.add(&simulation).expect("a moment");
        }
        assert!(show.address().ends_with("/#run=0"));
        let told = show.reel.told();
        assert_eq!(told["frames"], json!([1, 2, 3, 4]));
        assert_eq!(told["isLive"], json!(true));
        let last = show.reel.frame(4).expect("a moment");
        let time = f64::from_le_bytes(last[16..24].try_into().expect("eight bytes"));
        assert_eq!(time, simulation.time());
        assert!(show.reel.frame(5).is_err());
    }
}
