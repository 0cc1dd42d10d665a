//! Random scenes, run with default settings: none may gain energy, lose a body, or fail.

mod scene;

use std::path::Path;
use std::time::Instant;

use pliant_core::parallel::Pool;
use pliant_core::step::advance_frame;
use pliant_core::world::World;
use pliant_io::write_bytes;
use pliant_scene::Overrides;
use pliant_validation::{Expected, Figure};

use self::scene::RandomScene;
use super::workers::on_all_cores;
use super::{MOST_RISEN, Measured};
use crate::backend;
use crate::prepare::Prepared;

/// A scene whose particles times substeps a frame are more is drawn softer: it would take minutes.
const MOST_WORK: f64 = 1.5e5;
/// Stiffness is lowered by at most so many decades for that.
const MOST_SOFTENING: u32 = 8;

/// Scenes to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct RandomScenes {
    /// How many.
    pub count: u64,
    /// Number of the first.
    pub first: u64,
    /// What they are drawn from.
    pub seed: u64,
}

impl RandomScenes {
    /// Draws the scenes into a folder and runs them, as many at once as the machine has cores; tells each
    /// when it is done. In order of their numbers.
    pub fn measure(&self, folder: &Path, report: &(dyn Fn(&Measured) + Sync)) -> Vec<Measured> {
        on_all_cores(self.count as usize, &|place| {
            let measured = self.measure_one(self.first + place as u64, folder);
            report(&measured);
            measured
        })
    }

    fn measure_one(&self, number: u64, folder: &Path) -> Measured {
        let start = Instant::now();
        let path = folder.join(format!("{}-{number}.toml", self.seed));
        let outcome = self
            .affordable(number, &path)
            .and_then(|(scene, prepared)| run(&scene, prepared));
        Measured {
            statement: format!(
                "random scene {number} of seed {}, {}",
                self.seed,
                path.display()
            ),
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// The scene of a number, soft enough to be run in seconds, or as soft as materials can be.
    fn affordable(&self, number: u64, path: &Path) -> Result<(RandomScene, Prepared), String> {
        let mut softest = Err("it takes too many substeps".to_owned());
        for softer in 0..=MOST_SOFTENING {
            let scene = RandomScene::new(self.seed, number, softer);
            write_bytes(path, scene.text.as_bytes()).map_err(|e| e.to_string())?;
            match Prepared::read(path, &Overrides::default()) {
                Ok(prepared) if work(&prepared) <= MOST_WORK => return Ok((scene, prepared)),
                Ok(prepared) => softest = Ok((scene, prepared)),
                // Softer than materials can be: the one before is run.
                Err(_) if softest.is_ok() => break,
                Err(errors) => softest = Err(errors.to_string()),
            }
        }
        if let Ok((scene, _)) = &softest {
            write_bytes(path, scene.text.as_bytes()).map_err(|e| e.to_string())?;
        }
        softest
    }
}

/// Particles times substeps of a frame.
fn work(prepared: &Prepared) -> f64 {
    let estimate = &prepared.built.estimate;
    f64::from(estimate.substeps_per_frame) * estimate.particle_count as f64
}

fn run(scene: &RandomScene, prepared: Prepared) -> Result<Vec<Figure>, String> {
    let frames = prepared.scene.frame_count();
    let mut world = World::new(prepared.built.setup);
    let pool = Pool::new(1).map_err(|e| e.to_string())?;
    let mut stepper = backend::stepper(&pool);
    let (mut redone, mut risen) = (0, 0.0_f64);
    for _ in 0..frames {
        let report = advance_frame(&mut world, stepper.as_mut(), &mut |_| ());
        redone += report.map_err(|error| error.to_string())?.redone;
        risen = risen.max(world.state.account.risen_share());
    }
    let figure = |what: &str, measured: f64, expected: Expected| Figure {
        what: what.into(),
        measured,
        expected,
        curves: Vec::new(),
    };
    Ok(vec![
        figure(
            "rise of energy that nothing paid for, as a part of what there was",
            risen,
            Expected::AtMost(MOST_RISEN),
        ),
        figure(
            "particles outside of the tank",
            outside(scene, &world) as f64,
            Expected::AtMost(0.0),
        ),
        figure(
            "times a frame was repeated",
            f64::from(redone),
            Expected::Finite,
        ),
    ])
}

/// Particles whose centres have passed the floor, the lid or a wall.
fn outside(scene: &RandomScene, world: &World) -> usize {
    let is_outside = |x: &&pliant_math::DVec3| {
        !(x.x.abs().max(x.z.abs()) <= scene.half_width
            && x.y >= -0.01 * scene.spacing
            && x.y <= scene.height)
    };
    world
        .state
        .particles
        .position
        .iter()
        .filter(is_outside)
        .count()
}
