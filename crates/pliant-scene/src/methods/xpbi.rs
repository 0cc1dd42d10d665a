//! `xpbi` and granules in scenes.

use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::xpbi::{
    GradientPrecision, Multiplier, PlasticityScheme, PositionCorrection, XPBI, XpbiSettings,
};
use pliant_materials::laws::ContactFriction;
use pliant_materials::{HenckyLaw, Law};
use pliant_parameters::{Field, Kind, Preset, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, free_particles, names};
use crate::tables::choice;

/// With `contact-friction` there is no continuum left, and grains meet as contacts only.
pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "xpbi",
    laws: || [names(HenckyLaw::KINDS), names(ContactFriction::KINDS)].concat(),
    kind: |law| match law {
        Law::ContactFriction(_) => GRANULES,
        _ => XPBI,
    },
    support_radius: |law| match law {
        Some("elastic") => 2.6,
        _ => 2.0,
    },
    // Elastic bodies keep their arrangement, and are as stiff as their material only if it is in balance.
    // Granules that overlap at the start would push each other apart.
    sampling: |law| match law {
        Some("elastic") => "relaxed",
        Some("contact-friction") => "spheres",
        _ => "poisson",
    },
    particles: free_particles,
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "xpbi",
    "Settings of the method `xpbi`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    choice(
        "multiplier",
        &["tensor", "scalar"],
        "tensor",
        "Multiplier of a constraint: a stress tensor, or the scalar of the published method, which does not converge to implicit Euler.",
    ),
    choice(
        "plasticity",
        &["implicit", "semi-implicit"],
        "implicit",
        "Whether stress is admissible in every projection or only after the step.",
    ),
    choice(
        "gradient_precision",
        &["auto", "full", "half"],
        "auto",
        "Precision of the stored kernel gradients: half precision needs less memory and is faster; `auto` takes it for grains, whose results do not change, and full precision for all else.",
    ),
    choice(
        "correction",
        &["distance", "density", "none"],
        "distance",
        "Correction of irregular particle distributions: pairs keep a minimum distance, the density is bounded, or none.",
    ),
    Field::new(
        "minimum_distance",
        Kind::Number(Range {
            low: 0.0,
            high: 0.9,
            with_low: false,
            with_high: true,
        }),
        "spacings",
        Preset::Number(0.75),
        "Least distance of two particles, for correction by distance.",
    ),
    Field::number(
        "maximum_density",
        Range::closed(1.0, 2.0),
        "",
        1.25,
        "Greatest density, as a multiple of that of a regular packing at rest, for correction by density. Irregular particles exceed 1: up to 1.23 with Poisson sampling.",
    ),
    Field::new(
        "warm_start",
        Kind::Flag,
        "",
        Preset::Flag(true),
        "Warm start: whether the stress at the start of a substep is applied before its first sweep. Without it a few sweeps leave a body too soft. The scalar multiplier has no warm start.",
    ),
    Field::new(
        "jacobi_relaxation",
        Kind::Number(Range {
            low: 0.0,
            high: 1.0,
            with_low: false,
            with_high: true,
        }),
        "",
        Preset::Number(0.2),
        "Factor on each update of the ordering `jacobi`.",
    ),
];

fn settings_of(values: &Values) -> XpbiSettings {
    XpbiSettings {
        multiplier: match values.text("multiplier") {
            "scalar" => Multiplier::Scalar,
            _ => Multiplier::Tensor,
        },
        plasticity: match values.text("plasticity") {
            "semi-implicit" => PlasticityScheme::SemiImplicit,
            _ => PlasticityScheme::Implicit,
        },
        gradient_precision: match values.text("gradient_precision") {
            "full" => GradientPrecision::Full,
            "half" => GradientPrecision::Half,
            _ => GradientPrecision::Automatic,
        },
        correction: match values.text("correction") {
            "density" => PositionCorrection::Density,
            "none" => PositionCorrection::None,
            _ => PositionCorrection::Distance,
        },
        minimum_distance: values.number("minimum_distance"),
        maximum_density: values.number("maximum_density"),
        warm_start: values.flag("warm_start"),
        jacobi_relaxation: values.number("jacobi_relaxation"),
    }
}
