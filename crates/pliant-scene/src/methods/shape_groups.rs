//! `shape-groups` in scenes.

use pliant_core::methods::shape_groups::{EnergySolve, Filter, SHAPE_GROUPS, ShapeGroupsSettings};
use pliant_materials::laws::Solid;
use pliant_parameters::{Field, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, names};
use crate::tables::choice;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "shape-groups",
    laws: || names(Solid::KINDS),
    kind: |_| SHAPE_GROUPS,
    support_radius: |_| 1.8,
    sampling: |_| "grid",
    particles: |builder, item| builder.shape_groups(item),
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "shape-groups",
    "Settings of the method `shape-groups`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    choice(
        "solve",
        &["automatic", "block", "stress", "energy", "sequential"],
        "automatic",
        "What is projected: `block` solves the two constraints of the law `polynomial-neo-hookean` together, `stress` gives what is missing of the stress, for any law, `energy` takes one constraint, the root of twice the energy, which gains energy near incompressibility, `sequential` solves the two one after the other, as published, which does not stay at rest. `automatic` is `block` for that law in steps in which a wave crosses at most a quarter of a spacing, or 0.7 with one sweep, and `stress` else.",
    ),
    choice(
        "filter",
        &["compliant", "full"],
        "compliant",
        "What holds the particles of a group where its deformation has them: a stiffness, or their places as published, which makes bending stiffer the shorter the step is.",
    ),
    Field::number(
        "filter_stiffness",
        Range::NOT_NEGATIVE,
        "",
        1.0,
        "Stiffness of the compliant filter over that of the bending modes of a hexahedron.",
    ),
    Field::number(
        "damping",
        Range::NOT_NEGATIVE,
        "1/s",
        0.0,
        "Damping of what is not a rigid motion of a group.",
    ),
];

fn settings_of(values: &Values) -> ShapeGroupsSettings {
    ShapeGroupsSettings {
        solve: match values.text("solve") {
            "block" => EnergySolve::Block,
            "energy" => EnergySolve::Energy,
            "stress" => EnergySolve::Stress,
            "sequential" => EnergySolve::Sequential,
            _ => EnergySolve::Automatic,
        },
        filter: match values.text("filter") {
            "full" => Filter::Full,
            _ => Filter::Compliant,
        },
        filter_stiffness: values.number("filter_stiffness"),
        damping: values.number("damping"),
    }
}
