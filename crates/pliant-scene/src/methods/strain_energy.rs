//! `strain-energy` in scenes.

use pliant_core::methods::strain_energy::{
    EnergyConstraint, STRAIN_ENERGY, SUPPORT, StrainEnergySettings,
};
use pliant_materials::laws::Solid;
use pliant_parameters::{Field, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, names};
use crate::tables::choice;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "strain-energy",
    laws: || names(Solid::KINDS),
    kind: |_| STRAIN_ENERGY,
    support_radius: |_| SUPPORT,
    sampling: |_| "relaxed",
    particles: |builder, item| builder.solid(item),
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "strain-energy",
    "Settings of the method `strain-energy`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    choice(
        "constraint",
        &["consistent", "energy"],
        "consistent",
        "What is projected: the stress of each particle, so that impulses are those of the stress at the end of a substep, consistent with the energy of the material, or the energy as a constraint as published, whose stiffness depends on step, sweeps and particle size.",
    ),
    Field::number(
        "hourglass",
        Range::closed(0.0, 1.0),
        "",
        0.3,
        "Hourglass control of zero-energy modes, a part of Young's modulus; at least 0.3 while parts of a body are collapsed. 0 switches it off.",
    ),
];

fn settings_of(values: &Values) -> StrainEnergySettings {
    StrainEnergySettings {
        constraint: match values.text("constraint") {
            "energy" => EnergyConstraint::Energy,
            _ => EnergyConstraint::Consistent,
        },
        hourglass: values.number("hourglass"),
    }
}
