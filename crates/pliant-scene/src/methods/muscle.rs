//! `muscle` in scenes.

use pliant_core::methods::muscle::{
    Incompressibility, Integration, MUSCLE, MuscleSettings, SUPPORT,
};
use pliant_materials::laws::Solid;
use pliant_parameters::{Field, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, names};
use crate::tables::choice;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "muscle",
    laws: || names(Solid::KINDS),
    kind: |_| MUSCLE,
    support_radius: |_| SUPPORT,
    sampling: |_| "grid",
    particles: |builder, item| builder.flesh(item),
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "muscle",
    "Settings of the method `muscle`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    choice(
        "integration",
        &["automatic", "explicit", "implicit"],
        "automatic",
        "Integration of the stress: explicit, in steps in which waves cross less than 0.4 spacings; implicit, in longer ones; or what costs less, which `pliant check` says.",
    ),
    choice(
        "incompressibility",
        &["velocity", "none"],
        "velocity",
        "What keeps the volume of flesh: velocities that make det F one at the end of each substep, or nothing but the law of the material.",
    ),
    Field::number(
        "volume_tolerance",
        Range::closed(1e-6, 0.1),
        "",
        1e-4,
        "Root mean square of det F - 1 that a substep may leave.",
    ),
    Field::number(
        "volume_steps",
        Range::closed(1.0, 1000.0),
        "",
        20.0,
        "Most steps of conjugate gradients for the volume in a substep.",
    ),
    Field::number(
        "tolerance",
        Range::closed(1e-9, 0.1),
        "",
        1e-3,
        "Residual of the implicit system over its right side at which its solution ends.",
    ),
    Field::number(
        "hourglass",
        Range::closed(0.0, 1.0),
        "",
        0.1,
        "Hourglass control of zero-energy modes, a part of the shear modulus. 0 switches it off.",
    ),
];

fn settings_of(values: &Values) -> MuscleSettings {
    MuscleSettings {
        integration: match values.text("integration") {
            "explicit" => Integration::Explicit,
            "implicit" => Integration::Implicit,
            _ => Integration::Automatic,
        },
        incompressibility: match values.text("incompressibility") {
            "none" => Incompressibility::None,
            _ => Incompressibility::Velocity,
        },
        volume_steps: values.number("volume_steps") as u32,
        volume_tolerance: values.number("volume_tolerance"),
        tolerance: values.number("tolerance"),
        hourglass: values.number("hourglass"),
    }
}
