//! A scene and the hand in it, as inputs leave them.

use pliant_core::world::World;
use pliant_interaction::{Hand, HandError, Input};
use pliant_scene::{Overrides, SceneErrors};

use super::Source;
use crate::prepare::Prepared;

/// A scene and the hand in it.
pub(crate) struct InteractiveScene {
    source: Source,
    /// The text of the scene file when it was read.
    text: String,
    hand: Hand,
}

/// A scene read again with other values, for its world to go on with.
pub(crate) struct ChangedScene {
    /// The world of it, with what the hand holds.
    prepared: Prepared,
    /// What is to change, for messages.
    change: String,
    text: String,
    overrides: Overrides,
}

impl InteractiveScene {
    /// Reads a scene, and tells what is being done.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn read(
        source: Source,
        watch: &(dyn Fn(&str) + Sync),
    ) -> Result<(Self, Prepared), SceneErrors> {
        let text = source.read_text()?;
        let prepared = source.prepare(&text, &source.overrides, watch)?;
        let hand = Hand::default();
        Ok((Self { source, text, hand }, prepared))
    }

    /// Where the scene comes from, with the values that were set since.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The text of the scene as it runs.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of its file as it is now.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn text_of_file(&self) -> Result<String, SceneErrors> {
        self.source.read_text()
    }

    /// The hand.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The hand leaves nothing behind in a world that goes back to its start.
    ///
    /// # Errors
    /// If it is in no world, which is a defect.
    pub fn withdraw_hand(&mut self, world: &mut World) -> Result<(), HandError> {
        self.hand.leave(world)
    }

    /// Does what a hand does.
    ///
    /// # Errors
    /// If it cannot be done; nothing has changed then.
    pub fn act(&mut self, input: &Input, world: &mut World) -> Result<(), HandError> {
        self.hand.apply(input, world)
    }

    /// The scene with what an input changes in it; `None` for what a hand does. Once its world goes on with that, tell
    /// so with [`Self::accept`].
    ///
    /// # Errors
    /// Everything that is wrong with the scene then.
    pub fn read_for(&self, input: &Input) -> Result<Option<ChangedScene>, SceneErrors> {
        let old = &self.source.overrides;
        let (change, text, overrides) = match input {
            Input::Set { assignment } => {
                (assignment.as_str(), &self.text, old.with_value(assignment))
            }
            Input::Scene { text } => ("the scene file has changed", text, old.clone()),
            _ => return Ok(None),
        };
        let mut prepared = self.source.prepare(text, &overrides, &|_| ())?;
        self.hand.take_over(&mut prepared.built.setup);
        Ok(Some(ChangedScene {
            prepared,
            change: change.to_owned(),
            text: text.clone(),
            overrides,
        }))
    }

    /// The world goes on with the changed scene.
    pub fn accept(&mut self, (text, overrides): (String, Overrides)) {
        self.text = text;
        self.source.overrides = overrides;
    }
}

impl ChangedScene {
    /// The world of it, what is to change, and what [`InteractiveScene::accept`] takes.
    pub fn split(self) -> (Prepared, String, (String, Overrides)) {
        (self.prepared, self.change, (self.text, self.overrides))
    }
}
