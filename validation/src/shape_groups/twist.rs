//! A twisted bar: Müller et al. 2022, figure 3.

use std::f64::consts::PI;

use super::bars::{Bar, Goal};
use super::laws::materials;
use super::neo_hookean;
use crate::{Claim, Curve, Expected, Figure, Plot};

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

/// Laws side by side.
pub const TWISTED_LAWS: Claim = Claim {
    statement: "only the Neo-Hookean law keeps the volume of a bar of shape groups that is twisted by 270 degrees",
    measure: || {
        let mut figures = Vec::new();
        for material in materials() {
            let mut points = vec![[0.0, 1.0]];
            for degrees in [90.0_f64, 180.0, 270.0] {
                let bar = Bar {
                    cells: [5, 5, 20],
                    law: material.law,
                    substeps: 20,
                };
                let goal = Goal {
                    turn: degrees.to_radians(),
                    duration: 1.5,
                    ..Goal::default()
                };
                points.push([degrees, bar.moved(goal)?.volume_ratio()]);
            }
            let twisted = points[points.len() - 1][1];
            let what = format!("volume over that at rest, {}", material.name);
            let expected = match material.name {
                "Neo-Hookean, 0.45" | "Neo-Hookean, 0.49" => Expected::Near(1.0, 0.02),
                _ => Expected::AtMost(0.97),
            };
            let curve = Curve::measured(TWISTS, material.name, points);
            figures.push(Figure::new(what, twisted, expected).with(curve));
        }
        Ok(figures)
    },
};

const TWISTS: Plot = Plot {
    title: "Volume of a bar of shape groups between clamps of which one is turned (Müller et al. 2022, Fig. 3)",
    unit: "",
    across: "turn",
    across_unit: "degrees",
    is_logarithmic: [false, false],
};
