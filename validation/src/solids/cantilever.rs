//! Clamped beams of a solid under their own weight.

use crate::beam::Beam;
use crate::{Claim, Expected, Figure, rubber};

/// Over rows of particles: too soft by the square of the spacing.
pub const CANTILEVERS: Claim = Claim {
    statement: "the sag of a beam of a solid converges to beam theory with shear",
    measure: || {
        let mut figures = Vec::new();
        for (rows, most) in [(4, 1.40), (6, 1.22), (8, 1.15), (12, 1.08)] {
            let beam = Beam {
                // Particles that are held do not strain with the first free ones: the beam bends from
                // the last held row on.
                clamp: 0.5,
                material: rubber,
                ..Beam::new(rows, 1.8)
            };
            let ratio = beam.deflection_ratio()?;
            let what = format!("deflection over theory, {rows} rows");
            figures.push(Figure::new(what, ratio, Expected::Near(1.0, most - 1.0)));
        }
        Ok(figures)
    },
};
