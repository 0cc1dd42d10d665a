//! What a simulation tells: particles, quantities, probes, statistics, energies.

use pliant_core::measure::{Energies, Frame, FrameReport, Wanted};
use pliant_core::particles::Particles;
use pliant_math::Pose;
use pliant_view::UnknownColumn;

use super::{Simulation, SimulationError};
use crate::run::Layout;

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

    /// The same with quantities by their names.
    ///
    /// # Errors
    /// If there is no quantity of a name; the message has those that there are.
    pub fn frame_of(
        &mut self,
        quantities: &[&str],
        surfaces: bool,
    ) -> Result<Frame<'_>, SimulationError> {
        self.frame_with(Wanted {
            quantities: Some(quantities),
            surfaces,
        });
        let found = &self.last_frame().quantities;
        let is_missing = |name: &&&str| found.iter().all(|quantity| quantity.name != **name);
        if let Some(missing) = quantities.iter().find(is_missing) {
            let all = self.frame().quantities.iter();
            let known = all.map(|quantity| quantity.name);
            return Err(SimulationError::unknown("quantity", missing, known));
        }
        Ok(self.last_frame())
    }

    /// The last frame that was read; an empty one before the first.
    pub fn last_frame(&self) -> Frame<'_> {
        self.buffers.frame()
    }

    /// The surfaces that bodies carried at the moment of the last [`Self::frame`], their vertices in place of
    /// particles; `None` if there are none, or they were not wanted.
    pub fn surface(&self) -> Option<Frame<'_>> {
        self.buffers.surface()
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

    /// Gives the columns of the particles away as they lie in memory, and goes on with copies of them: who has
    /// shown them to others by their addresses keeps what he has shown.
    pub fn give_particles(&mut self) -> Particles {
        let particles = &mut self.world.state.particles;
        let copy = particles.clone();
        std::mem::replace(particles, copy)
    }

    /// Where a collider is now.
    ///
    /// # Errors
    /// If there is no such collider, or it is gone.
    pub fn pose_of_collider(&self, name: &str) -> Result<Pose, SimulationError> {
        let number = self.collider_number(name)?;
        let pose = self.world.collider_pose(number);
        pose.ok_or_else(|| SimulationError::Gone(name.to_owned()))
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
        Ok(self.measure_all(&[column])?[0])
    }

    /// Several of them at once, which costs what it costs to measure the dearest: probes are each measured, and
    /// statistics only if one is asked for.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn measure_all(&self, columns: &[&str]) -> Result<Vec<f64>, SimulationError> {
        let (world, report, measurements) = (&self.world, &self.report, &self.measurements);
        let values = self
            .pool
            .run(|| measurements.values(columns, world, report));
        values.map_err(|UnknownColumn(name)| {
            let layout = measurements.layout();
            let known = layout.probes.iter().chain(&layout.stats);
            SimulationError::unknown("column", name, known.map(|column| column.name.as_str()))
        })
    }

    /// The columns that [`Self::measure`] knows.
    pub fn columns(&self) -> &Layout {
        self.measurements.layout()
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
