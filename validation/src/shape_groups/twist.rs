//! A twisted bar: Müller et al. 2022, figure 3.

use std::f64::consts::PI;

use pliant_core::methods::shape_groups::ShapeGroupsSettings;

use super::bars::{Bar, Goal};
use super::laws::materials;
use super::{neo_hookean, published};
use crate::{Claim, Curve, Expected, Figure, Plot};

const THREE_QUARTERS: Goal = Goal {
    stretch: 0.0,
    turn: 1.5 * PI,
    duration: 1.5,
};

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
                settings: ShapeGroupsSettings::default(),
            };
            let twisted = bar.moved(THREE_QUARTERS)?;
            let figure = |what: &str, measured, expected| {
                Figure::new(format!("{what}, {substeps} substeps"), measured, expected)
            };
            figures.extend([
                figure(
                    "cells that its middle is off the axis at most",
                    twisted.farthest_off_axis,
                    Expected::AtMost(0.1),
                ),
                figure(
                    "volume over that at rest",
                    twisted.volume_ratio(),
                    Expected::Near(1.0, 0.02),
                ),
                figure(
                    "least volume over that at rest on the way",
                    twisted.least_volume,
                    Expected::AtLeast(0.98),
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

/// As published.
pub const TWISTED_AS_PUBLISHED: Claim = Claim {
    statement: "with the published filter and solve a bar of shape groups buckles when it is twisted by 270 degrees",
    measure: || {
        let bar = Bar {
            cells: [7, 7, 28],
            law: neo_hookean(0.45),
            substeps: 20,
            settings: published(),
        };
        let twisted = bar.moved(THREE_QUARTERS)?;
        let what = "cells that its middle is off the axis at most, 20 substeps";
        let farthest = twisted.farthest_off_axis;
        let figure = Figure::new(what, farthest, Expected::AtLeast(1.0));
        Ok(vec![figure])
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
                    settings: ShapeGroupsSettings::default(),
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
