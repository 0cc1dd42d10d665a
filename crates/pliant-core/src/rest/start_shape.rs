//! Bodies as they were at the start, of methods that know no other shape of theirs in the world.

use pliant_math::DVec3;

use super::{RestShape, direction_now};

/// A body at the start of a run, whose directions are followed.
#[derive(Clone, Debug)]
pub struct StartShape {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Where its particles were.
    pub shape: RestShape,
}

impl StartShape {
    /// Where a direction at the start points now, by what is around a particle; as it was for bodies that are not among
    /// some shapes.
    ///
    /// * `body`, `id` — of the particle
    /// * `at_start` — a unit vector
    /// * `position` — where a particle is now [m], by its stable id; `None` if it has left
    pub fn direction_now(
        shapes: &[Self],
        (body, id): (u32, u32),
        at_start: DVec3,
        position: impl Fn(u32) -> Option<DVec3>,
    ) -> DVec3 {
        let Some(own) = shapes.iter().find(|own| own.body == body) else {
            return at_start;
        };
        let position = |particle: u32| position(own.first_id + particle);
        direction_now(&own.shape, id - own.first_id, at_start, position)
    }
}
