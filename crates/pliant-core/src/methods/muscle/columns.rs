//! State of the method.

use pliant_math::Real;
use serde::{Deserialize, Serialize};

use super::activation::{ActivationDrive, ActivationState, activation_at};
use super::{Activation, MuscleSetup};
use crate::method::{Columns, take_over};

/// State of the method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MuscleColumns {
    /// Activation of each muscle of each body in the last substep. Written by `find`.
    pub activation: Vec<ActivationState>,
    /// Those that are driven from outside.
    pub(super) drives: Vec<ActivationDrive>,
    /// What the next substep starts with, of each particle of each body in their order at the start: impulse of
    /// pressure on its volume in the last one over its length [N m], or pressures of the two solvers of densities
    /// [Pa]. Empty where nothing keeps the volume. Written by `flow`.
    pub(super) pressure: Vec<Real>,
}

impl MuscleColumns {
    /// The bodies of a setup at the start.
    pub(super) fn at_rest(setup: &MuscleSetup) -> Self {
        let mut columns = Self::default();
        for (number, muscle) in (0..).zip(setup.muscles()) {
            if let Activation::Driven(start) = muscle.activation {
                columns.drives.push(ActivationDrive {
                    muscle: number,
                    start: (0.0, start),
                    end: (0.0, start),
                });
            }
        }
        columns.activation = columns.activation_at(setup, 0.0);
        columns.pressure = vec![0.0; setup.pressures_of_particle() * setup.particle_count()];
        columns
    }

    /// The activation of all muscles at a time [s].
    pub(super) fn activation_at(&self, setup: &MuscleSetup, time: f64) -> Vec<ActivationState> {
        let muscles = (0..).zip(setup.muscles());
        let at = |(number, muscle): (u32, &super::Muscle)| {
            activation_at(&muscle.activation, self.drive_of(number), time)
        };
        muscles.map(at).collect()
    }

    pub(super) fn drive_of(&self, muscle: u32) -> Option<&ActivationDrive> {
        self.drives.iter().find(|drive| drive.muscle == muscle)
    }

    /// Whether they can be those of a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub(super) fn check(&self, setup: &MuscleSetup) -> Result<(), String> {
        let start = Self::at_rest(setup);
        let driven = |c: &Self| c.drives.iter().map(|d| d.muscle).collect::<Vec<_>>();
        let sizes = |c: &Self| (c.activation.len(), c.pressure.len());
        if sizes(self) != sizes(&start) || driven(self) != driven(&start) {
            return Err(format!(
                "it has {} muscles, {} of them driven, and {} pressures, not {}, {} and {}",
                self.activation.len(),
                self.drives.len(),
                self.pressure.len(),
                start.activation.len(),
                start.drives.len(),
                start.pressure.len(),
            ));
        }
        Ok(())
    }
}

impl Columns for MuscleColumns {
    fn continue_from(&mut self, before: Self) {
        take_over(&mut self.activation, &before.activation);
        take_over(&mut self.drives, &before.drives);
        take_over(&mut self.pressure, &before.pressure);
    }
}
