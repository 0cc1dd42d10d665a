//! State of the method.

use serde::{Deserialize, Serialize};

use super::ClothSetup;
use crate::method::{Columns, take_over};

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

    /// Whether they can be those of a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, setup: &ClothSetup) -> Result<(), String> {
        let (torn, triangles) = (self.is_torn.len(), setup.triangle_count());
        match torn == triangles {
            true => Ok(()),
            false => Err(format!("it has {torn} triangles of cloth, not {triangles}")),
        }
    }
}

impl Columns for ClothColumns {
    fn continue_from(&mut self, before: Self) {
        take_over(&mut self.is_torn, &before.is_torn);
    }
}
