//! Contacts of a point with a triangle and of two edges: nearest points, which of them count, normals and weights.

mod features;
mod nearest;
mod simplices;

pub use features::{TriangleHit, is_nearest_feature};
pub use nearest::Nearest;
#[cfg(test)]
pub use nearest::{point_triangle, segments};
pub use simplices::{
    Candidate, RADII_SHARE, SurfaceSearch, add_contact, add_exit, is_touching, nearest_now,
    nearest_of, radii,
};
