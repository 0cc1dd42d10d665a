//! State of the method.

use serde::{Deserialize, Serialize};

use crate::contacts::KeptContacts;
use crate::method::Columns;

/// What contacts of grains did in the last substep: the next one starts with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GranuleColumns {
    /// Written by `flow`.
    pub contacts: KeptContacts,
}

impl Columns for GranuleColumns {}
