//! The bundled scenes of `scenes/bench`, without any output.

use std::path::Path;
use std::time::Instant;

use pliant_core::methods::cloth::Cloth;
use pliant_core::step::advance_frame;
use pliant_core::world::World;
use pliant_scene::{BuildWith, Overrides, Scene};

use super::{BenchError, Processor};
use crate::bundled::{BundledScene, bundled_scenes};
use crate::machine::available_memory;
use pliant_io::InputFiles;

/// Folder of the scenes that are timed.
const FOLDER: &str = "bench/";

/// What a scene took.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchScene {
    /// Particles at the end.
    pub particles: usize,
    /// Simulated time [s].
    pub simulated: f64,
    /// Wall time of the frames [s].
    pub wall: f64,
    /// Substeps taken.
    pub substeps: u64,
    /// Number of sweeps in a substep.
    pub iterations: u32,
    /// Young's modulus of the first material [Pa]; 0 for one without.
    pub youngs_modulus: f64,
    /// Constraints of cloth at the end.
    pub cloth_constraints: usize,
    /// Wall time of all constraint sweeps [s].
    pub sweep_time: f64,
}

/// The bundled scenes that are timed.
pub fn bench_scenes() -> impl Iterator<Item = BundledScene> {
    bundled_scenes().filter(|scene| scene.name.starts_with(FOLDER))
}

impl BenchScene {
    /// Runs the first frames of a bundled scene, all if `frames` is missing.
    ///
    /// # Errors
    /// If there is no memory or there are no threads for it, or the simulation cannot go on.
    pub fn run(
        scene: BundledScene,
        processor: Processor,
        frames: Option<u32>,
    ) -> Result<Self, BenchError> {
        let scene = Scene::parse(
            scene.text,
            scene.file,
            Path::new("."),
            &Overrides::default(),
        )?;
        let frames = frames.unwrap_or(u32::MAX).min(scene.frame_count());
        let built = scene.build(BuildWith {
            meshes: &InputFiles::default(),
            memory: available_memory(),
        })?;
        let mut world = World::new(built.setup);
        let mut stepper = processor.stepper()?;
        let mut sweep_time = 0.0;
        let start = Instant::now();
        for _ in 0..frames {
            let report = advance_frame(&mut world, &mut stepper, &mut |_| ())?;
            sweep_time += report.sweep_time;
        }
        Ok(Self {
            particles: world.state.particles.len(),
            simulated: world.state.time,
            wall: start.elapsed().as_secs_f64(),
            substeps: world.state.substeps,
            iterations: world.setup.solver.iterations,
            youngs_modulus: world.setup.materials[0].youngs_modulus,
            cloth_constraints: stepper.method().map_or(0, Cloth::constraint_count),
            sweep_time,
        })
    }

    /// Wall time a simulated second [s].
    pub fn seconds_per_second(&self) -> f64 {
        self.wall / self.simulated
    }

    /// Wall time a particle and substep [s].
    pub fn per_particle(&self) -> f64 {
        self.wall / (self.substeps.max(1) as f64 * self.particles.max(1) as f64)
    }
    /// Wall time a constraint of cloth and sweep [s]; `None` without cloth.
    pub fn per_constraint(&self) -> Option<f64> {
        let sweeps = self.substeps.max(1) as f64 * f64::from(self.iterations);
        let count = self.cloth_constraints as f64;
        (count > 0.0).then(|| self.sweep_time / (sweeps * count))
    }
}
