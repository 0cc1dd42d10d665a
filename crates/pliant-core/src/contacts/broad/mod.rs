//! Who is near whom among what keeps its neighbours: boxes in a tree that is fitted anew while things move, and
//! certificates of what cannot meet although boxes overlap.

mod boxes;
mod tree;

pub use boxes::{Bounds, BoxRow, bounds_of, splat, union};
pub use tree::{Certificate, Tree, longest_axis};
