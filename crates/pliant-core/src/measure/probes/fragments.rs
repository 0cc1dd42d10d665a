//! Into how many pieces material has come.

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};
use rustc_hash::FxHashMap;

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, columns};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "fragments",
    doc: "Pieces: groups of particles that are joined through neighbours near enough to interact. count is their number, largest the share of the mass in the greatest of all.",
    fields: &[
        BODY,
        Field::optional(
            "distance",
            Kind::Number(Range::POSITIVE),
            "spacings",
            "Particles nearer than this are joined. If missing, the distance at which the kernel reaches zero.",
        ),
        Field::new(
            "least",
            Kind::Integer(Range::closed(1.0, 1e9)),
            "",
            Preset::Integer(1),
            "Particles of the smallest piece that is counted.",
        ),
    ],
    build,
};

struct Fragments {
    selection: Selection,
    /// Distance at which particles of each body are joined [m].
    reach: Vec<f64>,
    least: usize,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let distance = values.optional_number("distance");
    let bodies = context.setup.bodies.iter();
    Ok(Box::new(Fragments {
        selection: Selection::read(values, context.setup)?,
        reach: bodies
            .map(|b| distance.map_or(b.support_radius, |d| d * b.spacing))
            .collect(),
        least: values.integer("least") as usize,
    }))
}

impl Probe for Fragments {
    fn columns(&self) -> Vec<Column> {
        columns(&[("count", ""), ("largest", "")])
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let p = &world.state.particles;
        let places = self.selection.particles(world);
        let position: Vec<DVec3> = places.iter().map(|&i| p.position[i]).collect();
        let reach: Vec<f64> = places
            .iter()
            .map(|&i| self.reach[p.body[i] as usize])
            .collect();
        let pieces = joined(&position, &reach);
        let mut mass = vec![0.0; places.len()];
        let mut size = vec![0; places.len()];
        for (k, &i) in places.iter().enumerate() {
            mass[pieces[k]] += f64::from(p.mass[i]);
            size[pieces[k]] += 1;
        }
        let count = size.iter().filter(|&&n| n >= self.least).count();
        let total: f64 = mass.iter().sum();
        let largest = mass.iter().copied().fold(0.0, f64::max);
        let share = if total > 0.0 { largest / total } else { 0.0 };
        vec![count as f64, share]
    }
}

/// The piece of each point, named by its first one; two points are joined if they are nearer than the
/// mean of their reaches.
fn joined(position: &[DVec3], reach: &[f64]) -> Vec<usize> {
    let size = reach.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut cells: FxHashMap<[i64; 3], Vec<usize>> = FxHashMap::default();
    let mut parent: Vec<usize> = (0..position.len()).collect();
    for (i, &x) in position.iter().enumerate() {
        let [a, b, c] = cell(x, size);
        for k in 0..27 {
            let near = [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1];
            for &j in cells.get(&near).map_or(&[][..], Vec::as_slice) {
                if x.distance(position[j]) < 0.5 * (reach[i] + reach[j]) {
                    let (one, two) = (root(&mut parent, i), root(&mut parent, j));
                    parent[one.max(two)] = one.min(two);
                }
            }
        }
        cells.entry([a, b, c]).or_default().push(i);
    }
    (0..position.len()).map(|i| root(&mut parent, i)).collect()
}

/// The first point of a piece, with the way to it made shorter.
fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
