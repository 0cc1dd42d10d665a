//! What a muscle does.

use pliant_parameters::{Field, Kind, Problem, Values};

use super::{Probe, ProbeContext, ProbeKind, column, columns, index_of};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "muscle",
    doc: "What a muscle does: its activation, the stretch of its fibres, and with which force and power it pulls.",
    fields: &[Field::required(
        "muscle",
        Kind::Text,
        "",
        "Name of the muscle.",
    )],
    columns: &[
        column("activation", "", "Mean activation, from 0 to 1."),
        column(
            "stretch",
            "",
            "Mean length of its fibres over that at rest.",
        ),
        column(
            "tension",
            "Pa",
            "Mean stress along its fibres over the area at rest.",
        ),
        column(
            "force",
            "N",
            "Force along its fibres: the tension over its mean section at rest, its volume over its length.",
        ),
        column(
            "power",
            "W",
            "Work a second that its fibres do by getting shorter.",
        ),
    ],
    build,
};

/// Its number among the muscles of all methods.
struct Muscle(usize);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let setup = context.setup;
    let methods = setup.methods().into_iter();
    let names: Vec<String> = methods
        .flat_map(|method| method.muscles(setup))
        .map(|(_, name)| name)
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let number = index_of(values.text("muscle"), &names, "muscle")?;
    Ok(Box::new(Muscle(number)))
}

impl Probe for Muscle {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let methods = world.setup.methods().into_iter();
        let mut muscles = methods.flat_map(|method| method.read_muscles(world));
        match muscles.nth(self.0) {
            Some(m) => vec![m.activation, m.stretch, m.tension, m.force, m.power],
            None => vec![0.0; KIND.columns.len()],
        }
    }
}
