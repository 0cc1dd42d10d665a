//! Who touches whom now: particles and colliders, particles of different continua.

mod colliders;
mod friction;
mod particles;
mod passage;

pub use colliders::{ColliderContacts, ContactSearch, WallFace};
pub use friction::{ContactMultiplier, ContactRule};
pub use particles::{PairSearch, ParticleContacts};
