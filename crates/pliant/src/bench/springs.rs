//! Sheets of springs: what a substep costs with each law, and a step of conjugate gradients in multiples
//! of a sparse product of the same size.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use pliant_core::methods::springs;
use pliant_core::methods::springs::{SpringsSettings, SpringsSetup};
use pliant_core::step::{Stage, Stepper};
use pliant_core::world::World;
use pliant_scene::{BuildWith, Overrides, Scene};

use super::solids::median_of;
use super::{BenchError, Processor, median};
use crate::machine::available_memory;
use pliant_io::InputFiles;

/// Substeps before anything is timed: the sheet swings by then.
const WARM_UP: usize = 10;

/// Laws whose springs, or triangles, are timed, the first of which others are compared with.
pub const SPRING_LAWS: [&str; 4] = [
    "spring-linear",
    "spring-stvk",
    "spring-cubic",
    "triangle-stvk",
];

/// Steps of conjugate gradients: as published, and until solved.
pub const SOLVES: [Option<u32>; 2] = [Some(2), None];

/// The cost of a sheet: medians over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Springs {
    /// The law.
    pub law: &'static str,
    /// Steps of conjugate gradients; `None`: until solved.
    pub solve: Option<u32>,
    /// Particles.
    pub particles: usize,
    /// Threads of the simulation; the bound is always of one.
    pub threads: usize,
    /// Springs, or pairs of corners of triangles.
    pub springs: usize,
    /// Steps of conjugate gradients a substep.
    pub steps: f64,
    /// Wall time of forces, their derivatives and the solve in a substep [s].
    pub predict: f64,
    /// Wall time of the whole substep [s].
    pub substep: f64,
    /// Time of a sparse product with a symmetric block of three by three for each of both ends of each
    /// spring [s].
    pub bound: f64,
}

impl Springs {
    /// Times so many substeps of a sheet of `side` times `side` particles that swings.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(
        law: &'static str,
        solve: Option<u32>,
        side: usize,
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let mut world = sheet(law, side)?;
        Arc::make_mut(&mut world.setup)
            .solver
            .methods
            .of_mut::<SpringsSettings>()
            .cg_iterations = solve;
        let mut stepper = processor.stepper()?;
        let mut reports = Vec::new();
        let mut steps = Vec::new();
        let product = Product::new(&world);
        let mut bounds = Vec::new();
        for round in 0..WARM_UP + rounds {
            let report = stepper.substep(&mut world, 1e-2)?;
            if round >= WARM_UP {
                reports.push(report);
                steps.push(f64::from(
                    stepper.method().map_or(0, springs::Springs::solver_steps),
                ));
                bounds.push(product.time());
            }
        }
        Ok(Self {
            law,
            solve,
            particles: world.state.particles.len(),
            threads: stepper.threads(),
            springs: stepper.method().map_or(0, springs::Springs::spring_count),
            steps: median(steps),
            predict: median_of(&reports, |r| r.times.of(Stage::Predict)),
            substep: median_of(&reports, |r| r.times.total()),
            bound: median(bounds),
        })
    }
}

/// A sheet of 1 kg held along one edge, level at the start, with springs along both diagonals of a cell.
fn sheet(law: &str, side: usize) -> Result<World, BenchError> {
    let size = 0.02 * (side - 1) as f64;
    let text = format!(
        "scene.duration = 1\n[material.cloth]\nlaw = \"{law}\"\ndensity = 1000.0\nstiffness = 1000.0\n\
         [[body]]\nname = \"sheet\"\nmaterial = \"cloth\"\nspacing = 0.02\nmass = 1.0\n\
         shape = {{ sheet = {{ size = [{size}, {size}], resolution = [{side}, {side}] }} }}\n\
         [[attach]]\nname = \"edge\"\nbody = \"sheet\"\nposition = [{}, 0.0, 0.0]\n\
         shape = {{ box = {{ size = [0.01, 0.1, {}] }} }}\n",
        -0.5 * size,
        2.0 * size
    );
    let scene = Scene::parse(&text, "bench.toml", Path::new("."), &Overrides::default())?;
    let built = scene.build(BuildWith {
        meshes: &InputFiles::default(),
        memory: available_memory(),
    })?;
    Ok(World::new(built.setup))
}

/// A sparse matrix of the pattern of a network, row by row, and a vector.
struct Product {
    start: Vec<u32>,
    neighbor: Vec<u32>,
    block: Vec<[f32; 6]>,
    vector: Vec<[f32; 4]>,
}

impl Product {
    fn new(world: &World) -> Self {
        let bodies = SpringsSetup::of(&world.setup).bodies;
        let count = world.state.particles.len();
        let mut lists = vec![Vec::new(); count];
        for body in &bodies {
            for spring in body.network.springs.iter().filter(|s| body.joins(s)) {
                let [a, b] = spring.ends.map(|end| body.first_id + end);
                lists[a as usize].push(b);
                lists[b as usize].push(a);
            }
        }
        let mut start = vec![0];
        let mut neighbor = Vec::new();
        for list in &mut lists {
            list.sort_unstable();
            neighbor.extend_from_slice(list);
            start.push(neighbor.len() as u32);
        }
        Self {
            start,
            block: vec![[1.0, 1.0, 1.0, 0.5, 0.25, 0.125]; neighbor.len()],
            neighbor,
            vector: vec![[1.0, -1.0, 0.5, 0.0]; count],
        }
    }

    /// Time of a product [s].
    fn time(&self) -> f64 {
        let mut result = vec![[0.0f32; 3]; self.vector.len()];
        let start = Instant::now();
        let matrix = black_box(self);
        for (range, sum) in matrix.start.windows(2).zip(&mut result) {
            for edge in range[0] as usize..range[1] as usize {
                let [x, y, z, _] = matrix.vector[matrix.neighbor[edge] as usize];
                let [xx, yy, zz, xy, xz, yz] = matrix.block[edge];
                sum[0] += xx * x + xy * y + xz * z;
                sum[1] += xy * x + yy * y + yz * z;
                sum[2] += xz * x + yz * y + zz * z;
            }
        }
        black_box(result);
        start.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_of_every_law_are_timed() {
        for law in SPRING_LAWS {
            let cost =
                Springs::measure(law, Some(2), 12, Processor::with_threads(1), 2).expect(law);
            assert_eq!((cost.particles, cost.steps), (144, 2.0));
            assert!(cost.predict > 0.0 && cost.substep > cost.predict && cost.bound > 0.0);
            let springs = match law {
                "triangle-stvk" => 2 * 132 + 121,
                _ => 2 * 132 + 2 * 121,
            };
            assert_eq!(cost.springs, springs, "{law}");
        }
    }
}
