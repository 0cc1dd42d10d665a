//! The part `strain-energy`.

use pliant::bench::{BesidePrinted, ORDERINGS, Solids, table_1};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

impl BenchArguments {
    /// A block of solid, with each order of projections, on one thread and on all.
    pub(super) fn solids(&self, cores: usize) -> Result<Vec<Solids>, Failure> {
        let mut all: Vec<Solids> = Vec::new();
        for ordering in ORDERINGS {
            for threads in thread_counts(cores) {
                eprint_line(format_args!(
                    "timing a block of solid, {ordering}, threads: {threads}"
                ));
                let (processor, rounds) = (self.processor(threads), usize::from(self.rounds));
                let solids = Solids::measure(self.particles, ordering, processor, rounds);
                all.push(solids.map_err(Failure::failed)?);
            }
        }
        print_sweeps(&all);
        print_stages(&all);
        Ok(all)
    }

    /// Blocks of as many particles as the rows of Table 1 of Cao et al. (2023) have.
    pub(super) fn printed(&self, cores: usize) -> Result<Vec<BesidePrinted>, Failure> {
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "experiment",
            "particles",
            "substeps x iterations",
            "printed ms",
            "of that collisions",
            "printed 1e6 evaluations/s",
            "here",
            "threads",
        ])];
        let up_to = self.up_to.unwrap_or(u64::MAX);
        for printed in table_1().iter().filter(|row| row.particles <= up_to) {
            eprint_line(format_args!(
                "timing as many particles as {}",
                printed.experiment
            ));
            for threads in thread_counts(cores) {
                let beside = BesidePrinted::measure(printed.clone(), self.processor(threads));
                let beside = beside.map_err(Failure::failed)?;
                let collisions = match printed.collisions > 0.0 {
                    true => format!("{:.1}", printed.collisions),
                    false => "not printed".into(),
                };
                rows.push(vec![
                    printed.experiment.clone(),
                    grouped(printed.particles),
                    format!("{} x {}", printed.substeps, printed.iterations),
                    format!("{:.1}", printed.milliseconds),
                    collisions,
                    format!("{:.1}", 1e-6 * printed.evaluations()),
                    format!("{:.1}", 1e-6 * beside.evaluations),
                    beside.threads.to_string(),
                ]);
                all.push(beside);
            }
        }
        print_line(
            "\nBeside Table 1 of Cao et al. 2023 (GTX 1080): printed without collisions; here blocks of \
             as many particles that meet nothing, whole substeps, not their scenes",
        );
        print_text(table(&rows, &[1, 3, 4, 5, 6, 7]));
        Ok(all)
    }
}

/// One, and all cores.
fn thread_counts(cores: usize) -> impl Iterator<Item = usize> {
    std::iter::once(1).chain((cores > 1).then_some(cores))
}

fn print_sweeps(all: &[Solids]) {
    let mut rows = vec![header(&[
        "sweep",
        "threads",
        "ns an edge",
        "gather bounds",
        "bounds of both passes",
        "1e6 evaluations/s",
    ])];
    for solids in all {
        let sweeps = [
            ("first", solids.first_sweep),
            ("further", solids.further_sweep),
        ];
        for (name, time) in sweeps {
            rows.push(vec![
                format!("{}, {name}", solids.ordering),
                solids.threads.to_string(),
                format!("{:.2}", 1e9 * time),
                format!("{:.2}", time / solids.bounds.gather),
                format!("{:.2}", time / solids.bounds.both()),
                format!("{:.1}", 1e-6 * solids.evaluations()),
            ]);
        }
    }
    if let Some(first) = all.first() {
        print_line(format_args!(
            "\nA sweep over {} particles with {:.1} neighbours each. The gather bound is {:.2} ns an edge; \
             both passes with gradients take {:.2} bare, {:.2} for vectors and {:.2} for matrices",
            grouped(first.particles as u64),
            first.edges as f64 / first.particles.max(1) as f64,
            1e9 * first.bounds.gather,
            1e9 * first.bounds.both(),
            1e9 * first.bounds.vectors,
            1e9 * first.bounds.matrices
        ));
    }
    print_text(table(&rows, &[1, 2, 3, 4, 5]));
}

fn print_stages(all: &[Solids]) {
    let mut names = vec![String::new()];
    let stages = all.first().map_or(&[][..], |solids| &solids.stages[..]);
    names.extend(all.iter().map(|s| format!("{}, {}", s.ordering, s.threads)));
    let mut rows = vec![names];
    let mut add = |name: &str, of: &dyn Fn(&Solids) -> String| {
        let values = all.iter().map(of);
        rows.push(std::iter::once(name.to_owned()).chain(values).collect());
    };
    let milliseconds = |seconds: f64| format!("{:.2}", 1e3 * seconds);
    for (k, &(name, _)) in stages.iter().enumerate() {
        if all.iter().any(|solids| solids.stages[k].1 > 0.0) {
            add(name, &|s| milliseconds(s.stages[k].1));
        }
    }
    add("contacts [%]", &|s| {
        format!("{:.0}", 100.0 * s.contact_share)
    });
    add("making the block", &|s| milliseconds(s.making));
    add("first substep", &|s| milliseconds(s.first_substep));
    print_line("\nA substep of four sweeps by stage [ms], order of projections and threads");
    let right: Vec<usize> = (1..=all.len()).collect();
    print_text(table(&rows, &right));
}
