//! Least and greatest coordinates.

use pliant_math::DVec3;
use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "bounding-box",
    doc: "Least and greatest coordinates of the particles' centres: min_x to max_z.",
    fields: &[BODY],
    columns: &[
        column("min_x", "m", "Least x of a particle's centre."),
        column("min_y", "m", "Least y of a particle's centre."),
        column("min_z", "m", "Least z of a particle's centre."),
        column("max_x", "m", "Greatest x of a particle's centre."),
        column("max_y", "m", "Greatest y of a particle's centre."),
        column("max_z", "m", "Greatest z of a particle's centre."),
    ],
    build,
};

struct BoundingBox(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(BoundingBox(Selection::read(
        values,
        context.setup,
    )?)))
}

impl Probe for BoundingBox {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let places = self.0.particles(world);
        if places.is_empty() {
            return vec![0.0; 6];
        }
        let positions = places.iter().map(|&i| world.state.particles.position[i]);
        let (min, max) = positions.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), x| {
            (min.min(x), max.max(x))
        });
        [min.to_array(), max.to_array()].concat()
    }
}
