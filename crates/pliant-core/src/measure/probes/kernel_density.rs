//! How crowded particles are.

use pliant_math::Real;
use pliant_parameters::{Problem, Values};

use super::cells::Cells;
use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::kernels::{Wendland, rest_fraction};
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "kernel-density",
    doc: "Density as the places of the particles tell it, the kernel summed over all of them times their rest volumes, as a multiple of that of a regular packing at rest: the greatest and the mean. Irregular particles inside a body see up to 1.23 at rest, those at its surface less.",
    fields: &[BODY],
    columns: &[
        column("max", "", "The greatest."),
        column("mean", "", "The mean."),
    ],
    build,
};

struct OfSelection(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    Ok(Box::new(OfSelection(selection)))
}

impl Probe for OfSelection {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let density = KernelDensity::of(world, &self.0.particles(world));
        vec![density.greatest, density.mean]
    }
}

/// Densities of particles as multiples of that of a regular packing at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelDensity {
    /// The greatest; 0 without particles.
    pub greatest: f64,
    /// Their mean; 0 without particles.
    pub mean: f64,
}

impl KernelDensity {
    /// Of the particles at some places, which see each other only.
    pub fn of(world: &World, places: &[usize]) -> Self {
        let particles = &world.state.particles;
        let bodies = &world.setup.bodies;
        let body = |i: usize| &bodies[particles.body[i] as usize];
        let reaches = places.iter().map(|&i| body(i).support_radius);
        let reach = reaches.fold(f64::MIN_POSITIVE, f64::max);
        let position: Vec<_> = places.iter().map(|&i| particles.position[i]).collect();
        let cells = Cells::new(&position, reach);
        let at_rest = |b: &crate::world::Body| {
            let fraction = f64::from(rest_fraction(b.support_radius, b.spacing));
            (Wendland::new(b.support_radius), fraction)
        };
        let kernels: Vec<_> = bodies.iter().map(at_rest).collect();
        let density = |&i: &usize| {
            let (kernel, at_rest) = kernels[particles.body[i] as usize];
            let (x, support) = (particles.position[i], body(i).support_radius);
            let share = |k: usize| {
                let distance = position[k].distance(x);
                let weight: Real = kernel.weight(distance.min(support) as Real);
                f64::from(weight) * body(places[k]).particles.particle_volume
            };
            cells.around(x).map(share).sum::<f64>() / at_rest
        };
        let (greatest, sum) = places
            .iter()
            .map(density)
            .fold((0.0_f64, 0.0), |(greatest, sum), d| {
                (greatest.max(d), sum + d)
            });
        Self {
            greatest,
            mean: sum / places.len().max(1) as f64,
        }
    }
}
