//! Positions and velocities that a program gives particles between steps.

use pliant_core::step::{NewMotion, give_motion};
use pliant_math::{DVec3, Real, Vec3};

use super::{Simulation, SimulationError};

/// The particles of a simulation while a program gives them other positions and velocities: [`Simulation::edit`].
///
/// All columns have an entry a particle, in the order of [`Simulation::particles`].
#[derive(Debug)]
pub struct EditedParticles<'a> {
    /// Positions [m].
    pub position: &'a mut [DVec3],
    /// Velocities [m/s].
    pub velocity: &'a mut [Vec3],
    /// Masses [kg].
    pub mass: &'a [Real],
    /// Inverse masses [1/kg]; 0 of what is held, which cannot be given anything else than it has.
    pub inverse_mass: &'a [Real],
    /// Contact radii [m].
    pub radius: &'a [Real],
    /// Indices of bodies, of [`Simulation::setup`].
    pub body: &'a [u32],
    /// Stable ids.
    pub id: &'a [u32],
}

impl Simulation {
    /// Gives particles other positions and velocities between steps, whole columns or some of it: what `edit` leaves in
    /// them counts once it returns. All of it is checked first, and either all of it is taken or nothing.
    ///
    /// What is given counts where it differs: an edit that leaves everything as it was changes no bit.
    ///
    /// | of | an edit |
    /// | --- | --- |
    /// | free particles | moves them; ties, rods, joints and springs pull back together what it puts apart |
    /// | a rigid body, whose particle is at its centre of mass | moves the body, which keeps its rotation and its spin, and wakes it if it sleeps |
    /// | what is held in the world or by a collider | is refused: [release](Self::release) it first |
    /// | solids, cloth, springs, which know where they are at rest | deforms them, as far as particles move against each other |
    /// | sand, snow and others that keep their strain, fluids | leaves strain and plastic state with each particle |
    ///
    /// Masses, radii and what bodies are like at rest cannot be given: everything else was made with them. Nothing is
    /// cleared: overlaps are pushed apart. The next frame begins with a new balance of energy, so that what was thrown
    /// is not taken for an error of the step.
    ///
    /// A ball is thrown, and its upper half faster:
    ///
    /// ```
    /// # use pliant::{Scene, SceneTable, Simulation};
    /// # let ball = SceneTable::new()
    /// #     .with("name", "ball")
    /// #     .with("material", "rubber")
    /// #     .with("shape.sphere.radius", 0.05)
    /// #     .with("spacing", 0.025);
    /// # let scene = Scene::builder()
    /// #     .with("scene.duration", 1.0)
    /// #     .with("material.rubber.preset", "rubber")
    /// #     .add("body", ball)
    /// #     .build()?;
    /// # let mut simulation = Simulation::of(scene)?;
    /// simulation.edit(|particles| {
    ///     for (v, x) in particles.velocity.iter_mut().zip(&*particles.position) {
    ///         v.x = if x.y > 0.0 { 1.5 } else { 0.5 };
    ///     }
    /// })?;
    /// simulation.step()?;
    /// # Ok::<(), pliant::SimulationError>(())
    /// ```
    ///
    /// # Errors
    /// If a particle is given what it cannot have: what is not finite, coordinates beyond 1e9 m or outside of bounds
    /// that stop a run, a speed that no step resolves, or anything else than it has where it is held. The simulation
    /// stays as it was.
    pub fn edit<R>(
        &mut self,
        edit: impl FnOnce(&mut EditedParticles<'_>) -> R,
    ) -> Result<R, SimulationError> {
        self.check_sound()?;
        let particles = self.particles();
        let mut position = particles.position.clone();
        let mut velocity = particles.velocity.clone();
        let result = edit(&mut EditedParticles {
            position: &mut position,
            velocity: &mut velocity,
            mass: &particles.mass,
            inverse_mass: &particles.inverse_mass,
            radius: &particles.radius,
            body: &particles.body,
            id: &particles.id,
        });
        self.give_motion(NewMotion {
            position: Some(position),
            velocity: Some(velocity),
        })?;
        Ok(result)
    }

    /// Gives particles whole columns, which it takes over: what [`Self::edit`] does, for who has columns already.
    ///
    /// # Errors
    /// As for [`Self::edit`], and if a column has another length.
    pub fn give_motion(&mut self, motion: NewMotion) -> Result<(), SimulationError> {
        self.check_sound()?;
        let world = &mut self.world;
        let moved = self.pool.run(|| give_motion(world, motion))?;
        if !moved.position.is_empty() {
            self.stepper.forget();
        }
        Ok(())
    }
}
