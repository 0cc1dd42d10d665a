//! Woven cloth: orthotropic stretch and shear in its plane, and bending.

use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::{Law, LawKind};

/// A sheet with two directions of threads, the warp and the weft.
///
/// Stiffnesses are forces per width [N/m], a modulus times the thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothLaw {
    /// Thickness [m], > 0: with the density it gives the mass of an area.
    pub thickness: f64,
    /// Distance [m] that surfaces of this cloth keep from each other, > 0; `None`: the thickness, but at
    /// least a quarter of the body's spacing.
    pub contact_thickness: Option<f64>,
    /// Stiffness along the warp [N/m], > 0.
    pub warp_stiffness: f64,
    /// Stiffness along the weft [N/m], > 0.
    pub weft_stiffness: f64,
    /// Stiffness in shear [N/m], >= 0.
    pub shear_stiffness: f64,
    /// Bending stiffness [N m], >= 0.
    pub bending_stiffness: f64,
    /// Strain of warp or weft beyond which it tears, > 0; `None`: never.
    pub tear_strain: Option<f64>,
}

/// Stiffnesses [N/m, N m] whose inverses with areas and steps single precision holds.
const STIFFNESSES: Range = Range::closed(1e-6, 1e9);

impl ClothLaw {
    /// Its name in scene files.
    pub const NAME: &str = "cloth";

    pub(super) const KIND: LawKind<Law> = LawKind {
        name: Self::NAME,
        doc: "Woven cloth: stretch along warp and weft, shear between them, and bending. The defaults \
              are of the order that Kawabata's (1980) instruments measure on plain cotton weaves.",
        fields: &[
            Field::number(
                "thickness",
                Range::closed(1e-6, 1.0),
                "m",
                4e-4,
                "Thickness: the mass of an area is the density times it.",
            ),
            Field::optional(
                "contact_thickness",
                Kind::Number(Range::closed(1e-6, 1.0)),
                "m",
                "Distance that surfaces of this cloth keep from each other; other bodies keep half \
                 of it. If missing, the thickness, but at least a quarter of the body's spacing.",
            ),
            Field::number(
                "warp_stiffness",
                STIFFNESSES,
                "N/m",
                4000.0,
                "Force per width over strain along the warp: along x of a sheet.",
            ),
            Field::number(
                "weft_stiffness",
                STIFFNESSES,
                "N/m",
                2000.0,
                "Force per width over strain along the weft: along z of a sheet.",
            ),
            Field::number(
                "shear_stiffness",
                Range::closed(0.0, 1e9),
                "N/m",
                50.0,
                "Shear force per width over shear angle, in radians.",
            ),
            Field::number(
                "bending_stiffness",
                Range::closed(0.0, 1e6),
                "N m",
                1e-5,
                "Bending moment per width over curvature.",
            ),
            Field::optional(
                "tear_strain",
                Kind::Number(Range::closed(1e-3, 1e3)),
                "",
                "Strain of warp or weft at which a triangle tears. If missing, nothing \
                 tears.",
            ),
        ],
        build: |values| Ok(Law::Cloth(Self::from_values(values)?)),
    };

    fn from_values(values: &Values) -> Result<Self, Problem> {
        let law = Self {
            thickness: values.number("thickness"),
            contact_thickness: values.optional_number("contact_thickness"),
            warp_stiffness: values.number("warp_stiffness"),
            weft_stiffness: values.number("weft_stiffness"),
            shear_stiffness: values.number("shear_stiffness"),
            bending_stiffness: values.number("bending_stiffness"),
            tear_strain: values.optional_number("tear_strain"),
        };
        match law.contact_thickness {
            Some(distance) if distance < law.thickness => Err(Problem::at(
                "contact_thickness",
                format!(
                    "surfaces would keep {distance:e} m apart, and the cloth is {:e} m thick",
                    law.thickness
                ),
                "leave it out, or write at least the thickness",
            )),
            _ => Ok(law),
        }
    }

    /// Distance [m] that surfaces of a body of a spacing [m] keep from each other.
    pub fn contact_distance(&self, spacing: f64) -> f64 {
        self.contact_thickness
            .unwrap_or_else(|| self.thickness.max(0.25 * spacing))
    }
}
