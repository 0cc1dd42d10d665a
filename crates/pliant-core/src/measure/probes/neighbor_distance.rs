//! How near particles are to each other.

use pliant_math::DVec3;
use pliant_parameters::{Problem, Values};

use super::cells::Cells;
use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "neighbor-distance",
    doc: "Distance of each particle from the nearest other one: the least, the mean and the standard deviation. A particle without another within two spacings of the coarsest body does not count; zeros if none counts.",
    fields: &[BODY],
    columns: &[
        column("min", "m", "The least."),
        column("mean", "m", "The mean."),
        column("deviation", "m", "The standard deviation."),
    ],
    build,
};

/// Particles further apart than so many of the greatest spacing are no neighbours.
const REACH: f64 = 2.0;

struct NeighborDistance {
    selection: Selection,
    reach: f64,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let spacings = context.setup.bodies.iter().map(|b| b.spacing);
    Ok(Box::new(NeighborDistance {
        selection: Selection::read(values, context.setup)?,
        reach: REACH * spacings.fold(f64::MIN_POSITIVE, f64::max),
    }))
}

impl Probe for NeighborDistance {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let places = self.selection.particles(world);
        let position = places.iter().map(|&i| world.state.particles.position[i]);
        let distances = NeighborDistances::of(&position.collect::<Vec<_>>(), self.reach);
        distances.map_or(vec![0.0; 3], |d| vec![d.least, d.mean, d.deviation])
    }
}

/// How far points are from the nearest other one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborDistances {
    /// The least distance [m].
    pub least: f64,
    /// Their mean [m].
    pub mean: f64,
    /// Their standard deviation [m].
    pub deviation: f64,
}

impl NeighborDistances {
    /// The distances among points, of those that have another within `reach` [m]; `None` if none has.
    pub fn of(position: &[DVec3], reach: f64) -> Option<Self> {
        let distances = nearest_distances(position, reach);
        if distances.is_empty() {
            return None;
        }
        let count = distances.len() as f64;
        let mean = distances.iter().sum::<f64>() / count;
        let square = |d: &f64| (d - mean) * (d - mean);
        let variance = distances.iter().map(square).sum::<f64>() / count;
        Some(Self {
            least: distances.iter().copied().fold(f64::INFINITY, f64::min),
            mean,
            deviation: variance.sqrt(),
        })
    }
}

/// Distance from each point to the nearest other one that is within reach.
fn nearest_distances(position: &[DVec3], reach: f64) -> Vec<f64> {
    let cells = Cells::new(position, reach);
    let nearest = |(i, x): (usize, &DVec3)| {
        let others = cells.around(*x).filter(|&j| j != i);
        let distances = others.map(|j| position[j].distance(*x));
        Some(distances.fold(f64::INFINITY, f64::min)).filter(|d| *d <= reach)
    };
    position.iter().enumerate().filter_map(nearest).collect()
}
