//! Who touches whom now: particles and colliders, particles of different continua.

mod colliders;
mod friction;
mod particles;

pub use colliders::{ColliderContacts, ContactSearch};
pub use friction::ContactMultiplier;
pub use particles::{PairSearch, ParticleContacts};
