//! `pliant bench`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pliant::bench::{BenchError, BenchScene, Stages, bench_scenes, references, sand_block};
use pliant::machine::Machine;
use pliant::text::{duration, grouped, number, table};
use pliant_io::{create_folder, write_bytes};

use super::Failure;
use super::say::{say, say_line, tell_line};

#[derive(Args)]
pub(crate) struct BenchArguments {
    /// What is timed [default: all]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Particles of the block whose stages are timed
    #[arg(long, value_name = "N", default_value_t = 50_653, value_parser = clap::value_parser!(u64).range(8..=100_000_000))]
    particles: u64,
    /// Substeps that are timed, of which the median is told
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Threads of the simulation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Greatest block of `growth`
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(10_000..=100_000_000))]
    up_to: u64,
    /// Frames of each scene instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Where the figures are written as bench.csv
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
}

/// What can be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// A substep by stage, in multiples of the gather bound
    Stages,
    /// One thread, two, and so on to all cores, with the same bits
    Threads,
    /// Blocks from ten thousand particles on
    Growth,
    /// The scenes of `scenes/bench`, beside printed figures of other simulators
    Scenes,
}

/// A figure: part, particles, threads, what, value, unit.
type Figure = [String; 6];

pub(crate) fn execute(arguments: &BenchArguments) -> Result<(), Failure> {
    let machine = Machine::this();
    say_line(format_args!(
        "{}, {} cores, {}. Times differ with the load of the machine; multiples of the gather bound differ less.",
        machine.processor, machine.cores, machine.system
    ));
    let all = [Part::Stages, Part::Threads, Part::Growth, Part::Scenes];
    let parts = match arguments.parts.as_slice() {
        [] => &all[..],
        parts => parts,
    };
    let mut figures =
        vec![["part", "particles", "threads", "what", "value", "unit"].map(String::from)];
    for part in parts {
        figures.extend(match part {
            Part::Stages => arguments.stages()?,
            Part::Threads => arguments.threads(machine.cores)?,
            Part::Growth => arguments.growth()?,
            Part::Scenes => arguments.scenes()?,
        });
    }
    arguments.write(&figures)
}

impl BenchArguments {
    fn measure(&self, particles: u64, threads: usize) -> Result<Stages, Failure> {
        let world = sand_block(particles).map_err(BenchError::from);
        let world = world.map_err(Failure::failed)?;
        tell_line(format_args!(
            "timing a block of {} particles on {threads} threads",
            grouped(world.state.particles.len() as u64)
        ));
        Stages::measure(world, threads, usize::from(self.rounds)).map_err(Failure::failed)
    }

    fn stages(&self) -> Result<Vec<Figure>, Failure> {
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
        say_line(format_args!(
            "\nA substep of {} particles with {:.1} neighbours each; the gather bound is {:.2} ns an interaction",
            grouped(stages.particles as u64),
            stages.neighbors,
            1e9 * stages.bound
        ));
        say(table(&rows, &[1, 2, 3]));
        Ok(figures("stages", &stages))
    }

    fn threads(&self, cores: usize) -> Result<Vec<Figure>, Failure> {
        let mut all = Vec::new();
        let mut rows = vec![header(&["threads", "ns a particle", "faster", "same bits"])];
        let mut first: Option<Stages> = None;
        for threads in 1..=cores {
            let stages = self.measure(self.particles, threads)?;
            let time = substep_time(&stages);
            let one = first.get_or_insert_with(|| stages.clone());
            rows.push(vec![
                threads.to_string(),
                nanoseconds(time),
                format!("{:.2} x", substep_time(one) / time),
                if stages.end == one.end { "yes" } else { "NO" }.into(),
            ]);
            all.extend(figures("threads", &stages));
        }
        say_line("\nThe same substeps on more threads");
        say(table(&rows, &[0, 1, 2]));
        Ok(all)
    }

    fn growth(&self) -> Result<Vec<Figure>, Failure> {
        let sizes = [
            10_000, 50_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
        ];
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "particles",
            "ns a particle",
            "sweep",
            "find",
            "substep",
            "bound [ns]",
        ])];
        for size in sizes.into_iter().filter(|&size| size <= self.up_to) {
            let stages = self.measure(size, usize::from(self.threads))?;
            let bounds = |name: &str| {
                let cost = stages.cost(name);
                cost.map_or(String::new(), |cost| format!("{:.1}", cost.bounds))
            };
            rows.push(vec![
                grouped(stages.particles as u64),
                nanoseconds(substep_time(&stages)),
                bounds("sweep"),
                bounds("find"),
                bounds("substep"),
                format!("{:.2}", 1e9 * stages.bound),
            ]);
            all.extend(figures("growth", &stages));
        }
        say_line("\nHow cost grows; sweep, find and substep in gather bounds of the same block");
        say(table(&rows, &[0, 1, 2, 3, 4, 5]));
        Ok(all)
    }

    fn scenes(&self) -> Result<Vec<Figure>, Failure> {
        let threads = usize::from(self.threads);
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "scene",
            "simulator",
            "s a simulated s",
            "µs a particle and step",
        ])];
        for scene in bench_scenes() {
            tell_line(format_args!("running {} on {threads} threads", scene.name));
            let done = BenchScene::run(scene, threads, self.frames).map_err(Failure::failed)?;
            rows.push(vec![
                scene.name.into(),
                format!("Pliant, {} of simulated time", duration(done.simulated)),
                number(done.seconds_per_second()),
                format!("{:.2}", 1e6 * done.per_particle()),
            ]);
            for reference in references(scene.name) {
                let [least, most] = reference.seconds;
                rows.push(vec![
                    String::new(),
                    reference.simulator.into(),
                    format!("{}-{} (printed)", number(least), number(most)),
                    String::new(),
                ]);
            }
            all.push(
                [
                    "scenes",
                    &done.particles.to_string(),
                    &threads.to_string(),
                    scene.name,
                    &format!("{:.4}", done.seconds_per_second()),
                    "s/s",
                ]
                .map(String::from),
            );
        }
        say_line("\nScenes, without outputs");
        say(table(&rows, &[2, 3]));
        Ok(all)
    }

    fn write(&self, figures: &[Figure]) -> Result<(), Failure> {
        let path = self.out.join("bench.csv");
        create_folder(&self.out).map_err(Failure::failed)?;
        let lines: Vec<String> = figures.iter().map(|f| f.join(",") + "\n").collect();
        write_bytes(&path, lines.concat().as_bytes()).map_err(Failure::failed)?;
        say_line(format_args!("\nfigures  {}", path.display()));
        Ok(())
    }
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

/// All figures of a measurement.
fn figures(part: &str, stages: &Stages) -> Vec<Figure> {
    let figure = |what: &str, value: f64, unit: &str| {
        let (particles, threads) = (stages.particles.to_string(), stages.threads.to_string());
        let value = format!("{value:.4}");
        [part, &particles, &threads, what, &value, unit].map(String::from)
    };
    let mut all = vec![
        figure("neighbours", stages.neighbors, "1/particle"),
        figure("gather bound", 1e9 * stages.bound, "ns/interaction"),
    ];
    for cost in &stages.costs {
        all.push(figure(&cost.name, 1e9 * cost.per_particle, "ns/particle"));
        all.push(figure(&cost.name, cost.bounds, "gather bounds"));
    }
    all
}
