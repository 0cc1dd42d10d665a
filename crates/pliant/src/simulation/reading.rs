//! What a simulation tells: particles, quantities, probes, statistics, energies.

use pliant_core::measure::{Energies, Frame, FrameAnalysis, FrameReport, Wanted};
use pliant_core::particles::Particles;

use super::{Simulation, SimulationError};

impl Simulation {
    /// Everything that is known of the moment, copied in the order of stable ids: positions [m], velocities [m/s],
    /// bodies, density, stress and each method's own quantities, the triangles of cloth.
    pub fn frame(&mut self) -> Frame<'_> {
        self.frame_with(Wanted::ALL)
    }

    /// The same with as much as is wanted: what is not costs nothing.
    pub fn frame_with(&mut self, wanted: Wanted<'_>) -> Frame<'_> {
        let (world, buffers) = (&self.world, &mut self.buffers);
        self.pool.run(|| buffers.update_wanted(world, wanted));
        buffers.frame()
    }

    /// The columns of the particles as they lie, without a copy. Their order changes from step to step: `id` says
    /// which is which.
    pub fn particles(&self) -> &Particles {
        &self.world.state.particles
    }

    /// Places in [`Self::particles`] of the particles of a body, in the order of their ids.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn places_of(&self, body: &str) -> Result<Vec<usize>, SimulationError> {
        let number = self.body_number(body)?;
        Ok(self.particles().places_by_id(|b| b == number))
    }

    /// The report of the last frame: substeps, time, forces on colliders, work; a default one at the start.
    pub fn report(&self) -> &FrameReport {
        &self.report
    }

    /// Energies now [J].
    pub fn energies(&self) -> Energies {
        self.stepper.energies(&self.world)
    }

    /// A column of `probes.csv` or `stats.csv` as it is now: "load.y", "energy_kinetic", ...
    ///
    /// # Errors
    /// If there is no such column.
    pub fn measure(&self, column: &str) -> Result<f64, SimulationError> {
        let layout = self.measurements.layout();
        let at = |columns: &[pliant_core::measure::Column]| {
            columns.iter().position(|known| known.name == column)
        };
        let (of_probes, of_stats) = (at(&layout.probes), at(&layout.stats));
        if of_probes.is_none() && of_stats.is_none() {
            let known = layout.probes.iter().chain(&layout.stats);
            let names = known.map(|known| known.name.as_str());
            return Err(SimulationError::unknown("column", column, names));
        }
        let (world, report, measurements) = (&self.world, &self.report, &self.measurements);
        let rows = self.pool.run(|| {
            let analysis = FrameAnalysis::of(world);
            measurements.rows(world, report, &analysis)
        });
        let of = |row: &[f64], place: Option<usize>| place.map(|place| row[place]);
        Ok(of(&rows.probes, of_probes)
            .or(of(&rows.stats, of_stats))
            .unwrap_or(f64::NAN))
    }

    /// Number of a body among those of the scene.
    pub(super) fn body_number(&self, name: &str) -> Result<u32, SimulationError> {
        let bodies = &self.world.setup.bodies;
        let found = bodies.iter().position(|body| body.name == name);
        let number = found.ok_or_else(|| {
            let known = bodies.iter().map(|body| body.name.as_str());
            SimulationError::unknown("body", name, known)
        })?;
        Ok(number as u32)
    }
}
