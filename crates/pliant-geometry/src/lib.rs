//! Shapes as signed distances, triangle meshes, and the sampling of bodies with particles.
//!
//! Pure functions of numbers: no particles of a simulation, no files, no threads of its own.
//!
//! - [`shapes`]: the registry of shapes that a scene can name, and how they are built.
//! - [`sampling`]: filling a shape with particles.
//! - [`topology`]: whether a triangle mesh encloses a volume, and where it leaks if not.

mod aabb;
mod arrangement;
mod bake;
mod cut_cells;
mod halving;
mod integration;
mod mesh;
mod moving_mesh;
mod nearest;
mod nearest_triangle;
mod nowhere;
mod planar;
mod profile;
mod repair;
mod samples;
pub mod sampling;
mod self_intersection;
mod shape;
pub mod shapes;
mod signed_nearest;
mod stuffing;
mod tessellation;
mod tetrahedra;
pub mod topology;
mod triangle;
mod triangle_tree;
mod uv_map;
mod work;

pub use aabb::Aabb;
pub use arrangement::{Arrangement, Crossing, NotGeneric, Part, Segment};
pub use cut_cells::{CutCell, CutCells, CutGrid, CutSurface};
pub use integration::{Moments, moments};
pub use mesh::{MeshSeries, TriangleMesh};
pub use moving_mesh::{Anchor, Course, Frames, MovingMesh, Touch};
pub use nearest::NearestPoint;
pub use nowhere::Nowhere;
pub use samples::{Samples, VectorSamples};
pub use self_intersection::{self_intersections, self_intersections_among};
pub use shape::{BuildShape, Form, MeshSource, Shape, ShapeKind, ShapeUse};
pub use stuffing::stuffed;
pub use tessellation::{meshed, refined, refined_where};
pub use tetrahedra::{TetrahedraFault, TetrahedralMesh, Turned};
pub use triangle_tree::TriangleTree;
pub use uv_map::{TexturedMesh, TriangleUv, UvMap};
pub use work::{Loop, in_order};

use pliant_math::DVec3;

/// Unit gradient of a signed distance by central differences.
pub fn difference_normal<S: Shape + ?Sized>(shape: &S, point: DVec3) -> DVec3 {
    let step = 1e-6 * (1.0 + point.abs().max_element());
    let slope = |axis: DVec3| {
        shape.signed_distance(point + axis * step) - shape.signed_distance(point - axis * step)
    };
    DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z)).normalize_or(DVec3::Y)
}
