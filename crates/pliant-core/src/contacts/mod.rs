//! Who touches whom now: particles and colliders, particles of different continua, particles and the
//! triangles of cloth.

mod acceleration;
mod colliders;
mod friction;
mod particles;
mod passage;
mod surfaces;

pub use acceleration::Acceleration;
pub use colliders::{ColliderContacts, ContactSearch, WallFace};
pub use friction::{ContactMultiplier, ContactRule};
pub use particles::{NO_SPHERES, PairSearch, ParticleContacts, Solids};
pub use surfaces::{Surface, SurfaceContacts, SurfaceSearch};
