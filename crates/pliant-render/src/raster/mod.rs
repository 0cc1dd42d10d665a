//! Which particle or triangle each sample of a pixel sees: spheres and triangles by exact ray tests,
//! tile by tile, nearest first.
//!
//! | part | file |
//! |---|---|
//! | the things drawn, in view space | `geometry` |
//! | which things touch which tile | `bins` |
//! | the samples of a tile, and spheres in them | `tile`, `sphere` |
//! | triangles in them | `triangle` |

mod bins;
mod geometry;
mod sphere;
mod tile;
mod triangle;

pub(crate) use bins::Bins;
pub(crate) use geometry::{Facet, Geometry, Sphere};
pub(crate) use sphere::{nearest_hit, screen_bounds};
pub(crate) use tile::{SAMPLE_OFFSETS, SAMPLES, Seen, TILE, Tile};
pub(crate) use triangle::RayTest;
