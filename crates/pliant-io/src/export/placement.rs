//! Where a collider or a rigid body is in a frame.

use pliant_core::measure::{Frame, ROTATION};

use super::PlacedBy;

/// How local coordinates are placed: turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// Where the origin of local coordinates is, of a rigid body its centre of mass [m].
    pub translation: [f64; 3],
    /// A quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

impl Placement {
    /// That in a frame; `None` if it is not there.
    ///
    /// * `particle_of` — the place of the particle of a body
    pub fn of(
        placed_by: PlacedBy,
        frame: &Frame,
        particle_of: impl Fn(u32) -> Option<usize>,
    ) -> Option<Self> {
        match placed_by {
            PlacedBy::Collider(index) => frame.colliders.get(index).map(|collider| Self {
                translation: collider.pose.translation.to_array(),
                rotation: collider.pose.rotation.as_quat().to_array(),
            }),
            PlacedBy::Body { body, .. } => {
                particle_of(body).map(|place| Self::of_particle(frame, place))
            }
        }
    }

    /// That of a rigid body, whose particle is at its centre of mass. From the columns of the particle
    /// alone, so that a frame that was read back gives the same bits.
    fn of_particle(frame: &Frame, place: usize) -> Self {
        let component = |axis: usize| {
            let quantity = frame.quantity(ROTATION[axis]);
            quantity.map_or(f32::from(axis == 3), |quantity| quantity.values[place])
        };
        Self {
            translation: frame.position[place].to_array(),
            rotation: [0, 1, 2, 3].map(component),
        }
    }
}
