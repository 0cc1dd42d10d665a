//! How far a heap has spread and how high it is.

use pliant_parameters::{Problem, Values};

use super::{
    AXIS, Axis, BODY, CENTER, Probe, ProbeContext, ProbeKind, Selection, column, columns,
    quantile_of,
};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "run-out",
    doc: "How far a heap has spread about a vertical axis, and how high it is.",
    fields: &[BODY, AXIS, CENTER],
    columns: &[
        column("r50", "m", "Radius that 50 % of the particles stay within."),
        column("r90", "m", "Radius that 90 % of them stay within."),
        column(
            "r99",
            "m",
            "Radius that 99 % of them stay within: how far a heap has run.",
        ),
        column("r_max", "m", "Greatest radius of a particle."),
        column(
            "height",
            "m",
            "Height of the highest particle's top above `center`.",
        ),
    ],
    build,
};

struct RunOut(Selection, Axis);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    Ok(Box::new(RunOut(selection, Axis::read(values, context))))
}

impl Probe for RunOut {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let Self(selection, axis) = self;
        let p = &world.state.particles;
        let places: Vec<usize> = selection.in_any_order(world).collect();
        let mut radii: Vec<f64> = places.iter().map(|&i| axis.radius(p.position[i])).collect();
        let tops = places
            .iter()
            .map(|&i| axis.height(p.position[i]) + f64::from(p.radius[i]));
        let height = tops.reduce(f64::max).unwrap_or(0.0);
        let mut quantile = |fraction| quantile_of(&mut radii, fraction);
        vec![
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            quantile(1.0),
            height,
        ]
    }
}
