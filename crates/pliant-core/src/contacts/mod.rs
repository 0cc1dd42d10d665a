//! Who touches whom now: particles and colliders, particles of different continua, particles and the
//! triangles of cloth and of solids.

mod broad;
mod colliders;
mod extrapolation;
mod friction;
mod impulse;
mod offers;
mod particles;
mod passage;
mod rigid;
mod rigid_engine;
mod rigid_pairs;
mod solve;
mod surfaces;

pub use colliders::{ColliderContacts, ContactSearch, FeelsWalls, WallFace};
pub use extrapolation::Extrapolation;
pub use friction::{ContactMultiplier, ContactRule};
pub use impulse::{Impulse, ImpulseContact};
pub use offers::{Offers, SolidBoundary, TriangleSurface};
pub use particles::{
    NO_SPHERES, PairSearch, ParticleContacts, RestBody, SampledSurface, SampledSurfaces, Solids,
    Surfels,
};
pub use rigid::{ParticleBodyContact, RigidContacts};
pub use rigid_engine::{RigidEngine, RigidEngineSource};
pub use rigid_pairs::{Fall, Hold, KeptImpulse, PairStep, RigidMeeting, RigidPairs, Side};
pub use solve::LinearContacts;
pub use surfaces::{Surface, SurfaceContacts, SurfaceSearch};
