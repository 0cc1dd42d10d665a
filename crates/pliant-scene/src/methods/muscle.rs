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
        &["velocity", "density", "none"],
        "velocity",
        "What keeps the volume of flesh: velocities that make det F one at the end of each substep; pressure that keeps densities from exceeding those at rest (DFSPH), of all bodies of flesh together where they touch; or nothing but the law of the material.",
    ),
    Field::number(
        "volume_tolerance",
        Range::closed(1e-6, 0.1),
        "",
        1e-3,
        "Root mean square of det F - 1 that a substep may leave.",
    ),
    Field::number(
        "density_tolerance",
        Range::closed(1e-6, 0.1),
        "",
        1e-3,
        "Mean error of the density over that at rest that a substep may leave, with `incompressibility = \"density\"`; one shorter than four of the longest explicit steps leaves less, in proportion.",
    ),
    Field::number(
        "volume_steps",
        Range::closed(1.0, 1000.0),
        "",
        20.0,
        "Most iterations for the volume in a substep: steps of conjugate gradients, or of Jacobi's method for each of the two pressures that densities need.",
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
    Field::number(
        "retardation_time",
        Range::closed(0.0, 1.0),
        "s",
        0.0,
        "Viscosity of flesh over its shear modulus: the time in which it follows a force. Without any it rings until steps have damped that, longer ones sooner. Explicit steps are the shorter, the longer it is.",
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
            "density" => Incompressibility::Density,
            _ => Incompressibility::Velocity,
        },
        volume_steps: values.number("volume_steps") as u32,
        density_tolerance: values.number("density_tolerance"),
        volume_tolerance: values.number("volume_tolerance"),
        tolerance: values.number("tolerance"),
        hourglass: values.number("hourglass"),
        retardation_time: values.number("retardation_time"),
    }
}
