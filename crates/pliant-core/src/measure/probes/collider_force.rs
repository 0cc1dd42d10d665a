//! Force of the particles on a collider.

use pliant_parameters::{Field, Kind, Problem, Values};

use super::{Probe, ProbeContext, ProbeKind, column, columns, index_of};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "collider-force",
    doc: "Force fx, fy, fz of the particles on a collider, mean over the frame: of those that touch it, \
          and of those attached to it with their weight, their inertia and all that pulls and presses \
          on them.",
    fields: &[Field::required(
        "collider",
        Kind::Text,
        "",
        "Name of the collider.",
    )],
    columns: &[
        column("fx", "N", "x of the force."),
        column("fy", "N", "y of the force."),
        column("fz", "N", "z of the force."),
    ],
    build,
};

struct ColliderForce(usize);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let names: Vec<&str> = context
        .setup
        .colliders
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    Ok(Box::new(ColliderForce(index_of(
        values.text("collider"),
        &names,
        "collider",
    )?)))
}

impl Probe for ColliderForce {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, _: &World, report: &FrameReport) -> Vec<f64> {
        let force = report.collider_force.get(self.0).copied();
        force.unwrap_or_default().to_array().to_vec()
    }
}
