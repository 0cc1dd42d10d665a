//! Mass of the particles inside a region.

use std::sync::Arc;

use pliant_geometry::{Shape, shapes};
use pliant_math::{DVec3, Pose};
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "mass-in-region",
    doc: "Mass and number of the particles whose centres are inside a region.",
    fields: &[
        BODY,
        Field::required("shape", Kind::Shape, "", "The region."),
        Field::new(
            "position",
            Kind::Vector(3, Range::ANY),
            "m",
            Preset::Vector(&[0.0, 0.0, 0.0]),
            "Position of the region's origin.",
        ),
        Field::new(
            "rotation",
            Kind::Vector(3, Range::ANY),
            "degrees",
            Preset::Vector(&[0.0, 0.0, 0.0]),
            "Rotations about its own x, then y, then z axis.",
        ),
    ],
    columns: &[
        column("mass", "kg", "Mass of the particles inside."),
        column("count", "", "Number of them."),
    ],
    build,
};

struct MassInRegion {
    selection: Selection,
    region: Arc<dyn Shape>,
    pose: Pose,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let spacings = context.setup.bodies.iter().map(|b| b.spacing);
    let spacing = spacings.fold(f64::INFINITY, f64::min);
    let degrees = DVec3::from(values.vector3("rotation"));
    let shape = values.table("shape").cloned().unwrap_or_default();
    Ok(Box::new(MassInRegion {
        selection: Selection::read(values, context.setup)?,
        region: shapes::build_region(&shape, context.meshes, spacing)?,
        pose: Pose::from_euler(
            DVec3::from(values.vector3("position")),
            degrees.map(f64::to_radians),
        ),
    }))
}

impl Probe for MassInRegion {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        let inside = |&i: &usize| {
            let local = self.pose.to_local(p.position[i]);
            self.region.signed_distance(local) <= 0.0
        };
        let masses = self.selection.particles(world).into_iter().filter(inside);
        let (mass, count) = masses.fold((0.0, 0), |(mass, count), i| {
            (mass + f64::from(p.mass[i]), count + 1)
        });
        vec![mass, f64::from(count)]
    }
}
