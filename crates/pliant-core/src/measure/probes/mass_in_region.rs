//! Mass of the particles inside a region.

use pliant_parameters::{Field, Kind, Problem, Values};

use super::region::{POSITION, ROTATION, Region};
use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "mass-in-region",
    doc: "Mass and number of the particles whose centres are inside a region.",
    fields: &[
        BODY,
        Field::required("shape", Kind::Shape, "", "The region."),
        POSITION,
        ROTATION,
    ],
    columns: &[
        column("mass", "kg", "Mass of the particles inside."),
        column("count", "", "Number of them."),
    ],
    build,
};

struct MassInRegion {
    selection: Selection,
    /// `None`: everywhere.
    region: Option<Region>,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(MassInRegion {
        selection: Selection::read(values, context.setup)?,
        region: Region::read(values, context)?,
    }))
}

impl Probe for MassInRegion {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        let inside = |&i: &usize| {
            let region = self.region.as_ref();
            region.is_none_or(|region| region.has(p.position[i]))
        };
        let masses = self.selection.particles(world).into_iter().filter(inside);
        let (mass, count) = masses.fold((0.0, 0), |(mass, count), i| {
            (mass + f64::from(p.mass[i]), count + 1)
        });
        vec![mass, f64::from(count)]
    }
}
