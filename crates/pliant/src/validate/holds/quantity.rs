//! The quantities that are varied, and the case of each value.

use super::case::Case;
use super::methods::{HEAVIER, LIGHTER, Method, SPEEDS};
use super::scene::{Resting, resting, thrown};

/// What is raised or lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Mass of a load over that of the body, upwards.
    Heavier,
    /// The same, downwards.
    Lighter,
    /// Stiffness or viscosity under a load of the body's own mass, upwards.
    Stiffer,
    /// The same, downwards.
    Softer,
    /// Poisson's ratio under such a load.
    PoissonsRatio,
    /// Speed of a body thrown at a plate.
    Speed,
}

impl Quantity {
    /// All, those that take longest first, so that all cores are busy to the end.
    pub const ALL: [Self; 6] = [
        Self::Stiffer,
        Self::Heavier,
        Self::PoissonsRatio,
        Self::Speed,
        Self::Lighter,
        Self::Softer,
    ];

    /// Name in files and tables.
    pub fn name(self, method: &Method) -> &'static str {
        let is_viscosity = method.stiffness_keys == ["viscosity"];
        match self {
            Self::Heavier | Self::Lighter => "mass ratio",
            Self::Stiffer | Self::Softer if is_viscosity => "viscosity",
            Self::Stiffer | Self::Softer => "stiffness",
            Self::PoissonsRatio => "Poisson's ratio",
            Self::Speed => "speed",
        }
    }

    /// Unit of its values.
    pub fn unit(self, method: &Method) -> &'static str {
        match self {
            Self::Stiffer | Self::Softer => method.stiffness_unit,
            Self::Speed => "m/s",
            Self::Heavier | Self::Lighter | Self::PoissonsRatio => "",
        }
    }

    /// The ladder of a method; empty if it has no such quantity.
    pub fn values(self, method: &Method) -> &'static [f64] {
        match self {
            Self::Heavier => HEAVIER,
            Self::Lighter => LIGHTER,
            Self::Stiffer => method.stiffer,
            Self::Softer => method.softer,
            Self::PoissonsRatio => method.poissons_ratios,
            Self::Speed => SPEEDS,
        }
    }

    /// The case of a value.
    pub fn case(self, method: &Method, value: f64) -> Case {
        let own = Resting {
            mass_ratio: 1.0,
            stiffness: None,
            poissons_ratio: None,
        };
        let asked = match self {
            Self::Speed => return thrown(method, value),
            Self::Heavier | Self::Lighter => Resting {
                mass_ratio: value,
                ..own
            },
            Self::Stiffer | Self::Softer => Resting {
                stiffness: Some(value),
                ..own
            },
            Self::PoissonsRatio => Resting {
                poissons_ratio: Some(value),
                ..own
            },
        };
        resting(method, asked)
    }
}
