//! How far material is stretched and squeezed.

use pliant_math::symmetric_eigen;
use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "stretch",
    doc: "Elastic principal stretches, length over length without stress: the least and the greatest of any particle, min and max, and the mean over particles of their greatest, mean; ones without particles.",
    fields: &[BODY],
    build,
};

struct Stretch(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(Stretch(Selection::read(values, context.setup)?)))
}

impl Probe for Stretch {
    fn columns(&self) -> Vec<Column> {
        columns(&[("min", ""), ("mean", ""), ("max", "")])
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let places = self.0.particles(world);
        if places.is_empty() {
            return vec![1.0; 3];
        }
        let (mut least, mut greatest, mut sum) = (f64::INFINITY, 0.0f64, 0.0);
        for &i in &places {
            // The eigenvalues of b = E + I are the squared stretches.
            let squares = symmetric_eigen(world.state.xpbi.strain[i]).values;
            let stretch = |e| libm::sqrt((1.0 + f64::from(e)).max(0.0));
            let stretches = [0, 1, 2].map(|k| stretch(squares[k]));
            let largest = stretches.into_iter().fold(0.0, f64::max);
            least = stretches.into_iter().fold(least, f64::min);
            greatest = greatest.max(largest);
            sum += largest;
        }
        vec![least, sum / places.len() as f64, greatest]
    }
}
