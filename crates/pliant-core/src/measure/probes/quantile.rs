//! The value that a fraction of the particles stays below.

use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::{
    AXIS, Axis, BODY, CENTER, Probe, ProbeContext, ProbeKind, Selection, column, columns,
    quantile_of,
};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "quantile",
    doc: "The value that a fraction of the particles stays below, of a coordinate or the radius.",
    fields: &[
        BODY,
        Field::required(
            "of",
            Kind::Choice(&["x", "y", "z", "radius"]),
            "",
            "A coordinate, or the distance from the vertical axis.",
        ),
        Field::required("fraction", Kind::Number(Range::UNIT), "", "The fraction."),
        AXIS,
        CENTER,
    ],
    columns: &[column(
        "value",
        "m",
        "What the fraction of the particles stays below.",
    )],
    build,
};

struct Quantile {
    selection: Selection,
    axis: Axis,
    coordinate: Option<usize>,
    fraction: f64,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(Quantile {
        selection: Selection::read(values, context.setup)?,
        axis: Axis::read(values, context),
        coordinate: ["x", "y", "z"].iter().position(|&c| c == values.text("of")),
        fraction: values.number("fraction"),
    }))
}

impl Probe for Quantile {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let position = &world.state.particles.position;
        let number = |i: usize| match self.coordinate {
            Some(axis) => position[i][axis],
            None => self.axis.radius(position[i]),
        };
        let places = self.selection.in_any_order(world);
        let mut numbers: Vec<f64> = places.map(number).collect();
        vec![quantile_of(&mut numbers, self.fraction)]
    }
}
