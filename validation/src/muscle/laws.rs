//! Four laws squashed and stretched: Wang et al. 2023, figures 3 and 4.

use pliant_core::methods::muscle::Incompressibility;
use pliant_materials::LameModuli;
use pliant_materials::laws::{
    Corotated, NeoHookean, SaintVenantKirchhoff, SolidLaw, StableNeoHookean,
};

use super::YOUNGS_MODULUS;
use super::bar::Bar;
use crate::{Claim, Curve, Expected, Figure, Plot};

/// Nothing but the law keeps the volume.
pub const LAWS: Claim = Claim {
    statement: "of flesh at 0.49, squashed and stretched, only the neo-Hookean laws keep the volume",
    measure: || {
        let mut figures = Vec::new();
        for poissons_ratio in [0.4, 0.49] {
            for law in laws(poissons_ratio) {
                let bar = of_law(law.law, Incompressibility::None);
                let mut points = vec![[1.0, 1.0]];
                for stretch in law.stretches {
                    let pulled = bar.pulled(bar.flesh(), stretch)?;
                    let what = format!(
                        "volume ratio of the middle at {stretch} times its length, {}, {poissons_ratio}",
                        law.name
                    );
                    let last = pulled.volumes.last().copied();
                    let [stretch, volume] = last.unwrap_or([f64::NAN; 2]);
                    points.extend(pulled.volumes);
                    let expected = expected(&law, poissons_ratio, stretch);
                    figures.push(Figure::new(what, volume, expected));
                }
                points.sort_by(|a, b| a[0].total_cmp(&b[0]));
                let plot = if poissons_ratio < 0.45 {
                    COMPRESSIBLE
                } else {
                    NEARLY_NOT
                };
                let curve = Curve::measured(plot, law.name, points);
                let of_law = figures.pop().map(|figure: Figure| figure.with(curve));
                figures.extend(of_law);
            }
        }
        let reference = |name, volume: fn(f64) -> f64| {
            let stretches = (0..=40).map(|k| 0.7 + 0.02 * f64::from(k));
            let points = stretches.map(|s| [s, volume(s).max(0.0)]).collect();
            Curve::reference(NEARLY_NOT, name, points)
        };
        let last = figures.pop().map(|figure| {
            figure
                .with(reference("corotated at 0.5, closed form", corotated_volume))
                .with(reference(
                    "Saint Venant-Kirchhoff at 0.5, closed form",
                    squares_volume,
                ))
        });
        figures.extend(last);
        Ok(figures)
    },
};

/// The default keeps the volume of a soft law.
pub const KEPT: Claim = Claim {
    statement: "flesh of a corotated law at 0.3 keeps its volume within 0.5 % where det F is kept",
    measure: || {
        let law = SolidLaw::Corotated(Corotated {
            moduli: LameModuli::from_youngs(YOUNGS_MODULUS, 0.3),
        });
        let bar = of_law(law, Incompressibility::Velocity);
        let mut figures = Vec::new();
        for stretch in [0.7, 1.3] {
            let what = format!("volume ratio at {stretch} times its length");
            let volume = bar.pulled(bar.flesh(), stretch)?.volume;
            figures.push(Figure::new(what, volume, Expected::Near(1.0, 5e-3)));
        }
        Ok(figures)
    },
};

const COMPRESSIBLE: Plot = Plot {
    title: "Volume of the middle of squashed and stretched flesh, Poisson's ratio 0.4 (Wang et al. 2023, Figs. 3 and 4)",
    unit: "",
    across: "stretch",
    across_unit: "",
    is_logarithmic: [false, false],
};

const NEARLY_NOT: Plot = Plot {
    title: "Volume of the middle of squashed and stretched flesh, Poisson's ratio 0.49 (Wang et al. 2023, Figs. 3 and 4)",
    ..COMPRESSIBLE
};

struct Law {
    name: &'static str,
    law: SolidLaw,
    /// Volume ratio at a stretch of what cannot be compressed in the sense of the law.
    volume: fn(f64) -> f64,
    /// Stretches that it is squashed and pulled to.
    stretches: [f64; 2],
}

fn laws(poissons_ratio: f64) -> [Law; 4] {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, poissons_ratio);
    [
        Law {
            name: "corotated",
            law: SolidLaw::Corotated(Corotated { moduli }),
            volume: corotated_volume,
            stretches: [0.7, 1.5],
        },
        Law {
            name: "Saint Venant-Kirchhoff",
            law: SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli }),
            volume: squares_volume,
            // Further on corners are turned inside out: what is squashed by more than 0.58 resists less and less.
            stretches: [0.8, 1.3],
        },
        Law {
            name: "neo-Hookean",
            law: SolidLaw::NeoHookean(NeoHookean { moduli }),
            volume: |_| 1.0,
            stretches: [0.7, 1.5],
        },
        Law {
            name: "stable neo-Hookean",
            law: SolidLaw::StableNeoHookean(StableNeoHookean { moduli }),
            volume: |_| 1.0,
            stretches: [0.7, 1.5],
        },
    ]
}

fn of_law(law: SolidLaw, incompressibility: Incompressibility) -> Bar {
    Bar {
        count: [7, 7, 13],
        law,
        youngs_modulus: YOUNGS_MODULUS,
        incompressibility,
    }
}

/// The sum of the stretches stays 3.
fn corotated_volume(s: f64) -> f64 {
    s * (0.5 * (3.0 - s)).powi(2)
}

/// The sum of their squares does.
fn squares_volume(s: f64) -> f64 {
    s * 0.5 * (3.0 - s * s)
}

/// Of laws that keep something else than the volume, what they keep is not exactly kept at 0.49, and clamps hold the
/// ends.
///
/// * `stretch` — of the middle
fn expected(law: &Law, poissons_ratio: f64, stretch: f64) -> Expected {
    let closed = (law.volume)(stretch);
    match law.name {
        _ if poissons_ratio < 0.45 => Expected::Finite,
        "corotated" => Expected::Near(closed, 0.03),
        "Saint Venant-Kirchhoff" => Expected::Near(closed, 0.03),
        _ => Expected::Near(closed, 0.02),
    }
}
