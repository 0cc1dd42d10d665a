//! Sum of the particles' volumes.

use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::readings::readings;
use crate::measure::{Column, FrameReport};
use crate::world::World;

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "volume",
    doc: "Sum of the particles' rest volumes times their elastic volume ratio det F, of cloth its area ratio.",
    fields: &[BODY],
    columns: &[column("volume", "m3", "The sum.")],
    build,
};

struct Volume(Selection);

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    Ok(Box::new(Volume(Selection::read(values, context.setup)?)))
}

impl Probe for Volume {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let readings = readings(world);
        let volume = |i: usize| {
            let particles = &world.state.particles;
            let start = &world.setup.bodies[particles.body[i] as usize].particles;
            // Particles of unequal size have masses in proportion.
            let share = match start.share.is_empty() {
                true => 1.0,
                false => f64::from(particles.mass[i]) / start.particle_mass,
            };
            start.particle_volume * share * readings.of_place[i].volume_ratio
        };
        vec![self.0.particles(world).into_iter().map(volume).sum()]
    }
}
