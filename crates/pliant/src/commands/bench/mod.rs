//! `pliant bench`.

mod muscle;
mod shape_groups;
mod solids;
mod springs;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pliant::bench::{
    BenchError, BenchScene, LAWS, Processor, Results, Stages, bench_scenes, law_block, page,
    references, sand_block,
};
use pliant::machine::{Machine, available_memory, resident_memory};
use pliant::text::{bytes, grouped, number, table};
use pliant_io::{create_folder, write_bytes};
use pliant_math::simd::Instructions;

use super::Failure;
use super::arguments::instructions;
use super::print::{eprint_line, print_line, print_text};

#[derive(Args)]
pub(crate) struct BenchArguments {
    /// What is timed [default: all]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Particles of the block whose stages are timed
    #[arg(long, value_name = "N", default_value_t = 50_653, value_parser = clap::value_parser!(u64).range(8..=100_000_000))]
    particles: u64,
    /// Substeps that are timed; the median is printed
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Threads of the simulation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Vector instructions [default: the best that this processor has]
    #[arg(long, value_name = "NAME", value_parser = instructions)]
    instructions: Option<Instructions>,
    /// Greatest block of `growth` and of published rows in `strain-energy` [default: 2000000, less where memory does not allow it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(10_000..=100_000_000))]
    up_to: Option<u64>,
    /// Frames of each scene instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Where bench.csv and bench.html are written
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
}

/// What can be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// A substep by stage, in multiples of the gather bound
    Stages,
    /// A sweep of each law, beside sand in the same run
    Laws,
    /// A sweep of `strain-energy` in multiples of the time of reading its neighbours, beside published
    /// figures
    StrainEnergy,
    /// Sheets of springs with each law, beside a sparse product
    Springs,
    /// Bars of shape groups with each law, beside reading and writing their members
    ShapeGroups,
    /// Cubes of flesh and muscle, explicit and implicit, and the chosen step beside a scan over both
    Muscle,
    /// One thread, two, and so on to all cores; the bits are the same
    Threads,
    /// Blocks from ten thousand particles on
    Growth,
    /// The scenes of `scenes/bench`, beside published figures of other simulators
    Scenes,
}

/// Greatest block of `growth` that nobody asked for.
const GREATEST: u64 = 2_000_000;
/// Memory that a particle is expected to take before any was measured [bytes], and the share by
/// which making a block may exceed it.
const EXPECTED_MEMORY: f64 = 1000.0;
const WHILE_MADE: f64 = 1.5;

pub(crate) fn execute(arguments: &BenchArguments) -> Result<(), Failure> {
    let machine = Machine::this();
    print_line(format_args!(
        "{}, {} cores, {}. Times differ with the load of the machine; multiples of the gather bound differ less.",
        machine.processor, machine.cores, machine.system
    ));
    let all = [
        Part::Stages,
        Part::Laws,
        Part::StrainEnergy,
        Part::Springs,
        Part::ShapeGroups,
        Part::Muscle,
        Part::Threads,
        Part::Growth,
        Part::Scenes,
    ];
    let parts = match arguments.parts.as_slice() {
        [] => &all[..],
        parts => parts,
    };
    let mut results = Results {
        resident_before: resident_memory(),
        ..Results::default()
    };
    for part in parts {
        match part {
            Part::Stages => results.stages = Some(arguments.stages()?),
            Part::Laws => results.laws = arguments.laws()?,
            Part::StrainEnergy => {
                results.solids = arguments.solids(machine.cores)?;
                results.printed = arguments.printed(machine.cores)?;
            }
            Part::Springs => results.springs = arguments.springs()?,
            Part::ShapeGroups => {
                results.shape_groups = arguments.shape_groups()?;
                results.shape_group_frames = arguments.shape_group_frames()?;
            }
            Part::Muscle => {
                results.muscle = arguments.muscle()?;
                results.muscle_scans = arguments.muscle_scans()?;
            }
            Part::Threads => results.threads = arguments.threads(machine.cores)?,
            Part::Growth => arguments.growth(&mut results)?,
            Part::Scenes => results.scenes = arguments.scenes()?,
        }
    }
    arguments.write(&results, &machine)
}

impl BenchArguments {
    fn processor(&self, threads: usize) -> Processor {
        Processor {
            instructions: self.instructions.unwrap_or(Instructions::best()),
            threads,
        }
    }

    fn measure(&self, particles: u64, threads: usize) -> Result<Stages, Failure> {
        let world = sand_block(particles).map_err(BenchError::from);
        let world = world.map_err(Failure::failed)?;
        eprint_line(format_args!(
            "timing a block of {} particles on {threads} threads",
            grouped(world.state.particles.len() as u64)
        ));
        Stages::measure(world, self.processor(threads), usize::from(self.rounds))
            .map_err(Failure::failed)
    }

    fn stages(&self) -> Result<Stages, Failure> {
        let stages = self.measure(self.particles, usize::from(self.threads))?;
        let mut rows = vec![header(&[
            "",
            "ns a particle",
            "ns an interaction",
            "gather bounds",
        ])];
        rows.extend(
            stages
                .costs
                .iter()
                .filter(|c| c.per_particle > 0.0)
                .map(|cost| {
                    vec![
                        cost.name.clone(),
                        nanoseconds(cost.per_particle),
                        format!("{:.2}", 1e9 * cost.per_interaction),
                        format!("{:.1}", cost.bounds),
                    ]
                }),
        );
        print_line(format_args!(
            "\nA substep of {} particles with {:.1} neighbours each; the gather bound is {:.2} ns an interaction",
            grouped(stages.particles as u64),
            stages.neighbors,
            1e9 * stages.bound
        ));
        print_text(table(&rows, &[1, 2, 3]));
        Ok(stages)
    }

    /// Each law in full precision of the kernel gradients, which only some may have in half: what the
    /// law itself costs.
    fn laws(&self) -> Result<Vec<(String, Stages)>, Failure> {
        let mut all: Vec<(String, Stages)> = Vec::new();
        let mut rows = vec![header(&[
            "law",
            "ns an interaction",
            "gather bounds",
            "over sand",
        ])];
        for (law, numbers) in LAWS {
            eprint_line(format_args!("timing a block of {law}"));
            let world = law_block(self.particles, law, numbers, "full");
            let world = world.map_err(BenchError::from).map_err(Failure::failed)?;
            let processor = self.processor(usize::from(self.threads));
            let stages = Stages::measure(world, processor, usize::from(self.rounds));
            all.push(((*law).to_owned(), stages.map_err(Failure::failed)?));
            rows.extend(law_row(&all));
        }
        print_line("\nA sweep of each law, kernel gradients in full precision");
        print_text(table(&rows, &[1, 2, 3]));
        Ok(all)
    }

    fn threads(&self, cores: usize) -> Result<Vec<Stages>, Failure> {
        let mut all: Vec<Stages> = Vec::new();
        let mut rows = vec![header(&["threads", "ns a particle", "faster", "same bits"])];
        for threads in 1..=cores {
            let stages = self.measure(self.particles, threads)?;
            let time = substep_time(&stages);
            let one = all.first().unwrap_or(&stages);
            rows.push(vec![
                threads.to_string(),
                nanoseconds(time),
                format!("{:.2} x", substep_time(one) / time),
                if stages.end == one.end { "yes" } else { "NO" }.into(),
            ]);
            all.push(stages);
        }
        print_line("\nThe same substeps on more threads");
        print_text(table(&rows, &[0, 1, 2]));
        Ok(all)
    }

    fn growth(&self, results: &mut Results) -> Result<(), Failure> {
        let sizes = [
            10_000, 50_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
        ];
        let mut rows = vec![header(&[
            "particles",
            "ns a particle",
            "sweep",
            "search",
            "substep",
            "bound [ns]",
            "bytes a particle",
        ])];
        let up_to = self.up_to.unwrap_or(GREATEST);
        for size in sizes.into_iter().filter(|&size| size <= up_to) {
            if self.up_to.is_none() && !has_memory(results, size) {
                break;
            }
            let mut stages = self.measure(size, usize::from(self.threads))?;
            // Nobody compares the blocks, and their bytes would count as memory of the next.
            stages.end = Vec::new();
            rows.push(growth_row(&stages, results.memory_of(&stages)));
            results.growth.push(stages);
        }
        print_line(
            "\nHow cost grows; sweep, search and substep in gather bounds of the same block, memory as \
             the process has grown",
        );
        print_text(table(&rows, &[0, 1, 2, 3, 4, 5, 6]));
        Ok(())
    }

    fn scenes(&self) -> Result<Vec<(String, usize, BenchScene)>, Failure> {
        let threads = usize::from(self.threads);
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "scene",
            "simulator",
            "s a simulated s",
            "µs a particle and step",
        ])];
        for scene in bench_scenes() {
            eprint_line(format_args!("running {} on {threads} threads", scene.name));
            let processor = self.processor(threads);
            let done = BenchScene::run(scene, processor, self.frames).map_err(Failure::failed)?;
            rows.push(vec![
                scene.name.into(),
                how(&done),
                number(done.seconds_per_second()),
                format!("{:.2}", 1e6 * done.per_particle()),
            ]);
            for reference in references(scene.name) {
                let [least, most] = reference.seconds;
                rows.push(vec![
                    String::new(),
                    reference.simulator.clone(),
                    format!("{}-{} (printed)", number(least), number(most)),
                    String::new(),
                ]);
            }
            all.push((scene.name.to_owned(), threads, done));
        }
        print_line("\nScenes, without outputs");
        print_text(table(&rows, &[2, 3]));
        Ok(all)
    }

    fn write(&self, results: &Results, machine: &Machine) -> Result<(), Failure> {
        let [figures, html] = ["bench.csv", "bench.html"].map(|name| self.out.join(name));
        create_folder(&self.out).map_err(Failure::failed)?;
        write_bytes(&figures, results.csv().as_bytes()).map_err(Failure::failed)?;
        write_bytes(&html, page(results, machine).as_bytes()).map_err(Failure::failed)?;
        print_line(format_args!("\nfigures  {}", figures.display()));
        print_line(format_args!("page     {}", html.display()));
        Ok(())
    }
}

/// How a scene was computed.
fn how(done: &BenchScene) -> String {
    let step = number(1e3 * done.simulated / done.substeps.max(1) as f64);
    let material = match done.per_constraint() {
        Some(time) => format!(
            "{} constraints, {} ns each",
            grouped(done.cloth_constraints as u64),
            nanoseconds(time)
        ),
        None => format!("E = {:e} Pa", done.youngs_modulus),
    };
    format!(
        "Pliant: steps of {step} ms, {} sweeps, {material}",
        done.iterations
    )
}

/// False, and says so, if there is hardly memory for a block.
fn has_memory(results: &Results, size: u64) -> bool {
    let measured = results
        .growth
        .last()
        .and_then(|block| results.memory_of(block));
    let needed = (WHILE_MADE * measured.unwrap_or(EXPECTED_MEMORY) * size as f64) as u64;
    let available = available_memory();
    if needed > available {
        eprint_line(format_args!(
            "leaving out {} particles and more: they take about {}, and {} are available",
            grouped(size),
            bytes(needed),
            bytes(available)
        ));
    }
    needed <= available
}

fn growth_row(stages: &Stages, memory: Option<f64>) -> Vec<String> {
    let bounds = |name: &str| {
        let cost = stages.cost(name);
        cost.map_or(String::new(), |cost| format!("{:.1}", cost.bounds))
    };
    vec![
        grouped(stages.particles as u64),
        nanoseconds(substep_time(stages)),
        bounds("sweep"),
        bounds("search"),
        bounds("substep"),
        format!("{:.2}", 1e9 * stages.bound),
        memory.map_or("unknown".into(), |memory| format!("{memory:.0}")),
    ]
}

/// The last law of a list, beside its first.
fn law_row(all: &[(String, Stages)]) -> Option<Vec<String>> {
    let (law, stages) = all.last()?;
    let (cost, sand) = (stages.cost("sweep")?, all.first()?.1.cost("sweep")?);
    Some(vec![
        law.clone(),
        format!("{:.2}", 1e9 * cost.per_interaction),
        format!("{:.2}", cost.bounds),
        format!("{:.2} x", cost.bounds / sand.bounds),
    ])
}

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn nanoseconds(seconds: f64) -> String {
    format!("{:.1}", 1e9 * seconds)
}

fn substep_time(stages: &Stages) -> f64 {
    stages.cost("substep").map_or(0.0, |cost| cost.per_particle)
}
