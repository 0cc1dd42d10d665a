//! XPBI beside plain position-based granules with frictional contacts (Yu et al. 2024,
//! figs. 13 and 15): how far particles keep from each other, and how steep a heap stands.

use pliant_core::measure::probes::{KernelDensity, NeighborDistances};
use pliant_core::methods::xpbi::{PositionCorrection, XpbiSettings};
use pliant_core::step::StepError;
use pliant_core::world::Material;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Box as Cuboid;
use pliant_math::{DVec3, RandomStream};

use crate::column::Column;
use crate::{Case, Claim, Curve, Expected, Figure, Plot, granules, run, sand};

/// Two blocks fly into each other.
pub const BLOCKS_COLLIDE: Claim = Claim {
    statement: "particles of colliding blocks of sand keep their distance from each other",
    measure: || {
        let sand = sand(1600.0, 1e5, 0.3, FRICTION_ANGLE);
        let sand = Spacing::of(blocks(sand, BLOCKS.spacing), BLOCKS)?;
        let grains = granules(1600.0, friction(FRICTION_ANGLE));
        let grains = Spacing::of(blocks(grains, BLOCKS.spacing), BLOCKS)?;
        Ok(figures(&sand, &grains))
    },
};

/// The two ways to correct positions, and none.
pub const CORRECTIONS: Claim = Claim {
    statement: "corrections by distance and by density both bound the density of colliding sand, and that by distance keeps particles apart better",
    measure: || {
        let spacing = |correction| {
            let material = sand(1600.0, 1e5, 0.3, FRICTION_ANGLE);
            let mut case = blocks(material, CORRECTED.spacing);
            case.setup
                .solver
                .methods
                .of_mut::<XpbiSettings>()
                .correction = correction;
            Spacing::of(case, CORRECTED)
        };
        let by_distance = spacing(PositionCorrection::Distance)?;
        let by_density = spacing(PositionCorrection::Density)?;
        let without = spacing(PositionCorrection::None)?;
        Ok(compared(&by_distance, &by_density, &without))
    },
};

/// A column collapses.
pub const COLUMN_COLLAPSES: Claim = Claim {
    statement: "particles of a collapsing column of sand keep their distance from each other",
    measure: || {
        let column = Column::new(FRICTION_ANGLE);
        let sand = Spacing::of(column.case(), COLUMN)?;
        let grains = Spacing::of(plain(&column), COLUMN)?;
        Ok(figures(&sand, &grains))
    },
};

/// Heaps of plain granules.
pub const ANGLES: Claim = Claim {
    statement: "columns of plain granules stay steeper than sand and hardly depend on the friction angle",
    measure: || {
        // What sand of XPBI runs out; see `column`.
        let of_sand = [(20.0, 1.27), (30.0, 0.68), (40.0, 0.49)];
        let (mut figures, mut run_outs) = (Vec::new(), Vec::new());
        for (angle, sand) in of_sand {
            let column = Column::new(angle);
            let mut world = plain(&column).world();
            run(&mut world, column.dt, 1500, |_, _| ())?;
            let run_out = column.deposit(&world).run_out;
            let what = format!("run-out of plain granules, {angle} degrees");
            let figure = Figure::new(what, run_out, Expected::AtMost(0.95 * sand));
            figures.push(column.drawn(figure, "plain granules"));
            run_outs.push(run_out);
        }
        let ratio = run_outs[0] / run_outs[2];
        let what = "run-out at 20 over that at 40 degrees, 2.6 for sand";
        figures.push(Figure::new(what, ratio, Expected::AtMost(2.0)));
        Ok(figures)
    },
};

const FRICTION_ANGLE: f64 = 30.0;

/// Sweeps a substep for plain granules: contacts alone carry their weight.
const SWEEPS: u32 = 20;

/// What is looked at, and when.
#[derive(Clone, Copy)]
struct TimeSeries {
    plot: Plot,
    spacing: f64,
    dt: f64,
    substeps: usize,
    /// Substeps between two looks.
    every: usize,
    /// Time [s] from which on particles shall have their distance.
    settled: f64,
}

const BLOCKS: TimeSeries = TimeSeries {
    plot: Plot {
        title: "Distance of the nearest particle in colliding blocks",
        unit: "spacings",
        across: "time",
        across_unit: "s",
        is_logarithmic: [false, false],
    },
    spacing: 0.02,
    dt: 1e-3,
    substeps: 400,
    every: 20,
    settled: 0.15,
};

const CORRECTED: TimeSeries = TimeSeries {
    plot: Plot {
        title: "Position correction in colliding blocks: distance of the nearest particle",
        ..BLOCKS.plot
    },
    spacing: 0.025,
    dt: 2e-3,
    substeps: 150,
    every: 10,
    ..BLOCKS
};

/// The densities of the same runs.
const CROWDS: Plot = Plot {
    title: "Position correction in colliding blocks: greatest density",
    unit: "of that at rest",
    ..BLOCKS.plot
};

const COLUMN: TimeSeries = TimeSeries {
    plot: Plot {
        title: "Distance of the nearest particle in a collapsing column",
        ..BLOCKS.plot
    },
    spacing: 0.05,
    dt: 1e-3,
    substeps: 1500,
    every: 20,
    settled: 0.4,
};

/// Distances of nearest neighbours over time.
struct Spacing {
    course: TimeSeries,
    /// Times [s] and distances [m].
    frames: Vec<(f64, NeighborDistances)>,
    /// Times [s] and greatest densities as multiples of that at rest.
    densities: Vec<[f64; 2]>,
}

impl Spacing {
    fn of(case: Case, course: TimeSeries) -> Result<Self, StepError> {
        let (mut world, mut substep) = (case.world(), 0);
        let (mut frames, mut densities) = (Vec::new(), Vec::new());
        let all: Vec<usize> = (0..world.state.particles.len()).collect();
        run(&mut world, course.dt, course.substeps, |world, _| {
            substep += 1;
            if substep % course.every == 0 {
                let position = &world.state.particles.position;
                let distances = NeighborDistances::of(position, 2.0 * course.spacing);
                frames.extend(distances.map(|d| (world.state.time, d)));
                let density = KernelDensity::of(world, &all);
                densities.push([world.state.time, density.greatest]);
            }
        })?;
        Ok(Self {
            course,
            frames,
            densities,
        })
    }

    /// Over all frames, in spacings.
    fn values(&self, value: fn(&NeighborDistances) -> f64) -> impl Iterator<Item = [f64; 2]> {
        let spacing = self.course.spacing;
        self.frames
            .iter()
            .map(move |(time, d)| [*time, value(d) / spacing])
    }

    /// The least distance of all frames [spacings].
    fn least(&self) -> f64 {
        self.values(|d| d.least)
            .map(|[_, d]| d)
            .fold(f64::INFINITY, f64::min)
    }

    /// The greatest density of all frames, with its course.
    fn crowd(&self, name: &str, bound: Expected) -> Figure {
        let densities = self.densities.iter();
        let greatest = densities.map(|[_, density]| *density).fold(0.0, f64::max);
        let what = format!("greatest density {name} [of that at rest]");
        let curve = Curve::measured(CROWDS, name, self.densities.clone());
        Figure::new(what, greatest, bound).with(curve)
    }

    /// Greatest over least mean distance once particles have settled.
    fn drift(&self) -> f64 {
        let settled = self
            .values(|d| d.mean)
            .filter(|[time, _]| *time > self.course.settled);
        let (least, greatest) = settled
            .fold((f64::INFINITY, 0.0_f64), |(least, greatest), [_, d]| {
                (least.min(d), greatest.max(d))
            });
        greatest / least
    }

    fn last(&self, value: fn(&NeighborDistances) -> f64) -> f64 {
        self.values(value).last().map_or(f64::NAN, |[_, d]| d)
    }

    /// A figure with the course of what it was read off.
    fn figure(&self, name: &str, value: fn(&NeighborDistances) -> f64, bound: Expected) -> Figure {
        let what = format!("{name} at the end [spacings]");
        let points = self.values(value).collect();
        Figure::new(what, self.last(value), bound).with(Curve::measured(
            self.course.plot,
            name,
            points,
        ))
    }
}

fn figures(sand: &Spacing, grains: &Spacing) -> Vec<Figure> {
    let mean = |d: &NeighborDistances| d.mean;
    let deviation = |d: &NeighborDistances| d.deviation;
    vec![
        // Position correction keeps 0.75; the last pass of contacts and XSPH come after it.
        Figure::new(
            "XPBI, least of the run [spacings]",
            sand.least(),
            Expected::AtLeast(0.72),
        ),
        Figure::new(
            "XPBI, greatest over least mean once settled",
            sand.drift(),
            Expected::AtMost(1.06),
        ),
        sand.figure("XPBI, mean", mean, Expected::AtLeast(0.8)),
        sand.figure("XPBI, deviation", deviation, Expected::AtMost(0.22)),
        Figure::new(
            "plain granules, least of the run [spacings]",
            grains.least(),
            Expected::Finite,
        ),
        // Balls of one spacing cannot come nearer for long.
        grains.figure("plain granules, mean", mean, Expected::AtLeast(0.98)),
        grains.figure("plain granules, deviation", deviation, Expected::Finite),
    ]
}

/// Yu et al. 2024, fig. 15.
fn compared(by_distance: &Spacing, by_density: &Spacing, without: &Spacing) -> Vec<Figure> {
    let mean = |d: &NeighborDistances| d.mean;
    let deviation = |d: &NeighborDistances| d.deviation;
    vec![
        by_distance.crowd("by distance", Expected::AtMost(1.5)),
        // 1.25 is the bound of the setting.
        by_density.crowd("by density", Expected::AtMost(1.27)),
        without.crowd("without", Expected::AtLeast(1.55)),
        by_distance.figure("mean by distance", mean, Expected::AtLeast(0.8)),
        by_density.figure("mean by density", mean, Expected::AtMost(0.78)),
        without.figure("mean without", mean, Expected::AtMost(0.78)),
        by_distance.figure("deviation by distance", deviation, Expected::AtMost(0.19)),
        by_density.figure("deviation by density", deviation, Expected::AtLeast(0.2)),
        Figure::new(
            "nearest pair of the run by density [spacings]",
            by_density.least(),
            Expected::Finite,
        ),
    ]
}

fn friction(angle: f64) -> f64 {
    angle.to_radians().tan()
}

/// A column of plain granules in place of sand.
fn plain(column: &Column) -> Case {
    let mut case = column.case_of(granules(1600.0, friction(column.friction_angle)));
    case.setup.solver.iterations = SWEEPS;
    case
}

/// Two cubes of 0.2 m that fly into each other off centre at 2 m/s, without gravity.
fn blocks(material: Material, spacing: f64) -> Case {
    let cube = Cuboid {
        half_size: DVec3::splat(0.1),
    };
    let offset = DVec3::new(0.13, 0.03, 0.0);
    let random = RandomStream::new(1, 1);
    let points = fill(&cube, spacing, Sampling::Poisson, 0.0, random, in_order);
    let left = points.iter().map(|&x| x - offset).collect();
    let right = points.iter().map(|&x| x + offset).collect();
    let mut case = Case::new(material, left, spacing)
        .beside(right)
        .weightless();
    for (body, speed) in case.setup.bodies.iter_mut().zip([1.0, -1.0]) {
        body.particles.velocity.fill(DVec3::X * speed);
    }
    case
}
