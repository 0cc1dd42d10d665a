//! Who is near whom: a sparse grid of blocks, the order it gives the particles, and neighbour search.

mod grid;
mod local;
mod order;

pub use grid::{BlockGrid, CellRange};
pub use local::{LocalBlock, LocalBlocks, LocalPoint, NeighborLists, local_points};
pub use order::{BlockKey, CELLS, SpatialOrder};
