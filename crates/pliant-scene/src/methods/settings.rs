//! What methods do their own way: the tables in `[solver]`.

use pliant_core::world::MethodSettings;
use pliant_parameters::{Field, Kind, Preset, Values};

use super::{fluid, muscle, shape_groups, springs, strain_energy, xpbi};

/// A table of settings of a method.
pub(crate) struct SettingsTable {
    /// The field of `[solver]` that it is.
    pub field: Field,
    /// Takes them over.
    read: fn(&Values, MethodSettings) -> MethodSettings,
}

/// All of them.
pub(crate) const TABLES: &[SettingsTable] = &[
    xpbi::SETTINGS,
    fluid::SETTINGS,
    strain_energy::SETTINGS,
    shape_groups::SETTINGS,
    muscle::SETTINGS,
    springs::SETTINGS,
];

impl SettingsTable {
    /// A table of the name of its method.
    pub(super) const fn new(
        name: &'static str,
        doc: &'static str,
        fields: &'static [Field],
        read: fn(&Values, MethodSettings) -> MethodSettings,
    ) -> Self {
        Self {
            field: Field::new(name, Kind::Table(fields), "", Preset::Absent, doc),
            read,
        }
    }
}

/// The settings of all methods in a table `[solver]`.
pub(crate) fn method_settings(solver: &Values) -> MethodSettings {
    TABLES
        .iter()
        .fold(MethodSettings::default(), |settings, table| {
            let values = solver.table(table.field.name).unwrap_or(solver);
            (table.read)(values, settings)
        })
}
