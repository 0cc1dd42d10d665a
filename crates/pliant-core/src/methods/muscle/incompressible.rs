//! What keeps the volume, in the stages of the substep: det F of each particle, or densities.

use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real, Vec3, to_double};

use super::density::{DensityInput, DensityUntil};
use super::longest_step::longest_explicit;
use super::rows::MuscleRows;
use super::volume::VolumeInput;
use super::{Incompressibility, MuscleColumns, MuscleMethod};
use crate::attachments::Ties;
use crate::method::Substep;
use crate::parallel;
use crate::particles::Particles;

/// Iterations for the volume that each change of velocities by others is answered with at least.
const LEAST_VOLUME_STEPS: u32 = 2;

/// Longest explicit steps for which the tolerance of the density is meant.
const EXPLICIT_STEPS: f64 = 4.0;

impl MuscleMethod {
    /// Makes room for the particles of the last `sort`.
    pub(super) fn build_volumes(&mut self, particles: &Particles) {
        self.volumes.build(&self.rows);
        self.pressure = vec![Row::ZERO; self.rows.rows.len()];
        if self.incompressibility() == Incompressibility::Density {
            let ids = &particles.id[self.range.clone()];
            self.densities.build(&self.setup.bodies, ids);
        }
    }

    /// Takes over the pressures of the substep before, and with densities who is near whom.
    pub(super) fn find_pressures(
        &mut self,
        particles: &Particles,
        columns: &MuscleColumns,
        step: Substep,
    ) {
        self.kept.clear();
        let (numbers, dt) = (&self.numbers, step.dt as Real);
        let ids = &particles.id[self.range.clone()];
        let number = |id: u32| numbers[id as usize] as usize;
        match self.incompressibility() {
            Incompressibility::None => (),
            Incompressibility::Velocity => {
                for (row, ids) in self.pressure.iter_mut().zip(ids.chunks(LANES)) {
                    for (lane, &id) in row.0.iter_mut().zip(ids) {
                        *lane = columns.pressure[number(id)];
                    }
                }
            }
            Incompressibility::Density => {
                let input = DensityInput {
                    instructions: self.instructions,
                    position: &self.position,
                    inverse_mass: &particles.inverse_mass[self.range.clone()],
                    dt: step.dt,
                    push_out_speed: step.push_out_speed,
                };
                self.densities.find(input, |place| {
                    let first = 2 * number(ids[place]);
                    [0, 1].map(|k| columns.pressure[first + k] * dt)
                });
            }
        }
    }

    /// Takes over the deformation at the start.
    pub(super) fn start_volumes(&mut self, dt: f64) {
        if self.is_pressed() {
            let input = volume_input(self.instructions, &self.rows, dt);
            self.volumes
                .start(input, &self.states, &self.pressure, self.is_implicit);
        }
    }

    /// With densities, gives velocities the pressure of the substep before and takes from them what would compress.
    pub(super) fn press(&mut self, particles: &mut Particles, dt: f64) {
        if self.incompressibility() != Incompressibility::Density {
            return;
        }
        self.load_velocities(particles);
        let until = self.density_until(0, dt);
        self.densities
            .start(self.instructions, until, &mut self.records);
        let velocity = &mut particles.velocity[self.range.clone()];
        for (v, &[x, y, z, _]) in velocity.iter_mut().zip(&self.records) {
            *v = Vec3::new(x, y, z);
        }
    }

    /// Keeps the volume, if others have changed velocities since it was kept.
    pub(super) fn project(&mut self, particles: &mut Particles, mut ties: Ties<'_>, dt: f64) {
        let chosen = self.incompressibility();
        if self.range.is_empty() || chosen == Incompressibility::None {
            return;
        }
        if self.kept == particles.velocity[self.range.clone()] {
            return;
        }
        self.load_velocities(particles);
        let (tied, mass) = (
            self.implicit.solver.tied(),
            &particles.mass[self.range.clone()],
        );
        let given = if chosen == Incompressibility::Velocity {
            let input = volume_input(self.instructions, &self.rows, dt);
            let most = self.volume_steps_left(self.volumes.steps);
            let until = (most, self.setup.settings.volume_tolerance);
            let (matrices, records) = (&mut self.matrices, &mut self.records);
            self.volumes
                .project(input, until, (matrices, records), (tied, mass));
            self.volumes.given_by_ties()
        } else {
            let until = self.density_until(self.densities.steps, dt);
            let records = &mut self.records;
            self.densities
                .project(self.instructions, until, records, (tied, mass));
            self.densities.given_by_ties()
        };
        self.implicit.add_to_bodies(given, &mut ties);
        self.store_velocities(particles);
        self.kept.clear();
        self.kept
            .extend_from_slice(&particles.velocity[self.range.clone()]);
    }

    /// Keeps the pressures for the next substep.
    pub(super) fn flow(&self, particles: &Particles, columns: &mut MuscleColumns, dt: f64) {
        let chosen = self.incompressibility();
        if self.range.is_empty() || chosen == Incompressibility::None {
            return;
        }
        let inverse_dt = 1.0 / dt as Real;
        for (place, &id) in particles.id[self.range.clone()].iter().enumerate() {
            let number = self.numbers[id as usize] as usize;
            if chosen == Incompressibility::Velocity {
                columns.pressure[number] = self.volumes.pressure(place) * inverse_dt;
            } else {
                let pressure = self.densities.pressure(place);
                let kept = &mut columns.pressure[2 * number..][..2];
                kept.copy_from_slice(&pressure.map(|p| p * inverse_dt));
            }
        }
    }

    /// Adds the impulses [N s] of pressure in the last substep that are not among those of stress.
    ///
    /// * `on_particle` — of all particles, by place
    pub(super) fn add_pressure_impulses(&mut self, on_particle: &mut [DVec3], dt: f64) {
        let own = &mut on_particle[self.range.clone()];
        let add = |place: usize, impulse| own[place] += to_double(Vec3::from_array(impulse));
        match self.incompressibility() {
            Incompressibility::None => (),
            Incompressibility::Velocity => {
                let input = volume_input(self.instructions, &self.rows, dt);
                self.volumes.impulses(input, &mut self.matrices, add);
            }
            Incompressibility::Density => self.densities.add_impulses(self.instructions, add),
        }
    }

    /// Squared errors of what keeps the volume: what is left, and what there was in the substep.
    pub(super) fn volume_residual(&self) -> Option<(f64, f64)> {
        match self.incompressibility() {
            Incompressibility::None => None,
            Incompressibility::Velocity => Some(self.volumes.residual()),
            Incompressibility::Density => Some(self.densities.residual()),
        }
    }

    /// Iterations for the volume in the last substep.
    pub(super) fn volume_steps(&self) -> u32 {
        match self.incompressibility() {
            Incompressibility::Density => self.densities.steps,
            _ => self.volumes.steps,
        }
    }

    /// Whether a pressure keeps det F.
    pub(super) fn is_pressed(&self) -> bool {
        self.incompressibility() == Incompressibility::Velocity
    }

    fn incompressibility(&self) -> Incompressibility {
        self.setup.settings.incompressibility
    }

    fn volume_steps_left(&self, taken: u32) -> u32 {
        let most = self.setup.settings.volume_steps.saturating_sub(taken);
        most.max(LEAST_VOLUME_STEPS)
    }

    /// The error that a step leaves comes back in the next one as a velocity, and the shorter the step, the higher:
    /// below some explicit steps less of it is left, in proportion, so that these velocities stay small beside those of
    /// waves.
    fn density_until(&self, taken: u32, dt: f64) -> DensityUntil {
        let longest = self.setup.bodies.iter().map(longest_explicit);
        let meant_for = EXPLICIT_STEPS * longest.fold(0.0, f64::max);
        let share = (dt / meant_for).min(1.0);
        DensityUntil {
            most: self.volume_steps_left(taken),
            tolerance: self.setup.settings.density_tolerance * share,
        }
    }

    pub(super) fn load_velocities(&mut self, particles: &Particles) {
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        let velocity = &particles.velocity[self.range.clone()];
        self.records.resize(velocity.len(), [0.0; 4]);
        parallel::for_chunks(&mut self.records, |first, records| {
            let columns = velocity[first..].iter().zip(&inverse_mass[first..]);
            for (record, (v, &w)) in records.iter_mut().zip(columns) {
                *record = [v.x, v.y, v.z, w];
            }
        });
    }

    fn store_velocities(&mut self, particles: &mut Particles) {
        let velocity = &mut particles.velocity[self.range.clone()];
        for (place, (v, &[x, y, z, _])) in velocity.iter_mut().zip(&self.records).enumerate() {
            let now = Vec3::new(x, y, z);
            if self.is_implicit {
                self.implicit.add(place, now - *v);
            }
            *v = now;
        }
    }
}

fn volume_input(instructions: Instructions, rows: &MuscleRows, dt: f64) -> VolumeInput<'_> {
    VolumeInput {
        instructions,
        particles: rows,
        dt: dt as Real,
    }
}
