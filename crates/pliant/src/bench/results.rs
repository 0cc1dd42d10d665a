//! Everything that was timed, as `bench.csv`.

use pliant_io::csv_text;

use super::muscle::{MuscleCost, MuscleScan};
use super::printed::BesidePrinted;
use super::scenes::BenchScene;
use super::shape_groups::{ShapeGroups, ShapeGroupsFrame};
use super::solids::Solids;
use super::springs::Springs;
use super::stages::Stages;

/// Everything that was timed; what was not asked for is empty.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Memory of the process before anything was made [bytes]; `None` where the system does not tell.
    pub resident_before: Option<u64>,
    /// A substep by stage.
    pub stages: Option<Stages>,
    /// The same of each law, with kernel gradients in full precision.
    pub laws: Vec<(String, Stages)>,
    /// The same on one thread, two, and so on.
    pub threads: Vec<Stages>,
    /// Blocks of more and more particles.
    pub growth: Vec<Stages>,
    /// Blocks of solid.
    pub solids: Vec<Solids>,
    /// Sheets of springs.
    pub springs: Vec<Springs>,
    /// Bars of shape groups.
    pub shape_groups: Vec<ShapeGroups>,
    /// Frames of a bar of them.
    pub shape_group_frames: Vec<ShapeGroupsFrame>,
    /// Cubes of flesh and muscle.
    pub muscle: Vec<MuscleCost>,
    /// The step that is chosen for them, beside others.
    pub muscle_scans: Vec<MuscleScan>,
    /// Blocks beside printed figures, for numbers of threads.
    pub printed: Vec<BesidePrinted>,
    /// Names of scenes, threads and what they took.
    pub scenes: Vec<(String, usize, BenchScene)>,
}

/// A figure: part, particles, threads, what, value, unit.
type Figure = [String; 6];

impl Results {
    /// Memory that a particle of a block takes [bytes]: what the process had in use with the block at
    /// its last substep, less what it had before anything was made. The setup, the state, neighbour
    /// lists and scratch are in it, and what the allocator keeps of smaller blocks.
    pub fn memory_of(&self, block: &Stages) -> Option<f64> {
        let grown = block.resident?.checked_sub(self.resident_before?)?;
        Some(grown as f64 / block.particles.max(1) as f64)
    }

    /// The table: a row a figure.
    pub fn csv(&self) -> String {
        let header = ["part", "particles", "threads", "what", "value", "unit"];
        let mut rows = vec![header.map(String::from)];
        rows.extend(self.stages.iter().flat_map(|s| figures("stages", s)));
        for (law, stages) in &self.laws {
            rows.extend(figures(law, stages));
        }
        rows.extend(self.threads.iter().flat_map(|s| figures("threads", s)));
        for block in &self.growth {
            rows.extend(figures("growth", block));
            let memory = self.memory_of(block);
            rows.extend(memory.map(|m| figure("growth", block, ("memory", m, "bytes/particle"))));
        }
        rows.extend(self.solids.iter().flat_map(solid_figures));
        rows.extend(self.springs.iter().flat_map(spring_figures));
        rows.extend(self.shape_groups.iter().flat_map(group_figures));
        rows.extend(self.shape_group_frames.iter().map(frame_figure));
        rows.extend(self.muscle.iter().flat_map(muscle_figures));
        rows.extend(self.muscle_scans.iter().map(scan_figure));
        rows.extend(self.printed.iter().flat_map(printed_figures));
        for (name, threads, done) in &self.scenes {
            let (particles, threads) = (done.particles.to_string(), threads.to_string());
            let value = format!("{:.4}", done.seconds_per_second());
            rows.push(["scenes", &particles, &threads, name, &value, "s/s"].map(String::from));
            if let Some(time) = done.per_constraint() {
                let value = format!("{:.4}", 1e9 * time);
                let row = [
                    "scenes",
                    &particles,
                    &threads,
                    name,
                    &value,
                    "ns/constraint",
                ];
                rows.push(row.map(String::from));
            }
        }
        csv_text(rows)
    }
}

/// All figures of a measurement.
fn figures(part: &str, stages: &Stages) -> Vec<Figure> {
    let figure = |what, value, unit| figure(part, stages, (what, value, unit));
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

fn figure(part: &str, stages: &Stages, what: (&str, f64, &str)) -> Figure {
    row(part, stages.particles, stages.threads, what)
}

/// All figures of a block of solid; those of contacts and set-up are named after the order of
/// projections too, because they were measured with it.
fn solid_figures(solids: &Solids) -> Vec<Figure> {
    let Solids {
        bounds, ordering, ..
    } = solids;
    let part = format!("strain-energy {ordering}");
    let figure = |what: &str, value, unit| {
        let what = (what, value, unit);
        row(&part, solids.particles, solids.threads, what)
    };
    let sweeps = [
        ("first sweep", solids.first_sweep),
        ("further sweep", solids.further_sweep),
    ];
    let mut all = vec![
        figure("gather bound", 1e9 * bounds.gather, "ns/edge"),
        figure("bound of both passes", 1e9 * bounds.both(), "ns/edge"),
    ];
    for (name, time) in sweeps {
        all.push(figure(name, 1e9 * time, "ns/edge"));
        all.push(figure(name, time / bounds.gather, "gather bounds"));
        all.push(figure(name, time / bounds.both(), "bounds of both passes"));
    }
    all.push(figure("evaluations", 1e-6 * solids.evaluations(), "1e6/s"));
    let stages = solids.stages.iter();
    all.extend(stages.map(|&(name, time)| figure(name, 1e3 * time, "ms")));
    all.push(figure("contacts", 100.0 * solids.contact_share, "%"));
    all.push(figure("making", 1e3 * solids.making, "ms"));
    all.push(figure("first substep", 1e3 * solids.first_substep, "ms"));
    all
}

/// All figures of a sheet of springs.
fn spring_figures(springs: &Springs) -> Vec<Figure> {
    let solve = match springs.solve {
        Some(steps) => format!("{steps} steps"),
        None => "solved".into(),
    };
    let part = format!("{} {solve}", springs.law);
    let figure = |what: &str, value, unit| {
        let what = (what, value, unit);
        row(&part, springs.particles, springs.threads, what)
    };
    vec![
        figure("springs", springs.springs as f64, ""),
        figure("steps", springs.steps, ""),
        figure("predict", 1e3 * springs.predict, "ms"),
        figure("substep", 1e3 * springs.substep, "ms"),
        figure("sparse product", 1e3 * springs.bound, "ms"),
    ]
}

/// All figures of a bar of shape groups.
fn group_figures(groups: &ShapeGroups) -> Vec<Figure> {
    let part = format!("shape-groups {}", groups.law);
    let figure = |what: &str, value, unit| {
        let what = (what, value, unit);
        row(&part, groups.particles, groups.threads, what)
    };
    vec![
        figure("groups", groups.groups as f64, ""),
        figure("sweep", 1e9 * groups.per_group(), "ns/group"),
        figure("substep", 1e3 * groups.substep, "ms"),
        figure(
            "substep",
            1e9 * groups.substep / groups.groups.max(1) as f64,
            "ns/group",
        ),
        figure("gather and scatter", 1e3 * groups.bound, "ms"),
    ]
}

/// A frame of the bar of shape groups.
fn frame_figure(frame: &ShapeGroupsFrame) -> Figure {
    let what = format!("frame of {} substeps", frame.substeps);
    let what = (what.as_str(), 1e3 * frame.wall, "ms");
    row("shape-groups bar", 2304, frame.threads, what)
}

/// All figures of a cube of flesh and muscle.
fn muscle_figures(cost: &MuscleCost) -> Vec<Figure> {
    let part = format!("muscle {} {:.0e} Pa", cost.way, cost.youngs_modulus);
    let figure = |what: &str, value, unit| {
        let what = (what, value, unit);
        row(&part, cost.particles, cost.threads, what)
    };
    vec![
        figure("step", 1e3 * cost.step, "ms"),
        figure("steps of the system", cost.solves[0], ""),
        figure("steps for the volume", cost.solves[1], ""),
        figure("predict", 1e9 * cost.per_particle(), "ns/particle"),
        figure("predict", cost.predict / cost.bound, "bounds"),
        figure("substep", 1e3 * cost.substep, "ms"),
        figure("simulated second", cost.seconds_per_second(), "s/s"),
    ]
}

/// What the chosen step of a cube costs over the cheapest.
fn scan_figure(scan: &MuscleScan) -> Figure {
    let chosen = scan.chosen();
    let part = format!("muscle {} {:.0e} Pa", chosen.way, chosen.youngs_modulus);
    let what = ("chosen step over the cheapest", scan.over_cheapest(), "");
    row(&part, chosen.particles, chosen.threads, what)
}

/// A block beside a printed row.
fn printed_figures(beside: &BesidePrinted) -> Vec<Figure> {
    let printed = &beside.printed;
    let part = format!("Cao et al. 2023 {}", printed.experiment);
    let figure = |what: &str, value, unit| {
        let what = (what, value, unit);
        row(&part, beside.particles, beside.threads, what)
    };
    vec![
        figure("step", 1e3 * beside.step, "ms"),
        figure("evaluations", 1e-6 * beside.evaluations, "1e6/s"),
        figure("printed evaluations", 1e-6 * printed.evaluations(), "1e6/s"),
    ]
}

fn row(
    part: &str,
    particles: usize,
    threads: usize,
    (what, value, unit): (&str, f64, &str),
) -> Figure {
    let (particles, threads) = (particles.to_string(), threads.to_string());
    [
        part,
        &particles,
        &threads,
        what,
        &format!("{value:.4}"),
        unit,
    ]
    .map(String::from)
}
