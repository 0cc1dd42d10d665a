//! The signed distance of a closed mesh, baked on a grid once so that it can be read fast.
//!
//! A band of [`BAND`] cells around the surface lies in sparse blocks of nodes whose distance is
//! exact; between nodes it is interpolated. Signs are winding numbers, counted along grid lines
//! with exact predicates, so that thin parts, sharp edges and crossing shells cannot flip them.
//! Beyond the band there is a lower bound of the distance from the distances between blocks. Blocks
//! with walls thinner than two cells, whose two sides the nodes cannot tell apart, ask the nearest
//! triangle.
//!
//! Reads: a mesh with as many triangles on either side of every edge. Accuracy: at nodes the
//! rounding of single precision; between them second order in the cell, half a cell at sharp
//! edges; exact beside thin walls, where a query takes a search through a tree of triangles. Cost:
//! time with the number of triangles and of cells in the band.

mod band;
mod far;
mod grid;
mod thin;
mod winding;

pub(crate) use grid::{BakeFault, DistanceGrid};

/// Width of the band of exact distances on either side of the surface, in cells.
const BAND: f64 = 3.0;
/// Cells along the edge of a block; its nodes are one more, shared with the neighbours.
const BLOCK: usize = 8;
/// Nodes along the edge of a block.
const BLOCK_NODES: usize = BLOCK + 1;
/// Nodes in a block.
const BLOCK_SIZE: usize = BLOCK_NODES * BLOCK_NODES * BLOCK_NODES;

#[cfg(test)]
mod tests;
