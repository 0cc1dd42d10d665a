//! A twisted bar: Müller et al. 2022, figure 3.

use std::f64::consts::PI;

use super::bars::{Bar, Goal};
use super::neo_hookean;
use crate::{Claim, Expected, Figure};

/// By three quarters of a turn.
pub const TWISTED: Claim = Claim {
    statement: "a bar of shape groups twisted by 270 degrees keeps its axis and its volume",
    measure: || {
        let mut figures = Vec::new();
        for substeps in [20, 50] {
            let bar = Bar {
                cells: [7, 7, 28],
                law: neo_hookean(0.45),
                substeps,
            };
            let goal = Goal {
                turn: 1.5 * PI,
                duration: 1.5,
                ..Goal::default()
            };
            let twisted = bar.moved(goal)?;
            let figure = |what: &str, measured, expected| {
                Figure::new(format!("{what}, {substeps} substeps"), measured, expected)
            };
            figures.extend([
                figure(
                    "cells that its middle is off the axis",
                    twisted.off_axis(),
                    Expected::AtMost(0.1),
                ),
                figure(
                    "volume over that at rest",
                    twisted.volume_ratio(),
                    Expected::Near(1.0, 0.02),
                ),
                figure(
                    "least volume ratio of a particle",
                    twisted.least_volume_ratio(),
                    Expected::AtLeast(0.1),
                ),
            ]);
        }
        Ok(figures)
    },
};
