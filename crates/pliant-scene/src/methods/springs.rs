//! `springs` in scenes.

use pliant_core::methods::springs::{SPRINGS, SpringsSettings};
use pliant_materials::Springs;
use pliant_parameters::{Field, Kind, Preset, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, names};
use crate::tables::flag;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "springs",
    laws: || names(Springs::KINDS),
    kind: |_| SPRINGS,
    support_radius: |_| 2.0,
    sampling: |_| "poisson",
    particles: |builder, item| builder.springs(item),
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "springs",
    "Settings of the method `springs`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    Field::new(
        "cg_iterations",
        Kind::Integer(Range::closed(0.0, 10000.0)),
        "",
        Preset::Integer(0),
        "Fixed number of conjugate-gradient iterations in a substep, as in papers: a few leave springs too long and too slow. 0: as many as `tolerance` needs.",
    ),
    Field::number(
        "tolerance",
        Range::closed(1e-6, 0.5),
        "",
        1e-3,
        "Relative residual at which the system of a substep is solved.",
    ),
    flag(
        "clamp_jacobian",
        true,
        "Whether negative parts of the Jacobian of a compressed spring are left out. If not, compressed springs may be unstable.",
    ),
    Field::number(
        "jacobian_damping",
        Range::closed(0.0, 1.0),
        "",
        0.0,
        "Part of the coefficients b and d of the cubic force left out of the Jacobian, published as a damping: 0.01 already suppresses most motion, and it grows with the inverse square of a1 - 1.",
    ),
    flag(
        "keep_angular_momentum",
        true,
        "Whether free bodies get back the angular momentum lost by the linearisation.",
    ),
];

fn settings_of(values: &Values) -> SpringsSettings {
    SpringsSettings {
        cg_iterations: match values.integer("cg_iterations") as u32 {
            0 => None,
            steps => Some(steps),
        },
        tolerance: values.number("tolerance"),
        clamp_jacobian: values.flag("clamp_jacobian"),
        jacobian_damping: values.number("jacobian_damping"),
        keep_angular_momentum: values.flag("keep_angular_momentum"),
    }
}
