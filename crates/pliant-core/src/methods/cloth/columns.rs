//! What the method keeps from substep to substep.

use serde::{Deserialize, Serialize};

/// State of the method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClothColumns {
    /// Whether each triangle of each body, in their order, has torn. Written by `flow`.
    pub is_torn: Vec<bool>,
}

impl ClothColumns {
    /// So many whole triangles.
    pub fn whole(triangles: usize) -> Self {
        Self {
            is_torn: vec![false; triangles],
        }
    }
}
