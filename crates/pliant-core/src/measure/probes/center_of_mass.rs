//! Centre of mass and its velocity.

use pliant_math::{DVec3, to_double};
use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "center-of-mass",
    doc: "Centre of mass x, y, z and its velocity vx, vy, vz.",
    fields: &[BODY],
    columns: &[
        column("x", "m", "x of the centre of mass."),
        column("y", "m", "y of the centre of mass."),
        column("z", "m", "z of the centre of mass."),
        column("vx", "m/s", "x of its velocity."),
        column("vy", "m/s", "y of its velocity."),
        column("vz", "m/s", "z of its velocity."),
    ],
    build,
};

struct CenterOfMass(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(CenterOfMass(Selection::read(
        values,
        context.setup,
    )?)))
}

impl Probe for CenterOfMass {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        let (mut mass, mut moment, mut momentum) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for i in self.0.particles(world) {
            let m = f64::from(p.mass[i]);
            mass += m;
            moment += p.position[i] * m;
            momentum += to_double(p.velocity[i]) * m;
        }
        let share = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        [(moment * share).to_array(), (momentum * share).to_array()].concat()
    }
}
