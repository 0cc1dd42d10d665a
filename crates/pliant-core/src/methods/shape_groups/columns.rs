//! State of the method.

use serde::{Deserialize, Serialize};

use super::ShapeGroupsSetup;
use crate::method::{Columns, take_over};

/// State of the method; there is none if no body can tear.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeGroupsColumns {
    /// Whether each group of each body, in their order, has torn and is no longer there. Written by `part`.
    pub is_torn: Vec<bool>,
}

impl ShapeGroupsColumns {
    /// So many whole groups.
    pub fn whole(groups: usize) -> Self {
        Self {
            is_torn: vec![false; groups],
        }
    }

    /// Whether they can be those of a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, setup: &ShapeGroupsSetup) -> Result<(), String> {
        let (torn, groups) = (self.is_torn.len(), setup.group_count());
        match torn == groups {
            true => Ok(()),
            false => Err(format!("it has {torn} groups that may tear, not {groups}")),
        }
    }
}

impl Columns for ShapeGroupsColumns {
    fn continue_from(&mut self, before: Self) {
        take_over(&mut self.is_torn, &before.is_torn);
    }
}
