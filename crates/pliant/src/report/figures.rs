//! Which charts a report has.

use pliant_core::measure::STAGES;
use pliant_scene::{Expectation, Moment, Scene};

use crate::expectation::Columns;
use crate::page::{Chart, Series, grid, words};
use crate::run::{Layout, RunColumns};

/// Charts of the statistics: title and columns of one unit each.
const CHARTS: &[(&str, &[&str])] = &[
    (
        "Energy",
        &["energy_kinetic", "energy_elastic", "energy_gravitational"],
    ),
    (
        "Work done from outside, and energy lost and gained",
        &[
            "work_colliders",
            "work_loads",
            "work_fields",
            "work_emitters",
            "work_motors",
            "energy_lost",
            "energy_gained",
        ],
    ),
    ("Speed", &["speed_max", "speed_rms"]),
    (
        "Volume ratio det F",
        &["det_F_min", "det_F_mean", "det_F_max"],
    ),
    ("Momentum", &["momentum_x", "momentum_y", "momentum_z"]),
    (
        "Angular momentum",
        &[
            "angular_momentum_x",
            "angular_momentum_y",
            "angular_momentum_z",
        ],
    ),
    (
        "Centre of mass",
        &["center_of_mass_x", "center_of_mass_y", "center_of_mass_z"],
    ),
    ("Residual of the constraints", &["residual"]),
    ("Contacts", &["contacts"]),
    ("Neighbours a particle", &["neighbors"]),
    (
        "Particles without a full gradient",
        &["rank_deficient_share"],
    ),
    ("Particles", &["particles"]),
    ("Substeps a frame", &["substeps"]),
    ("Times a frame was repeated", &["redone"]),
];
/// Measured over a frame, so that the initial one has no value.
const OF_FRAMES: &[&str] = &[
    "residual",
    "contacts",
    "neighbors",
    "rank_deficient_share",
    "substeps",
    "redone",
];
/// Not worth a chart while they stay the same.
const ONLY_IF_CHANGING: &[&str] = &[
    "particles",
    "substeps",
    "rank_deficient_share",
    "redone",
    "work_colliders",
    "work_loads",
    "work_fields",
    "work_emitters",
    "work_motors",
];
/// Most lines that can be told apart.
const MOST_LINES: usize = 6;

/// All charts of a run: its probes first, then its statistics.
pub fn section(scene: &Scene, layout: &Layout, columns: &RunColumns) -> String {
    let expectations = scene.expectations();
    let mut probes: Vec<Chart> = Vec::new();
    for probe in scene.probes() {
        probes.extend(of_probe(probe.name, layout, columns));
    }
    let mut statistics: Vec<Chart> = CHARTS
        .iter()
        .filter_map(|(title, names)| of_columns(title, names, layout, columns))
        .collect();
    statistics.push(of_stages(columns));
    for chart in probes.iter_mut().chain(&mut statistics) {
        chart.expected = expected_in(chart, &expectations);
    }
    [("Probes", probes), ("Statistics", statistics)]
        .map(|(heading, charts)| {
            let figures: String = charts.iter().map(Chart::figure).collect();
            grid(heading, &figures)
        })
        .concat()
}

/// The charts of a probe, one for each unit.
fn of_probe(probe: &str, layout: &Layout, columns: &RunColumns) -> Vec<Chart> {
    let prefix = format!("{probe}.");
    let own = layout
        .probes
        .iter()
        .filter(|column| column.name.starts_with(&prefix));
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for column in own {
        match groups
            .iter_mut()
            .find(|(unit, names)| *unit == column.unit && names.len() < MOST_LINES)
        {
            Some((_, names)) => names.push(&column.name),
            None => groups.push((column.unit, vec![&column.name])),
        }
    }
    let chart = |(_, names): &(&str, Vec<&str>)| {
        let title = match names.as_slice() {
            [name] => (*name).to_owned(),
            _ => probe.to_owned(),
        };
        of_columns(&title, names, layout, columns)
    };
    groups.iter().filter_map(chart).collect()
}

/// The chart of columns with one unit; `None` if they are not there or not worth a chart.
fn of_columns(title: &str, names: &[&str], layout: &Layout, columns: &RunColumns) -> Option<Chart> {
    let mut chart = Chart {
        title: title.to_owned(),
        unit: layout.unit(names.first()?).to_owned(),
        ..Chart::default()
    };
    for name in names {
        let (time, mut values) = columns.column(name)?;
        if OF_FRAMES.contains(name) {
            values
                .first_mut()
                .into_iter()
                .for_each(|first| *first = f64::NAN);
        }
        let rest = values.get(1..).unwrap_or_default();
        if ONLY_IF_CHANGING.contains(name) && rest.windows(2).all(|v| v[0] == v[1]) {
            continue;
        }
        chart.series.push(Series::new(*name, &time, &values));
    }
    relative_to_start(&mut chart);
    (!chart.series.is_empty()).then_some(chart)
}

/// The energy of position has no zero of its own: it is shown from the start of the run.
fn relative_to_start(chart: &mut Chart) {
    let gravitational = chart
        .series
        .iter_mut()
        .filter(|s| s.name == "energy_gravitational");
    for series in gravitational {
        let start = series.values().next().unwrap_or(0.0);
        series.points.iter_mut().for_each(|point| point[1] -= start);
        series.name.push_str("_from_start");
    }
}

/// Wall time of each frame by stage, stages that take none left out.
fn of_stages(columns: &RunColumns) -> Chart {
    let mut chart = Chart {
        title: "Wall time of a frame by stage".into(),
        unit: "s".into(),
        is_stacked: true,
        ..Chart::default()
    };
    for stage in STAGES {
        let Some((time, values)) = columns.column(&format!("wall_{}", stage.name())) else {
            continue;
        };
        let [time, values] = [&time, &values].map(|list| list.get(1..).unwrap_or_default());
        chart.series.push(Series::new(stage.name(), time, values));
    }
    let total: f64 = chart.series.iter().flat_map(Series::values).sum();
    chart
        .series
        .retain(|s| s.values().sum::<f64>() > 2e-3 * total);
    chart
}

/// The ranges that a chart's columns are expected in. Series then get their short names.
fn expected_in(chart: &mut Chart, expectations: &[Expectation]) -> Vec<(usize, [f64; 2])> {
    let is_value = |e: &&Expectation| match &e.at {
        Moment::Time(_) => true,
        Moment::Whole(word) => !matches!(word.as_str(), "slope" | "r2"),
    };
    let ranges = expectations.iter().filter(is_value).filter_map(|e| {
        let place = chart.series.iter().position(|s| s.name == e.column)?;
        Some((place, [e.low, e.high]))
    });
    let ranges = ranges.collect();
    shorten(chart);
    ranges
}

/// Leaves out of the names what all of them start with.
fn shorten(chart: &mut Chart) {
    let names: Vec<String> = chart.series.iter().map(|s| s.name.clone()).collect();
    let Some(first) = names.first() else {
        return;
    };
    let ends = first
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '_'))
        .map(|(i, _)| i + 1);
    let shared = ends
        .filter(|&end| names.iter().all(|n| n.starts_with(&first[..end])))
        .max();
    for series in &mut chart.series {
        series.name = words(&series.name[shared.unwrap_or(0)..]);
    }
}
