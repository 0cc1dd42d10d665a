//! Grains that keep their distance and rub, point by point: no continuum.

use pliant_math::Real;
use pliant_parameters::{Field, Kind, Range, Values};

use super::LawKind;

/// Coulomb friction between grains that touch; no stress.
// The granules of position-based dynamics with which Yu et al. 2024 compare (figs. 13 and 15).
#[derive(Clone, Copy, Debug)]
pub struct ContactFriction {
    /// Coulomb's coefficient, >= 0.
    pub friction: Real,
}

const FRICTION: Field = Field::required(
    "friction",
    Kind::Number(Range::NOT_NEGATIVE),
    "",
    "Coefficient of Coulomb friction between grains.",
);

impl ContactFriction {
    /// The registry of its family, of which it is the only one.
    pub const KINDS: &'static [LawKind<Self>] = &[LawKind {
        name: "contact-friction",
        doc: "Grains as balls of one spacing across that touch and rub, without stress or a continuum: plain position-based granules, to compare with.",
        fields: &[FRICTION],
        build: |values: &Values| {
            Ok(Self {
                friction: values.number(FRICTION.name) as Real,
            })
        },
    }];
}
