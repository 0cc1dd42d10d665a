//! `sweep.csv`: a row a run.

use pliant_io::csv_text;

use super::combinations::Sweep;
use super::outcome::Outcome;
use crate::expectation::Verdict;

/// The table: values, how the run stands, what was expected, the last row of its tables.
pub fn csv(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let columns = columns(outcomes);
    let expectations: &[Verdict] = outcomes
        .iter()
        .map(|outcome| outcome.verdicts.as_slice())
        .max_by_key(|verdicts| verdicts.len())
        .unwrap_or_default();
    let mut header = vec!["run".to_owned()];
    header.extend(sweep.varied().iter().map(|vary| vary.key.clone()));
    header.extend(["status", "wall", "frames", "particles_at_end"].map(String::from));
    for verdict in expectations {
        let name = format!("{} {}", verdict.expectation.column, verdict.moment_text());
        header.extend([format!("expect {name}"), format!("passes {name}")]);
    }
    header.extend(columns.iter().cloned());
    let mut rows = vec![header];
    for outcome in outcomes {
        let mut row = vec![outcome.combination.folder.clone()];
        row.extend(outcome.combination.values.iter().cloned());
        row.extend([
            outcome.status().to_owned(),
            format!("{:?}", outcome.wall),
            outcome.frames.to_string(),
            outcome.particles.to_string(),
        ]);
        for place in 0..expectations.len() {
            row.extend(cells(outcome.verdicts.get(place)));
        }
        let last = |name: &String| {
            outcome
                .last(name)
                .map_or(String::new(), |v| format!("{v:?}"))
        };
        row.extend(columns.iter().map(last));
        rows.push(row);
    }
    csv_text(rows)
}

/// The columns of the runs' tables: those of the probes first, none twice.
fn columns(outcomes: &[Outcome]) -> Vec<String> {
    let tables = outcomes
        .iter()
        .filter_map(|outcome| outcome.columns.as_ref());
    let mut names: Vec<String> = Vec::new();
    let probes = tables.clone().map(|(columns, _)| &columns.probes);
    for table in probes.chain(tables.map(|(columns, _)| &columns.stats)) {
        for name in table.columns() {
            // What a row says already has its own columns, the wall time of the whole run among them.
            if !["frame", "wall"].contains(&name.as_str()) && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// The value and whether it is what was expected; empty for none.
fn cells(verdict: Option<&Verdict>) -> [String; 2] {
    let Some(verdict) = verdict else {
        return [String::new(), String::new()];
    };
    let value = verdict.found.as_ref();
    let value = value.map_or(String::new(), |value| format!("{value:?}"));
    [value, verdict.passes().to_string()]
}
