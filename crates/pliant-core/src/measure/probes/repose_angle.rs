//! Slope of a heap's flank.

use pliant_parameters::{Problem, Values};

use super::{AXIS, Axis, BODY, CENTER, Probe, ProbeContext, ProbeKind, Selection, columns, heap};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "repose-angle",
    doc: "Slope of a heap's flank outside of its summit, between 40 and 80 % of its radius, in \
          degrees; 0 while there is no flank. Heights are medians all around, over rings 1.5 spacings \
          wide, and the slope is the median over pairs of rings: single grains, a crater and what lies \
          at a wall hardly move it.",
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
