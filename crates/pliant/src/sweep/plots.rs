//! Plots of the runs of a sweep, over the varied key and over time.

use super::combinations::Sweep;
use super::outcome::Outcome;
use super::vary::as_number;
use crate::expectation::Columns;
use crate::page::{Across, Chart, MOST_SERIES, Scaling, Series, words};

/// Values over a range wider than this are laid out by decades.
const WIDE: f64 = 30.0;

/// The key that values are drawn over: the first that takes several values, all of them numbers.
fn key_across(sweep: &Sweep) -> Option<usize> {
    let varied = sweep.varied().iter();
    let mut numeric = varied.enumerate().filter(|(_, v)| v.numbers().is_some());
    let found = numeric.find(|(_, vary)| vary.values.len() > 1)?;
    Some(found.0)
}

/// Charts of values at the end of the runs over a varied key, a line for each combination of the
/// others: wall time and probes, then statistics that differ. Empty if no varied key has numbers.
pub fn over_key(sweep: &Sweep, outcomes: &[Outcome]) -> [Vec<Chart>; 2] {
    let Some(key) = key_across(sweep) else {
        return [Vec::new(), Vec::new()];
    };
    let chart = |title: &str, unit: &str, value: &dyn Fn(&Outcome) -> Option<f64>| {
        let mut chart = Chart {
            title: title.to_owned(),
            unit: unit.to_owned(),
            across: Across {
                name: words(&sweep.labels()[key]),
                unit: String::new(),
            },
            series: lines(sweep, outcomes, key, value),
            has_points: true,
            ..Chart::default()
        };
        chart.scaling[0] = scaling(&chart);
        chart
    };
    let wall = |o: &Outcome| (o.wall > 0.0).then_some(o.wall);
    let mut probes = vec![chart("Wall time", "s", &wall)];
    let mut statistics = Vec::new();
    for (name, unit, is_probe) in columns(outcomes) {
        let found = chart(&name, unit, &|outcome| outcome.last(&name));
        match is_probe {
            true => probes.push(found),
            false if changes(&found) => statistics.push(found),
            false => {}
        }
    }
    [probes, statistics]
}

/// Charts of the probes over time, a line a run, as many as there are colours.
pub fn over_time(sweep: &Sweep, outcomes: &[Outcome]) -> Vec<Chart> {
    let probes = columns(outcomes)
        .into_iter()
        .filter(|(.., is_probe)| *is_probe);
    let chart = |(name, unit, _): (String, &'static str, bool)| {
        let with_tables = outcomes
            .iter()
            .filter_map(|o| Some((o, o.columns.as_ref()?)));
        let line = |(outcome, (columns, _)): (&Outcome, &(_, _))| {
            let (time, values) = Columns::column(columns, &name)?;
            Some(Series::new(
                sweep.title(&outcome.combination),
                &time,
                &values,
            ))
        };
        Chart {
            title: name.clone(),
            unit: unit.to_owned(),
            series: with_tables.filter_map(line).take(MOST_SERIES).collect(),
            ..Chart::default()
        }
    };
    probes.map(chart).collect()
}

/// Names and units of the columns of the first run that has any, and whether they are of probes;
/// wall times of stages left out.
fn columns(outcomes: &[Outcome]) -> Vec<(String, &'static str, bool)> {
    let first = outcomes.iter().find_map(|outcome| outcome.columns.as_ref());
    let Some((columns, layout)) = first else {
        return Vec::new();
    };
    let of = |table: &pliant_io::Table, is_probe: bool| {
        let names = table.columns().iter();
        let names = names.filter(|n| !["frame", "time"].contains(&n.as_str()));
        let names = names.filter(|n| !n.starts_with("wall"));
        let found: Vec<_> = names
            .map(|n| (n.clone(), layout.unit(n), is_probe))
            .collect();
        found
    };
    [of(&columns.probes, true), of(&columns.stats, false)].concat()
}

/// A line for each combination of the keys that are not across, as many as there are colours.
fn lines(
    sweep: &Sweep,
    outcomes: &[Outcome],
    key: usize,
    value: &dyn Fn(&Outcome) -> Option<f64>,
) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for outcome in outcomes {
        let values = &outcome.combination.values;
        let (Some(place), Some(value)) = (as_number(&values[key]), value(outcome)) else {
            continue;
        };
        let pairs = sweep.labels().iter().zip(values).enumerate();
        let others = pairs.filter(|(k, _)| *k != key);
        let name: Vec<String> = others
            .map(|(_, (label, v))| format!("{label} = {v}"))
            .collect();
        let name = name.join(", ");
        match lines.iter().position(|line| line.name == name) {
            Some(found) => lines[found].points.push([place, value]),
            None if lines.len() < MOST_SERIES => lines.push(Series::new(name, &[place], &[value])),
            None => {}
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    lines
}

/// By decades if the places are above zero and far apart.
fn scaling(chart: &Chart) -> Scaling {
    let places = chart.series.iter().flat_map(|s| &s.points).map(|p| p[0]);
    let (low, high) = places.fold((f64::INFINITY, 0.0), |(low, high), x| {
        (x.min(low), x.max(high))
    });
    match low > 0.0 && high / low >= WIDE {
        true => Scaling::Logarithmic,
        false => Scaling::Linear,
    }
}

/// True if the values are not all the same.
fn changes(chart: &Chart) -> bool {
    let mut values = chart.series.iter().flat_map(Series::values);
    let first = values.next();
    values.any(|value| Some(value) != first)
}
