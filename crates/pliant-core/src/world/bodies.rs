//! Bodies that are added and removed between substeps.

use std::sync::Arc;

use super::{Body, Material, Setup, World};
use crate::boundaries::Collider;
use crate::contacts::RigidEngineSource;
use crate::particles::ReorderScratch;

/// Makes what moves the rigid bodies of a setup from what moved those of another one, which has fewer of them.
pub type GrowEngine = fn(Option<&dyn RigidEngineSource>, &Setup) -> Arc<dyn RigidEngineSource>;

/// What is added to a world that has started.
#[derive(Clone, Debug)]
pub struct Addition {
    /// Materials, behind those that there are.
    pub materials: Vec<Material>,
    /// Bodies, behind those that there are; their materials count from the first of the world.
    pub bodies: Vec<Body>,
    /// The collider of each of these bodies that is rigid.
    pub colliders: Vec<Collider>,
    /// What moves rigid bodies.
    pub engine: GrowEngine,
}

/// Why nothing can be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// A name that is there.
    #[error("there is a {what} \"{name}\" already; take another name")]
    Taken {
        /// Of what: "body", "material".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Too many particles.
    #[error("{count} particles are more than there is memory for, which is {limit}")]
    TooMany {
        /// With those that were to be added.
        count: usize,
        /// Most that there may be.
        limit: usize,
    },
    /// Particles are numbered in 32 bits.
    #[error("no ids are left for {0} more particles")]
    NoIds(usize),
}

/// Why a body cannot be removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoveError {
    /// It would be fed.
    #[error("the emitter \"{emitter}\" feeds the body \"{body}\", which cannot be removed")]
    Fed {
        /// The body.
        body: String,
        /// What feeds it.
        emitter: String,
    },
}

impl World {
    /// Adds bodies between two substeps. What is there keeps its ids, its numbers and its state; the particles of
    /// the new bodies have the next ids. Nothing is cleared for them: overlaps are pushed apart.
    ///
    /// Added before the first substep, they lead to the bits of a world that had them from the start.
    ///
    /// # Errors
    /// If a name is taken, or there are too many particles. The world stays as it is then.
    pub fn add(&mut self, addition: Addition) -> Result<(), AddError> {
        let Addition {
            materials,
            bodies,
            colliders,
            engine,
        } = addition;
        let mut setup = Setup::clone(&self.setup);
        let bodies_before = setup.bodies.len();
        self.check_room(&bodies)?;
        for material in materials {
            taken(
                "material",
                setup.materials.iter().map(|m| &m.name),
                &material.name,
            )?;
            setup.materials.push(material);
        }
        let mut next_id = self.state.next_id;
        for mut body in bodies {
            taken("body", setup.bodies.iter().map(|b| &b.name), &body.name)?;
            body.particles.first_id = Some(next_id);
            next_id += body.particles.position.len() as u32;
            setup.bodies.push(body);
        }
        if !colliders.is_empty() {
            setup.colliders.extend(colliders);
            setup.rigid_engine = Some(engine(setup.rigid_engine.as_deref(), &setup));
        }
        self.state.grow(&setup, bodies_before);
        // What came with them was not made: the next frame begins with a new balance.
        self.state.account.energy = None;
        self.setup = Arc::new(setup);
        Ok(())
    }

    /// Removes the particles of a body between two substeps, as if they had left the world: the body stays without
    /// particles, so that numbers and ids of all others stay. Whoever steps the world has its stepper
    /// `forget` its scratch.
    ///
    /// # Errors
    /// If an emitter feeds it.
    pub fn remove(&mut self, body: u32) -> Result<(), RemoveError> {
        let emitters = &self.setup.emitters;
        if let Some(emitter) = emitters.iter().find(|emitter| emitter.body == body) {
            return Err(RemoveError::Fed {
                body: self.setup.bodies[body as usize].name.clone(),
                emitter: emitter.name.clone(),
            });
        }
        let of_body = &self.state.particles.body;
        let kept = (0..of_body.len() as u32).filter(|&i| of_body[i as usize] != body);
        let kept: Vec<u32> = kept.collect();
        self.state.reorder(&kept, &mut ReorderScratch::default());
        self.state.account.energy = None;
        Ok(())
    }

    fn check_room(&self, bodies: &[Body]) -> Result<(), AddError> {
        let added: usize = bodies.iter().map(|b| b.particles.position.len()).sum();
        let count = self.state.particles.len() + added;
        let limit = self.setup.particle_limit;
        if count > limit {
            return Err(AddError::TooMany { count, limit });
        }
        let ids_left = (u32::MAX - self.state.next_id) as usize;
        match added < ids_left {
            true => Ok(()),
            false => Err(AddError::NoIds(added)),
        }
    }
}

fn taken<'a>(
    what: &'static str,
    mut names: impl Iterator<Item = &'a String>,
    name: &str,
) -> Result<(), AddError> {
    match names.any(|known| known == name) {
        true => Err(AddError::Taken {
            what,
            name: name.to_owned(),
        }),
        false => Ok(()),
    }
}
