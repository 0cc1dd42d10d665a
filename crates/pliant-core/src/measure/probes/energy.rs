//! Kinetic, elastic and gravitational energy.

use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, Energies, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "energy",
    doc: "Kinetic, elastic and gravitational energy and their total.",
    fields: &[BODY],
    columns: &[
        column("kinetic", "J", "Kinetic energy."),
        column("elastic", "J", "Elastic energy."),
        column("gravitational", "J", "Gravitational energy."),
        column("total", "J", "Their sum."),
    ],
    build,
};

struct Energy(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(Energy(Selection::read(values, context.setup)?)))
}

impl Probe for Energy {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let e = Energies::of(world, |i| self.0.has(world, i));
        vec![e.kinetic, e.elastic, e.gravitational, e.total()]
    }
}
