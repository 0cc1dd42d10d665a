//! A Newtonian fluid.

use pliant_math::Real;
use pliant_parameters::{Field, Range, Values};

use super::LawKind;

const VISCOSITY: Field = Field::number(
    "viscosity",
    Range::NOT_NEGATIVE,
    "Pa s",
    0.0,
    "Dynamic viscosity: water has 0.001, oil 0.1, honey 10. XSPH (`solver.xsph_rate`) acts in addition.",
);

/// A fluid that keeps its volume and resists shear in proportion to its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newtonian {
    /// Dynamic viscosity [Pa s], >= 0.
    pub viscosity: Real,
}

impl Newtonian {
    /// The laws of fluids.
    pub const KINDS: &'static [LawKind<Self>] = &[LawKind {
        name: "newtonian",
        doc: "An incompressible fluid: water, oil, honey. Pressure comes from its density.",
        fields: &[VISCOSITY],
        build: |values: &Values| {
            Ok(Self {
                viscosity: values.number(VISCOSITY.name) as Real,
            })
        },
    }];
}
