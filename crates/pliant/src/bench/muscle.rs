//! Blocks of flesh with a muscle: what a substep costs, explicit and implicit, and the step that is chosen beside
//! a scan over both.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use pliant_core::methods::muscle::{
    Incompressibility, Integration, MuscleMethod, MuscleSettings, MuscleSetup, step_choice,
};
use pliant_core::step::{CpuStepper, Stage, StepReport, Stepper};
use pliant_core::world::{Setup, World};
use pliant_scene::{BuildWith, Overrides, Scene};

use super::solids::median_of;
use super::{BenchError, Processor, median};
use crate::machine::available_memory;
use pliant_io::InputFiles;

/// Substeps before anything is timed.
const WARM_UP: usize = 5;

/// Ways of a substep that are timed: name, integration, whether the volume is kept.
pub const MUSCLE_WAYS: [(&str, Integration, bool); 4] = [
    ("explicit", Integration::Explicit, false),
    ("explicit, volume", Integration::Explicit, true),
    ("implicit", Integration::Implicit, false),
    ("implicit, volume", Integration::Implicit, true),
];

/// The cost of a substep of a block: medians over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleCost {
    /// How it is computed.
    pub way: &'static str,
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Particles.
    pub particles: usize,
    /// Bonds from particles to neighbours.
    pub bonds: usize,
    /// Threads of the simulation; the bound is always of one.
    pub threads: usize,
    /// The step [s].
    pub step: f64,
    /// Steps of conjugate gradients: of the implicit system, and for the volume.
    pub solves: [f64; 2],
    /// Wall time of forces, and of the implicit system [s].
    pub predict: f64,
    /// Wall time of keeping the volume [s].
    pub volume: f64,
    /// Wall time of the whole substep [s].
    pub substep: f64,
    /// The gather bound: time of reading the velocity of each neighbour once [s].
    pub bound: f64,
}

/// Parts of the step that is chosen for an integration, and the integration, of a scan over both.
const SCANNED: [(Integration, f64); 5] = [
    (Integration::Explicit, 0.5),
    (Integration::Explicit, 1.0),
    (Integration::Implicit, 0.25),
    (Integration::Implicit, 0.5),
    (Integration::Implicit, 1.0),
];

/// Steps of both integrations up to the longest that are used, beside the one that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleScan {
    /// What each costs.
    pub costs: Vec<MuscleCost>,
    /// The one that is chosen.
    pub chosen: usize,
}

impl MuscleScan {
    /// Times the steps of a cube of `side` particles along each axis.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(
        keeps_volume: bool,
        (side, youngs_modulus): (u32, f64),
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let mut setup = MuscleSetup::of(&block(side, youngs_modulus)?);
        if !keeps_volume {
            setup.settings.incompressibility = Incompressibility::None;
        }
        let chosen = match step_choice(&setup, &setup.bodies[0]).is_implicit {
            true => (Integration::Implicit, 1.0),
            false => (Integration::Explicit, 1.0),
        };
        let ways = MUSCLE_WAYS.iter().filter(|way| way.2 == keeps_volume);
        let way = |of: Integration| ways.clone().find(|way| way.1 == of).copied();
        let costs = SCANNED.iter().filter_map(|&(integration, steps)| {
            let block = (side, youngs_modulus, steps);
            Some(MuscleCost::measure(
                way(integration)?,
                block,
                processor,
                rounds,
            ))
        });
        let chosen = SCANNED.iter().position(|&one| one == chosen);
        Ok(Self {
            costs: costs.collect::<Result<_, _>>()?,
            chosen: chosen.unwrap_or(0),
        })
    }

    /// The one that is chosen.
    pub fn chosen(&self) -> &MuscleCost {
        &self.costs[self.chosen]
    }

    /// The one that costs the least.
    pub fn cheapest(&self) -> &MuscleCost {
        let cost = |cost: &&MuscleCost| cost.seconds_per_second();
        let least = self.costs.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        least.unwrap_or(self.chosen())
    }

    /// What is chosen over what costs the least; 1 is best.
    pub fn over_cheapest(&self) -> f64 {
        self.chosen().seconds_per_second() / self.cheapest().seconds_per_second()
    }
}

impl MuscleCost {
    /// Times so many substeps of a cube of `side` particles along each axis, at rest but for its muscle.
    ///
    /// * `steps` — length of the step over that which is chosen for the integration
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(
        (way, integration, keeps_volume): (&'static str, Integration, bool),
        (side, youngs_modulus, steps): (u32, f64, f64),
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let mut setup = block(side, youngs_modulus)?;
        let settings = setup.solver.methods.of_mut::<MuscleSettings>();
        settings.integration = integration;
        if !keeps_volume {
            settings.incompressibility = Incompressibility::None;
        }
        let of_method = MuscleSetup::of(&setup);
        let chosen = of_method.bodies.iter();
        let chosen = chosen.map(|body| step_choice(&of_method, body).seconds);
        let step = steps * chosen.fold(f64::INFINITY, f64::min);
        let mut world = World::new(setup);
        let mut stepper = processor.stepper()?;
        let bonds = neighbors(&of_method);
        let mut reports: Vec<StepReport> = Vec::new();
        let (mut bounds, mut solves) = (Vec::new(), [0.0; 2]);
        for round in 0..WARM_UP + rounds {
            let report = stepper.substep(&mut world, step)?;
            if round >= WARM_UP {
                reports.push(report);
                bounds.push(gather(&bonds, world.state.particles.len()));
                add_solves(&stepper, &mut solves);
            }
        }
        let mean = |sum: f64| sum / rounds.max(1) as f64;
        Ok(Self {
            way,
            youngs_modulus,
            particles: world.state.particles.len(),
            bonds: bonds.len(),
            threads: stepper.threads(),
            step,
            solves: solves.map(mean),
            predict: median_of(&reports, |r| r.times.of(Stage::Predict)),
            volume: median_of(&reports, |r| r.times.of(Stage::Project)),
            substep: median_of(&reports, |r| r.times.total()),
            bound: median(bounds),
        })
    }

    /// Wall time of a simulated second [s/s].
    pub fn seconds_per_second(&self) -> f64 {
        self.substep / self.step
    }

    /// Time of `predict` a particle [s].
    pub fn per_particle(&self) -> f64 {
        self.predict / self.particles.max(1) as f64
    }
}

fn add_solves(stepper: &CpuStepper, sums: &mut [f64; 2]) {
    if let Some(method) = stepper.method::<MuscleMethod>() {
        for (sum, steps) in sums.iter_mut().zip(method.solver_steps()) {
            *sum += f64::from(steps);
        }
    }
}

/// A cube of flesh that its muscle shortens again and again.
fn block(side: u32, youngs_modulus: f64) -> Result<Setup, BenchError> {
    let size = 0.02 * f64::from(side);
    let text = format!(
        "scene.duration = 1\nscene.gravity = [0, 0, 0]\nsolver.iterations = 1\n[material.flesh]\n\
         law = \"corotated\"\ndensity = 1000.0\nyoungs_modulus = {youngs_modulus:?}\npoissons_ratio = 0.3\n\
         [[body]]\nname = \"block\"\nmaterial = \"flesh\"\nmethod = \"muscle\"\nspacing = 0.02\n\
         shape = {{ box = {{ size = [{size:?}, {size:?}, {size:?}] }} }}\nspin = [90, 40, 20]\n[[muscle]]\nname = \"bundle\"\n\
         body = \"block\"\ndirection = [1, 0, 0]\nstiffness = {youngs_modulus:?}\n\
         wave = {{ frequency = 2, mean = 0.5, amplitude = 0.5, waves = 0 }}\n"
    );
    let scene = Scene::parse(&text, "bench.toml", Path::new("."), &Overrides::default())?;
    let built = scene.build(BuildWith {
        meshes: &InputFiles::default(),
        memory: available_memory(),
    })?;
    Ok(built.setup)
}

/// The neighbours of all particles in the order in which these lie.
fn neighbors(setup: &MuscleSetup) -> Vec<u32> {
    let mut all = Vec::new();
    for body in &setup.bodies {
        let shape = &body.flesh.shape;
        let mut place = vec![0; shape.len()];
        for (k, &particle) in (0..).zip(&shape.order) {
            place[particle as usize] = k;
        }
        for &particle in &shape.order {
            let near = shape.neighbors_of(particle as usize).iter();
            all.extend(near.map(|&other| place[other as usize]));
        }
    }
    all
}

/// Time of reading a record at each neighbour [s].
fn gather(neighbors: &[u32], particles: usize) -> f64 {
    let records = vec![[1.0f32, 2.0, 3.0, 4.0]; particles];
    let (records, neighbors) = (black_box(&records), black_box(neighbors));
    let start = Instant::now();
    let mut sum = [0.0f32; 4];
    for &neighbor in neighbors {
        let record = records[neighbor as usize];
        sum = std::array::from_fn(|k| sum[k] + record[k]);
    }
    black_box(sum);
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_is_among_what_is_scanned() {
        for (modulus, integration) in [(1e3, "explicit"), (1e7, "implicit")] {
            let processor = Processor::with_threads(1);
            let scan = MuscleScan::measure(false, (5, modulus), processor, 1).unwrap();
            assert_eq!(scan.costs.len(), SCANNED.len());
            assert_eq!(scan.chosen().way, integration);
            let longest = scan.costs.iter().filter(|cost| cost.way == integration);
            assert!(longest.clone().all(|cost| cost.step <= scan.chosen().step));
            assert!(scan.over_cheapest() >= 1.0);
        }
    }

    #[test]
    fn all_ways_of_a_substep_are_timed() {
        for way in MUSCLE_WAYS {
            let processor = Processor::with_threads(1);
            let cost = MuscleCost::measure(way, (6, 5e4, 1.0), processor, 2).expect(way.0);
            assert_eq!(cost.particles, 216);
            assert!(cost.predict > 0.0 && cost.substep > cost.predict && cost.bound > 0.0);
        }
    }
}
