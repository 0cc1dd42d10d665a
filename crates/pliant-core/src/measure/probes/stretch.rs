//! How far material is stretched and squeezed.

use pliant_math::{DMat3, Real, SymMat3, symmetric_eigen};
use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, columns};
use crate::measure::shapes::Shapes;
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
        let shapes = Shapes::of(world);
        for &i in &places {
            // The eigenvalues of b = E + I are the squared stretches.
            let of_solid = shapes.reading(i).and_then(|r| r.deformation_gradient);
            let strain = of_solid.map_or(world.state.xpbi.strain[i], left_strain);
            let squares = symmetric_eigen(strain).values;
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

/// F F^T - I.
fn left_strain(f: DMat3) -> SymMat3 {
    let m = f * f.transpose() - DMat3::IDENTITY;
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let [xx, yy, zz, xy, xz, yz] = [x.x, y.y, z.z, x.y, x.z, y.z].map(|c| c as Real);
    SymMat3::new(xx, yy, zz, xy, xz, yz)
}
