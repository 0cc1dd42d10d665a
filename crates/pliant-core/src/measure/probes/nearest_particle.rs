//! A particle followed through the run.

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "nearest-particle",
    doc: "The particle nearest to a point at the start, followed: its position x, y, z and its way \
          from the start dx, dy, dz; zeros once it has left the world.",
    fields: &[
        BODY,
        Field::required("point", Kind::Vector(3, Range::ANY), "m", "The point."),
    ],
    columns: &[
        column("x", "m", "x of its position."),
        column("y", "m", "y of its position."),
        column("z", "m", "z of its position."),
        column("dx", "m", "x of its way from the start."),
        column("dy", "m", "y of its way from the start."),
        column("dz", "m", "z of its way from the start."),
    ],
    build,
};

struct NearestParticle {
    id: u32,
    start: DVec3,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    let world = World::new(context.setup.clone());
    let point = DVec3::from(values.vector3("point"));
    let particles = &world.state.particles;
    let distance = |i: &usize| particles.position[*i].distance_squared(point);
    let nearest = selection
        .particles(&world)
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some(nearest) = nearest else {
        return Err(Problem::at(
            "body",
            "there are no particles at the start to follow",
            "name a body that has particles at the start",
        ));
    };
    Ok(Box::new(NearestParticle {
        id: particles.id[nearest],
        start: particles.position[nearest],
    }))
}

impl Probe for NearestParticle {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        match p.id.iter().position(|&id| id == self.id) {
            None => vec![0.0; 6],
            Some(i) => {
                let moved = p.position[i] - self.start;
                [p.position[i].to_array(), moved.to_array()].concat()
            }
        }
    }
}
