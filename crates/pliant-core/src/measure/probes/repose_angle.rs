//! Slope and shape of a heap.

use pliant_parameters::{Problem, Values};

use super::{
    AXIS, Axis, BODY, CENTER, Probe, ProbeContext, ProbeKind, Selection, column, columns, heap,
};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "repose-angle",
    doc: "Slope of a heap's flank, between 20 and 80 % of the height of its summit above its foot. \
          Heights are medians all around, over rings 1.5 spacings wide, and the slope is the median \
          over pairs of rings: single grains, a crater and what lies at a wall hardly move it. A cone \
          15 spacings in radius is measured within 1 to 2 degrees, one of 30 within 0.6.",
    fields: &[BODY, AXIS, CENTER],
    columns: &[
        column(
            "angle",
            "degrees",
            "The slope; 0 while the summit is less than two spacings above the foot.",
        ),
        column(
            "scatter",
            "degrees",
            "Standard deviation of the slopes of eight parts around: how far the heap is from a cone. The slope itself is known to about a third of it; 0 where fewer than three parts have a flank.",
        ),
        column(
            "height_over_reach",
            "",
            "Height of the summit above the foot over the radius of the foot; less than the tangent of the angle where the summit is rounded and the front thin.",
        ),
    ],
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
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let heap = heap::measure(world, self.0, self.1);
        vec![
            heap.slope.to_degrees(),
            heap.scatter.to_degrees(),
            heap.height_over_reach,
        ]
    }
}
