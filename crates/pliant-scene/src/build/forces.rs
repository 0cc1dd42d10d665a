//! Forces and how their strength changes.

use pliant_core::forces::{Force, KINDS, Region};
use pliant_core::schedule::Schedule;
use pliant_core::world::Body;
use pliant_parameters::Values;

use super::Builder;
use crate::units::{ease, pose};

impl Builder<'_> {
    /// The forces, without those that were refused.
    pub(super) fn forces(&mut self, bodies: &[Body]) -> Vec<Force> {
        let spacings = bodies.iter().map(|b| b.spacing);
        let finest = spacings.fold(f64::INFINITY, f64::min);
        let mut forces = Vec::new();
        for (path, values) in self.items("force") {
            let word = values.text("kind");
            let Some(kind) = KINDS.iter().find(|k| k.name == word) else {
                continue;
            };
            let region = self.region(&path, values, finest).map(|shape| Region {
                shape,
                pose: pose(values),
            });
            let body = values.optional_text("body");
            match (kind.build)(values) {
                Ok(field) => forces.push(Force {
                    name: values.text("name").into(),
                    field,
                    strength: strength(values),
                    region,
                    body: body.and_then(|name| self.index_of("body", name)),
                }),
                Err(problem) => self.fail_with(&path, problem),
            }
        }
        forces
    }
}

/// A strength of a table with `keyframes`, `ease` and maybe `strength`.
pub(super) fn strength(values: &Values) -> Schedule {
    if values.has("keyframes") {
        let keyframes = values.tables("keyframes").into_iter();
        return Schedule::Keyframes {
            keyframes: keyframes
                .map(|k| (k.number("t"), k.number("strength")))
                .collect(),
            ease: ease(values),
        };
    }
    Schedule::Constant(values.optional_number("strength").unwrap_or(1.0))
}
