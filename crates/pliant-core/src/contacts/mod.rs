//! Who touches whom now: particles and colliders, particles of different continua, particles and the
//! triangles of cloth and of solids.

mod broad;
mod ccd;
mod close_at_rest;
mod colliders;
mod lists;
mod narrow;
mod offers;
mod particles;
mod rigid;
mod rigid_engine;
mod rigid_pairs;
mod solve;
mod surfaces;
mod tied;

pub use close_at_rest::CloseAtRest;
pub use colliders::{ColliderContacts, ContactSearch, FeelsWalls, WallFace};
pub use narrow::{RADII_SHARE, SurfaceSearch};
pub use offers::{Offers, SolidBoundary, TriangleSurface};
pub use particles::{
    KeptContact, KeptContacts, KeptIndex, KeptSearch, MethodSolids, NO_SPHERES, PairSearch,
    ParticleContacts, REST_SHARE, RestBody, SampledSurface, SampledSurfaces, Solids, Surfels,
};
pub use rigid::{ParticleBodyContact, RigidContacts};
pub use rigid_engine::{RigidEngine, RigidEngineSource};
pub use rigid_pairs::{Fall, Hold, KeptImpulse, PairStep, RigidMeeting, RigidPairs, Side};
pub use solve::{
    ContactMultiplier, ContactRule, Extrapolation, Grain, Impulse, ImpulseContact, LinearContacts,
    Term,
};
pub use surfaces::{Surface, SurfaceContacts};
pub use tied::{TiedParticles, TiedTo};
