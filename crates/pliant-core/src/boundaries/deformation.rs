//! Colliders that deform, in the form that they have in a substep.

use std::sync::Arc;

use super::Collider;

/// The colliders of a setup in the form that they have at a time; scratch of the stepper.
#[derive(Debug, Default)]
pub struct DeformedColliders {
    /// All of them if one deforms, else none.
    colliders: Vec<Collider>,
}

impl DeformedColliders {
    /// Brings those that deform to a time [s], moving as they do in the `dt` after it [s].
    pub fn move_to(&mut self, colliders: &[Collider], time: f64, dt: f64) {
        if colliders.iter().all(|c| c.shape.moving().is_none()) {
            return;
        }
        if self.colliders.len() != colliders.len() {
            self.colliders = colliders.to_vec();
        }
        for collider in &mut self.colliders {
            deform(collider, time, dt);
        }
    }

    /// The same as the setup's, if those are not deformed.
    pub fn of<'a>(&'a self, colliders: &'a [Collider]) -> &'a [Collider] {
        match self.colliders.is_empty() {
            true => colliders,
            false => &self.colliders,
        }
    }
}

/// Brings a collider that deforms to a time [s], moving as it does in the `dt` after it [s].
fn deform(collider: &mut Collider, time: f64, dt: f64) {
    // The shape is copied while somebody else has it: the setup, which keeps it as it is at the start.
    let own = Arc::get_mut(&mut collider.shape).and_then(|shape| shape.moving_mut());
    if let Some(own) = own {
        own.move_to(time, dt);
    } else if let Some(moving) = collider.shape.moving() {
        let mut copy = moving.clone();
        copy.move_to(time, dt);
        collider.shape = Arc::new(copy);
    }
}
