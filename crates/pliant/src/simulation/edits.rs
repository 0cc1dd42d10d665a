//! What a program has made of the constants of a scene, so that a saved state brings it along.

use std::path::Path;
use std::sync::Arc;

use pliant_core::attachments::Attachment;
use pliant_core::contacts::RigidEngineSource;
use pliant_core::world::Setup;
use pliant_scene::{Scene, SceneAddition, SceneErrors};
use serde::{Deserialize, Serialize};

use crate::additions::Extent;
use crate::run::EDITED;

/// What was added to a scene and attached otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Edits {
    /// Additions, in order.
    pub added: Vec<Added>,
    /// All attachments, where they are not those of the scene.
    pub attachments: Option<Vec<Attachment>>,
}

/// Bodies and materials that were added at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Added {
    /// Their tables as TOML.
    pub tables: String,
    /// Id of their first particle.
    pub first_id: u32,
}

impl Edits {
    /// The tables of all additions.
    pub fn texts(&self) -> Vec<String> {
        self.added
            .iter()
            .map(|added| added.tables.clone())
            .collect()
    }

    /// An addition as it was read.
    ///
    /// # Errors
    /// If its tables are not of this scene.
    pub fn read(&self, place: usize, scene: &Scene) -> Result<SceneAddition, SceneErrors> {
        // Paths in it are absolute.
        let saved = ("saved addition", Path::new("/"));
        scene.addition_of_text(&self.texts()[..place], &self.added[place].tables, saved)
    }

    /// They and a state as bytes; those of the state alone where there are none.
    pub fn with_state(&self, state: Vec<u8>) -> Vec<u8> {
        if *self == Self::default() {
            return state;
        }
        let edits = postcard::to_allocvec(self).unwrap_or_default();
        [EDITED, &edits, &state].concat()
    }

    /// The edits in bytes, and the bytes of the state.
    ///
    /// # Errors
    /// Why there are none, if the bytes are damaged.
    pub fn split(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        match bytes.strip_prefix(EDITED) {
            Some(rest) => postcard::take_from_bytes(rest).map_err(|error| error.to_string()),
            None => Ok((Self::default(), bytes)),
        }
    }
}

/// What of the constants of a scene edits change, as it is at the start.
pub(super) struct Start {
    extent: Extent,
    engine: Option<Arc<dyn RigidEngineSource>>,
    attachments: Vec<Attachment>,
}

impl Start {
    /// Of a setup without edits.
    pub fn of(setup: &Setup) -> Self {
        Self {
            extent: Extent::of(setup),
            engine: setup.rigid_engine.clone(),
            attachments: setup.attachments.clone(),
        }
    }

    /// A setup without its edits; other constants stay as they are.
    pub fn undone(&self, setup: &Setup) -> Setup {
        let mut setup = self.extent.cut(setup);
        setup.rigid_engine.clone_from(&self.engine);
        setup.attachments.clone_from(&self.attachments);
        setup
    }
}
