//! What a program adds, removes, attaches and releases between steps.

use std::path::Path;
use std::sync::Arc;

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::measure::FrameBuffers;
use pliant_core::world::{Setup, SnapshotError, State, World};
use pliant_math::DVec3;
use pliant_scene::{SceneAddition, SceneBuilder};

use super::edits::{Added, Edits};
use super::{Simulation, SimulationError};
use crate::additions::add_to;

/// What particles are attached to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttachTo<'a> {
    /// The world: they stay where they are.
    World,
    /// A collider, by its name: they move with it.
    Collider(&'a str),
    /// A rigid body, by its name: they are tied to it, and pull at it.
    Rigid(&'a str),
}

impl Simulation {
    /// Adds bodies, and materials for them, between steps: the tables `body` and `material` of a scene, with the
    /// same keys, checks and messages. What is there keeps its ids and its state. Particles inside colliders are
    /// not left out, and overlaps are pushed apart: put the body where there is room.
    ///
    /// Probes and [`Self::scene`] are those of the scene. A [recording](crate::Recording) has the bodies from the
    /// next frame that is written on.
    ///
    /// ```
    /// # use pliant::{Scene, SceneTable, Simulation};
    /// # let ball = |name: &str| {
    /// #     SceneTable::new()
    /// #         .with("name", name)
    /// #         .with("material", "rubber")
    /// #         .with("shape.sphere.radius", 0.05)
    /// #         .with("spacing", 0.025)
    /// # };
    /// # let scene = Scene::builder()
    /// #     .with("scene.duration", 1.0)
    /// #     .with("material.rubber.preset", "rubber")
    /// #     .add("body", ball("first"))
    /// #     .build()?;
    /// let mut simulation = Simulation::of(scene)?;
    /// simulation.step()?;
    /// let second = ball("second").with("position", [0.0, 0.2, 0.0]);
    /// simulation.add(&Scene::builder().add("body", second))?;
    /// simulation.step()?;
    /// simulation.remove("first")?;
    /// # assert_eq!(simulation.places_of("first")?.len(), 0);
    /// # Ok::<(), pliant::SimulationError>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the tables, each with its key; names that are taken; more particles than there
    /// is memory for. The simulation stays as it is then.
    pub fn add(&mut self, tables: &SceneBuilder) -> Result<(), SimulationError> {
        self.check_sound()?;
        let earlier = self.edits.texts();
        let addition = self.provenance.scene.addition(&earlier, tables)?;
        self.add_addition(&addition)
    }

    /// The same from a text in TOML.
    ///
    /// * `name`, `folder` — what messages call the text, and where relative paths in it start
    ///
    /// # Errors
    /// As for [`Self::add`], with the line.
    pub fn add_text(
        &mut self,
        text: &str,
        name: &str,
        folder: impl AsRef<Path>,
    ) -> Result<(), SimulationError> {
        self.check_sound()?;
        let (earlier, place) = (self.edits.texts(), (name, folder.as_ref()));
        let addition = self
            .provenance
            .scene
            .addition_of_text(&earlier, text, place)?;
        self.add_addition(&addition)
    }

    fn add_addition(&mut self, addition: &SceneAddition) -> Result<(), SimulationError> {
        let added = Added {
            tables: addition.text(),
            first_id: self.world.state.next_id,
        };
        add_to(&mut self.world, addition)?;
        self.edits.added.push(added);
        self.buffers = FrameBuffers::default();
        Ok(())
    }

    /// Removes the particles of a body between steps, as if they had left the world: its name and all ids stay
    /// taken.
    ///
    /// # Errors
    /// If there is no such body, or an emitter feeds it.
    pub fn remove(&mut self, body: &str) -> Result<(), SimulationError> {
        self.check_sound()?;
        let number = self.body_number(body)?;
        self.world.remove(number)?;
        self.stepper.forget();
        self.buffers = FrameBuffers::default();
        Ok(())
    }

    /// Attaches those particles of a body whose positions [m] a region has in it, from now on and until they are
    /// released. Returns how many they are.
    ///
    /// # Errors
    /// If the name is taken, there is no such body or holder, or the region holds no particle of it.
    pub fn attach(
        &mut self,
        name: &str,
        body: &str,
        to: AttachTo<'_>,
        within: impl Fn(DVec3) -> bool,
    ) -> Result<usize, SimulationError> {
        let particles = self.particles();
        let mut places = self.places_of(body)?;
        places.retain(|&place| within(particles.position[place]));
        self.attach_places(name, to, &places)?;
        Ok(places.len())
    }

    /// Attaches particles by their stable ids, in any order, from now on and until they are released.
    ///
    /// # Errors
    /// If the name is taken, or there is no such particle or holder, or there are no ids.
    pub fn attach_particles(
        &mut self,
        name: &str,
        to: AttachTo<'_>,
        ids: &[u32],
    ) -> Result<(), SimulationError> {
        let of_all = &self.particles().id;
        let mut by_id: Vec<usize> = (0..of_all.len()).collect();
        by_id.sort_unstable_by_key(|&place| of_all[place]);
        let mut wanted = ids.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let place = |id: u32| {
            let found = by_id.binary_search_by_key(&id, |&place| of_all[place]);
            let at = found.map_err(|_| SimulationError::UnknownParticle(id))?;
            Ok(by_id[at])
        };
        let places: Result<Vec<usize>, SimulationError> = wanted.into_iter().map(place).collect();
        self.attach_places(name, to, &places?)
    }

    fn attach_places(
        &mut self,
        name: &str,
        to: AttachTo<'_>,
        places: &[usize],
    ) -> Result<(), SimulationError> {
        self.check_sound()?;
        let particles = self.particles();
        let positions: Vec<DVec3> = places.iter().map(|&i| particles.position[i]).collect();
        let ids = places.iter().map(|&i| particles.id[i]).collect();
        let kind = self.holder(to, &positions)?;
        self.world.attach(Attachment {
            name: name.to_owned(),
            particles: ids,
            kind,
        })?;
        self.keep_attachments();
        Ok(())
    }

    /// Releases what an attachment holds, one of the scene too: its particles go on with the velocity that they
    /// have.
    ///
    /// # Errors
    /// If there is no such attachment.
    pub fn release(&mut self, name: &str) -> Result<(), SimulationError> {
        self.check_sound()?;
        self.world.release(name)?;
        self.keep_attachments();
        Ok(())
    }

    fn keep_attachments(&mut self) {
        self.edits.attachments = Some(self.world.setup.attachments.clone());
    }

    /// What holds particles at some positions [m].
    fn holder(
        &self,
        to: AttachTo<'_>,
        positions: &[DVec3],
    ) -> Result<AttachmentKind, SimulationError> {
        let name = match to {
            AttachTo::World => return Ok(AttachmentKind::World),
            AttachTo::Collider(name) | AttachTo::Rigid(name) => name,
        };
        let pose = self.pose_of_collider(name)?;
        let number = self.collider_number(name)? as u32;
        let collider = &self.world.setup.colliders[number as usize];
        let local = positions.iter().map(|&x| pose.to_local(x)).collect();
        let local = collider.places_at_start(local, self.world.state.time);
        let first_rigid = self.world.setup.first_rigid() as u32;
        match (to, number.checked_sub(first_rigid)) {
            (AttachTo::Rigid(_), Some(body)) => Ok(AttachmentKind::Rigid { body, local }),
            (AttachTo::Collider(_), None) => Ok(AttachmentKind::Collider {
                collider: number,
                local,
            }),
            _ => Err(SimulationError::OtherHolder(name.to_owned())),
        }
    }

    /// The constants that the simulation has now, with other edits.
    ///
    /// # Errors
    /// If the tables of a body are not of this scene.
    pub(super) fn setup_with(&self, edits: &Edits) -> Result<Arc<Setup>, SimulationError> {
        let start = self.start.undone(&self.world.setup);
        let mut world = World {
            state: State::empty(&start),
            setup: Arc::new(start),
        };
        for (place, added) in edits.added.iter().enumerate() {
            let addition = edits.read(place, &self.provenance.scene)?;
            let last = world.setup.numbered().last();
            let ids = last.map_or(0, |b| b.first_id + b.body.particles.position.len() as u32);
            if added.first_id < ids {
                return Err(SnapshotError::new("particles of two bodies have the same ids").into());
            }
            world.state.next_id = added.first_id;
            add_to(&mut world, &addition)?;
        }
        if let Some(attachments) = &edits.attachments {
            world.state.next_id = u32::MAX;
            world.set_attachments(attachments.clone())?;
        }
        Ok(world.setup)
    }
}
