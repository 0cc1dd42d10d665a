//! Neighbour search: a sparse grid of blocks, and the spatial order of the particles.

mod grid;
mod local;
mod order;

pub use grid::{BlockGrid, BlockPart, CellRange, Piece};
pub use local::{LocalBlock, LocalBlocks, LocalPoint, NeighborLists, SPARE_POINTS, local_points};
pub use order::{BlockKey, CELLS, PAIR_COLORS, SpatialOrder};
