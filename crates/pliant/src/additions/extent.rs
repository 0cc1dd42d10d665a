//! How far the constants of a world reach before something is added to them.

use pliant_core::world::Setup;

/// How many there are of what additions bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    materials: usize,
    pub bodies: usize,
    colliders: usize,
}

impl Extent {
    /// Of a setup.
    pub fn of(setup: &Setup) -> Self {
        Self {
            materials: setup.materials.len(),
            bodies: setup.bodies.len(),
            colliders: setup.colliders.len(),
        }
    }

    /// A setup without what came later.
    pub fn cut(&self, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        setup.materials.truncate(self.materials);
        setup.bodies.truncate(self.bodies);
        setup.colliders.truncate(self.colliders);
        setup
    }
}
