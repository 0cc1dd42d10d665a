//! Into how many pieces material has come.

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::pieces::{
    FragmentPoint, PieceCounts, Pieces, fragment_points_of_bodies, links,
};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "fragments",
    doc: "Pieces: groups of particles that act on each other, directly or through others: those of one continuum within the reach of the kernel, granules that touch, corners of triangles of cloth. count is their number, largest the share of the mass in the greatest of all.",
    fields: &[
        BODY,
        Field::optional(
            "distance",
            Kind::Number(Range::POSITIVE),
            "spacings",
            "If given, particles nearer than this are joined, whatever they belong to, and no others.",
        ),
        Field::new(
            "least",
            Kind::Integer(Range::closed(1.0, 1e9)),
            "",
            Preset::Integer(1),
            "Particles of the smallest piece that is counted.",
        ),
    ],
    columns: &[
        column("count", "", "Number of pieces."),
        column("largest", "", "Share of the mass in the greatest of all."),
    ],
    build,
};

struct Fragments {
    selection: Selection,
    /// The particles of each body as they join others.
    fragment_points: Vec<FragmentPoint>,
    least: usize,
    /// Whether triangles of cloth join their corners: unless a distance decides.
    has_links: bool,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let setup = context.setup;
    let distance = values.optional_number("distance");
    let fragment_points = match distance {
        None => fragment_points_of_bodies(setup),
        Some(distance) => setup
            .bodies
            .iter()
            .map(|body| FragmentPoint {
                position: DVec3::ZERO,
                group: 0,
                reach: distance * body.spacing,
            })
            .collect(),
    };
    Ok(Box::new(Fragments {
        selection: Selection::read(values, setup)?,
        fragment_points,
        least: values.integer("least") as usize,
        has_links: distance.is_none(),
    }))
}

impl Probe for Fragments {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        let places = self.selection.particles(world);
        let point = |&i: &usize| FragmentPoint {
            position: p.position[i],
            ..self.fragment_points[p.body[i] as usize]
        };
        let points: Vec<FragmentPoint> = places.iter().map(point).collect();
        let pieces = Pieces::joined(&points, &self.links(world, &places));
        let pieces = pieces.list(places.iter().map(|&i| f64::from(p.mass[i])));
        let count = pieces.iter().filter(|p| p.points >= self.least).count();
        vec![count as f64, PieceCounts::of(&pieces).greatest]
    }
}

impl Fragments {
    /// What is joined however far apart, by the numbers among these places.
    fn links(&self, world: &World, places: &[usize]) -> Vec<[u32; 2]> {
        if !self.has_links {
            return Vec::new();
        }
        let id: Vec<u32> = places
            .iter()
            .map(|&i| world.state.particles.id[i])
            .collect();
        links(world, &id)
    }
}
