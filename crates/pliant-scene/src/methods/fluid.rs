//! `fluid` in scenes.

use pliant_core::methods::fluid::{FLUID, FluidSettings};
use pliant_materials::Newtonian;
use pliant_parameters::{Field, Range, Values};

use super::settings::SettingsTable;
use super::{SceneMethod, free_particles, names};

/// Fluids that start out of balance stir themselves.
pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "fluid",
    laws: || names(Newtonian::KINDS),
    kind: |_| FLUID,
    support_radius: |_| 2.0,
    sampling: |_| "relaxed",
    particles: free_particles,
};

/// Settings in `[solver]`.
pub(super) const SETTINGS: SettingsTable = SettingsTable::new(
    "fluid",
    "Settings of the method `fluid`.",
    FIELDS,
    |values, settings| settings.with(settings_of(values)),
);

const FIELDS: &[Field] = &[
    Field::number(
        "minimum_distance",
        Range::closed(0.0, 0.9),
        "spacings",
        0.7,
        "Least distance of two particles of a fluid, which prevents clumping where pressure does not. 0 switches it off.",
    ),
    Field::number(
        "vorticity_confinement",
        Range::NOT_NEGATIVE,
        "1/s",
        0.0,
        "Vorticity confinement: rate at which vortices are amplified; a few 1/s are visible. Not physical: momentum is not conserved. 0 switches it off.",
    ),
];

fn settings_of(values: &Values) -> FluidSettings {
    FluidSettings {
        minimum_distance: values.number("minimum_distance"),
        vorticity_confinement: values.number("vorticity_confinement"),
    }
}
