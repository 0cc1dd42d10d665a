//! The family of spring networks.

use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::{LawKind, POISSONS_RATIO};
use crate::springs::{CubicSpring, Membrane, NotMonotone, SpringCurve};

/// What `springs` takes: the curve of its springs, and what they have beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// What holds neighbours together.
    pub law: SpringLaw,
    /// Stiffness of springs across cells over that of springs along them, >= 0.
    pub shear: f64,
    /// Stiffness of springs to the neighbour after next over that of springs along cells, >= 0.
    pub bending: f64,
    /// Damping of each spring along itself [N s/m], >= 0.
    pub damping: f64,
    /// Thickness of sheets and meshes [m], > 0.
    pub thickness: f64,
    /// Distance [m] that surfaces of sheets and meshes keep from each other, > 0; `None`: the thickness,
    /// but at least a quarter of the body's spacing.
    pub contact_thickness: Option<f64>,
}

/// What holds neighbours together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringLaw {
    /// Springs of one curve, in strain: each class and each spring has its own rest length.
    Curve(SpringCurve),
    /// Triangles of St. Venant-Kirchhoff material.
    Triangles(Membrane),
}

/// Stiffnesses [N/m] whose products with squared steps single precision holds beside masses.
const STIFFNESSES: Range = Range::closed(1e-6, 1e9);

const STIFFNESS: Field = Field::required(
    "stiffness",
    Kind::Number(STIFFNESSES),
    "N/m",
    "K: force of a spring over its change of length, at rest.",
);

const STRETCHED_STIFFNESS: Field = Field::optional(
    "stretched_stiffness",
    Kind::Number(STIFFNESSES),
    "N/m",
    "K1: slope of the force at `stretched_length`. If missing, 6 times `stiffness`.",
);

const COMPRESSED_STIFFNESS: Field = Field::optional(
    "compressed_stiffness",
    Kind::Number(STIFFNESSES),
    "N/m",
    "K2: slope of the force at `compressed_length`. If missing, 2 times `stiffness`.",
);

const STRETCHED_LENGTH: Field = Field::number(
    "stretched_length",
    Range::closed(1.0001, 100.0),
    "rest lengths",
    1.1,
    "a1: length at which the stiffness is `stretched_stiffness`.",
);

const COMPRESSED_LENGTH: Field = Field::number(
    "compressed_length",
    Range::closed(0.0001, 0.9999),
    "rest lengths",
    0.9,
    "a2: length at which the stiffness is `compressed_stiffness`.",
);

const SHEAR: Field = Field::number(
    "shear",
    Range::closed(0.0, 100.0),
    "",
    0.5,
    "Stiffness of springs across the cells of sheets and lattices over that of those along them. 0 leaves them out.",
);

const BENDING: Field = Field::number(
    "bending",
    Range::closed(0.0, 100.0),
    "",
    0.0,
    "Stiffness of springs to the neighbour after next, or in meshes across an edge or a face, over that of those along edges. 0 leaves them out.",
);

const DAMPING: Field = Field::number(
    "damping",
    Range::closed(0.0, 1e6),
    "N s/m",
    0.0,
    "Damping of each spring along itself: force over the rate at which its length changes.",
);

const THICKNESS: Field = Field::number(
    "thickness",
    Range::closed(1e-6, 1.0),
    "m",
    1e-3,
    "Thickness of sheets and meshes: the mass of an area is the density times it.",
);

const CONTACT_THICKNESS: Field = Field::optional(
    "contact_thickness",
    Kind::Number(Range::closed(1e-6, 1.0)),
    "m",
    "Distance that surfaces of sheets and meshes keep from each other; other bodies keep half of it. If missing, the thickness, but at least a quarter of the body's spacing.",
);

impl Springs {
    /// The registry, a row a law.
    pub const KINDS: &'static [LawKind<Self>] = &[
        LawKind {
            name: "spring-cubic",
            doc: "Full cubic springs: their stiffness at rest, stretched and compressed is given \
                  (Vogiannou et al. 2010), so that they resist collapse and great stretch.",
            fields: &[
                STIFFNESS,
                STRETCHED_STIFFNESS,
                COMPRESSED_STIFFNESS,
                STRETCHED_LENGTH,
                COMPRESSED_LENGTH,
                SHEAR,
                BENDING,
                DAMPING,
                THICKNESS,
                CONTACT_THICKNESS,
            ],
            build: |values| Self::of_curve(cubic(values)?, values),
        },
        LawKind {
            name: "spring-linear",
            doc: "Springs of one stiffness.",
            fields: Self::FIELDS,
            build: |values| Self::of_curve(SpringCurve::linear(values.number("stiffness")), values),
        },
        LawKind {
            name: "spring-stvk",
            doc: "Two-term springs, K r^3/(2 L^2) - K r/2, of a St. Venant-Kirchhoff energy: they give \
                  way where they are much compressed.",
            fields: Self::FIELDS,
            build: |values| {
                Self::of_curve(SpringCurve::two_term(values.number("stiffness")), values)
            },
        },
        LawKind {
            name: "triangle-stvk",
            doc: "Triangles of St. Venant-Kirchhoff material (Volino et al. 2009), for sheets and \
                  meshes: springs are compared with it.",
            fields: &[
                STIFFNESS,
                POISSONS_RATIO,
                DAMPING,
                THICKNESS,
                CONTACT_THICKNESS,
            ],
            build: |values| {
                let (modulus, ratio) =
                    (values.number("stiffness"), values.number("poissons_ratio"));
                let law = SpringLaw::Triangles(Membrane::new(modulus, ratio));
                Self::with(law, [0.0, 0.0], values)
            },
        },
    ];

    const FIELDS: &'static [Field] = &[
        STIFFNESS,
        SHEAR,
        BENDING,
        DAMPING,
        THICKNESS,
        CONTACT_THICKNESS,
    ];

    /// Springs of a curve without damping, of sheets a millimetre thick.
    pub fn new(law: SpringLaw) -> Self {
        Self {
            law,
            shear: 0.5,
            bending: 0.0,
            damping: 0.0,
            thickness: 1e-3,
            contact_thickness: None,
        }
    }

    fn of_curve(curve: SpringCurve, values: &Values) -> Result<Self, Problem> {
        let classes = [values.number(SHEAR.name), values.number(BENDING.name)];
        Self::with(SpringLaw::Curve(curve), classes, values)
    }

    fn with(law: SpringLaw, [shear, bending]: [f64; 2], values: &Values) -> Result<Self, Problem> {
        let springs = Self {
            law,
            shear,
            bending,
            damping: values.number(DAMPING.name),
            thickness: values.number(THICKNESS.name),
            contact_thickness: values.optional_number(CONTACT_THICKNESS.name),
        };
        match springs.contact_thickness {
            Some(distance) if distance < springs.thickness => Err(Problem::at(
                CONTACT_THICKNESS.name,
                format!(
                    "surfaces would keep {distance:e} m apart, and the sheet is {:e} m thick",
                    springs.thickness
                ),
                "leave it out, or write at least the thickness",
            )),
            _ => Ok(springs),
        }
    }

    /// Distance [m] that surfaces of a body of a spacing [m] keep from each other.
    pub fn contact_distance(&self, spacing: f64) -> f64 {
        self.contact_thickness
            .unwrap_or_else(|| self.thickness.max(0.25 * spacing))
    }
}

/// The curve of a full cubic spring, refused where it is not monotone.
fn cubic(values: &Values) -> Result<SpringCurve, Problem> {
    let stiffness = values.number(STIFFNESS.name);
    let or = |field: Field, factor: f64| {
        values
            .optional_number(field.name)
            .unwrap_or(factor * stiffness)
    };
    let spring = CubicSpring {
        stiffness,
        stretched_stiffness: or(STRETCHED_STIFFNESS, 6.0),
        compressed_stiffness: or(COMPRESSED_STIFFNESS, 2.0),
        stretched_length: values.number(STRETCHED_LENGTH.name),
        compressed_length: values.number(COMPRESSED_LENGTH.name),
    };
    spring.curve().map_err(|problem| {
        let remedy = match problem {
            NotMonotone::Falling(_) => "raise compressed_stiffness or stretched_stiffness",
            _ => "raise compressed_stiffness or lower stretched_stiffness",
        };
        Problem::at(
            COMPRESSED_STIFFNESS.name,
            format!(
                "the force of springs with K = {stiffness} N/m, K1 = {} N/m, K2 = {} N/m does not grow with length everywhere: {problem}",
                spring.stretched_stiffness, spring.compressed_stiffness
            ),
            remedy,
        )
    })
}
