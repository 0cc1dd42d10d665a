//! Bars of hexahedra: what a sweep over shape groups costs, beside reading and writing their members.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use pliant_core::methods::shape_groups::ShapeGroupsSetup;
use pliant_core::step::Stepper;
use pliant_core::world::World;
use pliant_scene::{BuildWith, Overrides, Scene};

use super::solids::median_of;
use super::{BenchError, Processor, median};
use crate::machine::available_memory;
use pliant_io::InputFiles;

/// Substeps before anything is timed.
const WARM_UP: usize = 10;

/// Laws that are timed: the one whose two constraints are solved together first.
pub const GROUP_LAWS: [&str; 3] = ["polynomial-neo-hookean", "stvk", "corotated"];

/// The cost of a bar: medians over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeGroups {
    /// The law.
    pub law: &'static str,
    /// Particles.
    pub particles: usize,
    /// Groups.
    pub groups: usize,
    /// Threads of the simulation; the bound is always of one.
    pub threads: usize,
    /// Wall time of a sweep [s].
    pub sweep: f64,
    /// Wall time of the whole substep [s], with the search for contacts of the bar with itself.
    pub substep: f64,
    /// Time of reading and writing the velocities of all members of all groups [s].
    pub bound: f64,
}

impl ShapeGroups {
    /// Times so many substeps of a bar of `cells` hexahedra along each axis that bends and twists.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(
        law: &'static str,
        cells: [u32; 3],
        processor: Processor,
        rounds: usize,
    ) -> Result<Self, BenchError> {
        let mut world = bar(law, cells, 0.0)?;
        let mut stepper = processor.stepper()?;
        let members = members(&world);
        let (mut reports, mut bounds) = (Vec::new(), Vec::new());
        for round in 0..WARM_UP + rounds {
            let report = stepper.substep(&mut world, 1.0 / 1200.0)?;
            if round >= WARM_UP {
                reports.push(report);
                bounds.push(gather_and_scatter(&members, world.state.particles.len()));
            }
        }
        Ok(Self {
            law,
            particles: world.state.particles.len(),
            groups: cells.iter().map(|&n| n as usize).product(),
            threads: stepper.threads(),
            sweep: median_of(&reports, |r| r.sweep_time),
            substep: median_of(&reports, |r| r.times.total()),
            bound: median(bounds),
        })
    }

    /// Time of a sweep a group [s].
    pub fn per_group(&self) -> f64 {
        self.sweep / self.groups.max(1) as f64
    }
}

/// A sixtieth of a second of the bar of Müller et al. 2022, 35 x 7 x 7 hexahedra, damped as theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeGroupsFrame {
    /// Substeps of it.
    pub substeps: u32,
    /// Threads of the simulation.
    pub threads: usize,
    /// Its wall time, the median over the rounds [s].
    pub wall: f64,
}

/// Damping of that bar [1/s].
const DAMPING: f64 = 2.0;

impl ShapeGroupsFrame {
    /// Times so many frames.
    ///
    /// # Errors
    /// If there is no memory or there are no threads, or the simulation cannot go on.
    pub fn measure(substeps: u32, processor: Processor, rounds: usize) -> Result<Self, BenchError> {
        let mut world = bar(GROUP_LAWS[0], [35, 7, 7], DAMPING)?;
        let mut stepper = processor.stepper()?;
        let dt = 1.0 / 60.0 / f64::from(substeps);
        let mut walls = Vec::new();
        for round in 0..1 + rounds {
            let start = Instant::now();
            for _ in 0..substeps {
                stepper.substep(&mut world, dt)?;
            }
            if round > 0 {
                walls.push(start.elapsed().as_secs_f64());
            }
        }
        Ok(Self {
            substeps,
            threads: stepper.threads(),
            wall: median(walls),
        })
    }
}

/// A bar that is thrown.
///
/// * `damping` — of what is not a rigid motion of a group [1/s]
fn bar(law: &str, [nx, ny, nz]: [u32; 3], damping: f64) -> Result<World, BenchError> {
    let size = [nx, ny, nz].map(|n| 0.05 * f64::from(n));
    let text = format!(
        "scene.duration = 1\nsolver.iterations = 1\nsolver.shape-groups.damping = {damping:?}\n[material.rubber]\nlaw = \"{law}\"\ndensity = 1000.0\n\
         youngs_modulus = 1e5\npoissons_ratio = 0.45\n[[body]]\nname = \"bar\"\nmaterial = \"rubber\"\n\
         method = \"shape-groups\"\nspacing = 0.05\nshape = {{ box = {{ size = {size:?} }} }}\nspin = [90, 40, 20]\n"
    );
    let scene = Scene::parse(&text, "bench.toml", Path::new("."), &Overrides::default())?;
    let built = scene.build(BuildWith {
        meshes: &InputFiles::default(),
        memory: available_memory(),
    })?;
    Ok(World::new(built.setup))
}

/// The members of all groups, one group after the other.
fn members(world: &World) -> Vec<u32> {
    let bodies = ShapeGroupsSetup::of(&world.setup).bodies;
    let groups = bodies.iter().map(|body| &body.groups);
    let of_groups = groups.flat_map(|groups| (0..groups.len()).map(|k| groups.members_of(k)));
    of_groups.flatten().copied().collect()
}

/// Time of reading the record of each member and of writing it back [s].
fn gather_and_scatter(members: &[u32], particles: usize) -> f64 {
    let mut records = vec![[1.0f32, 2.0, 3.0, 4.0]; particles];
    let start = Instant::now();
    let members = black_box(members);
    let mut sum = [0.0f32; 4];
    for &member in members {
        let record = records[member as usize];
        sum = std::array::from_fn(|k| sum[k] + record[k]);
    }
    for &member in members {
        records[member as usize] = sum;
    }
    black_box(&records);
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_bar_are_timed() {
        let frame = ShapeGroupsFrame::measure(3, Processor::with_threads(1), 2).unwrap();
        assert_eq!((frame.substeps, frame.threads), (3, 1));
        assert!(frame.wall > 0.0);
    }

    #[test]
    fn bars_of_every_law_are_timed() {
        for law in GROUP_LAWS {
            let processor = Processor::with_threads(1);
            let cost = ShapeGroups::measure(law, [6, 3, 3], processor, 2).expect(law);
            assert_eq!((cost.particles, cost.groups), (7 * 4 * 4, 54));
            assert!(cost.sweep > 0.0 && cost.substep > cost.sweep && cost.bound > 0.0);
        }
    }
}
