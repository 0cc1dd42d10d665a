//! Bars with fibres: how stiff they are along and across, and how they pull.

use pliant_core::methods::muscle::{Activation, Flesh, Incompressibility, Muscle};
use pliant_core::schedule::Schedule;
use pliant_materials::LameModuli;
use pliant_materials::laws::{Corotated, SolidLaw};
use pliant_math::DVec3;

use super::YOUNGS_MODULUS;
use super::bar::Bar;
use crate::{Claim, Curve, Expected, Figure, Plot};

/// Stretch at which moduli are read off.
const STRETCH: f64 = 1.05;
/// Stiffness of the fibres [Pa].
const FIBER: f64 = 1.5e5;
const POISSONS_RATIO: f64 = 0.3;

/// Turned from the axis of the bar.
pub const FIBERS: Claim = Claim {
    statement: "fibres stiffen a bar of flesh along them by their own stiffness, and hardly across",
    measure: || {
        let mut points = Vec::new();
        let mut figures = Vec::new();
        for degrees in [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0] {
            let bar = bar([5, 5, 16]);
            let flesh = with_fibers(&bar, f64::to_radians(degrees), Activation::NONE);
            let modulus = bar.pulled(flesh, STRETCH)?.stress / (STRETCH - 1.0);
            points.push([degrees, modulus]);
            // Fibres across resist that the bar gets thinner: E / (1 - nu^2 mu_f / (E + mu_f)).
            let squared = POISSONS_RATIO * POISSONS_RATIO;
            let across = YOUNGS_MODULUS / (1.0 - squared * FIBER / (YOUNGS_MODULUS + FIBER));
            let expected = match degrees {
                0.0 => Expected::Near(1.0, 0.05),
                90.0 => Expected::Near(1.0, 0.08),
                _ => continue,
            };
            let form = if degrees > 0.0 {
                across
            } else {
                YOUNGS_MODULUS + FIBER
            };
            let what = format!("Young's modulus over the closed form, fibres at {degrees} degrees");
            figures.push(Figure::new(what, modulus / form, expected));
        }
        let curve = Curve::measured(MODULI, "measured", points);
        let last = figures.pop().map(|figure: Figure| figure.with(curve));
        figures.extend(last);
        Ok(figures)
    },
};

/// Held at its length.
pub const ISOMETRIC: Claim = Claim {
    statement: "a muscle that is held pulls with its stiffness times its shortening",
    measure: || {
        let mut points = vec![[0.0, 0.0]];
        let mut figures = Vec::new();
        for activation in [0.25, 0.5, 0.75, 1.0] {
            let bar = bar([6, 6, 20]);
            let activated = Activation::Scheduled(Schedule::Constant(activation));
            let flesh = with_fibers(&bar, 0.0, activated);
            let shortening = flesh.muscles[0].shortening * activation;
            let stress = bar.pulled(flesh, 1.0)?.stress;
            points.push([activation, stress]);
            let what = format!("stress over the closed form at an activation of {activation}");
            let ratio = stress / (FIBER * shortening);
            figures.push(Figure::new(what, ratio, Expected::Near(1.0, 0.03)));
        }
        let curve = Curve::measured(PULL, "measured", points);
        let last = figures.pop().map(|figure: Figure| figure.with(curve));
        figures.extend(last);
        Ok(figures)
    },
};

const MODULI: Plot = Plot {
    title: "Young's modulus of a bar of flesh with fibres",
    unit: "Pa",
    across: "angle of the fibres to the bar",
    across_unit: "degrees",
    is_logarithmic: [false, false],
};

const PULL: Plot = Plot {
    title: "Stress of a muscle that is held at its length",
    unit: "Pa",
    across: "activation",
    across_unit: "",
    is_logarithmic: [false, false],
};

fn bar(count: [usize; 3]) -> Bar {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, POISSONS_RATIO);
    Bar {
        count,
        law: SolidLaw::Corotated(Corotated { moduli }),
        youngs_modulus: YOUNGS_MODULUS,
        incompressibility: Incompressibility::None,
    }
}

/// Its flesh with fibres that are turned about y from its axis by an angle [rad].
fn with_fibers(bar: &Bar, angle: f64, activation: Activation) -> Flesh {
    let mut flesh = bar.flesh();
    let direction = DVec3::new(angle.sin(), 0.0, angle.cos());
    flesh.add(Muscle::new("bundle", FIBER, activation), |_, _| {
        Some((direction, 0.0))
    });
    flesh
}
