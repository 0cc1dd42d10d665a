//! Who is near whom: a sparse grid of blocks, the order it gives the particles, and neighbour search.

mod grid;
mod order;

pub use grid::{BlockGrid, CellRange, Surroundings};
pub use order::{BlockKey, CELLS, SpatialOrder};
