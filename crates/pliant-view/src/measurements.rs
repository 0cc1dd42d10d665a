//! The rows of `stats.csv` and `probes.csv`.

use pliant_core::measure::probes::{KINDS, Probe, ProbeContext};
use pliant_core::measure::{Column, FrameAnalysis, FrameReport, Statistics, statistics_columns};
use pliant_core::world::{Setup, World};
use pliant_geometry::MeshSource;
use pliant_parameters::Problem;
use pliant_scene::Scene;

use crate::gauges::gauge;

/// The columns of both tables.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Columns of `stats.csv`.
    pub stats: Vec<Column>,
    /// Columns of `probes.csv`: frame, time, then `<probe>.<quantity>`.
    pub probes: Vec<Column>,
}

/// A row of each table.
#[derive(Clone, Debug)]
pub struct OutputRows {
    /// Of `stats.csv`.
    pub stats: Vec<f64>,
    /// Of `probes.csv`.
    pub probes: Vec<f64>,
}

/// The statistics and the probes of a scene.
pub struct Measurements {
    layout: Layout,
    probes: Vec<Box<dyn Probe>>,
}

/// Where a column stands.
#[derive(Clone, Copy)]
enum Place {
    /// In the row of probes.
    Probe(usize),
    /// In the row of statistics.
    Statistic(usize),
}

/// A name that no column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownColumn<'a>(pub &'a str);

/// A probe that cannot be measured.
#[derive(Debug, thiserror::Error)]
#[error("probe.{name}: {problem}")]
pub struct MeasurementError {
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub problem: Problem,
}

impl Layout {
    /// Names of the columns of `stats.csv`.
    pub fn stats_names(&self) -> Vec<String> {
        self.stats
            .iter()
            .map(|column| column.name.clone())
            .collect()
    }

    /// Names of the columns of `probes.csv`.
    pub fn probes_names(&self) -> Vec<String> {
        self.probes
            .iter()
            .map(|column| column.name.clone())
            .collect()
    }

    fn place<'a>(&self, name: &'a str) -> Result<Place, UnknownColumn<'a>> {
        let at = |columns: &[Column]| columns.iter().position(|column| column.name == name);
        let of_probes = at(&self.probes).map(Place::Probe);
        let found = of_probes.or_else(|| at(&self.stats).map(Place::Statistic));
        found.ok_or(UnknownColumn(name))
    }

    /// The unit of a column, empty for none.
    pub fn unit(&self, name: &str) -> &'static str {
        let mut columns = self.stats.iter().chain(&self.probes);
        columns
            .find(|column| column.name == name)
            .map_or("", |column| column.unit)
    }
}

impl Measurements {
    /// The measurements a scene asks for.
    ///
    /// * `meshes` — where probes find the meshes that they name
    ///
    /// # Errors
    /// A probe that cannot be built.
    pub fn new(
        setup: &Setup,
        scene: &Scene,
        meshes: &dyn MeshSource,
    ) -> Result<Self, MeasurementError> {
        let mut columns = vec![Column::new("frame", ""), Column::new("time", "s")];
        let mut probes = Vec::new();
        for probe in scene.probes() {
            let built =
                build(&probe, (setup, scene), meshes).map_err(|problem| MeasurementError {
                    name: probe.name.to_owned(),
                    problem,
                })?;
            let own = built.columns().into_iter();
            columns.extend(own.map(|c| Column::new(format!("{}.{}", probe.name, c.name), c.unit)));
            probes.push(built);
        }
        let layout = Layout {
            stats: statistics_columns(),
            probes: columns,
        };
        Ok(Self { layout, probes })
    }

    /// The columns.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The values of columns of either table for the frame that a world has reached, which costs what it costs to
    /// measure the dearest: probes are each measured, and statistics only if one is asked for that is none of
    /// [`GAUGES`](crate::GAUGES).
    ///
    /// # Errors
    /// The first name that no column has.
    pub fn values<'a>(
        &self,
        columns: &[&'a str],
        world: &World,
        report: &FrameReport,
    ) -> Result<Vec<f64>, UnknownColumn<'a>> {
        let places = columns.iter().map(|&name| self.layout.place(name));
        let places: Vec<Place> = places.collect::<Result<_, _>>()?;
        let has = |wanted: fn(&Place) -> bool| places.iter().any(wanted);
        let probes = match has(|place| matches!(place, Place::Probe(_))) {
            true => self.probes_row(world, report),
            false => Vec::new(),
        };
        let gauges = columns.iter().map(|name| gauge(name, world, report));
        let gauges: Vec<Option<f64>> = gauges.collect();
        let is_dear = |(place, gauge): (&Place, &Option<f64>)| {
            matches!(place, Place::Statistic(_)) && gauge.is_none()
        };
        let stats = match places.iter().zip(&gauges).any(is_dear) {
            true => self.stats_row(world, report, &FrameAnalysis::of(world)),
            false => Vec::new(),
        };
        let value = |(place, gauge): (Place, Option<f64>)| match place {
            Place::Probe(place) => probes[place],
            Place::Statistic(place) => gauge.unwrap_or_else(|| stats[place]),
        };
        Ok(places.into_iter().zip(gauges).map(value).collect())
    }

    /// The rows of the frame a world has reached; `report` is a default one at the start.
    pub fn rows(
        &self,
        world: &World,
        report: &FrameReport,
        analysis: &FrameAnalysis,
    ) -> OutputRows {
        OutputRows {
            stats: self.stats_row(world, report, analysis),
            probes: self.probes_row(world, report),
        }
    }

    /// The row of statistics.
    pub fn stats_row(
        &self,
        world: &World,
        report: &FrameReport,
        analysis: &FrameAnalysis,
    ) -> Vec<f64> {
        Statistics::with(world, report, analysis).row()
    }

    /// The row of probes.
    pub fn probes_row(&self, world: &World, report: &FrameReport) -> Vec<f64> {
        let mut row = vec![f64::from(world.state.frame), world.state.time];
        for probe in &self.probes {
            row.extend(probe.measure(world, report));
        }
        row
    }
}

fn build(
    probe: &pliant_scene::Probe<'_>,
    (setup, scene): (&Setup, &Scene),
    meshes: &dyn MeshSource,
) -> Result<Box<dyn Probe>, Problem> {
    let unknown = || {
        Problem::at(
            "measure",
            format!("'{}' is not measured", probe.measure),
            "see the reference",
        )
    };
    let kind = KINDS
        .iter()
        .find(|kind| kind.name == probe.measure)
        .ok_or_else(unknown)?;
    let up = scene.up().to_array();
    let context = ProbeContext {
        setup,
        up: up.iter().position(|x| *x != 0.0).unwrap_or(1),
        meshes,
    };
    (kind.build)(probe.values, context)
}
