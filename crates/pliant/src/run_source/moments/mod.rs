//! A simulation in this program, while it goes on: its moments are kept as they come.

mod moment;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pliant_core::measure::{FrameBuffers, Wanted};
use pliant_render::Coloring;

use super::{Listing, Particle, ReadError, RunSource, Tables};
use crate::Simulation;
use crate::live::{Painted, SceneFacts, Snapshot, facts_of_run};
use moment::Moment;

/// Moments are kept as long as they take no more memory [bytes]; the oldest make room.
const MOST_BYTES: usize = 256 << 20;

/// Where a simulation puts its moments.
pub(crate) struct Moments {
    facts: Arc<SceneFacts>,
    most_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    moments: VecDeque<Arc<Moment>>,
    bytes: usize,
    last: u32,
    buffers: FrameBuffers,
    /// Quantities that moments are kept with: what the scene is coloured by, and what somebody has asked for.
    quantities: BTreeSet<String>,
}

/// Reads the moments.
pub(crate) struct LiveRun(pub(crate) Arc<Moments>);

impl Moments {
    /// Those of a simulation from now on.
    ///
    /// # Errors
    /// If what its scene measures cannot be.
    pub fn of(simulation: &Simulation) -> Result<Self, String> {
        let (scene, world) = (simulation.scene(), simulation.world());
        let mut facts = facts_of_run("simulation", scene, world)?;
        // Nothing is measured of the moments.
        facts.columns.clear();
        let own = Self {
            facts: Arc::new(facts),
            most_bytes: MOST_BYTES,
            kept: Mutex::default(),
        };
        let name = quantity_of(&own.facts.coloring).map(str::to_owned);
        own.kept().quantities.extend(name);
        own.add(simulation);
        Ok(own)
    }

    /// Keeps the moment that a simulation is in.
    pub fn add(&self, simulation: &Simulation) {
        let mut kept = self.kept();
        let kept = &mut *kept;
        let names: Vec<&str> = kept.quantities.iter().map(String::as_str).collect();
        let wanted = Wanted {
            quantities: Some(&names),
            surfaces: true,
        };
        kept.buffers.update_wanted(simulation.world(), wanted);
        kept.last += 1;
        let before = kept.moments.back().map(AsRef::as_ref);
        let moment = Moment::of(kept.last, &kept.buffers, before);
        kept.bytes += moment.bytes;
        kept.moments.push_back(Arc::new(moment));
        while kept.bytes > self.most_bytes && kept.moments.len() > 1 {
            let oldest = kept.moments.pop_front();
            kept.bytes -= oldest.map_or(0, |moment| moment.bytes);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The moment of a number. It is read after this has let go of the others, so that the simulation need not wait.
    fn moment(&self, number: u32) -> Result<Arc<Moment>, ReadError> {
        let kept = self.kept();
        let place = kept.moments.binary_search_by_key(&number, |own| own.number);
        match place {
            Ok(place) => Ok(Arc::clone(&kept.moments[place])),
            Err(_) => Err(ReadError::Failed(format!("moment {number} is not kept"))),
        }
    }

    /// Keeps moments with a quantity from now on, if there is one of that name.
    fn want(&self, name: &str) -> bool {
        let mut colorings = self.facts.colorings.iter();
        let is_known = colorings.any(|coloring| quantity_of(coloring) == Some(name));
        if is_known {
            self.kept().quantities.insert(name.to_owned());
        }
        is_known
    }
}

/// The quantity that a colouring needs of a frame, beside its velocities.
fn quantity_of(coloring: &Coloring) -> Option<&str> {
    match coloring {
        Coloring::Quantity { name, .. } => Some(name.as_str()).filter(|name| *name != "speed"),
        Coloring::Fragment => Some("fragment"),
        Coloring::Body | Coloring::Material => None,
    }
}

impl RunSource for LiveRun {
    fn facts(&self) -> Arc<SceneFacts> {
        Arc::clone(&self.0.facts)
    }

    fn list(&mut self) -> Result<Listing, ReadError> {
        let kept = self.0.kept();
        let moments = kept.moments.iter();
        let (frames, times) = moments.map(|own| (own.number, own.time)).unzip();
        Ok(Listing {
            frames,
            times,
            is_live: true,
        })
    }

    fn tables(&mut self) -> Result<Tables, ReadError> {
        Ok(Tables::new())
    }

    fn snapshot(&mut self, number: u32, painted: &Painted) -> Result<Snapshot, ReadError> {
        let moment = self.0.moment(number)?;
        let shown = moment.read(painted.surfaces, |frame, surface| {
            Snapshot::of_frame(frame, surface, painted)
        });
        shown.map_err(|error| {
            let name = quantity_of(&painted.coloring);
            let text = match name.filter(|name| self.0.want(name)) {
                Some(name) => format!(
                    "moment {number} was kept without `{name}`; those from now on are kept with it"
                ),
                None => error.to_string(),
            };
            ReadError::Coloring(text)
        })
    }

    fn particle(&mut self, number: u32, id: u32) -> Result<Option<Particle>, ReadError> {
        let moment = self.0.moment(number)?;
        Ok(moment.read(false, |frame, _| Particle::of(frame, id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_source::tests::BALL;

    fn simulation() -> Simulation {
        Simulation::from_text(BALL).expect("a scene")
    }

    #[test]
    fn moments_are_those_that_the_simulation_was_in_when_they_were_added() {
        let mut simulation = simulation();
        let mut run = LiveRun(Arc::new(Moments::of(&simulation).expect("moments")));
        let mut times = vec![simulation.time()];
        for _ in 0..3 {
            simulation.step().expect("a step");
            run.0.add(&simulation);
            times.push(simulation.time());
        }
        let listing = run.list().expect("a list");
        assert_eq!(
            (listing.frames, listing.times),
            (vec![1, 2, 3, 4], times.clone())
        );
        assert!(listing.is_live);
        let painted = Painted {
            coloring: Coloring::Body,
            surfaces: true,
        };
        let last = run.snapshot(4, &painted).expect("a moment");
        assert_eq!((last.frame, last.time), (4, times[3]));
        assert!(run.snapshot(5, &painted).is_err());
        let id = last.sphere_ids[3];
        let particle = run.particle(4, id).expect("a moment").expect("a particle");
        let [x, y, z, _] = last.spheres[3];
        assert_eq!(
            (particle.body.as_str(), particle.position),
            ("ball", [x, y, z])
        );
        assert_eq!(run.particle(4, 10_000), Ok(None));
    }

    #[test]
    fn quantities_are_kept_once_somebody_has_asked_for_them() {
        let mut simulation = simulation();
        let mut run = LiveRun(Arc::new(Moments::of(&simulation).expect("moments")));
        let painted = |name: &str| Painted {
            coloring: Coloring::Quantity {
                name: name.to_owned(),
                range: None,
                color_map: Default::default(),
            },
            surfaces: true,
        };
        // Velocities are always kept.
        assert!(run.snapshot(1, &painted("speed")).is_ok());
        let told = run
            .snapshot(1, &painted("density"))
            .expect_err("it has none");
        assert!(matches!(&told, ReadError::Coloring(text) if text.contains("from now on")));
        let told = run.snapshot(1, &painted("weight")).expect_err("unknown");
        assert!(matches!(&told, ReadError::Coloring(text) if text.contains("speed")));
        simulation.step().expect("a step");
        run.0.add(&simulation);
        let shown = run
            .snapshot(2, &painted("density"))
            .expect("it is kept now");
        assert_eq!(shown.legend.expect("a legend").unit, "kg/m3");
        assert!(run.snapshot(1, &painted("density")).is_err());
        assert_eq!(run.0.kept().quantities.len(), 1);
    }

    #[test]
    fn the_oldest_moments_make_room() {
        let mut simulation = simulation();
        let mut moments = Moments::of(&simulation).expect("moments");
        let one = moments.kept().bytes;
        moments.most_bytes = 2 * one;
        let mut run = LiveRun(Arc::new(moments));
        for _ in 0..20 {
            simulation.step().expect("a step");
            run.0.add(&simulation);
        }
        let listing = run.list().expect("a list");
        let count = listing.frames.len();
        assert!((2..12).contains(&count), "{count}");
        assert_eq!(listing.frames.last(), Some(&21));
        assert!(run.0.kept().bytes <= run.0.most_bytes);
    }
}
