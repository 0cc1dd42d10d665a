//! What a program does to a simulation between steps.

use pliant_core::step::NewMotion;
use pliant_core::world::Setup;
use pliant_math::{DVec3, Pose, Vec3, to_real};

use super::edits::Start;
use super::{Simulation, SimulationError};
use crate::prepare::Prepared;
use crate::run::measurements_of;

impl Simulation {
    /// Moves a collider that is `driven` from where it is now to a pose, evenly over a time [s] > 0; then it rests.
    ///
    /// # Errors
    /// If there is no such collider, it is not driven, or a number is not finite.
    pub fn drive_to(
        &mut self,
        collider: &str,
        target: Pose,
        duration: f64,
    ) -> Result<(), SimulationError> {
        let number = self.collider_number(collider)?;
        let driven = self.world.drive_to(number, target, duration);
        driven.map_err(|error| SimulationError::Drive {
            name: collider.to_owned(),
            error,
        })
    }

    /// Moves a collider that is `driven` with a velocity [m/s] and a spin [rad/s] until it is told otherwise.
    ///
    /// # Errors
    /// As for [`Self::drive_to`].
    pub fn drive(
        &mut self,
        collider: &str,
        velocity: DVec3,
        spin: DVec3,
    ) -> Result<(), SimulationError> {
        let number = self.collider_number(collider)?;
        let driven = self.world.drive(number, velocity, spin);
        driven.map_err(|error| SimulationError::Drive {
            name: collider.to_owned(),
            error,
        })
    }

    /// Puts a collider that is `driven` to a pose, where it rests: as if it had been there always.
    ///
    /// # Errors
    /// As for [`Self::drive_to`].
    pub fn put(&mut self, collider: &str, pose: Pose) -> Result<(), SimulationError> {
        let number = self.collider_number(collider)?;
        let put = self.world.put(number, pose);
        put.map_err(|error| SimulationError::Drive {
            name: collider.to_owned(),
            error,
        })
    }

    /// Changes the activation of a muscle that is `driven` to one in [0, 1], evenly over a time [s] >= 0.
    ///
    /// # Errors
    /// If there is no such body, the muscle is not driven, or a number is out of its range.
    pub fn activate(
        &mut self,
        body: &str,
        muscle: &str,
        activation: f64,
        duration: f64,
    ) -> Result<(), SimulationError> {
        let number = self.body_number(body)?;
        let world = &mut self.world;
        Ok(world.activate(number, muscle, activation, duration)?)
    }

    /// Gives all free particles of a body a velocity [m/s].
    ///
    /// # Errors
    /// If there is no such body, or the velocity is not finite or faster than any step resolves.
    pub fn set_velocity(&mut self, body: &str, velocity: DVec3) -> Result<(), SimulationError> {
        check_finite("a velocity", velocity)?;
        let places = self.free_places(body)?;
        self.give_velocity(&places, |_| to_real(velocity))
    }

    /// Gives the free particles of a body an impulse [N s] together, in proportion to their masses. A force over a
    /// frame is the impulse of the force times the time of the frame.
    ///
    /// # Errors
    /// If there is no such body, or the impulse is not finite or makes it faster than any step resolves.
    pub fn push(&mut self, body: &str, impulse: DVec3) -> Result<(), SimulationError> {
        check_finite("an impulse", impulse)?;
        let places = self.free_places(body)?;
        let mass_of = |&i: &usize| f64::from(self.particles().mass[i]);
        let mass: f64 = places.iter().map(mass_of).sum();
        match mass > 0.0 {
            true => self.give_velocity(&places, |velocity| velocity + to_real(impulse / mass)),
            false => Ok(()),
        }
    }

    /// Gives the particles at some places velocities [m/s] that follow from those that they have.
    fn give_velocity(
        &mut self,
        places: &[usize],
        change: impl Fn(Vec3) -> Vec3,
    ) -> Result<(), SimulationError> {
        let mut velocity = self.particles().velocity.clone();
        for &place in places {
            velocity[place] = change(velocity[place]);
        }
        self.give_motion(NewMotion {
            velocity: Some(velocity),
            ..NewMotion::default()
        })
    }

    /// Changes constants: gravity, moduli and friction of materials, colliders and their motion, fields, rates of
    /// emitters, settings of solvers. If the change is refused, nothing is changed.
    ///
    /// # Errors
    /// If particles were made with what is changed.
    pub fn change(&mut self, change: impl FnOnce(&mut Setup)) -> Result<(), SimulationError> {
        Ok(self.world.change(change)?)
    }

    /// Goes on with the constants of another reading of its scene: gravity, moduli and friction, colliders,
    /// fields, settings, probes. If they are refused, nothing is changed.
    ///
    /// # Errors
    /// If particles were made with what is changed, or a probe cannot be measured.
    pub fn change_to(&mut self, prepared: Prepared) -> Result<(), SimulationError> {
        let (provenance, mut changed) = prepared.split();
        let measurements = measurements_of(&changed, &provenance.scene)?;
        let start = Start::of(&changed);
        if let Some(attachments) = &self.edits.attachments {
            changed.attachments.clone_from(attachments);
        }
        self.world.change(|setup| *setup = changed)?;
        self.start = start;
        (self.provenance, self.measurements) = (provenance, measurements);
        Ok(())
    }

    fn free_places(&self, body: &str) -> Result<Vec<usize>, SimulationError> {
        let mut places = self.places_of(body)?;
        places.retain(|&place| self.particles().inverse_mass[place] > 0.0);
        Ok(places)
    }

    pub(super) fn collider_number(&self, name: &str) -> Result<usize, SimulationError> {
        let colliders = &self.world.setup.colliders;
        let found = colliders.iter().position(|collider| collider.name == name);
        found.ok_or_else(|| {
            let known = colliders.iter().map(|collider| collider.name.as_str());
            SimulationError::unknown("collider", name, known)
        })
    }
}

fn check_finite(what: &'static str, value: DVec3) -> Result<(), SimulationError> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(SimulationError::NotFinite {
            what,
            value: value.to_string(),
        }),
    }
}
