//! Shape matching, Hooke's law and the Neo-Hookean law side by side: Müller et al. 2022, figure 2.

use pliant_core::methods::shape_groups::ShapeGroupsSettings;
use pliant_core::step::StepError;
use pliant_materials::LameModuli;
use pliant_materials::laws::{Corotated, SaintVenantKirchhoff, SolidLaw};

use super::bars::{Bar, Goal};
use super::{YOUNGS_MODULUS, neo_hookean};
use crate::{Claim, Curve, Expected, Figure, Plot};

/// Between clamps.
pub const STRETCHED: Claim = Claim {
    statement: "the middle of a stretched bar of shape groups has the volume of the closed form of its law",
    measure: || {
        let mut figures = Vec::new();
        for material in materials() {
            let mut points = vec![[1.0, 1.0]];
            let mut of_law = Vec::new();
            for stretch in [1.25, 1.5, 1.75, 2.0] {
                let measured = middle(material.law, stretch)?;
                points.push([stretch, measured]);
                let what = format!(
                    "volume ratio at {stretch} times its length, {}",
                    material.name
                );
                let expected = match stretch <= material.collapses {
                    true => Expected::Near((material.closed_form)(stretch), material.within),
                    // It has no shape of its own any more.
                    false => Expected::Finite,
                };
                of_law.push(Figure::new(what, measured, expected));
            }
            if let Some(last) = of_law.pop() {
                let stretches = (0..=40).map(|k| 1.0 + 0.025 * f64::from(k));
                let form = stretches.map(|s| [s, (material.closed_form)(s).max(0.0)]);
                let name = format!("{}, closed form", material.name);
                let last = last
                    .with(Curve::measured(VOLUMES, material.name, points))
                    .with(Curve::reference(VOLUMES, name, form.collect()));
                of_law.push(last);
            }
            figures.append(&mut of_law);
        }
        Ok(figures)
    },
};

/// Between clamps too, so that it bulges: no closed form, but all of the volume must stay.
pub const COMPRESSED: Claim = Claim {
    statement: "only the Neo-Hookean law keeps the volume of a bar of shape groups that is pressed to 0.6 of its length",
    measure: || {
        let mut figures = Vec::new();
        for material in materials() {
            let mut points = vec![[1.0, 1.0]];
            for stretch in [0.9, 0.8, 0.7, 0.6] {
                let goal = Goal {
                    stretch: stretch - 1.0,
                    duration: 1.0,
                    ..Goal::default()
                };
                let bar = Bar {
                    cells: [6, 6, 10],
                    law: material.law,
                    substeps: 20,
                    settings: ShapeGroupsSettings::default(),
                };
                points.push([stretch, bar.moved(goal)?.volume_ratio()]);
            }
            let what = format!("volume over that at rest, {}", material.name);
            let expected = match material.name {
                "Neo-Hookean, 0.49" => Expected::AtLeast(0.95),
                "Neo-Hookean, 0.45" => Expected::AtLeast(0.9),
                _ => Expected::AtMost(0.85),
            };
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let pressed = points[0][1];
            let curve = Curve::measured(PRESSED, material.name, points);
            figures.push(Figure::new(what, pressed, expected).with(curve));
        }
        Ok(figures)
    },
};

const VOLUMES: Plot = Plot {
    title: "Volume of the middle of a stretched bar of shape groups (Müller et al. 2022, Fig. 2)",
    unit: "",
    across: "stretch",
    across_unit: "",
    is_logarithmic: [false, false],
};

const PRESSED: Plot = Plot {
    title: "Volume of a bar of shape groups between clamps that come closer",
    unit: "",
    across: "stretch",
    across_unit: "",
    is_logarithmic: [false, false],
};

/// A law, and what it says of a bar with free sides.
pub(super) struct LawOfBar {
    pub(super) name: &'static str,
    pub(super) law: SolidLaw,
    /// Volume ratio at a stretch.
    closed_form: fn(f64) -> f64,
    /// Greatest difference to it that is allowed.
    within: f64,
    /// Greatest stretch at which the closed form holds.
    collapses: f64,
}

pub(super) fn materials() -> [LawOfBar; 5] {
    let moduli = |nu| LameModuli::from_youngs(YOUNGS_MODULUS, nu);
    let hookean = |nu| SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli: moduli(nu) });
    [
        LawOfBar {
            name: "shape matching",
            law: SolidLaw::Corotated(Corotated {
                moduli: moduli(0.0),
            }),
            closed_form: |s| s,
            within: 0.05,
            collapses: 2.0,
        },
        LawOfBar {
            name: "Hookean, 0",
            law: hookean(0.0),
            closed_form: |s| s,
            within: 0.05,
            collapses: 2.0,
        },
        LawOfBar {
            name: "Hookean, 0.49",
            law: hookean(0.49),
            // The square of what the sides are stretched by is 1 - nu (s^2 - 1).
            closed_form: |s| s * (1.0 - 0.49 * (s * s - 1.0)),
            within: 0.05,
            // 1.74 without clamps.
            collapses: 1.7,
        },
        LawOfBar {
            name: "Neo-Hookean, 0.45",
            law: neo_hookean(0.45),
            closed_form: |s| neo_hookean_volume(s, 0.45),
            within: 0.01,
            collapses: 2.0,
        },
        LawOfBar {
            name: "Neo-Hookean, 0.49",
            law: neo_hookean(0.49),
            closed_form: |s| neo_hookean_volume(s, 0.49),
            within: 0.01,
            collapses: 2.0,
        },
    ]
}

/// No stress across the bar: mu + (l (J - 1) - mu) s = 0 with l = lambda + mu.
fn neo_hookean_volume(s: f64, nu: f64) -> f64 {
    let ratio = 1.0 / (2.0 * nu / (1.0 - 2.0 * nu) + 1.0);
    1.0 + ratio * (1.0 - 1.0 / s)
}

fn middle(law: SolidLaw, stretch: f64) -> Result<f64, StepError> {
    let goal = Goal {
        stretch: stretch - 1.0,
        duration: 1.0,
        ..Goal::default()
    };
    let bar = Bar {
        cells: [5, 5, 25],
        law,
        substeps: 50,
        settings: ShapeGroupsSettings::default(),
    };
    Ok(bar.moved(goal)?.middle_volume_ratio())
}
