//! Slope of a heap's flank.

use pliant_parameters::{Problem, Values};

use super::{AXIS, Axis, BODY, CENTER, Probe, ProbeContext, ProbeKind, Selection, columns, heap};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "repose-angle",
    doc: "Slope of a heap's flank outside of its summit, between 15 and 85 % of the way from its edge to it, in degrees; 0 while there is no flank.",
    fields: &[BODY, AXIS, CENTER],
    build,
};

struct ReposeAngle(Selection, Axis);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    Ok(Box::new(ReposeAngle(
        selection,
        Axis::read(values, context),
    )))
}

impl Probe for ReposeAngle {
    fn columns(&self) -> Vec<Column> {
        columns(&[("angle", "degrees")])
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        vec![heap::slope(world, self.0, self.1).to_degrees()]
    }
}
