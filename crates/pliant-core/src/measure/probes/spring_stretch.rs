//! How far springs are stretched and squeezed.

use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::readings::stretches;
use crate::measure::{Column, FrameReport};
use crate::method::StretchOf;
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "spring-stretch",
    doc: "Length over rest length of springs along the edges or cells of bodies of `springs`: the least and the greatest, min and max, and mean, the mean over particles of the mean at each; ones without springs.",
    fields: &[BODY],
    columns: &[
        column("min", "", "Least ratio of any spring."),
        column("mean", "", "Mean over particles of the mean at each."),
        column("max", "", "Greatest ratio of any spring."),
    ],
    build,
};

struct SpringStretch(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    Ok(Box::new(SpringStretch(selection)))
}

impl Probe for SpringStretch {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let stretches = stretches(world, StretchOf::Springs);
        let (mut least, mut greatest) = (f64::INFINITY, 0.0f64);
        let (mut sum, mut count) = (0.0, 0);
        for i in self.0.particles(world) {
            let Some([min, mean, max]) = stretches[i] else {
                continue;
            };
            (least, greatest) = (least.min(min), greatest.max(max));
            sum += mean;
            count += 1;
        }
        match count {
            0 => vec![1.0; 3],
            _ => vec![least, sum / f64::from(count), greatest],
        }
    }
}
