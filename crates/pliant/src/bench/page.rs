//! `bench.html`: charts of the times.

use super::printed::BesidePrinted;
use super::references::references;
use super::results::Results;
use super::solids::Solids;
use super::springs::{SOLVES, SPRING_LAWS, Springs};
use super::stages::Stages;
use crate::machine::Machine;
use crate::page::{self, Across, Chart, Scaling, Series, bars, escaped, grid, heading};
use crate::text::{bytes, duration, grouped, number};

/// Parts of the substep whose growth is drawn.
const GROWING: &[&str] = &["substep", "project", "sweep", "search"];

/// The page of what was timed on a machine.
pub fn page(results: &Results, machine: &Machine) -> String {
    let below = format!(
        "{}, {} cores, {} of memory, {}; Pliant {}",
        machine.processor,
        machine.cores,
        bytes(machine.memory),
        machine.system,
        env!("CARGO_PKG_VERSION")
    );
    let body = [
        heading("Benchmark", &below),
        "<p class=\"note\">Times differ with the load of the machine; multiples of the gather bound, \
         which reads each neighbour's index and velocity once on one thread, differ less.</p>\n"
            .to_owned(),
        grid("Stages of a substep", &results.stages.as_ref().map_or(String::new(), stages)),
        grid("Laws", &laws(results)),
        grid("Threads", &threads(results).figure()),
        grid("Growth", &growth(results)),
        springs(&results.springs),
        solids(&results.solids),
        printed(&results.printed),
        scenes(results),
    ];
    page::page("Benchmark", &body.concat())
}

fn stages(stages: &Stages) -> String {
    let named = |of: fn(&super::StageCost) -> f64| {
        let costs = stages.costs.iter().filter(|cost| cost.per_particle > 0.0);
        let values: Vec<(String, f64)> = costs.map(|c| (c.name.clone(), of(c))).collect();
        values
    };
    let title = |what: &str| {
        let (particles, threads) = (grouped(stages.particles as u64), stages.threads);
        format!("{what}, {particles} particles, threads: {threads}")
    };
    [
        bars(
            &title("Time"),
            "ns a particle",
            &named(|c| 1e9 * c.per_particle),
        ),
        bars(&title("Cost"), "gather bounds", &named(|c| c.bounds)),
    ]
    .concat()
}

/// A sweep of each law.
fn laws(results: &Results) -> String {
    let sweep = |(law, stages): &(String, Stages)| {
        let bounds = stages.cost("sweep").map_or(f64::NAN, |cost| cost.bounds);
        (law.clone(), bounds)
    };
    let sweeps: Vec<(String, f64)> = results.laws.iter().map(sweep).collect();
    match sweeps.is_empty() {
        true => String::new(),
        false => bars(
            "A sweep, gradients in full precision",
            "gather bounds",
            &sweeps,
        ),
    }
}

/// How much faster the substep is on more threads.
fn threads(results: &Results) -> Chart {
    let times = results.threads.iter().map(|stages| {
        let cost = stages.cost("substep");
        (
            stages.threads as f64,
            cost.map_or(f64::NAN, |c| c.per_particle),
        )
    });
    let times: Vec<(f64, f64)> = times.collect();
    let one = times.first().map_or(1.0, |(_, time)| *time);
    let measured: Vec<[f64; 2]> = times.iter().map(|(n, time)| [*n, one / time]).collect();
    let ideal = times.iter().map(|(n, _)| [*n, *n]).collect();
    let series = |name: &str, points, is_dashed| Series {
        name: name.to_owned(),
        points,
        is_dashed,
    };
    Chart {
        title: "Times as fast as one thread".into(),
        across: across("threads"),
        series: vec![
            series("measured", measured, false),
            series("ideal", ideal, true),
        ],
        has_points: true,
        ..Chart::default()
    }
}

/// Time, cost and memory over the number of particles.
fn growth(results: &Results) -> String {
    let points = |of: &dyn Fn(&Stages) -> Option<f64>| -> Vec<[f64; 2]> {
        let blocks = results.growth.iter();
        blocks
            .filter_map(|b| Some([b.particles as f64, of(b)?]))
            .collect()
    };
    let line = |name: &str, points| Series {
        name: name.to_owned(),
        points,
        is_dashed: false,
    };
    let lines = |of: fn(&super::StageCost) -> f64| {
        let names = GROWING.iter();
        let series = names.map(|name| line(name, points(&|b| b.cost(name).map(of))));
        series.collect::<Vec<_>>()
    };
    let chart = |title: &str, unit: &str, series| Chart {
        title: title.to_owned(),
        unit: unit.to_owned(),
        across: across("particles"),
        scaling: [Scaling::Logarithmic, Scaling::Linear],
        series,
        has_points: true,
        ..Chart::default()
    };
    let memory = line("memory", points(&|block| results.memory_of(block)));
    let bound = line("gather bound", points(&|block| Some(1e9 * block.bound)));
    [
        chart("Time a particle", "ns", lines(|c| 1e9 * c.per_particle)),
        chart("Cost", "gather bounds", lines(|c| c.bounds)),
        chart("Gather bound", "ns an interaction", vec![bound]),
        chart("Memory a particle", "bytes", vec![memory]),
    ]
    .map(|chart| chart.figure())
    .concat()
}

fn across(name: &str) -> Across {
    Across {
        name: name.to_owned(),
        unit: String::new(),
    }
}

/// Forces, derivatives and solve of sheets of springs with each law; empty without any.
fn springs(all: &[Springs]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let charts = SOLVES.map(|solve| {
        let title = match solve {
            Some(steps) => format!("{steps} steps of conjugate gradients, as published"),
            None => "Until solved".to_owned(),
        };
        let line = |law: &&str| {
            let of_law = all.iter().filter(|s| s.law == *law && s.solve == solve);
            let point = |s: &Springs| {
                let particles = s.particles as f64;
                [particles, 1e9 * s.predict / particles]
            };
            Series {
                name: (*law).to_owned(),
                points: of_law.map(point).collect(),
                is_dashed: false,
            }
        };
        Chart {
            title,
            unit: "ns a particle".into(),
            across: across("particles"),
            scaling: [Scaling::Logarithmic, Scaling::Linear],
            series: SPRING_LAWS.iter().map(line).collect(),
            has_points: true,
            ..Chart::default()
        }
    });
    let figures = charts.map(|chart| chart.figure()).concat();
    grid(
        "Sheets of springs (Vogiannou et al. 2010, Fig. 7)",
        &figures,
    )
}

/// Sweeps of solids and where the rest of the substep goes; empty without any.
fn solids(all: &[Solids]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let figures = all.iter().map(|solids| {
        let title = format!(
            "{}, {} particles, threads: {}",
            solids.ordering,
            grouped(solids.particles as u64),
            solids.threads
        );
        let ns = |name: &str, time| (name.to_owned(), 1e9 * time);
        let costs = [
            ns("gather bound", solids.bounds.gather),
            ns("both passes, bare", solids.bounds.both()),
            ns("first sweep", solids.first_sweep),
            ns("further sweep", solids.further_sweep),
        ];
        let stages = solids.stages.iter().filter(|stage| stage.1 > 0.0);
        let stages: Vec<_> = stages
            .map(|(name, time)| ((*name).to_owned(), 1e3 * time))
            .collect();
        let of_contacts = format!("{title}: contacts {:.0} %", 100.0 * solids.contact_share);
        bars(&title, "ns an edge", &costs) + &bars(&of_contacts, "ms", &stages)
    });
    grid("Solids (strain-energy)", &figures.collect::<String>())
}

/// A table of blocks beside printed rows; empty without any.
fn printed(all: &[BesidePrinted]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let header = [
        "experiment",
        "particles",
        "substeps × iterations",
        "million evaluations a second, printed",
        "here",
        "threads",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(all.iter().map(|beside| {
        let row = &beside.printed;
        vec![
            escaped(&row.experiment),
            grouped(row.particles),
            format!("{} × {}", row.substeps, row.iterations),
            format!("{:.1}", 1e-6 * row.evaluations()),
            format!("{:.1}", 1e-6 * beside.evaluations),
            beside.threads.to_string(),
        ]
    }));
    format!(
        "<section>\n<h2>Beside Table 1 of Cao et al. 2023</h2>\n<p class=\"note\">Printed: particles, \
         substeps and iterations over the time of a step without collisions, on a GTX 1080. Here: a \
         spinning block of as many particles that meets nothing, whole substeps; the scenes are not \
         theirs.</p>\n{}</section>\n",
        page::table(&rows, &[1, 3, 4, 5])
    )
}

/// A table of the scenes beside printed figures of other simulators; empty without scenes.
fn scenes(results: &Results) -> String {
    if results.scenes.is_empty() {
        return String::new();
    }
    let header = ["scene", "simulator", "s a simulated s"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for (name, threads, done) in &results.scenes {
        let how = format!(
            "Pliant, threads: {threads}, {} simulated",
            duration(done.simulated)
        );
        rows.push(vec![
            escaped(name),
            escaped(&how),
            number(done.seconds_per_second()),
        ]);
        for reference in references(name) {
            let [least, most] = reference.seconds.map(number);
            let printed = format!("{least} to {most}, printed");
            rows.push(vec![String::new(), escaped(&reference.simulator), printed]);
        }
    }
    format!(
        "<section>\n<h2>Scenes</h2>\n{}</section>\n",
        page::table(&rows, &[2])
    )
}
