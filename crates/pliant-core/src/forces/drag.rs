//! A medium at rest that slows particles down.

use std::sync::Arc;

use pliant_math::DVec3;

use super::resistance::{LINEAR, QUADRATIC};
use super::{ForceField, ForceKind, Medium, Resistance};

/// A medium at rest.
#[derive(Clone, Copy, Debug)]
pub struct Drag {
    /// How it takes hold.
    pub resistance: Resistance,
}

pub(super) const KIND: ForceKind = ForceKind {
    name: "drag",
    doc: "A medium at rest that slows particles down: a = -(linear + quadratic |v|) v. `strength` multiplies both coefficients and must not be negative.",
    fields: &[LINEAR, QUADRATIC],
    build: |values| {
        Ok(Arc::new(Drag {
            resistance: Resistance::read(values)?,
        }))
    },
};

impl ForceField for Drag {
    fn medium(&self, _: DVec3, strength: f64) -> Option<Medium> {
        let strength = strength.max(0.0);
        Some(Medium {
            flow: DVec3::ZERO,
            resistance: Resistance {
                linear: self.resistance.linear * strength,
                quadratic: self.resistance.quadratic * strength,
            },
        })
    }
}
